package dev.gyre.kernels.events;

import jdk.jfr.Label;
import jdk.jfr.Name;

/** A structure got other room; the bytes are those of the new one. */
@Name("dev.gyre.Growth")
@Label("Growth")
final class GrowthEvent extends BytesEvent {}
