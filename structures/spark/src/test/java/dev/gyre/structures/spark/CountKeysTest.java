package dev.gyre.structures.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.TextLongMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import scala.Tuple2;

/** Keys that are counted, and values that are folded, on Spark. */
class CountKeysTest {

  private static final List<Long> LONGS =
      Arrays.asList(
          0L, -1L, Long.MIN_VALUE, 7L, Long.MAX_VALUE, -1L, null, 7L, 7L, 256L, -256L, 255L);
  private static final List<String> TEXTS =
      Arrays.asList(
          "", "a", "ab", "A", "\u00e4", "a", "", null, "x".repeat(70_000), "\ud83d\udc0b");

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

  private static <K> Map<K, Long> counted(List<K> keys) {
    Map<K, Long> counts = new TreeMap<>();
    keys.stream().filter(k -> k != null).forEach(k -> counts.merge(k, 1L, Long::sum));
    return counts;
  }

  private static Map<Long, Long> entries(LongLongMap map) {
    try (map) {
      Map<Long, Long> entries = new TreeMap<>();
      map.forEach(entries::put);
      return entries;
    }
  }

  private static Map<String, Long> entries(TextLongMap map) {
    try (map) {
      Map<String, Long> entries = new TreeMap<>();
      map.forEach(entries::put);
      return entries;
    }
  }

  @Test
  void longsAreCounted() {
    Map<Long, Long> plain = counted(LONGS);
    JavaRDD<Long> rdd = context.parallelize(LONGS, 3);
    Dataset<Long> dataset = spark.createDataset(LONGS, Encoders.LONG());
    for (Tally<Long, LongLongMap> tally :
        List.of(
            GyreSpark.countKeys(rdd, KeyType.longs(), SparkOptions.DEFAULTS),
            GyreSpark.countKeys(dataset, KeyType.longs(), SparkOptions.DEFAULTS))) {
      assertThat(new TreeMap<>(tally.rdd().collectAsMap())).isEqualTo(plain);
      assertThat(entries(tally.structure())).isEqualTo(plain);
    }
    assertThat(GyreSpark.distinct(rdd, KeyType.longs(), SparkOptions.DEFAULTS)).isEqualTo(8);
    assertThat(GyreSpark.distinct(dataset, KeyType.longs(), SparkOptions.DEFAULTS)).isEqualTo(8);
  }

  @Test
  void textsAreCounted() {
    Map<String, Long> plain = counted(TEXTS);
    JavaRDD<String> rdd = context.parallelize(TEXTS, 3);
    Dataset<String> dataset = spark.createDataset(TEXTS, Encoders.STRING());
    for (Tally<String, TextLongMap> tally :
        List.of(
            GyreSpark.countKeys(rdd, KeyType.texts(), SparkOptions.DEFAULTS),
            GyreSpark.countKeys(dataset, KeyType.texts(), SparkOptions.DEFAULTS))) {
      assertThat(new TreeMap<>(tally.rdd().collectAsMap())).isEqualTo(plain);
      assertThat(entries(tally.structure())).isEqualTo(plain);
    }
  }

  @Test
  void halfASurrogatePairIsNoKey() {
    JavaRDD<String> keys = context.parallelize(List.of("a\ud800"), 1);
    assertThatThrownBy(() -> GyreSpark.distinct(keys, KeyType.texts(), SparkOptions.DEFAULTS))
        .hasRootCauseInstanceOf(IllegalArgumentException.class)
        .hasRootCauseMessage("half of a surrogate pair at 1 of a key");
  }

  @ParameterizedTest
  @EnumSource(value = Fold.class, names = "ASSIGN", mode = EnumSource.Mode.EXCLUDE)
  void valuesAreFolded(Fold fold) {
    List<Tuple2<Long, Long>> pairs = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(1);
    Map<Long, Long> plain = new TreeMap<>();
    for (int i = 0; i < 1000; i++) {
      long value = random.nextLong();
      pairs.add(new Tuple2<>(random.nextLong(50), value));
      plain.merge(pairs.getLast()._1(), value, fold::of);
    }
    pairs.add(new Tuple2<>(3L, null));
    JavaPairRDD<Long, Long> rdd = JavaPairRDD.fromJavaRDD(context.parallelize(pairs, 4));
    Tally<Long, LongLongMap> tally =
        GyreSpark.aggregate(rdd, KeyType.longs(), fold, SparkOptions.DEFAULTS);
    assertThat(new TreeMap<>(tally.rdd().collectAsMap())).isEqualTo(plain);
    assertThat(entries(tally.structure())).isEqualTo(plain);
  }

  @Test
  void columnsAreFolded() {
    Dataset<Row> rows =
        spark.range(0, 1000, 1, 3).selectExpr("concat('k', id % 10) as name", "cast(id as int) v");
    Tally<String, TextLongMap> sums =
        GyreSpark.aggregate(
            rows,
            functions.col("name"),
            functions.col("v"),
            KeyType.texts(),
            Fold.MAX,
            SparkOptions.DEFAULTS);
    assertThat(entries(sums.structure())).hasSize(10).containsEntry("k3", 993L);
    Tally<String, TextLongMap> any =
        GyreSpark.aggregate(
            rows,
            functions.col("name"),
            functions.lit(5),
            KeyType.texts(),
            Fold.ASSIGN,
            SparkOptions.DEFAULTS);
    assertThat(any.rdd().values().distinct().collect()).containsExactly(5L);
  }

  /** Each task has room for a part of its keys only, and each merge for a part of its runs. */
  @Test
  void mergesAreLargerThanAReducersMemory() throws TimeoutException {
    AtomicLong spilled = new AtomicLong();
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onStageCompleted(SparkListenerStageCompleted stage) {
            spilled.addAndGet(stage.stageInfo().taskMetrics().diskBytesSpilled());
          }
        };
    spark.sparkContext().addSparkListener(listener);
    try {
      JavaRDD<Long> keys =
          context
              .parallelize(List.of(1, 2, 3, 4), 4)
              .flatMap(part -> new SplittableRandom(part % 2).longs(200_000).iterator());
      SparkOptions small = SparkOptions.DEFAULTS.withMemoryPerTask(3 << 20).withPieces(1);
      Tally<Long, LongLongMap> tally = GyreSpark.countKeys(keys, KeyType.longs(), small);
      Map<Long, Long> found = tally.rdd().collectAsMap();
      assertThat(found).hasSize(400_000);
      assertThat(found.values()).containsOnly(2L);
    } finally {
      spark.sparkContext().listenerBus().waitUntilEmpty();
      spark.sparkContext().removeSparkListener(listener);
    }
    assertThat(spilled.get()).isGreaterThan(3 << 20);
  }
}
