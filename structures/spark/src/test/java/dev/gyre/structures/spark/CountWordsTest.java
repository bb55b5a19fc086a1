package dev.gyre.structures.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.structures.trie.WordTrie;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Words counted on Spark are those that a trie counts. */
class CountWordsTest {

  private static final List<String> TEXTS =
      List.of(
          "The whale, the white whale!",
          "",
          "Καὶ ἡ ΦΑΛΑΙΝΑ καὶ η φάλαινα; кит КИТ",
          "42 ... \n\r\n",
          "e\u0301te\u0301 \u00c9t\u00e9 \ud801\udc00\ud801\udc28 \ud800 half",
          "whale");

  private static SparkSession spark;
  private static JavaSparkContext context;

  @BeforeAll
  static void open() {
    spark = LocalSpark.open();
    context = JavaSparkContext.fromSparkContext(spark.sparkContext());
  }

  @AfterAll
  static void close() {
    spark.stop();
  }

  @AfterEach
  void allMemoryIsGivenBack() {
    assertThat(LocalSpark.allIsGivenBack()).isTrue();
  }

  private static Map<String, Long> plain(Alphabet alphabet, List<String> texts) {
    WordTrie trie = WordTrie.builder().alphabet(alphabet).workers(1).build();
    texts.forEach(text -> trie.add(text == null ? "" : text));
    return LocalSpark.words(trie);
  }

  private static Map<String, Long> words(Tally<String, WordTrie> tally) {
    return LocalSpark.words(tally.structure());
  }

  private static Map<String, Long> rows(Dataset<Row> rows) {
    Map<String, Long> words = new TreeMap<>();
    for (Row row : rows.collectAsList()) {
      assertThat(words.put(row.getString(0), row.getLong(1))).isNull();
    }
    return words;
  }

  @ParameterizedTest
  @EnumSource
  void everyResultIsThatOfATrie(Alphabet alphabet) {
    SparkOptions options = SparkOptions.DEFAULTS.withAlphabet(alphabet).withPieces(3);
    Map<String, Long> plain = plain(alphabet, TEXTS);
    JavaRDD<String> rdd = context.parallelize(TEXTS, 4);
    Dataset<String> dataset = spark.createDataset(TEXTS, Encoders.STRING());
    for (Tally<String, WordTrie> tally :
        List.of(GyreSpark.countWords(rdd, options), GyreSpark.countWords(dataset, options))) {
      assertThat(words(tally)).isEqualTo(plain);
      assertThat(new TreeMap<>(tally.rdd().collectAsMap())).isEqualTo(plain);
      assertThat(rows(tally.dataset())).isEqualTo(plain);
      assertThat(tally.size()).isEqualTo(plain.size());
    }
  }

  @Test
  void partitionsMayBeEmptyOrNone() {
    List<String> two = Arrays.asList("a whale", null, "a sea");
    Tally<String, WordTrie> some =
        GyreSpark.countWords(context.parallelize(two, 7), SparkOptions.DEFAULTS);
    assertThat(words(some)).isEqualTo(Map.of("a", 2L, "whale", 1L, "sea", 1L));
    assertThat(some.size()).isEqualTo(3);
    Tally<String, WordTrie> none =
        GyreSpark.countWords(context.<String>emptyRDD(), SparkOptions.DEFAULTS);
    assertThat(words(none)).isEmpty();
    assertThat(none.size()).isZero();
    assertThat(none.rdd().collect()).isEmpty();
  }

  @Test
  void oneHugeWordIsCountedWhole() {
    String huge = "whale".repeat(20_000);
    List<String> texts = List.of("a " + huge, huge + " b", huge.toUpperCase(java.util.Locale.ROOT));
    Tally<String, WordTrie> tally =
        GyreSpark.countWords(context.parallelize(texts, 2), SparkOptions.DEFAULTS);
    assertThat(words(tally)).isEqualTo(Map.of("a", 1L, "b", 1L, huge, 3L));
    assertThat(new TreeMap<>(tally.rdd().collectAsMap())).isEqualTo(words(tally));
  }

  @Test
  void aWordThatIsLongerThanMemoryIsRefused() {
    JavaRDD<String> texts = context.parallelize(List.of("a", "whale".repeat(200_000)), 2);
    assertThatThrownBy(() -> GyreSpark.countWords(texts, SparkOptions.DEFAULTS).structure())
        .isInstanceOf(SparkException.class)
        .hasRootCauseInstanceOf(MemoryExhaustedException.class)
        .rootCause()
        .hasMessageContaining("spark.memory.offHeap.size");
  }

  @Test
  void aTextIsCutBetweenWords() {
    // Longer than any batch, and no batch ends where a word does.
    String text = IntStream.range(0, 300_000).mapToObj(i -> "w".repeat(i % 17)).toList().toString();
    Tally<String, WordTrie> tally =
        GyreSpark.countWords(context.parallelize(List.of(text), 1), SparkOptions.DEFAULTS);
    assertThat(words(tally)).isEqualTo(plain(Alphabet.ASCII_LETTERS, List.of(text)));
  }

  @Test
  void moreWordsThanATaskHasMemoryForAreCounted() {
    // Each run has some of the words, and most words are in many runs.
    JavaRDD<Integer> numbers = context.parallelize(IntStream.range(0, 40).boxed().toList(), 2);
    JavaRDD<String> texts = numbers.map(CountWordsTest::manyWords);
    SparkOptions small = SparkOptions.DEFAULTS.withMemoryPerTask(12 << 20).withPieces(2);
    List<String> all = new ArrayList<>();
    IntStream.range(0, 40).forEach(i -> all.add(manyWords(i)));
    Map<String, Long> plain = plain(Alphabet.ASCII_LETTERS, all);
    Tally<String, WordTrie> tally = GyreSpark.countWords(texts, small);
    assertThat(new TreeMap<>(tally.rdd().collectAsMap())).isEqualTo(plain);
    assertThat(words(tally)).isEqualTo(plain);
  }

  private static String manyWords(int part) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 2000; i++) {
      int number = part * 700 + i;
      for (int rest = number * 7919 + 1; rest > 0; rest /= 26) {
        text.append((char) ('a' + rest % 26));
      }
      text.append(' ');
    }
    return text.toString();
  }

  @Test
  void memoryOffHeapMustBeThere() {
    assertThatThrownBy(() -> TaskShare.of("false", "1g", 2))
        .isInstanceOf(GyreException.class)
        .hasMessageContaining("spark.memory.offHeap.enabled=true");
    assertThat(TaskShare.of("true", "1g", 2)).isEqualTo(new TaskShare(1L << 30, 2));
    assertThat(new TaskShare(1L << 30, 2).bytes(0)).isEqualTo(1L << 28);
    assertThat(new TaskShare(1L << 30, 2).bytes(1L << 40)).isEqualTo(1L << 29);
  }

  @Test
  void theBooksGiveThePlainCount() throws IOException {
    Path books =
        Path.of(System.getProperty("gyre.books", "../../../shared/gutenberg")).toAbsolutePath();
    assumeTrue(
        Files.isDirectory(books),
        "skipped: no books in " + books + "; -Dgyre.books=FOLDER names another folder");
    List<Path> files;
    try (Stream<Path> all = Files.walk(books)) {
      files = all.filter(f -> f.toString().endsWith(".txt")).sorted().toList();
    }
    Map<String, Long> plain;
    try (WordTrie trie = WordTrie.create()) {
      plain = LocalSpark.words(trie.add(files.toArray(Path[]::new)));
    }
    Dataset<String> lines =
        spark.read().textFile(files.stream().map(Path::toString).toArray(String[]::new));
    Tally<String, WordTrie> tally = GyreSpark.countWords(lines, SparkOptions.DEFAULTS);
    assertThat(words(tally)).isEqualTo(plain).hasSizeGreaterThan(1000);
    assertThat(rows(tally.dataset())).isEqualTo(plain);
  }
}
