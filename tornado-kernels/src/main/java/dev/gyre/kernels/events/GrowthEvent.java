package dev.gyre.kernels.events;

import jdk.jfr.Label;
import jdk.jfr.Name;

/** A structure grew; the bytes are its new size. */
@Name("dev.gyre.Growth")
@Label("Growth")
final class GrowthEvent extends BytesEvent {}
