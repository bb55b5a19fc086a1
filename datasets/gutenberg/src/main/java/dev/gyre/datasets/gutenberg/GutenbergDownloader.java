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
 * Gets books into a cache folder, one at a time and slowly enough to be no burden.
 *
 * <p>A book that is in the cache undamaged is not asked for again. A transfer that breaks goes on
 * where it broke, also in a later run, if the server can tell that its text is still the same one.
 * What is in the cache under a book's name is always complete: it gets that name last.
 *
 * <p>Thread-safe: whoever asks for a book while another is on its way waits, also in another
 * process.
 */
public final class GutenbergDownloader implements AutoCloseable {

  /** What came of asking for a book. */
  public enum Outcome {
    /** It was in the cache. */
    CACHED,
    /** It came from the server. */
    DOWNLOADED
  }

  /**
   * A book on this machine.
   *
   * @param file its text, as the server sent it
   * @param otherEdition whether it is complete, but not the edition that the catalogue knows:
   *     counts differ a little
   */
  public record Download(GutenbergBook book, Path file, Outcome outcome, boolean otherEdition) {}

  /**
   * A request that failed and is made again after a wait.
   *
   * @param host whom it was made of
   * @param attempt its number, from 1
   * @param attempts how many there are at most
   * @param reason why it failed
   * @param pause time until the next one
   */
  public record Retry(
      GutenbergBook book, String host, int attempt, int attempts, String reason, Duration pause) {

    /** One line that says all of it. */
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

  /** One at a time, whatever the number of downloaders: the pace is that of the whole process. */
  private static final ReentrantLock ONE_AT_A_TIME = new ReentrantLock();

  private static final Duration CONNECT = Duration.ofSeconds(20);

  private final DownloadSettings settings;
  private final GutenbergCache cache;
  private final Patience patience;
  private final HttpClient client;

  /** Makes a downloader; connects to nothing yet. */
  public GutenbergDownloader(DownloadSettings settings) {
    this(settings, Patience.Clock.SYSTEM, RandomGenerator.getDefault());
  }

  GutenbergDownloader(DownloadSettings settings, Patience.Clock clock, RandomGenerator random) {
    this.settings = settings;
    this.cache = new GutenbergCache(settings.folder());
    this.patience = new Patience(settings, clock, random);
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NORMAL)
            .connectTimeout(CONNECT)
            .build();
  }

  /**
   * Gets a book, from the cache or from its server.
   *
   * @param progress told of the bytes of this book, by the calling thread; they start again from 0
   *     where the transfer has to
   * @throws DownloadException if it cannot be had
   * @throws CancellationException if the thread is interrupted; what came is kept for the next time
   */
  public Download get(GutenbergBook book, ByteProgress progress) {
    return get(book, progress, retry -> {});
  }

  /**
   * The same, and says when a request is to be made again.
   *
   * @param retries told by the calling thread, before it waits
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
      patience.beforeRequest();
      Attempt.Result result = new Attempt(client, settings, patience, cache, book).run(progress);
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
      Duration wait = patience.afterFailure(attempt, failed.asked());
      retries.accept(
          new Retry(
              book, book.url().getHost(), attempt, settings.attempts(), failed.reason(), wait));
      patience.sleep(wait);
    }
  }

  /** Whether what came is a whole book; drops it where it is not. */
  private Attempt.Result check(GutenbergBook book, Attempt.Complete complete) throws IOException {
    String sum = GutenbergCache.sha256(cache.part(book));
    if (book.sha256().isPresent() && isKnownEdition(book, sum)) {
      return complete;
    }
    Attempt.Result result = complete;
    if (isTruncated(cache.part(book))) {
      result = Attempt.Failed.mendable(Kind.TRUNCATED, "the text has no end");
    } else if (book.sha256().isPresent() && complete.continued()) {
      // Two editions may have been joined; a whole one tells.
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
