package dev.gyre.kernels.events;

import jdk.jfr.Label;
import jdk.jfr.Name;

/** Input of a caller was copied to where kernels use it, or results to the caller. */
@Name("dev.gyre.Staging")
@Label("Staging")
final class StagingEvent extends BytesEvent {}
