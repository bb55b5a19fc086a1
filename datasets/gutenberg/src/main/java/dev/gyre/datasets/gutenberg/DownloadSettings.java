package dev.gyre.datasets.gutenberg;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Settings of a downloader.
 *
 * @param folder the cache, which is created if necessary
 * @param pause smallest time between requests
 * @param attempts largest number of requests for one book
 * @param backoff wait after the first failure; doubles with each further failure
 * @param longestWait limit of the backoff, and of the pause that a server may demand before it
 *     counts as busy
 * @param stall time without a byte after which a connection counts as broken
 * @param pinned whether another edition than that of the catalogue is an error
 * @param userAgent name of the client
 * @since 0.1.0
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
   * Returns the defaults: two seconds between requests, five attempts, any edition. The cache is
   * {@code gyre/gutenberg} in {@code XDG_CACHE_HOME}, or in {@code .cache} of the home folder.
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

  /** Returns these settings with another cache folder. */
  public DownloadSettings withFolder(Path other) {
    return new DownloadSettings(
        other, pause, attempts, backoff, longestWait, stall, pinned, userAgent);
  }

  /** Returns these settings with only the editions of the catalogue. */
  public DownloadSettings withPinnedEditions() {
    return new DownloadSettings(
        folder, pause, attempts, backoff, longestWait, stall, true, userAgent);
  }
}
