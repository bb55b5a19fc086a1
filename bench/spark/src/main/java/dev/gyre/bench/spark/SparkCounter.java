package dev.gyre.bench.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.explode;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.lower;
import static org.apache.spark.sql.functions.split;
import static org.apache.spark.sql.functions.sum;

import dev.gyre.structures.spark.GyreSpark;
import dev.gyre.structures.spark.SparkOptions;
import dev.gyre.structures.trie.WordTrie;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;

/** Ways to count the words of ASCII letters of a text on Spark. */
enum SparkCounter {
  /** Gyre, to a data set of words and counts. */
  GYRE("Gyre, `dataset()`") {
    @Override
    Numbers count(Dataset<String> lines) {
      return numbers(GyreSpark.countWords(lines, SparkOptions.DEFAULTS).dataset());
    }
  },
  /** Gyre, to a trie in the driver. */
  GYRE_TRIE("Gyre, `structure()`") {
    @Override
    Numbers count(Dataset<String> lines) {
      try (WordTrie trie = GyreSpark.countWords(lines, SparkOptions.DEFAULTS).structure()) {
        return new Numbers(trie.total(), trie.size());
      }
    }
  },
  /** Spark, all of it SQL. */
  SPARK_SPLIT("Spark, `split` and `groupBy().count()`") {
    @Override
    Numbers count(Dataset<String> lines) {
      Dataset<Row> words = lines.select(explode(split(lower(col("value")), "[^a-z]+")).as("key"));
      return numbers(words.where(col("key").notEqual(lit(""))).groupBy("key").count());
    }
  },
  /** Spark, with words cut by hand, without regular expressions. */
  SPARK_FLAT_MAP("Spark, `flatMap` and `groupBy().count()`") {
    @Override
    Numbers count(Dataset<String> lines) {
      FlatMapFunction<String, String> cut = line -> words(line).iterator();
      return numbers(lines.flatMap(cut, Encoders.STRING()).toDF("key").groupBy("key").count());
    }
  };

  /**
   * What a count is checked by.
   *
   * @param words each as often as it was found
   * @param distinct distinct words
   */
  record Numbers(long words, long distinct) {}

  private final String label;

  SparkCounter(String label) {
    this.label = label;
  }

  /** How tables name it. */
  String label() {
    return label;
  }

  abstract Numbers count(Dataset<String> lines);

  private static Numbers numbers(Dataset<Row> counts) {
    Row row = counts.agg(sum(counts.columns()[1]), functions.count(counts.columns()[0])).first();
    return new Numbers(row.isNullAt(0) ? 0 : row.getLong(0), row.getLong(1));
  }

  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    for (int i = 0; i < line.length(); i++) {
      char lower = (char) (line.charAt(i) | 0x20);
      if (lower >= 'a' && lower <= 'z') {
        word.append(lower);
      } else if (!word.isEmpty()) {
        words.add(word.toString());
        word.setLength(0);
      }
    }
    if (!word.isEmpty()) {
      words.add(word.toString());
    }
    return words;
  }
}
