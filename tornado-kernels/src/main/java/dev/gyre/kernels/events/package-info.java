/**
 * What takes time, as events of the JDK's Flight Recorder: kernels, their compilation, copies to
 * and from devices, what is staged for them, growth, waits, and which way was chosen to insert.
 *
 * <p>All are in the category Gyre, and recorded as those of others are: {@code java
 * -XX:StartFlightRecording:filename=gyre.jfr}, or {@code gyre wordcount --profile} for a table of
 * them. Where nobody records, they cost next to nothing.
 */
@NullMarked
package dev.gyre.kernels.events;

import org.jspecify.annotations.NullMarked;
