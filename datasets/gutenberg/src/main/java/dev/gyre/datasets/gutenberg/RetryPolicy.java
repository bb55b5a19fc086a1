package dev.gyre.datasets.gutenberg;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Waits between requests: the pace, the backoff after failures, and the pause that the server
 * requests.
 */
final class RetryPolicy {

  /** Clock that tests replace. */
  interface Clock {
    /** Clock of this machine. */
    Clock SYSTEM = new Clock() {};

    /** Returns nanoseconds since some moment. */
    default long nanoTime() {
      return System.nanoTime();
    }

    default Instant now() {
      return Instant.now();
    }

    default void sleep(Duration duration) throws InterruptedException {
      Thread.sleep(duration);
    }
  }

  private final DownloadSettings settings;
  private final Clock clock;
  private final RandomGenerator random;
  private long nextRequest;

  RetryPolicy(DownloadSettings settings, Clock clock, RandomGenerator random) {
    this.settings = settings;
    this.clock = clock;
    this.random = random;
    this.nextRequest = clock.nanoTime();
  }

  /** Waits until the next request is polite, and counts it as made. */
  void beforeRequest() throws InterruptedException {
    long left = nextRequest - clock.nanoTime();
    if (left > 0) {
      clock.sleep(Duration.ofNanos(left));
    }
    nextRequest = clock.nanoTime() + settings.pause().toNanos();
  }

  /**
   * Returns the wait after failure number {@code failures}, counted from 1; at least the pause that
   * the server requested.
   */
  Duration afterFailure(int failures, Duration asked) {
    Duration wait = backoff(failures);
    return asked.compareTo(wait) > 0 ? asked : wait;
  }

  void sleep(Duration wait) throws InterruptedException {
    clock.sleep(wait);
  }

  /**
   * Returns the backoff. It doubles with each failure up to a limit. Half of it is random, so that
   * clients that failed together do not return together.
   */
  private Duration backoff(int failures) {
    long wait = settings.backoff().toNanos();
    long limit = settings.longestWait().toNanos();
    for (int i = 1; i < failures && wait < limit; i++) {
      wait = Math.min(2 * wait, limit);
    }
    return Duration.ofNanos(wait / 2 + random.nextLong(wait / 2 + 1));
  }

  /** Returns the pause of a Retry-After header: seconds, or a date. */
  Duration asked(Optional<String> retryAfter) {
    String value = retryAfter.orElse("0").strip();
    if (value.matches("[0-9]{1,9}")) {
      return Duration.ofSeconds(Long.parseLong(value));
    }
    try {
      Instant until = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      Duration wait = Duration.between(clock.now(), until);
      return wait.isNegative() ? Duration.ZERO : wait;
    } catch (DateTimeParseException e) {
      // An invalid header counts as missing.
      return Duration.ZERO;
    }
  }
}
