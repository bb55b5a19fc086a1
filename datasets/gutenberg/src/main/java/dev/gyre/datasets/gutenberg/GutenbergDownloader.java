package dev.gyre.datasets.gutenberg;

import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.gutenberg.DownloadException.Kind;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.http.HttpClient;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLockInterruptionException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Downloads books to a cache folder, one at a time and slowly enough not to burden the server.
 *
 * <pre>{@code
 * try (var downloader = new GutenbergDownloader(DownloadSettings.defaults())) {
 *   Path file = downloader.get(book, ByteProgress.NONE).file();
 * }
 * }</pre>
 *
 * <p>An undamaged book in the cache is not requested again. A broken transfer continues where it
 * broke, also in a later run, if the server confirms that the text is unchanged. A cached book is
 * always complete, because the file gets its name last.
 *
 * <p>Thread-safe. A thread that requests a book while another download is running waits, also
 * across processes.
 *
 * @since 0.1.0
 */
public final class GutenbergDownloader implements AutoCloseable {

  /** Result of a request. */
  public enum Outcome {
    /** The book was in the cache. */
    CACHED,
    /** The book was downloaded. */
    DOWNLOADED
  }

  /**
   * Book in the cache.
   *
   * @param file its text, as the server sent it
   * @param otherEdition whether it is another edition than that of the catalogue, so that counts
   *     differ slightly
   */
  public record Download(GutenbergBook book, Path file, Outcome outcome, boolean otherEdition) {}

  /**
   * Request that failed and will be repeated.
   *
   * @param host the server
   * @param attempt number of the attempt, from 1
   * @param attempts largest number of attempts
   * @param reason why it failed
   * @param pause time until the next attempt
   */
  public record Retry(
      GutenbergBook book, String host, int attempt, int attempts, String reason, Duration pause) {

    /** Returns a line for the user. */
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%s, %s: attempt %d of %d failed: %s; the next one in %.1f s",
          book,
          host,
          attempt,
          attempts,
          reason,
          pause.toMillis() / 1e3);
    }
  }

  /** One download at a time: the pace is that of the whole process. */
  private static final ReentrantLock ONE_AT_A_TIME = new ReentrantLock();

  private static final Duration CONNECT = Duration.ofSeconds(20);

  private final DownloadSettings settings;
  private final GutenbergCache cache;
  private final RetryPolicy retryPolicy;
  private final HttpClient client;

  /** Creates a downloader, without connecting. */
  public GutenbergDownloader(DownloadSettings settings) {
    this(settings, RetryPolicy.Clock.SYSTEM, RandomGenerator.getDefault());
  }

  GutenbergDownloader(DownloadSettings settings, RetryPolicy.Clock clock, RandomGenerator random) {
    this.settings = settings;
    this.cache = new GutenbergCache(settings.folder());
    this.retryPolicy = new RetryPolicy(settings, clock, random);
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .connectTimeout(CONNECT)
            .build();
  }

  /**
   * Returns a book, from the cache or from its server.
   *
   * @param progress called by the calling thread with the bytes of this book; they restart from 0
   *     if the transfer does
   * @throws DownloadException if the book cannot be downloaded
   * @throws CancellationException if the thread is interrupted; the part so far is kept
   */
  public Download get(GutenbergBook book, ByteProgress progress) {
    return get(book, progress, retry -> {});
  }

  /**
   * Returns a book, and reports requests that will be repeated.
   *
   * @param retries called by the calling thread before it waits
   */
  public Download get(GutenbergBook book, ByteProgress progress, Consumer<Retry> retries) {
    try {
      ONE_AT_A_TIME.lockInterruptibly();
      try (FileChannel _ = cache.lock()) {
        Optional<Download> kept = kept(book);
        return kept.isPresent() ? kept.get() : fetch(book, progress, retries);
      } finally {
        ONE_AT_A_TIME.unlock();
      }
    } catch (InterruptedException | FileLockInterruptionException e) {
      Thread.currentThread().interrupt();
      CancellationException cancelled = new CancellationException("interrupted while downloading");
      cancelled.initCause(e);
      throw cancelled;
    } catch (IOException e) {
      throw new DownloadException(
          book, Kind.CACHE, "cannot use the cache folder " + settings.folder() + ": " + e, e);
    }
  }

  private Optional<Download> kept(GutenbergBook book) throws IOException {
    return cache
        .kept(book)
        .filter(sum -> !settings.pinned() || isKnownEdition(book, sum))
        .map(sum -> download(book, sum, Outcome.CACHED));
  }

  private static boolean isKnownEdition(GutenbergBook book, String sum) {
    return book.sha256().isEmpty() || book.sha256().get().equals(sum);
  }

  private Download fetch(GutenbergBook book, ByteProgress progress, Consumer<Retry> retries)
      throws IOException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      retryPolicy.beforeRequest();
      Attempt.Result result = new Attempt(client, settings, retryPolicy, cache, book).run(progress);
      if (result instanceof Attempt.Complete complete) {
        result = check(book, complete);
      }
      if (!(result instanceof Attempt.Failed failed)) {
        return publish(book);
      }
      if (!failed.mendable() || attempt == settings.attempts()) {
        String tries = attempt == 1 ? "" : " (" + attempt + " attempts)";
        throw new DownloadException(book, failed.kind(), failed.reason() + tries, failed.cause());
      }
      Duration wait = retryPolicy.afterFailure(attempt, failed.asked());
      retries.accept(
          new Retry(
              book, book.url().getHost(), attempt, settings.attempts(), failed.reason(), wait));
      retryPolicy.sleep(wait);
    }
  }

  /** Checks whether the text is a whole book, and drops it otherwise. */
  private Attempt.Result check(GutenbergBook book, Attempt.Complete complete) throws IOException {
    String sum = GutenbergCache.sha256(cache.part(book));
    if (book.sha256().isPresent() && isKnownEdition(book, sum)) {
      return complete;
    }
    Attempt.Result result = complete;
    if (isTruncated(cache.part(book))) {
      result = Attempt.Failed.mendable(Kind.TRUNCATED, "the text has no end");
    } else if (book.sha256().isPresent() && complete.continued()) {
      // Two editions may have been joined; a complete download shows it.
      result = Attempt.Failed.mendable(Kind.OTHER_EDITION, "the text changed between two requests");
    } else if (settings.pinned() && !isKnownEdition(book, sum)) {
      String wanted = book.sha256().orElse("");
      result =
          Attempt.Failed.lasting(
              Kind.OTHER_EDITION, "its SHA-256 is " + sum + ", the catalogue says " + wanted);
    }
    if (result instanceof Attempt.Failed) {
      cache.dropPart(book);
    }
    return result;
  }

  private static boolean isTruncated(Path part) throws IOException {
    byte[] text = Files.readAllBytes(part);
    return text.length == 0 || GutenbergText.isTruncated(MemorySegment.ofArray(text));
  }

  private Download publish(GutenbergBook book) throws IOException {
    String sum = GutenbergCache.sha256(cache.part(book));
    cache.publish(book, sum);
    return download(book, sum, Outcome.DOWNLOADED);
  }

  private Download download(GutenbergBook book, String sum, Outcome outcome) {
    return new Download(book, cache.file(book), outcome, !isKnownEdition(book, sum));
  }

  @Override
  public void close() {
    client.shutdownNow();
    client.close();
  }
}
