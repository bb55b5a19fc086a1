package dev.gyre.structures.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.structures.trie.WordTrie;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tasks that fail or are killed: what they counted does not count, and what they held is free. */
class TasksTest {

  private static final String TEXT = "the whale and the sea ";

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

  /** Gives the same text again and again, and fails at the end while tasks are tried so often. */
  private static Iterator<String> failing(Iterator<Integer> parts, int failures) {
    Stream<String> texts = IntStream.range(0, 2000).mapToObj(_ -> TEXT);
    Stream<String> last =
        Stream.of(TEXT)
            .filter(
                _ -> {
                  if (TaskContext.get().attemptNumber() < failures) {
                    throw new IllegalStateException("on purpose");
                  }
                  return false;
                });
    assertThat(parts.hasNext()).isTrue();
    return Stream.concat(texts, last).iterator();
  }

  private static JavaRDD<String> failing(int failures) {
    return context
        .parallelize(List.of(1, 2, 3), 3)
        .mapPartitions(parts -> failing(parts, failures));
  }

  @Test
  void aTaskThatFailedAndRanAgainCountsOnce() {
    Tally<String, WordTrie> tally = GyreSpark.countWords(failing(2), SparkOptions.DEFAULTS);
    try (WordTrie trie = tally.structure()) {
      assertThat(trie.total()).isEqualTo(5 * 2000 * 3);
      assertThat(trie.count("the")).isEqualTo(2 * 2000 * 3);
    }
    assertThat(tally.rdd().collectAsMap()).containsEntry("the", 2L * 2000 * 3);
    assertThat(LocalSpark.allIsGivenBack()).isTrue();
  }

  @Test
  void aTaskThatAlwaysFailsFailsTheCountAndHoldsNothing()
      throws InterruptedException, TimeoutException {
    JavaRDD<String> texts = failing(100);
    Started started = new Started();
    spark.sparkContext().addSparkListener(started);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> GyreSpark.countWords(texts, SparkOptions.DEFAULTS).size())
          .isInstanceOf(SparkException.class)
          .hasMessageContaining("on purpose");
      // Others may be at work when one has failed once too often.
      started.awaitEnd();
      assertThat(LocalSpark.allIsGivenBack()).isTrue();
    }
    spark.sparkContext().removeSparkListener(started);
  }

  /** Knows how many tasks have begun, and not ended. */
  private static final class Started extends SparkListener {
    private int running;

    @Override
    public synchronized void onTaskStart(SparkListenerTaskStart start) {
      running++;
    }

    @Override
    public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
      running--;
      notifyAll();
    }

    void awaitEnd() throws InterruptedException, TimeoutException {
      spark.sparkContext().listenerBus().waitUntilEmpty();
      synchronized (this) {
        while (running > 0) {
          wait();
        }
      }
    }
  }

  /** Tells when a number of tasks have begun, and when as many have ended. */
  private static final class Watch extends SparkListener {
    private static volatile CountDownLatch counting = new CountDownLatch(0);
    private final CountDownLatch ended;

    Watch(int tasks) {
      ended = new CountDownLatch(tasks);
    }

    static String told() {
      counting.countDown();
      return TEXT;
    }

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
      ended.countDown();
    }
  }

  /** Tasks that have no end by themselves, and take no interrupt, or do. */
  private static void kill(boolean interrupts) throws InterruptedException {
    Watch.counting = new CountDownLatch(2);
    Watch watch = new Watch(2);
    spark.sparkContext().addSparkListener(watch);
    JavaRDD<String> endless =
        context
            .parallelize(List.of(1, 2), 2)
            .mapPartitions(
                _ ->
                    Stream.concat(
                            IntStream.range(0, 5000).mapToObj(_ -> TEXT),
                            Stream.concat(
                                Stream.of(1).map(_ -> Watch.told()), Stream.generate(() -> TEXT)))
                        .iterator());
    Thread job =
        Thread.ofPlatform()
            .start(
                () -> {
                  context.setJobGroup("endless", "endless", interrupts);
                  assertThatThrownBy(
                          () -> GyreSpark.countWords(endless, SparkOptions.DEFAULTS).size())
                      .isInstanceOf(SparkException.class);
                });
    Watch.counting.await();
    context.cancelJobGroup("endless");
    job.join();
    watch.ended.await();
    spark.sparkContext().removeSparkListener(watch);
  }

  @Test
  void aTaskThatIsKilledHoldsNothing() throws InterruptedException {
    kill(false);
    assertThat(LocalSpark.allIsGivenBack()).isTrue();
    kill(true);
    assertThat(LocalSpark.allIsGivenBack()).isTrue();
  }

  @Test
  void aTrieIsSentToTasksAsBytes() {
    var bytes = new java.io.ByteArrayOutputStream();
    try (WordTrie trie = WordTrie.create()) {
      trie.add(TEXT).save(bytes);
    }
    var sent = context.broadcast(bytes.toByteArray());
    List<Long> counts =
        context
            .parallelize(List.of("the", "sea", "ship"), 2)
            .mapPartitions(
                words -> {
                  var saved = java.lang.foreign.MemorySegment.ofArray(sent.value());
                  try (WordTrie trie = WordTrie.load(saved)) {
                    return Stream.of(words)
                        .<String>mapMulti(Iterator::forEachRemaining)
                        .map(trie::count)
                        .toList()
                        .iterator();
                  }
                })
            .collect();
    assertThat(counts).containsExactly(2L, 1L, 0L);
  }
}
