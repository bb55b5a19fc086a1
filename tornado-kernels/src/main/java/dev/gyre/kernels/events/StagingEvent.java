package dev.gyre.kernels.events;

import jdk.jfr.Label;
import jdk.jfr.Name;

/** What a caller gave was brought to where kernels work on it, or results to the caller. */
@Name("dev.gyre.Staging")
@Label("Staging")
final class StagingEvent extends BytesEvent {}
