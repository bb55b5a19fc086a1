package dev.gyre.structures.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.structures.trie.WordTrie;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Tuple2;

/** Executors that are processes of their own, and end. */
class ClusterTest {

  /** A Spark whose executors have the class path of this process. */
  private static SparkSession open() throws IOException {
    // Where an executor looks for Spark's jars, all of which are on that class path.
    Path home = Path.of(System.getenv("SPARK_HOME"));
    Files.createDirectories(home.resolve("jars"));
    return LocalSpark.session("local-cluster[2,1,1024]")
        .config("spark.home", home.toString())
        .config("spark.executor.memory", "512m")
        .config("spark.executor.cores", 1)
        .config("spark.executor.extraClassPath", System.getProperty("java.class.path"))
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

  @Test
  void whatALostExecutorHadCountedCountsOnce(@TempDir Path folder) throws IOException {
    try (SparkSession spark = open()) {
      JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
      JavaRDD<String> texts =
          context
              .parallelize(IntStream.range(0, 4000).boxed().toList(), 4)
              .map(i -> "the whale and the sea " + "abcdefgh".charAt(i % 8));
      Tally<String, WordTrie> tally =
          GyreSpark.countWords(texts, SparkOptions.DEFAULTS.withPieces(4));
      String first = folder.resolve("first").toString();
      Map<String, Long> words =
          new HashMap<>(
              tally.rdd().mapToPair(entry -> ending(entry, Path.of(first))).collectAsMap());
      assertThat(Path.of(first)).exists();
      Map<String, Long> plain =
          new HashMap<>(Map.of("the", 8000L, "whale", 4000L, "and", 4000L, "sea", 4000L));
      List.of("a", "b", "c", "d", "e", "f", "g", "h").forEach(w -> plain.put(w, 500L));
      assertThat(words).isEqualTo(plain);
      try (WordTrie trie = tally.structure()) {
        assertThat(trie.total()).isEqualTo(24_000);
      }
    }
  }
}
