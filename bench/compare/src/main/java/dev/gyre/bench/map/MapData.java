package dev.gyre.bench.map;

import dev.gyre.datasets.generators.Keys;
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
 * @param keys keys to insert
 * @param values their values
 * @param ones a 1 for every key
 * @param queries keys to look up
 * @param found where the values that are found are written to
 * @param distinct how many keys differ
 * @param hits how many queries are keys
 * @param foundSum sum of the values that are found
 * @param entrySum sum of the values of the keys that differ
 * @param sum adds up elements
 */
public record MapData<A>(
    A keys,
    A values,
    A ones,
    A queries,
    A found,
    long distinct,
    long hits,
    long foundSum,
    long entrySum,
    ToLongFunction<A> sum) {

  private static final long ODD = 0x9e3779b97f4a7c15L;

  private static <A> MapData<A> of(
      long[] keys, long[] absent, int hits, Function<long[], A> as, ToLongFunction<A> sum) {
    SplittableRandom random = new SplittableRandom(KeyChoice.SEED);
    long[] queries = absent.clone();
    for (int i = 0; i < hits; i++) {
      queries[i] = keys[random.nextInt(keys.length)];
    }
    A found = as.apply(values(LongStream.of(queries).limit(hits)));
    shuffle(queries, random);
    long[] sorted = keys.clone();
    Arrays.parallelSort(sorted);
    long[] distinct = LongStream.of(sorted).distinct().toArray();
    return new MapData<>(
        as.apply(keys),
        as.apply(values(LongStream.of(keys))),
        as.apply(LongStream.of(keys).map(_ -> 1).toArray()),
        as.apply(queries),
        as.apply(new long[queries.length]),
        distinct.length,
        hits,
        sum.applyAsLong(found),
        sum.applyAsLong(as.apply(values(LongStream.of(distinct)))),
        sum);
  }

  private static long[] values(LongStream keys) {
    return keys.map(key -> key * ODD | 1).toArray();
  }

  /** Data of longs; {@link #ofInts}. */
  public static MapData<long[]> ofLongs(KeyChoice choice, int n, int hitPercent) {
    Keys sequence = choice.keys(n);
    return of(
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
   * @param hitPercent percentage of them that are present
   */
  public static MapData<int[]> ofInts(KeyChoice choice, int n, int hitPercent) {
    Keys sequence = choice.keys(n);
    return of(
        LongStream.range(0, n).map(sequence::intAt).toArray(),
        LongStream.range(n, 2L * n).map(choice::absentInt).toArray(),
        (int) ((long) n * hitPercent / 100),
        array -> LongStream.of(array).mapToInt(element -> (int) element).toArray(),
        array -> IntStream.of(array).asLongStream().sum());
  }

  private static void shuffle(long[] array, SplittableRandom random) {
    for (int i = array.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      long kept = array[i];
      array[i] = array[j];
      array[j] = kept;
    }
  }

  /** Requires what an insert of all keys into an empty map must have returned. */
  public void checkInserted(long inserted) {
    require("keys inserted", inserted, distinct);
  }

  /** Requires what a look-up of all queries must have returned and written. */
  public void checkFound(long count) {
    checkCounted(count);
    require("sum of the values found", sum.applyAsLong(found), foundSum);
  }

  /** Requires how many of the queries must be there. */
  public void checkCounted(long count) {
    require("keys found", count, hits);
  }

  /** Requires what the values of all entries must have come to. */
  public void checkSum(long all) {
    require("sum of the values", all, entrySum);
  }

  private static void require(String what, long actual, long expected) {
    if (actual != expected) {
      throw new IllegalStateException(what + ": " + actual + ", not " + expected);
    }
  }
}
