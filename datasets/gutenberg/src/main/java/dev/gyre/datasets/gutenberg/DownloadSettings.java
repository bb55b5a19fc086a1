package dev.gyre.datasets.gutenberg;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How to download.
 *
 * @param folder the cache; made when it is not there
 * @param pause time from one request to the next, at least
 * @param attempts requests for one book, at most
 * @param backoff wait after the first failure; doubles with each further one
 * @param longestWait limit of the backoff, and of what a server may ask for before it is taken as
 *     too busy
 * @param stall time without a byte after which a connection counts as broken
 * @param pinned whether another edition than the catalogue's is an error
 * @param userAgent what to call oneself
 */
public record DownloadSettings(
    Path folder,
    Duration pause,
    int attempts,
    Duration backoff,
    Duration longestWait,
    Duration stall,
    boolean pinned,
    String userAgent) {

  public DownloadSettings {
    if (attempts < 1) {
      throw new IllegalArgumentException("there must be at least 1 attempt: " + attempts);
    }
    if (pause.isNegative() || backoff.isNegative() || longestWait.isNegative()) {
      throw new IllegalArgumentException("waits must not be negative");
    }
    if (!stall.isPositive()) {
      throw new IllegalArgumentException("stall must be positive: " + stall);
    }
  }

  /**
   * Two seconds between requests, five attempts, any edition; the cache is {@code gyre/gutenberg}
   * in {@code XDG_CACHE_HOME}, or in {@code .cache} of the home folder.
   */
  public static DownloadSettings defaults() {
    return new DownloadSettings(
        GutenbergCache.defaultFolder(System.getenv(), System.getProperty("user.home", ".")),
        Duration.ofSeconds(2),
        5,
        Duration.ofSeconds(2),
        Duration.ofMinutes(2),
        Duration.ofSeconds(30),
        false,
        "Gyre/0.1 (word count in Java; one request at a time, with pauses)");
  }

  /** The same with another cache folder. */
  public DownloadSettings withFolder(Path other) {
    return new DownloadSettings(
        other, pause, attempts, backoff, longestWait, stall, pinned, userAgent);
  }

  /** The same with another time between requests. */
  public DownloadSettings withPause(Duration other) {
    return new DownloadSettings(
        folder, other, attempts, backoff, longestWait, stall, pinned, userAgent);
  }

  /** The same, but only with the editions of the catalogue. */
  public DownloadSettings withPinnedEditions() {
    return new DownloadSettings(
        folder, pause, attempts, backoff, longestWait, stall, true, userAgent);
  }
}
