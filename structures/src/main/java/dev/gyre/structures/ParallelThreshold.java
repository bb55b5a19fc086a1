package dev.gyre.structures;

import dev.gyre.atomics.Internal;
import dev.gyre.atomics.Settings;
import java.time.Duration;

/**
 * Decides whether several workers of the JVM are woken: small work runs on the calling thread,
 * which ends before other threads are awake.
 *
 * <p>With N workers, work of T nanoseconds takes the time to wake them plus T / N times the factor
 * by which concurrency slows them. For the packages of this module.
 */
@Internal
public final class ParallelThreshold {

  /**
   * Time to wake workers and wait for the last one, in all steps of a call; the property {@value
   * #PROPERTY} sets another time.
   */
  private static final Duration USUAL = Duration.ofNanos(300_000);

  /** Property that sets {@link #USUAL}. */
  private static final String PROPERTY = "gyre.waking";

  /** Factor by which updating workers are slower together, because they claim what they use. */
  private static final double TOGETHER = 1.5;

  /** Factor by which reading workers are slower together. */
  private static final double READING = 1.1;

  private final int workers;
  private final long nanos;

  /**
   * Creates a decision for a number of workers.
   *
   * @throws dev.gyre.atomics.SettingException if the property is invalid
   */
  public ParallelThreshold(int workers) {
    this.workers = workers;
    this.nanos = Settings.time(PROPERTY).orElse(USUAL).toNanos();
  }

  /**
   * Returns whether several workers are faster.
   *
   * @param work approximate time of one worker, in nanoseconds
   * @param updates whether the workers claim what they use, and do not only read
   */
  public boolean pays(long work, boolean updates) {
    return work * (workers - (updates ? TOGETHER : READING)) >= (double) nanos * workers;
  }
}
