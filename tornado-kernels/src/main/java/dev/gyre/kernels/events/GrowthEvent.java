package dev.gyre.kernels.events;

import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;

/** A structure grew; the bytes are its new size. */
@Name("dev.gyre.Growth")
@Label("Growth")
@Threshold("0 ns")
final class GrowthEvent extends BytesEvent {}
