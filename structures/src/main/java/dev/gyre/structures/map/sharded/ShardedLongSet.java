package dev.gyre.structures.map.sharded;

import dev.gyre.atomics.IntTwin;
import dev.gyre.kernels.Launcher;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.map.Longs;
import java.lang.foreign.Arena;
import java.util.function.Function;
import java.util.function.LongConsumer;

/** A {@link LongSet} over several devices; its operations are those of that set. */
@IntTwin
public final class ShardedLongSet extends ShardedTable<LongSet, ShardedLongSet> {

  private ShardedLongSet(Launcher group, Function<? super Launcher, ? extends LongSet> shard) {
    super(group, shard);
  }

  /**
   * A set with a shard for each part of a group, or one for a launcher that is alone. The caller
   * closes the launcher, after the set.
   *
   * @param shard makes an empty set on a part, such as {@code on ->
   *     LongSet.builder().launcher(on).build()}
   */
  public static ShardedLongSet of(
      Launcher group, Function<? super Launcher, ? extends LongSet> shard) {
    return new ShardedLongSet(group, shard);
  }

  @Override
  ShardedLongSet self() {
    return this;
  }

  /** Adds keys; INSERTED are those that were not in the set. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts addAll(Longs all, BulkOptions options) {
    shards().getFirst().check(all, options);
    return insert(
        new LongRows(all, null, null), options, (set, of, its) -> set.addAll(of.keys(), its));
  }

  /** Counts the keys that are in the set. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public FindCounts containsAll(Longs all, BulkOptions options) {
    shards().getFirst().check(all, options);
    return find(
        new LongRows(all, null, null), options, (set, of, its) -> set.containsAll(of.keys(), its));
  }

  /** Adds a key; returns whether it was not in the set. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public boolean add(/* int */ long key) {
    return update(key, set -> set.add(key));
  }

  /** Whether a key is in the set. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = READS)
  public boolean contains(/* int */ long key) {
    return read(key, set -> set.contains(key));
  }

  /** Copies all keys as they are at one time, and returns how many there are. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public long retrieveAll(Longs all) {
    return alone(
        () -> {
          requireCapacity(all.length());
          return retrieve((set, at) -> set.retrieveAll(all.part(at, all.length() - at)));
        });
  }

  /** Gives all keys to an action, on the calling thread; weakly consistent. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = READS)
  public void forEach(LongConsumer action) {
    shards().forEach(set -> set.forEach(action));
  }

  /** Adds all keys to an ordinary set, such as to save it. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public void copyTo(LongSet set) {
    forEachAlone((shard, _) -> copy(shard, keys -> set.addAll(keys, BulkOptions.NONE)));
  }

  /** Adds all keys of an ordinary set, to which nobody adds meanwhile. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts copyFrom(LongSet set) {
    return copy(set, keys -> addAll(keys, BulkOptions.NONE));
  }

  private static InsertCounts copy(LongSet from, Function<Longs, InsertCounts> add) {
    try (Arena arena = Arena.ofShared()) {
      Longs keys = Longs.of(arena.allocate(from.size() * Long.BYTES));
      return add.apply(keys.part(0, from.retrieveAll(keys)));
    }
  }
}
