package dev.gyre.structures.spark;

import java.io.ByteArrayOutputStream;
import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Function;
import org.apache.spark.HashPartitioner;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.PairFlatMapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.Tuple2;

/**
 * Lazy result of a count or a combination: each method that asks for a result runs it.
 *
 * @param <K> a key
 * @param <M> a structure of keys and values
 * @since 0.1.0
 */
public final class Tally<K, M extends AutoCloseable> {

  /** Reads the elements of a partition. */
  interface Reading<T> extends Function<Iterator<T>, Rows>, Serializable {}

  /** What a task receives, except its elements. */
  private record Plan<T>(Reading<T> reading, KeyType<?, ?> type, Fold fold, int pieces, long memory)
      implements PairFlatMapFunction<Iterator<T>, Integer, byte[]> {

    @Override
    public Iterator<Tuple2<Integer, byte[]>> call(Iterator<T> elements) {
      return new Filling(TaskContext.get(), reading.apply(elements), type, fold, pieces, memory);
    }
  }

  private final JavaRDD<?> elements;
  private final Reading<?> reading;
  private final KeyType<K, M> type;
  private final Fold fold;
  private final int pieces;
  private final long memory;

  <T> Tally(
      JavaRDD<T> elements,
      Reading<T> reading,
      KeyType<K, M> type,
      Fold fold,
      SparkOptions options) {
    this.elements = elements;
    this.reading = reading;
    this.type = Objects.requireNonNull(type, "type");
    this.fold = fold;
    this.pieces = options.pieces() > 0 ? options.pieces() : pieces(elements);
    this.memory = TaskShare.of(elements.context()).bytes(options.memoryPerTask());
  }

  /** Returns one piece per core: with one per partition, pieces could be tiny. */
  private static int pieces(JavaRDD<?> elements) {
    return Math.clamp(
        elements.getNumPartitions(), 1, Math.max(1, elements.context().defaultParallelism()));
  }

  @SuppressWarnings("unchecked") // The types match by the constructor.
  private JavaPairRDD<Integer, byte[]> runs(int cut) {
    return ((JavaRDD<Object>) elements)
        .mapPartitionsToPair(new Plan<>((Reading<Object>) reading, type, fold, cut, memory));
  }

  /** Returns the runs of each piece, in a separate partition. */
  private JavaPairRDD<Integer, byte[]> cut() {
    return runs(pieces).partitionBy(new HashPartitioner(pieces));
  }

  /** Merges a piece in key order. */
  private record Merging<K, T>(KeyType<K, ?> type, Fold fold, long memory, Entry<K, T> entry)
      implements Serializable {
    Iterator<T> of(Iterator<Tuple2<Integer, byte[]>> runs) {
      return new Entries<>(
          Gathering.merge(TaskContext.get(), fold, memory, new Values<>(runs)), type, entry);
    }
  }

  private <T> Merging<K, T> merging(Entry<K, T> entry) {
    return new Merging<>(type, fold, memory, entry);
  }

  /**
   * Returns the keys with their values, in no order, in as many partitions as there are pieces,
   * merged by one shuffle.
   */
  public JavaPairRDD<K, Long> rdd() {
    Merging<K, Tuple2<K, Long>> merging = merging(Tuple2::new);
    return cut().mapPartitionsToPair(merging::of);
  }

  /** Returns {@link #rdd} as a data set with the columns {@code key} and {@code value}. */
  public Dataset<Row> dataset() {
    StructType schema =
        new StructType().add("key", type.dataType(), false).add("value", DataTypes.LongType, false);
    Merging<K, Row> merging = merging((key, value) -> RowFactory.create(key, value));
    return SparkSession.builder()
        .getOrCreate()
        .createDataFrame(cut().mapPartitions(merging::of), schema);
  }

  /** Returns the number of keys. */
  public long size() {
    Fold merging = fold;
    long most = memory;
    return cut()
        .mapPartitions(
            runs -> {
              RunMerge merge =
                  Gathering.merge(TaskContext.get(), merging, most, new Values<>(runs));
              long keys = 0;
              while (merge.next()) {
                keys++;
              }
              return List.of(keys).iterator();
            })
        .fold(0L, Long::sum);
  }

  /**
   * Returns a structure of all keys with their values in the driver. The caller closes it. Runs are
   * merged in a tree, without a shuffle of all.
   *
   * @throws dev.gyre.structures.StructureException if the run is larger than an array; use {@link
   *     #rdd}
   * @throws dev.gyre.atomics.MemoryExhaustedException if the driver does not have the memory
   */
  public M structure() {
    Fold merging = fold;
    long most = memory;
    if (elements.getNumPartitions() == 0) {
      return type.gather(new RunReader(new byte[0]));
    }
    byte[] run =
        runs(1)
            .mapPartitions(
                runs -> {
                  TaskContext task = TaskContext.get();
                  return List.of(bytes(Gathering.merge(task, merging, most, new Values<>(runs))))
                      .iterator();
                })
            .treeReduce(
                (a, b) ->
                    bytes(new RunMerge(merging, List.of(new RunReader(a), new RunReader(b)))));
    return type.gather(new RunReader(run));
  }

  private static byte[] bytes(RunMerge merge) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    merge.writeTo(out);
    return out.toByteArray();
  }

  /** Converts a key and its value. */
  private interface Entry<K, T> extends Serializable {
    T of(K key, long value);
  }

  /** Second elements of pairs. */
  private record Values<T>(Iterator<Tuple2<Integer, T>> pairs) implements Iterator<T> {
    @Override
    public boolean hasNext() {
      return pairs.hasNext();
    }

    @Override
    public T next() {
      return pairs.next()._2();
    }
  }

  private static final class Entries<K, T> implements Iterator<T> {
    private final RunMerge merge;
    private final KeyType<K, ?> type;
    private final Entry<K, T> entry;
    private boolean ahead;
    private boolean ended;

    Entries(RunMerge merge, KeyType<K, ?> type, Entry<K, T> entry) {
      this.merge = merge;
      this.type = type;
      this.entry = entry;
    }

    @Override
    public boolean hasNext() {
      if (!ahead && !ended) {
        ahead = merge.next();
        ended = !ahead;
      }
      return ahead;
    }

    @Override
    public T next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      ahead = false;
      return entry.of(type.key(merge.key(), merge.length()), merge.value());
    }
  }
}
