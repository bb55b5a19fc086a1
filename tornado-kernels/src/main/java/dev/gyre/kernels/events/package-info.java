/**
 * Events of the JDK's Flight Recorder: kernels, compilation, copies to and from devices, staging,
 * growth, waits, and the chosen way to insert.
 *
 * <p>Their category is Gyre. Record them with {@code java
 * -XX:StartFlightRecording:filename=gyre.jfr}, or print a table with {@code gyre wordcount
 * --profile}. Without a recording they cost almost nothing. Short events are left out, unless a
 * recording changes their threshold: {@code +dev.gyre.Kernel#threshold=0ns}.
 */
@Internal
@NullMarked
package dev.gyre.kernels.events;

import dev.gyre.atomics.Internal;
import org.jspecify.annotations.NullMarked;
