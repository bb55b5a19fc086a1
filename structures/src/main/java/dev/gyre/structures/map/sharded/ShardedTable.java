package dev.gyre.structures.map.sharded;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.GroupLaunchException;
import dev.gyre.kernels.KernelTree;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Stage;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;
import dev.gyre.structures.Releasable;
import dev.gyre.structures.StackReserve;
import dev.gyre.structures.StageSequence;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.HashTable;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.work.OutcomeCounts;
import dev.gyre.structures.map.work.Pieces;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.ToLongBiFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Common part of sharded maps and sets: the shards, the shard of a key, and the split of bulk
 * operations.
 *
 * <p>A hash with a separate seed selects the shard of a key. With the seed of the tables, all keys
 * of a shard would cluster in its table. Updates of any number of threads run at the same time.
 * Operations that read, clear or close all shards are exclusive.
 *
 * @param <M> the ordinary map or set that each shard is
 * @param <H> the sharded one
 * @param <K> keys of a bulk operation
 * @param <V> their values
 */
abstract class ShardedTable<M extends HashTable<?, ?, ?>, H, K, V> implements AutoCloseable {

  static final String CLAIMS = "waits for growth, and for the thread that has claimed a slot";
  static final String READS = "looks a key up in its shard";
  static final String ALONE = "waits for running updates";

  private static final int MIN_CHUNK_KEYS = 1 << 12;

  /**
   * Average number of keys of a shard in a chunk: few enough that hardly any shard splits them in
   * two.
   */
  private static final int MAX_CHUNK_KEYS_OF_SHARD = (1 << 18) - (1 << 12);

  private static final int CHUNKS_OF_SHARD = 4;

  /** Standard deviations of the number of keys in a shard that its capacity allows for. */
  private static final int DEVIATIONS = 4;

  private final Launcher group;
  private final List<M> shards;
  private final long seed = ThreadLocalRandom.current().nextLong();
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private final StageSequence begun = new StageSequence();

  ShardedTable(Launcher group, Function<? super Launcher, ? extends M> shard) {
    Objects.requireNonNull(shard, "shard");
    this.group = Objects.requireNonNull(group, "group");
    List<M> made = new ArrayList<>();
    try {
      for (Launcher part : group.parts()) {
        made.add(shard.apply(part));
      }
    } catch (RuntimeException | Error e) {
      close(made);
      throw e;
    }
    this.shards = List.copyOf(made);
  }

  /** Returns the ordinary maps or sets, in the order of the parts of the group. */
  @Progress(value = ProgressClass.WAIT_FREE, because = "reads a constant")
  public final List<M> shards() {
    return shards;
  }

  /** Returns the number of keys; see {@link dev.gyre.structures.map.LongLongMap#size}. */
  @Progress(value = ProgressClass.LOCK_FREE, because = "adds up the values of the shards")
  public final long size() {
    return sum(HashTable::size);
  }

  /** Returns whether there is no key; see {@link #size}. */
  @Progress(value = ProgressClass.LOCK_FREE, because = "adds up the values of the shards")
  public final boolean isEmpty() {
    return size() == 0;
  }

  /** Returns the number of keys that fit if they are evenly distributed. */
  @Progress(value = ProgressClass.LOCK_FREE, because = "adds up the values of the shards")
  public final long capacity() {
    return sum(HashTable::capacity);
  }

  /**
   * Returns the off-heap bytes of the tables and of the arenas of texts, without scratch memory.
   */
  @Progress(value = ProgressClass.LOCK_FREE, because = "adds up the values of the shards")
  public final long byteSize() {
    return sum(HashTable::byteSize);
  }

  /** Returns the first shard: all have the same hash or schema. */
  final M first() {
    return shards.getFirst();
  }

  private long sum(ToLongFunction<M> number) {
    return shards.stream().mapToLong(number).sum();
  }

  /**
   * Starts an operation and returns at once; see {@code async} of the ordinary map.
   *
   * @return a stage that completes with the result of the operation, or with its exception
   */
  @SuppressWarnings("unchecked") // H is the class of this object.
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = "takes a lock to register the operation")
  public final <T> Stage<T> async(Function<? super H, ? extends T> operation) {
    return begun.begin(group, (H) this, operation);
  }

  /** Removes all keys; the capacity stays. Waits for running updates. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public final void clear() {
    forEachAlone((shard, _) -> shard.clear());
  }

  /**
   * Gives the shards capacity for a number of keys in all, plus a margin for uneven hashes.
   *
   * @throws IllegalArgumentException if {@code capacity} is less than {@link #size()}
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory is not available
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public final void rehash(long capacity) {
    long even = Math.ceilDiv(capacity, shards.size());
    long share = shards.size() == 1 ? even : even + DEVIATIONS * (long) Math.sqrt((double) even);
    try (Releasable _ = alone()) {
      if (capacity < size()) {
        throw new IllegalArgumentException(
            "a capacity of %d is too small for the %d keys of the map".formatted(capacity, size()));
      }
      forEachShard((shard, _) -> shard.rehash(Math.max(share, shard.size())));
    }
  }

  /** Inserts all entries into an ordinary map or set, for example to save it. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public final void copyTo(M to) {
    Objects.requireNonNull(to, "to");
    forEachAlone((shard, _) -> copy(shard, to));
  }

  /** Inserts all entries of an ordinary map or set. No thread may insert into it meanwhile. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public final InsertCounts copyFrom(M from) {
    OutcomeCounts sums = new OutcomeCounts();
    return sums.inserts(from.size(), () -> sums.addInserts(() -> copy(from, null)));
  }

  /** Inserts all entries of an ordinary map or set into another one or, without one, here. */
  abstract InsertCounts copy(M from, @Nullable M to);

  /** Waits for running operations, then closes the shards. Further calls do nothing. */
  @Override
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public final void close() {
    try (Releasable _ = alone()) {
      close(shards);
    }
  }

  private static void close(List<? extends HashTable<?, ?, ?>> all) {
    if (!all.isEmpty()) {
      try (var _ = all.getFirst()) {
        close(all.subList(1, all.size()));
      }
    }
  }

  /** Returns the seed of the hash that selects the shard of a key. */
  final long seed() {
    return seed;
  }

  private int home(long hash) {
    // Hash again: a hash of the user may ignore the seed.
    return (int) Hashing.home(hash, seed, shards.size());
  }

  private static Releasable locked(Lock held) {
    Releasable unlock = held::unlock;
    // A StackOverflowError at the end of lock() would leave the lock held.
    StackReserve.require();
    held.lock();
    return unlock;
  }

  private Releasable shared() {
    return locked(lock.readLock());
  }

  /** Keeps all other operations from updating or closing the shards. */
  private Releasable alone() {
    return locked(lock.writeLock());
  }

  /** Runs an operation on one shard; the exception of a failed launch names its part. */
  private <R> R on(int index, Function<? super M, R> operation) {
    try {
      return operation.apply(shards.get(index));
    } catch (RuntimeException e) {
      throw named(e, index);
    }
  }

  private RuntimeException named(RuntimeException failure, int index) {
    return shards.size() > 1 ? GroupLaunchException.of(failure, group, index) : failure;
  }

  /** Runs a lookup on the shard of a key. */
  final <R> R read(long hash, Function<? super M, R> operation) {
    return on(home(hash), operation);
  }

  /** Runs an update on the shard of a key. */
  final <R> R update(long hash, Function<? super M, R> operation) {
    try (Releasable _ = shared()) {
      return on(home(hash), operation);
    }
  }

  private void forEachShard(BiConsumer<? super M, Launcher> each) {
    for (int i = 0; i < shards.size(); i++) {
      try {
        each.accept(shards.get(i), group.parts().get(i));
      } catch (RuntimeException e) {
        throw named(e, i);
      }
    }
  }

  /** Runs an operation on each shard in turn, while no other operation updates them. */
  final void forEachAlone(BiConsumer<? super M, Launcher> each) {
    try (Releasable _ = alone()) {
      forEachShard(each);
    }
  }

  /**
   * Retrieves the entries of all shards in one consistent state; returns their number.
   *
   * @param elements number of elements to write the entries to
   * @param retrieval retrieves the entries of a shard, after a number of entries of other shards
   * @throws IllegalArgumentException if there are more entries
   */
  final long retrieve(long elements, ToLongBiFunction<? super M, Long> retrieval) {
    long[] count = new long[1];
    try (Releasable _ = alone()) {
      if (elements < size()) {
        throw new IllegalArgumentException(
            "%d entries do not fit in %d elements".formatted(size(), elements));
      }
      forEachShard((shard, _) -> count[0] += retrieval.applyAsLong(shard, count[0]));
    }
    return count[0];
  }

  /**
   * Runs a user's visitor on each shard in turn. Each shard, and at the end the host, sees what it
   * wrote to memory before.
   */
  final void visit(Object body, Consumer<? super M> visit) {
    Memory[] memories = KernelTree.of(body).memories().toArray(Memory[]::new);
    forEachAlone(
        (shard, part) -> {
          part.hostWrote(memories);
          visit.accept(shard);
          part.readBack(memories);
        });
  }

  /** Bulk operation of an ordinary map or set on keys. */
  @FunctionalInterface
  interface OnKeys<M, K, C> {
    C run(M shard, K keys, BulkOptions options);
  }

  /** Bulk operation of an ordinary map on keys and their values, given or found. */
  @FunctionalInterface
  interface OnValues<M, K, V, C> {
    C run(M shard, K keys, V values, BulkOptions options);
  }

  /** Insert of an ordinary map that writes the values that it finds. */
  @FunctionalInterface
  interface InsertAndFind<M, K, V> {
    InsertCounts run(M shard, K keys, V values, V found, BulkOptions options);
  }

  /** The same, which adds up what it counts. */
  @FunctionalInterface
  private interface Part<M, K, V> {
    void run(M shard, Rows<K, V> rows, BulkOptions options);
  }

  /** Returns the operands of a bulk operation. */
  abstract Rows<K, V> rows(K keys, @Nullable V values, @Nullable V found);

  final InsertCounts insert(K keys, BulkOptions options, OnKeys<M, K, InsertCounts> insert) {
    return insertRows(
        rows(keys, null, null), options, (shard, of, its) -> insert.run(shard, of.keys, its));
  }

  final InsertCounts insert(
      K keys, V values, BulkOptions options, OnValues<M, K, V, InsertCounts> insert) {
    return insertRows(
        rows(keys, Objects.requireNonNull(values, "values"), null),
        options,
        (shard, of, its) -> insert.run(shard, of.keys, of.values(), its));
  }

  final InsertCounts insert(
      K keys, V values, V found, BulkOptions options, InsertAndFind<M, K, V> insert) {
    return insertRows(
        rows(
            keys, Objects.requireNonNull(values, "values"), Objects.requireNonNull(found, "found")),
        options,
        (shard, of, its) -> insert.run(shard, of.keys, of.values(), of.found(), its));
  }

  final FindCounts find(K keys, BulkOptions options, OnKeys<M, K, FindCounts> find) {
    return findRows(
        rows(keys, null, null), options, (shard, of, its) -> find.run(shard, of.keys, its));
  }

  final FindCounts find(K keys, V found, BulkOptions options, OnValues<M, K, V, FindCounts> find) {
    return findRows(
        rows(keys, null, Objects.requireNonNull(found, "found")),
        options,
        (shard, of, its) -> find.run(shard, of.keys, of.found(), its));
  }

  /** Inserts each key into its shard. */
  private InsertCounts insertRows(
      Rows<K, V> all, BulkOptions options, OnKeys<M, Rows<K, V>, InsertCounts> insert) {
    all.check(options);
    OutcomeCounts sums = new OutcomeCounts();
    Part<M, K, V> each = (shard, rows, its) -> sums.addInserts(() -> insert.run(shard, rows, its));
    try (Releasable _ = all.use(options);
        Releasable _ = shared()) {
      InsertCounts counts =
          shards.size() == 1
              ? insert.run(first(), all, options)
              : sums.inserts(all.length(), () -> split(all, options, each));
      return OutcomeCounts.checked(counts, options, getClass().getSimpleName(), capacity());
    }
  }

  /** Looks up, or removes, each key in its shard. */
  private FindCounts findRows(
      Rows<K, V> all, BulkOptions options, OnKeys<M, Rows<K, V>, FindCounts> find) {
    all.check(options);
    try (Releasable _ = all.use(options);
        Releasable _ = shared()) {
      if (shards.size() == 1) {
        return find.run(first(), all, options);
      }
      OutcomeCounts sums = new OutcomeCounts();
      split(all, options, (shard, rows, its) -> sums.add(find.run(shard, rows, its)));
      return sums.finds();
    }
  }

  /** Removes entries from each shard in turn, while no other operation updates them. */
  final long removeFromEach(ToLongFunction<? super M> removal) {
    long[] removed = new long[1];
    forEachAlone((shard, _) -> removed[0] += removal.applyAsLong(shard));
    return removed[0];
  }

  /** Cuts keys into chunks, several of which run at a time. */
  private void split(Rows<K, V> all, BulkOptions options, Part<M, K, V> each) {
    long keys = all.length();
    int count = shards.size();
    options.requireOn(false);
    all.requireOnHost();
    BulkOptions _ = options.skipAll(keys);
    int length =
        Math.clamp(
            Math.ceilDiv(keys, (long) CHUNKS_OF_SHARD * count),
            MIN_CHUNK_KEYS,
            MAX_CHUNK_KEYS_OF_SHARD * count);
    Pieces.run(
        keys,
        length,
        2 * count,
        (from, some, _) -> {
          Rows<K, V> chunk = all.chunk(from, some);
          IntUnaryOperator home =
              i -> options.start(from + i) == MapCodes.PENDING ? home(chunk.hash(i)) : -1;
          int[][] indices = Partition.of(some, count, home);
          for (int i = 0; i < count; i++) {
            // Different chunks start with different shards.
            int shard = (int) ((from / length + i) % count);
            if (indices[shard].length > 0) {
              run(chunk, from, shard, indices[shard], options, each);
            }
          }
        });
  }

  private void run(
      Rows<K, V> chunk,
      long from,
      int shard,
      int[] indices,
      BulkOptions options,
      Part<M, K, V> each) {
    BulkOptions ofAll = options.ofAll();
    MemorySegment outcomes = options.outcomes();
    byte[] outcomesHere = new byte[outcomes == null ? 0 : indices.length];
    Arrays.fill(outcomesHere, MapCodes.SKIPPED);
    BulkOptions its = outcomes == null ? ofAll : ofAll.outcomes(outcomesHere);
    try (Rows<K, V> rows = chunk.gather(indices, !ofAll.takeAll())) {
      each.run(shards.get(shard), rows, its);
      chunk.scatter(indices, rows);
    } catch (RuntimeException e) {
      throw named(e, shard);
    } finally {
      for (int i = 0; i < outcomesHere.length; i++) {
        Objects.requireNonNull(outcomes)
            .set(ValueLayout.JAVA_BYTE, from + indices[i], outcomesHere[i]);
      }
    }
  }
}
