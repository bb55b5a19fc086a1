package dev.gyre.bench.spark;

import dev.gyre.bench.cli.Gyre;
import dev.gyre.bench.cli.UserCommand;
import dev.gyre.bench.cli.WordSummary;
import dev.gyre.bench.cli.WordViews;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.structures.spark.GyreSpark;
import dev.gyre.structures.spark.SparkOptions;
import dev.gyre.structures.trie.WordTrie;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gyre spark-wordcount}: counts the words of files on Apache Spark. */
@Command(
    name = "spark-wordcount",
    description = "Counts words as wordcount does, on Apache Spark.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Texts are UTF-8, or gzip of UTF-8; bytes=N counts the unpacked text. Zip archives are"
          + " bad input.",
      "The last line is words=N distinct=N nodes=N bytes=N target=spark seconds=S.",
      UserCommand.EXIT_CODES
    })
final class SparkWordCountCommand extends UserCommand implements Callable<Integer> {

  @Mixin private WordViews views = new WordViews();

  @Option(
      names = "--master",
      paramLabel = "URL",
      description =
          "Where to count: local[N] for N threads of this machine, or a cluster, such as"
              + " spark://HOST:7077; by default a thread for each core of this machine.")
  private String master = "local[*]";

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description =
          "Off-heap memory of each executor, given to Spark as spark.memory.offHeap.size; by"
              + " default ${DEFAULT-VALUE}.",
      defaultValue = "1g")
  private String memory = "1g";

  @Option(
      names = "--alphabet",
      paramLabel = "ascii|unicode",
      description = "Letters of words, as for wordcount.")
  private String alphabet = Alphabet.ASCII_LETTERS.label();

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description =
          "Files or folders that all executors can read, or names of Spark's file systems:"
              + " hdfs://..., s3a://...")
  private List<String> arguments = List.of();

  @Override
  public Integer call() throws IOException {
    Alphabet letters = letters();
    views.validate();
    try (WordTrie left = views.stopwords(letters);
        SparkSession spark = Sessions.open(line(), master, memory)) {
      SparkTexts texts = new SparkTexts(spark, arguments);
      long start = System.nanoTime();
      try (WordTrie trie = count(texts, letters)) {
        double seconds = (System.nanoTime() - start) / 1e9;
        views.show(trie, left, WordSummary.of(trie, texts.bytes(), "spark", seconds));
      }
    }
    return Gyre.OK;
  }

  private static WordTrie count(SparkTexts texts, Alphabet letters) {
    try {
      SparkOptions options = SparkOptions.DEFAULTS.withAlphabet(letters);
      return GyreSpark.countWords(texts.lines(), options).structure();
    } catch (Exception e) {
      // Scala declares none.
      throw Sessions.translated(e);
    }
  }

  private Alphabet letters() {
    try {
      return Alphabet.ofLabel(alphabet);
    } catch (IllegalArgumentException e) {
      throw usage("--alphabet: " + e.getMessage());
    }
  }
}
