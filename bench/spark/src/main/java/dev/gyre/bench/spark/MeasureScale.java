package dev.gyre.bench.spark;

import dev.gyre.structures.spark.GyreSpark;
import dev.gyre.structures.spark.SparkOptions;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/**
 * Measures the parameters of the model in docs/scale.md: {@code MeasureScale FILE...}. It prints a
 * row of a table: bytes of text, partitions, words, distinct words, bytes shuffled, bytes of an
 * entry, MB/s that a core counts, and entries that a core merges in a second.
 *
 * <p>It measures the time of tasks, each of which has a core of its own. Processor time would be
 * too short: it is the time of the task's thread only, which waits while another thread counts. So
 * no other program may run at the same time. The text is counted eight times; the last time is
 * reported.
 */
public final class MeasureScale {

  private static final int PIECES = 2;
  private static final int RUNS = 8;

  /** Sums up what the tasks of all stages needed. */
  private static final class Sums extends SparkListener {
    private long readingNanos;
    private long mergingNanos;
    private long shuffled;

    @Override
    public synchronized void onStageCompleted(SparkListenerStageCompleted stage) {
      TaskMetrics metrics = stage.stageInfo().taskMetrics();
      if (metrics.inputMetrics().bytesRead() > 0) {
        readingNanos += TimeUnit.MILLISECONDS.toNanos(metrics.executorRunTime());
        shuffled += metrics.shuffleWriteMetrics().bytesWritten();
      } else {
        mergingNanos += TimeUnit.MILLISECONDS.toNanos(metrics.executorRunTime());
      }
    }
  }

  private MeasureScale() {}

  /** Prints the row. */
  public static void main(String[] args) throws Exception {
    try (SparkSession spark =
        SparkSession.builder().config(Sessions.conf("local[2]", "1g")).getOrCreate()) {
      String row = "";
      for (int run = 0; run < RUNS; run++) {
        row = row(spark, new SparkTexts(spark, List.of(args)));
      }
      System.out.println(row);
    }
  }

  private static String row(SparkSession spark, SparkTexts texts) throws Exception {
    Sums sums = new Sums();
    spark.sparkContext().addSparkListener(sums);
    var lines = texts.lines();
    Row found =
        GyreSpark.countWords(lines, SparkOptions.DEFAULTS.withPieces(PIECES))
            .dataset()
            .agg(functions.sum("value"), functions.count("key"))
            .first();
    spark.sparkContext().listenerBus().waitUntilEmpty();
    spark.sparkContext().removeSparkListener(sums);
    // Entries that reach the merge: the distinct words of each partition.
    long entries = 0;
    for (long one : partitions(lines)) {
      entries += one;
    }
    return String.format(
        Locale.ROOT,
        "| %,d | %d | %,d | %,d | %,d | %.1f | %.0f | %,.0f |",
        texts.bytes(),
        lines.rdd().getNumPartitions(),
        found.getLong(0),
        found.getLong(1),
        sums.shuffled,
        (double) sums.shuffled / entries,
        texts.bytes() * 1e3 / sums.readingNanos,
        entries * 1e9 / sums.mergingNanos);
  }

  /** Distinct words of each partition, counted once more, plainly. */
  private static List<Long> partitions(org.apache.spark.sql.Dataset<String> lines) {
    return lines
        .toJavaRDD()
        .mapPartitions(
            texts -> {
              try (var trie = dev.gyre.structures.trie.WordTrie.builder().workers(1).build()) {
                texts.forEachRemaining(trie::add);
                return List.of(trie.size()).iterator();
              }
            })
        .collect();
  }
}
