package dev.gyre.structures.map.sharded;

import dev.gyre.atomics.IntSpecialized;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.EntryPredicate;
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
import org.jspecify.annotations.Nullable;

/**
 * A {@link LongSet} whose entries are distributed over several devices. It has the methods of that
 * set; the package describes the differences.
 *
 * @since 0.1.0
 */
@IntSpecialized
public final class ShardedLongSet extends ShardedTable<LongSet, ShardedLongSet, Longs, Longs> {

  private ShardedLongSet(Launcher group, Function<? super Launcher, ? extends LongSet> shard) {
    super(group, shard);
  }

  /**
   * Returns a set with a shard for each part of a launcher group, or one shard for a single
   * launcher. The caller closes the launcher, after the set.
   *
   * @param shard returns an empty set on a part, such as {@code on ->
   *     LongSet.builder().launcher(on).build()}
   */
  public static ShardedLongSet of(
      Launcher group, Function<? super Launcher, ? extends LongSet> shard) {
    return new ShardedLongSet(group, shard);
  }

  @Override
  LongRows rows(Longs keys, @Nullable Longs values, @Nullable Longs found) {
    return new LongRows(keys, values, found);
  }

  /** Adds keys. A key is INSERTED if it was not in the set. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts addAll(Longs all, BulkOptions options) {
    return insert(all, options, LongSet::addAll);
  }

  /** Counts the keys that are in the set. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public FindCounts containsAll(Longs all, BulkOptions options) {
    return find(all, options, LongSet::containsAll);
  }

  /** Adds a key; returns true if it was not in the set. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public boolean add(/* int */ long key) {
    return update(key, set -> set.add(key));
  }

  /** Removes a key; returns true if it was in the set. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public boolean remove(/* int */ long key) {
    return update(key, set -> set.remove(key));
  }

  /** Removes keys; of several equal keys, exactly one is REMOVED. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public FindCounts removeAll(Longs all, BulkOptions options) {
    return find(all, options, LongSet::removeAll);
  }

  /** Removes the keys for which a predicate returns true; returns their number. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public long removeIf(EntryPredicate predicate) {
    return removeFromEach(set -> set.removeIf(predicate));
  }

  /** Returns whether a key is in the set. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = READS)
  public boolean contains(/* int */ long key) {
    return read(key, set -> set.contains(key));
  }

  /** Copies all keys in one consistent state; returns their number. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public long retrieveAll(Longs all) {
    return retrieve(all.length(), (set, at) -> set.retrieveAll(all.part(at, all.length() - at)));
  }

  /** Calls an action for all keys, on the calling thread; weakly consistent. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = READS)
  public void forEach(LongConsumer action) {
    shards().forEach(set -> set.forEach(action));
  }

  @Override
  InsertCounts copy(LongSet from, @Nullable LongSet to) {
    try (Arena arena = Arena.ofShared()) {
      Longs room = Longs.of(arena.allocate(from.size() * Long.BYTES));
      Longs keys = room.part(0, from.retrieveAll(room));
      return to == null ? addAll(keys, BulkOptions.NONE) : to.addAll(keys, BulkOptions.NONE);
    }
  }
}
