package dev.gyre.structures.map.sharded;

import dev.gyre.atomics.IntSpecialized;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.EntryVisitor;
import dev.gyre.kernels.map.Fold;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.LongLongConsumer;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.Longs;
import java.lang.foreign.Arena;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A {@link LongLongMap} whose entries are distributed over several devices. It has the methods of
 * that map; the package describes the differences.
 *
 * @since 0.1.0
 */
@IntSpecialized
public final class ShardedLongMap extends ShardedTable<LongLongMap, ShardedLongMap, Longs, Longs> {

  private ShardedLongMap(Launcher group, Function<? super Launcher, ? extends LongLongMap> shard) {
    super(group, shard);
  }

  /**
   * Returns a map with a shard for each part of a launcher group, or one shard for a single
   * launcher. The caller closes the launcher, after the map.
   *
   * @param shard returns an empty map on a part, such as {@code on ->
   *     LongLongMap.builder().launcher(on).build()}
   */
  public static ShardedLongMap of(
      Launcher group, Function<? super Launcher, ? extends LongLongMap> shard) {
    return new ShardedLongMap(group, shard);
  }

  @Override
  LongRows rows(Longs keys, @Nullable Longs values, @Nullable Longs found) {
    return new LongRows(keys, values, found);
  }

  /** Calls {@link #insert(Longs, Longs, BulkOptions)} with arrays. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insert(long[] keys, long[] values) {
    return insert(named(keys, "keys"), named(values, "values"), BulkOptions.NONE);
  }

  /** Inserts keys with their values; a key that is present keeps its value. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insert(Longs keys, Longs values, BulkOptions options) {
    return insert(keys, values, options, LongLongMap::insert);
  }

  /** Inserts keys, and writes the value that each key then has in the map. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertAndFind(Longs keys, Longs values, Longs found, BulkOptions options) {
    return insert(keys, values, found, options, LongLongMap::insertAndFind);
  }

  /** Inserts keys with their values; a key that is present gets the new value. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrAssign(Longs keys, Longs values, BulkOptions options) {
    return insert(keys, values, options, LongLongMap::insertOrAssign);
  }

  /** Calls {@link #insertOrApply(Longs, Longs, Apply, BulkOptions)} with arrays. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrApply(long[] keys, long[] values, Apply apply) {
    return insertOrApply(named(keys, "keys"), named(values, "values"), apply, BulkOptions.NONE);
  }

  /**
   * Inserts keys with their values; for a key that is present, {@code apply} combines the present
   * value and the new one.
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrApply(Longs keys, Longs values, Apply apply, BulkOptions options) {
    Objects.requireNonNull(apply, "apply");
    return insert(
        keys, values, options, (map, of, given, its) -> map.insertOrApply(of, given, apply, its));
  }

  /** Calls the same operation with a function of the user. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrApply(Longs keys, Longs values, Fold fold, BulkOptions options) {
    Objects.requireNonNull(fold, "fold");
    return insert(
        keys, values, options, (map, of, given, its) -> map.insertOrApply(of, given, fold, its));
  }

  /** Counts the keys that are in the map. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public FindCounts contains(Longs keys, BulkOptions options) {
    return find(keys, options, LongLongMap::contains);
  }

  /** Calls {@link #find(Longs, Longs, BulkOptions)} with arrays. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public FindCounts find(long[] keys, long[] found) {
    return find(named(keys, "keys"), named(found, "found"), BulkOptions.NONE);
  }

  /** Looks up keys and writes the value of each, or 0 if it is absent. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public FindCounts find(Longs keys, Longs found, BulkOptions options) {
    return find(keys, found, options, LongLongMap::find);
  }

  /** Returns the value of a key, or empty if the key is absent. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = READS)
  public OptionalLong get(/* int */ long key) {
    return read(key, map -> map.get(key));
  }

  /** Returns the value of a key, or {@code ifAbsent} if the key is absent. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = READS)
  public /* int */ long getOrDefault(/* int */ long key, /* int */ long ifAbsent) {
    return get(key).orElse(ifAbsent);
  }

  /** Returns whether a key is in the map. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = READS)
  public boolean containsKey(/* int */ long key) {
    return read(key, map -> map.containsKey(key));
  }

  /** Inserts a key if it is absent; returns the present value, or empty if the key was absent. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public OptionalLong putIfAbsent(/* int */ long key, /* int */ long value) {
    return update(key, map -> map.putIfAbsent(key, value));
  }

  /**
   * Sets the value of a key; returns the old value, or empty if the key was absent.
   *
   * @throws UnsupportedOperationException if the shard is on a device
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public OptionalLong put(/* int */ long key, /* int */ long value) {
    return update(key, map -> map.put(key, value));
  }

  /** Inserts a key or updates its value; returns the new value. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public /* int */ long merge(/* int */ long key, /* int */ long value, Apply apply) {
    return update(key, map -> map.merge(key, value, apply));
  }

  /** Calls the same operation with a function of the user. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public /* int */ long merge(/* int */ long key, /* int */ long value, Fold fold) {
    return update(key, map -> map.merge(key, value, fold));
  }

  /** Removes a key as {@link LongLongMap#remove} does; returns its value. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public OptionalLong remove(/* int */ long key) {
    return update(key, map -> map.remove(key));
  }

  /** Removes a key if its value equals {@code value}; returns whether it did. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public boolean remove(/* int */ long key, /* int */ long value) {
    return update(key, map -> map.remove(key, value));
  }

  /** Removes keys; of several equal keys, exactly one is REMOVED. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public FindCounts removeAll(Longs keys, BulkOptions options) {
    return find(keys, options, LongLongMap::removeAll);
  }

  /** Removes keys, and writes the value that each had, or 0 if it was absent. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public FindCounts removeAndFind(Longs keys, Longs found, BulkOptions options) {
    return find(keys, found, options, LongLongMap::removeAndFind);
  }

  /** Removes the entries for which a predicate returns true; returns their number. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public long removeIf(EntryPredicate predicate) {
    return removeFromEach(map -> map.removeIf(predicate));
  }

  /** Copies all entries in one consistent state; returns their number. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public long retrieveAll(Longs keys, Longs values) {
    return retrieve(
        Math.min(keys.length(), values.length()),
        (map, at) -> map.retrieveAll(behind(keys, at), behind(values, at)));
  }

  /** Copies the entries for which a predicate returns true; returns their number. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public long retrieveIf(Longs keys, Longs values, EntryPredicate predicate) {
    return retrieve(
        Long.MAX_VALUE,
        (map, at) -> map.retrieveIf(behind(keys, at), behind(values, at), predicate));
  }

  private static Longs behind(Longs all, long at) {
    return all.part(at, all.length() - at);
  }

  /**
   * Calls a visitor for all entries, shard by shard. What it writes to memory is on the host when
   * this method returns.
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public void visit(EntryVisitor visitor) {
    visit(Objects.requireNonNull(visitor, "visitor"), map -> map.visit(visitor));
  }

  /** Calls an action for all entries, on the calling thread; weakly consistent. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = READS)
  public void forEach(LongLongConsumer action) {
    shards().forEach(map -> map.forEach(action));
  }

  @Override
  InsertCounts copy(LongLongMap from, @Nullable LongLongMap to) {
    try (Arena arena = Arena.ofShared()) {
      long bytes = from.size() * Long.BYTES;
      Longs keys = Longs.of(arena.allocate(bytes));
      Longs values = Longs.of(arena.allocate(bytes));
      long count = from.retrieveAll(keys, values);
      Longs allKeys = keys.part(0, count);
      Longs allValues = values.part(0, count);
      return to == null
          ? insert(allKeys, allValues, BulkOptions.NONE)
          : to.insert(allKeys, allValues, BulkOptions.NONE);
    }
  }

  private static Longs named(long[] array, String name) {
    return Longs.of(Objects.requireNonNull(array, name));
  }
}
