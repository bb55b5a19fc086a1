package dev.gyre.kernels.events;

import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;

/** A kernel was compiled for a device. */
@Name("dev.gyre.Compile")
@Label("Compilation of a kernel")
@Threshold("0 ns")
final class CompileEvent extends GyreEvent {}
