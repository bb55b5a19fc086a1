package dev.gyre.kernels.events;

import jdk.jfr.Label;
import jdk.jfr.Name;

/** A kernel was compiled for a device. */
@Name("dev.gyre.Compile")
@Label("Compilation of a kernel")
final class CompileEvent extends GyreEvent {}
