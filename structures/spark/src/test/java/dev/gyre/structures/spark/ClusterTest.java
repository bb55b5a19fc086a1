package dev.gyre.structures.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.gyre.structures.trie.WordTrie;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/** Executors that are processes of their own, on two hosts, and end, or are slow. */
class ClusterTest {

  /**
   * Hosts that are this one: Spark runs no second copy of a task on the host that has the first.
   */
  private static final List<String> HOSTS = List.of("127.0.0.1", "127.0.0.2");

  private static final String TEXT = "the whale and the sea ";
  private static final String LETTERS = "abcdefgh";

  private static LocalCluster cluster;
  private static SparkSession spark;
  private static JavaSparkContext context;

  @BeforeAll
  static void open(@TempDir Path folder) throws IOException {
    for (String host : HOSTS) {
      try (ServerSocket _ = new ServerSocket(0, 1, InetAddress.getByName(host))) {
        // It is this one.
      } catch (IOException e) {
        abort("skipped: this machine has no address " + host);
      }
    }
    cluster = LocalCluster.open(folder, HOSTS, 1, Map.of());
    spark = session(cluster.url());
    context = JavaSparkContext.fromSparkContext(spark.sparkContext());
  }

  @AfterAll
  static void close() {
    if (spark != null) {
      spark.stop();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  /** A Spark that runs a task twice where the first is slow. */
  private static SparkSession session(String master) throws IOException {
    return LocalCluster.session(master)
        .config("spark.executor.cores", 1)
        .config("spark.speculation", true)
        .config("spark.speculation.quantile", 0.5)
        .config("spark.speculation.interval", "20ms")
        .getOrCreate();
  }

  /** Ends the executor, the first time that this is called. */
  private static Tuple2<String, Long> ending(Tuple2<String, Long> entry, Path first) {
    try {
      Files.createFile(first);
      Runtime.getRuntime().halt(1);
    } catch (IOException e) {
      // It was ended before.
    }
    return entry;
  }

  /** The first to read part 0 goes on once another one has begun to read it, too. */
  private static Iterator<String> waiting(Iterator<Integer> parts, Path second) {
    int part = parts.next();
    try {
      if (part == 0 && TaskContext.get().attemptNumber() > 0) {
        Files.createFile(second);
      }
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
      while (part == 0 && !Files.exists(second)) {
        if (System.nanoTime() - end > 0) {
          Files.createFile(alone(second));
          throw new IllegalStateException("no second copy of this task");
        }
        Thread.sleep(1);
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return IntStream.range(0, 1000).mapToObj(i -> TEXT + LETTERS.charAt(i % 8)).iterator();
  }

  /** Is there if no other one began, so that this one failed. */
  private static Path alone(Path second) {
    return second.resolveSibling(second.getFileName() + "-alone");
  }

  private static Map<String, Long> plain() {
    Map<String, Long> plain =
        new HashMap<>(Map.of("the", 8000L, "whale", 4000L, "and", 4000L, "sea", 4000L));
    LETTERS.chars().forEach(letter -> plain.put(Character.toString(letter), 500L));
    return plain;
  }

  @Test
  void whatALostExecutorHadCountedCountsOnce(@TempDir Path folder) {
    JavaRDD<String> texts =
        context
            .parallelize(IntStream.range(0, 4000).boxed().toList(), 4)
            .map(i -> TEXT + LETTERS.charAt(i % 8));
    Tally<String, WordTrie> tally =
        GyreSpark.countWords(texts, SparkOptions.DEFAULTS.withPieces(4));
    String first = folder.resolve("first").toString();
    Map<String, Long> words =
        tally.rdd().mapToPair(entry -> ending(entry, Path.of(first))).collectAsMap();
    assertThat(Path.of(first)).exists();
    assertThat(words).isEqualTo(plain());
    try (WordTrie trie = tally.structure()) {
      assertThat(trie.total()).isEqualTo(24_000);
    }
  }

  @Test
  void aTaskThatSparkRunsTwiceAtOnceCountsOnce(@TempDir Path folder) {
    // Paths cannot be sent.
    String shuffled = folder.resolve("shuffled").toString();
    String reduced = folder.resolve("reduced").toString();
    JavaRDD<Integer> parts = context.parallelize(List.of(0, 1, 2, 3), 4);
    Tally<String, WordTrie> pieces =
        GyreSpark.countWords(
            parts.mapPartitions(numbers -> waiting(numbers, Path.of(shuffled))),
            SparkOptions.DEFAULTS.withPieces(2));
    assertThat(pieces.rdd().collectAsMap()).isEqualTo(plain());
    assertThat(folder).isDirectoryNotContaining("glob:**-alone");
    assertThat(Path.of(shuffled)).exists();
    Tally<String, WordTrie> whole =
        GyreSpark.countWords(
            parts.mapPartitions(numbers -> waiting(numbers, Path.of(reduced))),
            SparkOptions.DEFAULTS);
    try (WordTrie trie = whole.structure()) {
      assertThat(trie.total()).isEqualTo(24_000);
    }
    assertThat(folder).isDirectoryNotContaining("glob:**-alone");
    assertThat(Path.of(reduced)).exists();
  }
}
