package dev.gyre.bench.cli;

import dev.gyre.datasets.CsvFormat;
import dev.gyre.datasets.OutputFile;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.structures.trie.WordCount;
import dev.gyre.structures.trie.WordTrie;
import java.io.PrintWriter;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options that say what to show of the words that were counted. */
public final class WordViews extends UserCommand {

  private static final int DEFAULT_TOP = 10;

  @Option(
      names = "--top",
      paramLabel = "N",
      description = "How many of the most frequent words to print; by default " + DEFAULT_TOP + ".")
  private int top = DEFAULT_TOP;

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description =
          "Write every word and its count, in byte order. With -, they go to standard output, and"
              + " all else goes to standard error.")
  private @Nullable Path csv;

  @Option(names = "--plot", paramLabel = "FILE", description = "Draw the counts by rank, as .svg.")
  private @Nullable Path plot;

  @Option(
      names = "--stopwords",
      paramLabel = "FILE",
      description = "Words to leave out of table, CSV and plot; the last line still counts them.")
  private @Nullable Path stopwords;

  @Option(
      names = "--json",
      description = "Print one line of JSON instead of the table and the last line.")
  private boolean json;

  @Option(names = "--quiet", description = "Print the last line only.")
  private boolean quiet;

  private @Nullable OutputFile csvFile;
  private @Nullable OutputFile plotFile;

  /** Whether the last line is to be all. */
  public boolean quiet() {
    return quiet;
  }

  /**
   * Refuses to write over a text that is to be counted.
   *
   * @throws ParameterException naming the option and the file
   */
  void requireNotRead(Path text) {
    requireNotRead("--csv", csvFile, text);
    requireNotRead("--plot", plotFile, text);
  }

  /** Refuses what could not be done, before any work is. */
  public void validate() {
    if (top < 0) {
      throw usage("--top must not be negative: " + top);
    }
    if (plot != null) {
      ZipfPlot.requireFormat(plot);
    }
    csvFile = csv == null ? null : Outputs.of(csv);
    plotFile = plot == null ? null : Outputs.of(plot);
    requireDifferent("--csv", csvFile, "--plot", plotFile);
    if (stopwords != null) {
      requireNotRead(stopwords);
    }
  }

  /** The words to leave out; read before the text is, so that an error shows at once. */
  public WordTrie stopwords(Alphabet alphabet) {
    WordTrie words = WordTrie.builder().alphabet(alphabet).workers(1).build();
    try {
      return stopwords == null ? words : words.add(stopwords);
    } catch (RuntimeException | Error e) {
      words.close();
      throw e;
    }
  }

  /** Prints and writes what was asked for. */
  public void show(WordTrie trie, WordTrie left, WordSummary summary) {
    Predicate<String> wanted = word -> !left.contains(word);
    // Drawn first, so that no file is written if there is no word to plot.
    OutputFile.Content plotted =
        plotFile == null ? null : ZipfPlot.of(counts(trie, wanted), plotFile);
    if (csvFile != null) {
      Outputs.write(csvFile, file -> printCsv(trie, wanted, file));
    }
    if (plotFile != null && plotted != null) {
      Outputs.write(plotFile, plotted);
    }
    PrintWriter out = text(csv);
    List<WordCount> rows = quiet && !json ? List.of() : rows(trie, left, wanted);
    if (json) {
      String line = summary.json(rows);
      out.println(utf8() ? line : Json.ascii(line));
    } else {
      if (!quiet && top > 0) {
        WordTable.print(out, rows, summary.words(), Integer.getInteger("gyre.columns", 0), utf8());
      }
      out.println(summary.line());
    }
  }

  /** Writes words and their counts, the words in byte order. */
  private static void printCsv(WordTrie trie, Predicate<String> wanted, FileChannel file) {
    CsvBytes out = new CsvBytes(CsvFormat.RFC4180);
    out.add("word");
    out.add("count");
    out.endRecord();
    trie.forEach(
        w -> {
          if (wanted.test(w.word())) {
            out.add(w.word());
            out.add(Long.toString(w.count()));
            out.endRecord(file);
          }
        });
    out.writeTo(file);
  }

  private List<WordCount> rows(WordTrie trie, WordTrie left, Predicate<String> wanted) {
    // However many of the first are left out, enough remain.
    int enough = (int) Math.min(Integer.MAX_VALUE, top + left.size());
    return trie.top(enough).stream().filter(w -> wanted.test(w.word())).limit(top).toList();
  }

  private static long[] counts(WordTrie trie, Predicate<String> wanted) {
    LongStream.Builder counts = LongStream.builder();
    trie.forEach(
        w -> {
          if (wanted.test(w.word())) {
            counts.add(w.count());
          }
        });
    // The largest first.
    return counts.build().map(count -> -count).sorted().map(count -> -count).toArray();
  }

  private static boolean utf8() {
    return "UTF-8".equals(System.getProperty("stdout.encoding"));
  }
}
