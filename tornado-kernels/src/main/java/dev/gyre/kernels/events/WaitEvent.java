package dev.gyre.kernels.events;

import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;

/** An operation waited for others on the same structure. */
@Name("dev.gyre.Wait")
@Label("Wait")
@Threshold("100 us")
final class WaitEvent extends GyreEvent {}
