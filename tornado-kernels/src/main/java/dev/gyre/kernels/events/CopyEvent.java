package dev.gyre.kernels.events;

import jdk.jfr.Label;
import jdk.jfr.Name;

/** A memory was copied to or from a device. During a recording, the caller waits for each copy. */
@Name("dev.gyre.Copy")
@Label("Copy")
final class CopyEvent extends BytesEvent {}
