package dev.gyre.bench.map;

import dev.gyre.datasets.Keys;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Keys with their values, keys to look up, and what must come out.
 *
 * <p>The value of a key depends on nothing but the key and is never 0, so that any of equal keys
 * may win, and 0 can say that a key is absent.
 *
 * @param <A> arrays of keys and values: {@code long[]} or {@code int[]}
 */
public final class MapData<A> {

  private static final long ODD = 0x9e3779b97f4a7c15L;

  private final int size;
  private final A keys;
  private final A values;
  private final A ones;
  private final A queries;
  private final A found;
  private final long distinct;
  private final long hits;
  private final long valueSum;
  private final long entrySum;
  private final long countSum;
  private final ToLongFunction<A> sum;

  private MapData(
      long[] keys, long[] absent, int hits, Function<long[], A> as, ToLongFunction<A> sum) {
    long[] sorted = keys.clone();
    Arrays.parallelSort(sorted);
    SplittableRandom random = new SplittableRandom(KeyChoice.SEED);
    long[] queries = absent.clone();
    for (int i = 0; i < hits; i++) {
      queries[i] = keys[random.nextInt(keys.length)];
    }
    long[] present = Arrays.copyOf(queries, hits);
    shuffle(queries, random);
    this.size = keys.length;
    this.keys = as.apply(keys);
    this.values = as.apply(LongStream.of(keys).map(MapData::valueOf).toArray());
    this.ones = as.apply(LongStream.of(keys).map(_ -> 1).toArray());
    this.queries = as.apply(queries);
    this.found = as.apply(new long[queries.length]);
    this.distinct = LongStream.of(sorted).distinct().count();
    this.hits = hits;
    this.valueSum =
        sum.applyAsLong(as.apply(LongStream.of(present).map(MapData::valueOf).toArray()));
    this.entrySum =
        sum.applyAsLong(as.apply(LongStream.of(sorted).distinct().map(MapData::valueOf).toArray()));
    this.countSum = LongStream.of(present).map(key -> count(sorted, key)).sum();
    this.sum = sum;
  }

  /** Data of longs; {@link #ofInts}. */
  public static MapData<long[]> ofLongs(KeyChoice choice, int n, int hitPercent) {
    Keys sequence = choice.keys(n);
    return new MapData<>(
        LongStream.range(0, n).map(sequence::longAt).toArray(),
        LongStream.range(n, 2L * n).map(choice::absentLong).toArray(),
        (int) ((long) n * hitPercent / 100),
        array -> array,
        array -> LongStream.of(array).sum());
  }

  /**
   * Data of ints.
   *
   * @param n keys, of which the choice says how many are equal; as many are looked up
   * @param hitPercent how many of those are there, in per cent
   */
  public static MapData<int[]> ofInts(KeyChoice choice, int n, int hitPercent) {
    Keys sequence = choice.keys(n);
    return new MapData<>(
        LongStream.range(0, n).map(sequence::intAt).toArray(),
        LongStream.range(n, 2L * n).map(choice::absentInt).toArray(),
        (int) ((long) n * hitPercent / 100),
        array -> LongStream.of(array).mapToInt(element -> (int) element).toArray(),
        array -> IntStream.of(array).asLongStream().sum());
  }

  private static long valueOf(long key) {
    return key * ODD | 1;
  }

  private static void shuffle(long[] array, SplittableRandom random) {
    for (int i = array.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      long kept = array[i];
      array[i] = array[j];
      array[j] = kept;
    }
  }

  /** How often a key is among sorted ones. */
  private static long count(long[] sorted, long key) {
    return firstNotBelow(sorted, key + 1) - firstNotBelow(sorted, key);
  }

  private static long firstNotBelow(long[] sorted, long key) {
    int from = 0;
    int to = sorted.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (sorted[middle] < key) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /** Number of keys. */
  public int size() {
    return size;
  }

  /** Keys to insert. */
  public A keys() {
    return keys;
  }

  /** Their values. */
  public A values() {
    return values;
  }

  /** A 1 for every key. */
  public A ones() {
    return ones;
  }

  /** Keys to look up. */
  public A queries() {
    return queries;
  }

  /** Where the values that are found are written to. */
  public A found() {
    return found;
  }

  /** Requires what an insert of all keys into an empty map must have returned. */
  public void checkInserted(long inserted) {
    require("keys inserted", inserted, distinct);
  }

  /** Requires what a look-up of all queries must have returned and written. */
  public void checkFound(long count) {
    checkCounted(count);
    require("sum of the values found", sum.applyAsLong(found), valueSum);
  }

  /** Requires how many of the queries must be there. */
  public void checkCounted(long count) {
    require("keys found", count, hits);
  }

  /** Requires what the values of all entries must have come to. */
  public void checkSum(long all) {
    require("sum of the values", all, entrySum);
  }

  /** Requires that a map into which all ones were added has the right counts. */
  public void checkAdded(RivalMap<A> map, long inserted) {
    checkInserted(inserted);
    require("keys found", map.find(queries, found), hits);
    require("sum of the counts found", sum.applyAsLong(found), countSum);
  }

  private static void require(String what, long actual, long expected) {
    if (actual != expected) {
      throw new IllegalStateException(what + ": " + actual + ", not " + expected);
    }
  }
}
