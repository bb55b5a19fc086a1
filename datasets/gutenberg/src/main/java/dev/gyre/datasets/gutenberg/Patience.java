package dev.gyre.datasets.gutenberg;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** How long to wait between requests: the pace, the backoff after failures, the server's wish. */
final class Patience {

  /** Time, replaceable by tests. */
  interface Clock {
    /** Nanoseconds since some moment. */
    long nanoTime();

    Instant now();

    void sleep(Duration duration) throws InterruptedException;

    /** The time of this machine. */
    Clock SYSTEM =
        new Clock() {
          @Override
          public long nanoTime() {
            return System.nanoTime();
          }

          @Override
          public Instant now() {
            return Instant.now();
          }

          @Override
          public void sleep(Duration duration) throws InterruptedException {
            Thread.sleep(duration);
          }
        };
  }

  private final DownloadSettings settings;
  private final Clock clock;
  private final RandomGenerator random;
  private long lastRequest;
  private boolean requested;

  Patience(DownloadSettings settings, Clock clock, RandomGenerator random) {
    this.settings = settings;
    this.clock = clock;
    this.random = random;
  }

  /** Waits until the next request is polite, and takes it as made. */
  void beforeRequest() throws InterruptedException {
    if (requested) {
      long since = clock.nanoTime() - lastRequest;
      long left = settings.pause().toNanos() - since;
      if (left > 0) {
        clock.sleep(Duration.ofNanos(left));
      }
    }
    requested = true;
    lastRequest = clock.nanoTime();
  }

  /** How long to wait after failure number {@code failures}, counted from 1: what is asked, too. */
  Duration afterFailure(int failures, Duration asked) {
    Duration wait = backoff(failures);
    return asked.compareTo(wait) > 0 ? asked : wait;
  }

  void sleep(Duration wait) throws InterruptedException {
    clock.sleep(wait);
  }

  /**
   * Doubles with each failure up to a limit; half of it is random, so that those who failed
   * together do not come back together.
   */
  private Duration backoff(int failures) {
    long wait = settings.backoff().toNanos();
    long limit = settings.longestWait().toNanos();
    for (int i = 1; i < failures && wait < limit; i++) {
      wait = Math.min(2 * wait, limit);
    }
    return Duration.ofNanos(wait / 2 + random.nextLong(wait / 2 + 1));
  }

  /** How long a Retry-After header asks to wait: seconds, or a date. */
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
      // Not understood is the same as not said.
      return Duration.ZERO;
    }
  }
}
