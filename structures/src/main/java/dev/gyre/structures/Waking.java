package dev.gyre.structures;

import dev.gyre.atomics.Internal;
import dev.gyre.atomics.Settings;
import java.time.Duration;

/**
 * For how much work several workers of the JVM are woken: less stays with the thread that calls,
 * which has done it before others would have been of use. With N workers, work of T nanoseconds
 * takes the time of waking them and T / N times what it costs them to be several. For the packages
 * of this module.
 */
@Internal
public final class Waking {

  /**
   * What it takes to wake workers and to wait for the last of them, in all steps of a call; the
   * property {@value #PROPERTY} sets another time.
   */
  private static final Duration USUAL = Duration.ofNanos(300_000);

  /** The property that sets {@link #USUAL}. */
  private static final String PROPERTY = "gyre.waking";

  /** So much slower are workers together than each of them alone, which claim what they use. */
  private static final double TOGETHER = 1.5;

  /** The same of those that look for what is there. */
  private static final double READING = 1.1;

  private final int workers;
  private final long nanos;

  /**
   * Of so many workers.
   *
   * @throws dev.gyre.atomics.SettingException if the property is not understood
   */
  public Waking(int workers) {
    this.workers = workers;
    this.nanos = Settings.time(PROPERTY).orElse(USUAL).toNanos();
  }

  /**
   * Whether several are of use.
   *
   * @param work how many nanoseconds it takes one of them, about
   * @param updates whether they claim what they use, and not only look
   */
  public boolean pays(long work, boolean updates) {
    return work * (workers - (updates ? TOGETHER : READING)) >= (double) nanos * workers;
  }
}
