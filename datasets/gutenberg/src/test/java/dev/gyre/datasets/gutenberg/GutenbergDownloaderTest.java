package dev.gyre.datasets.gutenberg;

import static dev.gyre.datasets.gutenberg.BookServer.broken;
import static dev.gyre.datasets.gutenberg.BookServer.page;
import static dev.gyre.datasets.gutenberg.BookServer.ranges;
import static dev.gyre.datasets.gutenberg.BookServer.silent;
import static dev.gyre.datasets.gutenberg.BookServer.stalled;
import static dev.gyre.datasets.gutenberg.BookServer.status;
import static dev.gyre.datasets.gutenberg.BookServer.whole;
import static dev.gyre.datasets.gutenberg.BookServer.wrongRange;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.gutenberg.DownloadException.Kind;
import dev.gyre.datasets.gutenberg.GutenbergDownloader.Download;
import dev.gyre.datasets.gutenberg.GutenbergDownloader.Outcome;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class GutenbergDownloaderTest {

  private static final byte[] TEXT = text('x');
  private static final byte[] LATER_EDITION = text('y');
  private static final String TAG = "\"one\"";

  @TempDir Path folder;

  private final List<Duration> sleeps = new ArrayList<>();

  // Long, lest a busy machine be taken for a stall.
  private Duration stall = Duration.ofSeconds(20);
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private long nanos;

  /** Time passes by sleeping only. */
  private final RetryPolicy.Clock clock =
      new RetryPolicy.Clock() {
        @Override
        public long nanoTime() {
          return nanos;
        }

        @Override
        public Instant now() {
          return now;
        }

        @Override
        public void sleep(Duration duration) {
          sleeps.add(duration);
          nanos += duration.toNanos();
          now = now.plus(duration);
        }
      };

  private DownloadSettings settings() {
    return new DownloadSettings(
        folder.resolve("cache"),
        Duration.ofSeconds(2),
        4,
        Duration.ofSeconds(1),
        Duration.ofSeconds(100),
        stall,
        false,
        "Gyre/test");
  }

  @Test
  void aBookIsDownloadedOnce() throws IOException {
    try (BookServer server = new BookServer(whole(TEXT))) {
      GutenbergBook book = book(server.url(), Optional.of(sum(TEXT)));
      List<Long> progress = new ArrayList<>();
      Download first = get(settings(), book, (done, total) -> progress.add(total < 0 ? -1 : done));
      assertThat(first.outcome()).isEqualTo(Outcome.DOWNLOADED);
      assertThat(first.otherEdition()).isFalse();
      assertThat(first.file()).hasBinaryContent(TEXT);
      assertThat(progress).isSorted().endsWith((long) TEXT.length);
      assertThat(get(book).outcome()).isEqualTo(Outcome.CACHED);
      assertThat(server.requests()).containsExactly("whole");
      assertThat(server.agents()).containsExactly("Gyre/test");
      assertThat(cached()).containsExactlyInAnyOrder(".lock", "7.txt", "7.txt.sha256");
    }
  }

  @Test
  void requestsKeepThePace() throws IOException {
    try (BookServer server = new BookServer(whole(TEXT));
        GutenbergDownloader downloader = downloader(settings())) {
      for (int id = 1; id <= 3; id++) {
        GutenbergBook book = new GutenbergBook(id, "T", "A", "en", server.url(), Optional.empty());
        downloader.get(book, ByteProgress.NONE);
        downloader.get(book, ByteProgress.NONE);
      }
      assertThat(sleeps).containsExactly(Duration.ofSeconds(2), Duration.ofSeconds(2));
    }
  }

  @Test
  void aBookThatWasDamagedOnDiskIsFetchedAgain() throws IOException {
    try (BookServer server = new BookServer(whole(TEXT))) {
      GutenbergBook book = book(server.url(), Optional.empty());
      Path file = get(book).file();
      byte[] damaged = TEXT.clone();
      damaged[100]++;
      Files.write(file, damaged);
      Download again = get(book);
      assertThat(again.outcome()).isEqualTo(Outcome.DOWNLOADED);
      assertThat(again.file()).hasBinaryContent(TEXT);
    }
  }

  @Test
  void aBrokenTransferGoesOnWhereItBroke() throws IOException {
    try (BookServer server = new BookServer(broken(TEXT, 5000, TAG), ranges(TEXT, TAG))) {
      assertThat(get(book(server.url(), Optional.empty())).file()).hasBinaryContent(TEXT);
      assertThat(server.requests()).containsExactly("whole", "bytes=5000-");
    }
  }

  @Test
  void aStalledTransferGoesOnWhereItStalled() throws IOException {
    stall = Duration.ofSeconds(3);
    try (BookServer server = new BookServer(stalled(TEXT, 5000, TAG), ranges(TEXT, TAG))) {
      assertThat(get(book(server.url(), Optional.empty())).file()).hasBinaryContent(TEXT);
      assertThat(server.requests()).containsExactly("whole", "bytes=5000-");
    }
  }

  @Test
  void aLaterRunGoesOnWhereAnEarlierOneEnded() throws IOException {
    try (BookServer server = new BookServer(broken(TEXT, 5000, TAG), status(403))) {
      assertFails(book(server.url(), Optional.empty()), Kind.REFUSED, "status 403");
    }
    assertThat(cached()).contains("7.txt.part", "7.txt.part.tag").doesNotContain("7.txt");
    try (BookServer server = new BookServer(ranges(TEXT, TAG))) {
      assertThat(get(book(server.url(), Optional.empty())).file()).hasBinaryContent(TEXT);
      assertThat(server.requests()).containsExactly("bytes=5000-");
    }
  }

  @Test
  void aTextThatChangedMeanwhileIsNotJoined() throws IOException {
    try (BookServer server =
        new BookServer(broken(TEXT, 5000, TAG), ranges(LATER_EDITION, "\"two\""))) {
      assertThat(get(book(server.url(), Optional.empty())).file()).hasBinaryContent(LATER_EDITION);
    }
  }

  @Test
  void aServerThatHidesAChangeIsFoundOutByTheChecksum() throws IOException {
    try (BookServer server = new BookServer(broken(LATER_EDITION, 5000, TAG), ranges(TEXT, TAG))) {
      Download download = get(book(server.url(), Optional.of(sum(TEXT))));
      assertThat(download.file()).hasBinaryContent(TEXT);
      assertThat(server.requests()).containsExactly("whole", "bytes=5000-", "whole");
    }
  }

  @Test
  void aServerThatIgnoresRangesSendsAllAgain() throws IOException {
    try (BookServer server = new BookServer(broken(TEXT, 5000, TAG), whole(TEXT))) {
      assertThat(get(book(server.url(), Optional.empty())).file()).hasBinaryContent(TEXT);
    }
  }

  @Test
  void aWrongRangeIsNotJoined() throws IOException {
    try (BookServer server =
        new BookServer(broken(TEXT, 5000, TAG), wrongRange(TEXT), whole(TEXT))) {
      assertThat(get(book(server.url(), Optional.empty())).file()).hasBinaryContent(TEXT);
      assertThat(server.requests()).containsExactly("whole", "bytes=5000-", "whole");
    }
    try (BookServer server = new BookServer(wrongRange(TEXT))) {
      GutenbergBook other = new GutenbergBook(8, "T", "A", "en", server.url(), Optional.empty());
      assertFails(other, Kind.TRUNCATED, "another range");
    }
  }

  @Test
  void aRangeThatTheServerDoesNotHaveStartsOver() throws IOException {
    try (BookServer server = new BookServer(broken(TEXT, 5000, TAG), status(416), whole(TEXT))) {
      assertThat(get(book(server.url(), Optional.empty())).file()).hasBinaryContent(TEXT);
      assertThat(server.requests()).containsExactly("whole", "bytes=5000-", "whole");
    }
  }

  @Test
  void aTextShorterThanPromisedIsNoBook() throws IOException {
    try (BookServer server = new BookServer(broken(TEXT, 5000, "W/\"weak\""))) {
      assertFails(book(server.url(), Optional.empty()), Kind.UNREACHABLE, "(4 attempts)");
      assertThat(server.requests()).containsOnly("whole").hasSize(4);
      assertThat(cached()).doesNotContain("7.txt");
    }
  }

  @Test
  void aTextLongerThanPromisedIsNoBook() throws Exception {
    String text = new String(TEXT, StandardCharsets.US_ASCII);
    List<AutoCloseable> toClose = new ArrayList<>();
    URI url = BookServer.raw("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n" + text, toClose);
    assertFails(book(url, Optional.empty()), Kind.TRUNCATED, "no end");
    assertThat(cached()).doesNotContain("7.txt", "7.txt.part");
    toClose.getFirst().close();
  }

  @Test
  void anAnswerThatIsNoHttpIsAnError() throws Exception {
    List<AutoCloseable> toClose = new ArrayList<>();
    URI url = BookServer.raw("SSH-2.0-OpenSSH\r\n", toClose);
    assertFails(book(url, Optional.empty()), Kind.UNREACHABLE, "connection failed");
    toClose.getFirst().close();
  }

  @Test
  void aTextWithoutALengthIsRead() throws Exception {
    String text = new String(TEXT, StandardCharsets.US_ASCII);
    List<AutoCloseable> toClose = new ArrayList<>();
    URI url = BookServer.raw("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + text, toClose);
    assertThat(get(book(url, Optional.empty())).file()).hasBinaryContent(TEXT);
    toClose.getFirst().close();
  }

  @Test
  void anEmptyTextIsNoBook() throws IOException {
    try (BookServer server = new BookServer(status(202), whole(new byte[0]))) {
      assertFails(book(server.url(), Optional.empty()), Kind.REFUSED, "status 202");
      assertFails(book(server.url(), Optional.empty()), Kind.TRUNCATED, "no end");
    }
  }

  @Test
  void aMissingBookIsNotAskedForAgain() throws IOException {
    try (BookServer server = new BookServer(status(404))) {
      GutenbergBook book = book(server.url(), Optional.empty());
      assertThatThrownBy(() -> get(book))
          .isInstanceOf(DownloadException.class)
          .hasMessage(
              "book 7 (A Title), " + server.url() + ": the server answered with status 404");
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void failuresAreRetriedWithGrowingRandomWaits() throws IOException {
    try (BookServer server = new BookServer(status(503), status(500), status(502), whole(TEXT))) {
      GutenbergBook book = book(server.url(), Optional.empty());
      assertThat(get(book).outcome()).isEqualTo(Outcome.DOWNLOADED);
    }
    // Three waits of 0.5 to 1, 1 to 2, 2 to 4 seconds, filled up to the pace of 2 seconds.
    Duration sum = sleeps.stream().reduce(Duration.ZERO, Duration::plus);
    assertThat(sum).isBetween(Duration.ofSeconds(6), Duration.ofSeconds(8));
    assertThat(sleeps.getFirst()).isBetween(Duration.ofMillis(500), Duration.ofSeconds(1));
  }

  @Test
  void whatIsTriedAgainIsSaidBeforeTheWait() throws IOException {
    List<String> said = new ArrayList<>();
    try (BookServer server =
            new BookServer(status(503, "Retry-After", "33"), status(500), whole(TEXT));
        GutenbergDownloader downloader =
            new GutenbergDownloader(settings(), clock, new SplittableRandom(7))) {
      GutenbergBook book = book(server.url(), Optional.empty());
      Download _ =
          downloader.get(
              book,
              ByteProgress.NONE,
              retry -> {
                said.add(retry.toString());
                assertThat(sleeps).doesNotContain(retry.pause());
              });
    }
    assertThat(said).hasSize(2);
    assertThat(said.getFirst())
        .startsWith("book ")
        .contains("), localhost: attempt 1 of 4 failed: the server answered with status 503")
        .endsWith("; the next one in 33.0 s");
    assertThat(said.getLast()).contains(", localhost: attempt 2 of 4 failed: ", "status 500");
  }

  @Test
  void theServersWishToWaitIsHonoured() throws IOException {
    try (BookServer server =
        new BookServer(
            status(429, "Retry-After", "33"),
            status(503, "Retry-After", "Thu, 01 Jan 2026 00:01:33 GMT"),
            status(503, "Retry-After", "nonsense"),
            whole(TEXT))) {
      assertThat(get(book(server.url(), Optional.empty())).outcome()).isEqualTo(Outcome.DOWNLOADED);
    }
    assertThat(sleeps.subList(0, 2))
        .containsExactly(Duration.ofSeconds(33), Duration.ofSeconds(60));
  }

  @Test
  void aWishToWaitTooLongIsAnError() throws IOException {
    try (BookServer server = new BookServer(status(429, "Retry-After", "3600"))) {
      assertFails(book(server.url(), Optional.empty()), Kind.BUSY, "wait for 3600 seconds");
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void aServerThatStaysBusyIsAnError() throws IOException {
    try (BookServer server = new BookServer(status(503))) {
      assertFails(book(server.url(), Optional.empty()), Kind.BUSY, "status 503 (4 attempts)");
      assertThat(server.requests()).hasSize(4);
    }
  }

  @Test
  void aSilentServerIsAnError() throws IOException {
    stall = Duration.ofMillis(500);
    try (BookServer server = new BookServer(silent())) {
      assertFails(book(server.url(), Optional.empty()), Kind.UNREACHABLE, "nothing came for 500");
    }
  }

  @Test
  void noServerIsAnError() throws IOException {
    URI url;
    try (BookServer server = new BookServer(silent())) {
      url = server.url();
    }
    assertFails(book(url, Optional.empty()), Kind.UNREACHABLE, "connection failed");
  }

  @Test
  void aWebPageIsNoBook() throws IOException {
    try (BookServer server = new BookServer(page())) {
      assertFails(book(server.url(), Optional.empty()), Kind.NOT_TEXT, "web page");
      assertThat(cached()).doesNotContain("7.txt");
    }
  }

  @Test
  void anotherEditionIsSaidToBeOne() throws IOException {
    try (BookServer server = new BookServer(whole(LATER_EDITION))) {
      GutenbergBook book = book(server.url(), Optional.of(sum(TEXT)));
      Download download = get(book);
      assertThat(download.outcome()).isEqualTo(Outcome.DOWNLOADED);
      assertThat(download.otherEdition()).isTrue();
      assertThat(download.file()).hasBinaryContent(LATER_EDITION);
      assertThat(get(book).outcome()).isEqualTo(Outcome.CACHED);
      assertThat(get(book).otherEdition()).isTrue();
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void anotherEditionIsAnErrorWhereEditionsArePinned() throws IOException {
    try (BookServer server = new BookServer(whole(LATER_EDITION))) {
      GutenbergBook book = book(server.url(), Optional.of(sum(TEXT)));
      get(book);
      assertThatThrownBy(() -> get(settings().withPinnedEditions(), book, ByteProgress.NONE))
          .isInstanceOf(DownloadException.class)
          .hasMessageContaining("its SHA-256 is " + sum(LATER_EDITION))
          .hasMessageContaining(sum(TEXT));
      assertThat(cached()).doesNotContain("7.txt.part");
    }
  }

  @Test
  void anUnusableFolderIsAnError() throws IOException {
    Files.writeString(folder.resolve("cache"), "a file");
    assertFails(book(URI.create("http://localhost:1/"), Optional.empty()), Kind.CACHE, "cache");
  }

  @Test
  void anInterruptEndsTheWaitAndIsKept() throws IOException {
    try (BookServer server = new BookServer(silent())) {
      Thread.currentThread().interrupt();
      GutenbergBook book = book(server.url(), Optional.empty());
      assertThatThrownBy(() -> get(book)).isInstanceOf(CancellationException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void theCacheFolderIsThatOfTheSpecification() {
    assertThat(GutenbergCache.defaultFolder(java.util.Map.of("XDG_CACHE_HOME", "/c"), "/h"))
        .isEqualTo(Path.of("/c/gyre/gutenberg"));
    for (String ignored : List.of("", "relative")) {
      assertThat(GutenbergCache.defaultFolder(java.util.Map.of("XDG_CACHE_HOME", ignored), "/h"))
          .isEqualTo(Path.of("/h/.cache/gyre/gutenberg"));
    }
    assertThat(GutenbergCache.defaultFolder(java.util.Map.of(), "/h"))
        .isEqualTo(Path.of("/h/.cache/gyre/gutenberg"));
  }

  private void assertFails(GutenbergBook book, Kind kind, String reason) {
    assertThatThrownBy(() -> get(book))
        .isInstanceOfSatisfying(
            DownloadException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(kind);
              assertThat(e.book()).isEqualTo(book);
            })
        .hasMessageStartingWith(book + ", " + book.url() + ": ")
        .hasMessageContaining(reason);
  }

  private Download get(GutenbergBook book) {
    return get(settings(), book, ByteProgress.NONE);
  }

  private Download get(DownloadSettings settings, GutenbergBook book, ByteProgress progress) {
    try (GutenbergDownloader downloader = downloader(settings)) {
      return downloader.get(book, progress);
    }
  }

  private GutenbergDownloader downloader(DownloadSettings settings) {
    return new GutenbergDownloader(settings, clock, new SplittableRandom(1));
  }

  private static GutenbergBook book(URI url, Optional<String> sha256) {
    return new GutenbergBook(7, "A Title", "An Author", "en", url, sha256);
  }

  private List<String> cached() throws IOException {
    try (var files = Files.list(folder.resolve("cache"))) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private String sum(byte[] text) throws IOException {
    return GutenbergCache.sha256(Files.write(folder.resolve("sum"), text));
  }

  private static byte[] text(char filler) {
    String text =
        "*** START OF THE PROJECT GUTENBERG EBOOK A ***\n"
            + (filler + "\n").repeat(30_000)
            + "*** END OF THE PROJECT GUTENBERG EBOOK A ***\n";
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
