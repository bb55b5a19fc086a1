package dev.gyre.kernels.events;

import jdk.jfr.Label;
import jdk.jfr.Name;

/** A memory was copied to a device, or back. While these are recorded, copies are waited for. */
@Name("dev.gyre.Copy")
@Label("Copy")
final class CopyEvent extends BytesEvent {}
