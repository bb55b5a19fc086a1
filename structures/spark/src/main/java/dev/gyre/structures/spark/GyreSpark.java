package dev.gyre.structures.spark;

import dev.gyre.structures.trie.WordTrie;
import java.util.Objects;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;

/**
 * Counts words and keys, and combines values, on Apache Spark, with one structure per partition.
 *
 * <pre>{@code
 * Dataset<String> lines = spark.read().textFile("hdfs:///books");
 * Tally<String, WordTrie> words = GyreSpark.countWords(lines, SparkOptions.DEFAULTS);
 * words.dataset().orderBy(desc("value")).show(); // merged by a shuffle
 * try (WordTrie trie = words.structure()) { // in the driver, if all words fit
 *   trie.top(10).forEach(System.out::println);
 * }
 * }</pre>
 *
 * <p>Nothing runs until a method of the {@link Tally} asks for the result. Null elements are
 * skipped. Rows of a data set are read from Spark's memory format without decoding, so that a data
 * set is faster than an RDD.
 *
 * <p><b>Memory.</b> Structures are off-heap, in the memory of Spark: set {@code
 * spark.memory.offHeap.enabled} and {@code spark.memory.offHeap.size}.
 *
 * @since 0.1.0
 */
public final class GyreSpark {

  private GyreSpark() {}

  /** Counts the words of texts. A word ends with its text. */
  public static Tally<String, WordTrie> countWords(JavaRDD<String> texts, SparkOptions options) {
    return countKeys(texts, KeyType.words(options.alphabet()), options);
  }

  /** Counts the words of texts. A word ends with its text. */
  public static Tally<String, WordTrie> countWords(Dataset<String> texts, SparkOptions options) {
    return countKeys(texts, KeyType.words(options.alphabet()), options);
  }

  /** Counts the elements with each key. */
  public static <K, M extends AutoCloseable> Tally<K, M> countKeys(
      JavaRDD<K> keys, KeyType<K, M> type, SparkOptions options) {
    Objects.requireNonNull(keys, "keys");
    return new Tally<>(keys, elements -> Rows.ofKeys(elements, type), type, Fold.ADD, options);
  }

  /** Counts the elements with each key. */
  public static <K, M extends AutoCloseable> Tally<K, M> countKeys(
      Dataset<K> keys, KeyType<K, M> type, SparkOptions options) {
    Objects.requireNonNull(keys, "keys");
    Column key = functions.col(quoted(keys.columns()[0])).cast(type.dataType());
    return ofRows(keys.select(key), type, Fold.ADD, options);
  }

  /** Returns the exact number of distinct keys. */
  public static <K, M extends AutoCloseable> long distinct(
      JavaRDD<K> keys, KeyType<K, M> type, SparkOptions options) {
    return countKeys(keys, type, options).size();
  }

  /** Returns the exact number of distinct keys. */
  public static <K, M extends AutoCloseable> long distinct(
      Dataset<K> keys, KeyType<K, M> type, SparkOptions options) {
    return countKeys(keys, type, options).size();
  }

  /** Combines the values of equal keys. */
  public static <K, M extends AutoCloseable> Tally<K, M> aggregate(
      JavaPairRDD<K, Long> pairs, KeyType<K, M> type, Fold fold, SparkOptions options) {
    Objects.requireNonNull(pairs, "pairs");
    Objects.requireNonNull(fold, "fold");
    return new Tally<>(
        JavaRDD.fromRDD(pairs.rdd(), pairs.classTag()),
        elements -> Rows.ofPairs(elements, type),
        type,
        fold,
        options);
  }

  /**
   * Combines the values of equal keys.
   *
   * @param key column of the keys
   * @param value column of the values, which are converted to long
   */
  public static <K, M extends AutoCloseable> Tally<K, M> aggregate(
      Dataset<Row> rows,
      Column key,
      Column value,
      KeyType<K, M> type,
      Fold fold,
      SparkOptions options) {
    Objects.requireNonNull(rows, "rows");
    Objects.requireNonNull(fold, "fold");
    return ofRows(
        rows.select(key.cast(type.dataType()), value.cast(DataTypes.LongType)),
        type,
        fold,
        options);
  }

  private static <K, M extends AutoCloseable> Tally<K, M> ofRows(
      Dataset<Row> rows, KeyType<K, M> type, Fold fold, SparkOptions options) {
    JavaRDD<InternalRow> internal = rows.queryExecution().toRdd().toJavaRDD();
    return new Tally<>(internal, Rows::ofInternal, type, fold, options);
  }

  private static String quoted(String column) {
    return "`" + column.replace("`", "``") + "`";
  }
}
