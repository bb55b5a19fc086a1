package dev.gyre.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.gyre.kernels.Target;
import dev.gyre.structures.trie.WordCount;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class WordViewsTest {

  private static final String BOOK =
      """
      The header
      *** START OF THE PROJECT GUTENBERG EBOOK A ***
      one two two
      *** END OF THE PROJECT GUTENBERG EBOOK A ***
      the footer
      """;

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Gyre.run(new PrintWriter(out), new PrintWriter(err), arguments);
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--json", "--json --quiet"})
  void jsonIsOneObject(String options) throws IOException {
    String[] arguments = ("wordcount " + options + " --top 1 " + file("t", "b a a")).split(" ");
    assertThat(run(arguments)).isZero();
    assertThat(out.toString().replaceFirst("\"seconds\": [0-9.]+", "S"))
        .isEqualTo(
            "{\"words\": 3, \"distinct\": 2, \"nodes\": 3, \"bytes\": 5, \"target\": \"jvm\", S, "
                + "\"top\": [{\"word\": \"a\", \"count\": 2, \"share\": 0.666667}]}\n");
  }

  @Test
  void stopwordsAreLeftOutOfWhatIsShown() throws IOException {
    String stop = file("stop", "The, of\nand");
    Path csv = folder.resolve("out.csv");
    String text = file("t", "the the the of of and whale sea sea");
    assertThat(run("wordcount", "--stopwords", stop, "--top", "1", "--csv", csv.toString(), text))
        .isZero();
    assertThat(out.toString()).contains("   1  sea ").doesNotContain("the").contains("words=9 ");
    assertThat(Files.readString(csv)).isEqualTo("word,count\nsea,2\nwhale,1\n");
    assertThat(run("wordcount", "--stopwords", folder.resolve("none").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("none", "no such file");
  }

  @Test
  void unicodeWordsAreFoldedInAllViews() throws IOException {
    String stop = file("stop", "ΚΑΙ\nДА");
    Path csv = folder.resolve("out.csv");
    String text = file("t", "καὶ και Και да naïve NAÏVE 𐐀x don’t");
    String[] arguments = {
      "wordcount", "--alphabet", "unicode", "--stopwords", stop, "--csv", csv.toString(), text
    };
    assertThat(run(arguments)).isZero();
    assertThat(out.toString()).contains("words=9 distinct=7 ");
    assertThat(Files.readString(csv)).isEqualTo("word,count\ndon,1\nnaïve,2\nt,1\nκαὶ,1\n𐐨x,1\n");
    assertThat(run("wordcount", "--alphabet", "latin", text)).isEqualTo(2);
    assertThat(err.toString()).contains("--alphabet", "latin", "ascii, unicode");
  }

  @Test
  void jsonHasNoLettersThatCannotBePrinted() {
    WordSummary summary = new WordSummary(2, 1, 4, 4, Target.JVM.label(), 1);
    List<WordCount> words = List.of(new WordCount("aé𐐨", 2));
    assertThat(summary.json(words)).contains("\"word\": \"aé𐐨\"");
    assertThat(Json.ascii(summary.json(words))).contains("\"word\": \"a\\u00e9\\ud801\\udc28\"");
  }

  @Test
  void wideLettersTakeTwoCellsAndMarksNone() {
    assertThat(Cells.of("été")).isEqualTo(3);
    assertThat(Cells.of("e\u0301te\u0301")).isEqualTo(3);
    assertThat(Cells.of("日本語")).isEqualTo(6);
    assertThat(Cells.of("한글")).isEqualTo(4);
    assertThat(Cells.of("हिन्दी")).isEqualTo(5);
    assertThat(Cells.of("𐐨𐐩")).isEqualTo(2);
    assertThat(Cells.firstOf("日本語", 5)).isEqualTo("日本");
    assertThat(Cells.firstOf("e\u0301te\u0301", 1)).isEqualTo("e\u0301");
  }

  @Test
  void headersAndFootersAreStrippedOnRequest() throws IOException {
    String book = file("book", BOOK);
    assertThat(run("wordcount", "--quiet", "--strip", book)).isZero();
    assertThat(out.toString()).startsWith("words=3 distinct=2 nodes=7 bytes=12 ");
    assertThat(run("wordcount", "--strip", "-")).isEqualTo(2);
  }

  @Test
  void booksAreDownloadedOnceAndCounted() throws IOException {
    AtomicInteger requests = new AtomicInteger();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          requests.incrementAndGet();
          byte[] book = BOOK.getBytes(StandardCharsets.US_ASCII);
          boolean known = exchange.getRequestURI().getPath().equals("/7.txt");
          exchange.sendResponseHeaders(known ? 200 : 404, known ? book.length : -1);
          if (known) {
            exchange.getResponseBody().write(book);
          }
          exchange.close();
        });
    server.start();
    try {
      String url = "http://localhost:" + server.getAddress().getPort();
      String catalogue =
          file(
              "catalogue.csv",
              "id,title,author,language,url,sha256\n7,T,A,en,%s/7.txt,\n8,T,A,en,%s/8.txt,\n"
                  .formatted(url, url));
      String cache = folder.resolve("cache").toString();
      String[] arguments = {
        "wordcount",
        "--quiet",
        "--books",
        "7",
        "--strip",
        "--catalogue",
        catalogue,
        "--cache",
        cache
      };
      assertThat(run(arguments)).isZero();
      assertThat(run(arguments)).isZero();
      assertThat(out.toString().lines()).hasSize(2).allMatch(l -> l.startsWith("words=3 "));
      assertThat(requests.get()).isEqualTo(1);
      arguments[3] = "8";
      assertThat(run(arguments)).isEqualTo(1);
      assertThat(err.toString()).contains("book 8", "status 404");
      arguments[3] = "9";
      assertThat(run(arguments)).isEqualTo(2);
      assertThat(err.toString()).contains("book 9", "not in the catalogue");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void noFileIsWrittenIfThereIsNoWordToPlot() throws IOException {
    Path text = Files.writeString(folder.resolve("numbers.txt"), "1 2 3");
    Path csv = folder.resolve("counts.csv");
    Path svg = folder.resolve("plot.svg");
    assertThat(run("wordcount", "--csv", csv.toString(), "--plot", svg.toString(), text.toString()))
        .isEqualTo(2);
    assertThat(err.toString()).contains("plot.svg", "no word to plot");
    assertThat(csv).doesNotExist();
    assertThat(svg).doesNotExist();
  }

  @Test
  void plotsAreWrittenAsSvg() throws IOException {
    String text = file("t", "a a a a b b c");
    Path svg = folder.resolve("plot.svg");
    assertThat(run("wordcount", "--quiet", "--plot", svg.toString(), text)).isZero();
    // A mark for each word.
    assertThat(Files.readString(svg).split("<circle", -1)).hasSize(1 + 3);
    assertThat(ZipfPlot.title(1_003)).isEqualTo("Words by rank: 1,003 distinct words");
    assertThat(ZipfPlot.title(1)).isEqualTo("Words by rank: 1 distinct word");
    assertThat(run("wordcount", "--plot", folder.resolve("plot.png").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("plot.png", "as .svg");
  }

  @Test
  void onATerminalEachWordHasABar() {
    List<WordCount> rows = List.of(new WordCount("the", 8), new WordCount("a", 3));
    WordTable.print(new PrintWriter(out, true), rows, 11, 37, true);
    assertThat(out.toString().lines())
        .containsExactly(
            "rank  word  count     share",
            "   1  the       8  72.727 %  ████████",
            "   2  a         3  27.273 %  ███");
    assertThat(WordTable.bar(0.3, 8, true)).isEqualTo("██▍");
    assertThat(WordTable.bar(0.0001, 8, true)).isEqualTo("▏");
    assertThat(WordTable.bar(0.5, 8, false)).isEqualTo("####");
  }
}
