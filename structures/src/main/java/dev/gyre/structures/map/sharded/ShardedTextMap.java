package dev.gyre.structures.map.sharded;

import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.Fold;
import dev.gyre.kernels.map.TextPredicate;
import dev.gyre.kernels.map.TextVisitor;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.map.work.OutcomeCounts;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A {@link TextLongMap} whose entries are distributed over several devices. It has the methods of
 * that map; the package describes the differences.
 *
 * @since 0.1.0
 */
public final class ShardedTextMap
    extends ShardedTable<TextLongMap, ShardedTextMap, TextKeys, Longs> {

  private final TextRows.Hashed hashed;

  private ShardedTextMap(Launcher group, Function<? super Launcher, ? extends TextLongMap> shard) {
    super(group, shard);
    this.hashed = new TextRows.Hashed(first().textHash(), seed());
  }

  /**
   * Returns a map with a shard for each part of a launcher group, or one shard for a single
   * launcher. The caller closes the launcher, after the map.
   *
   * @param shard returns an empty map on a part, such as {@code on ->
   *     TextLongMap.builder().launcher(on).build()}; all shards must have the same hash
   */
  public static ShardedTextMap of(
      Launcher group, Function<? super Launcher, ? extends TextLongMap> shard) {
    return new ShardedTextMap(group, shard);
  }

  @Override
  TextRows rows(TextKeys keys, @Nullable Longs values, @Nullable Longs found) {
    return new TextRows(hashed, keys, 0, values, found);
  }

  /** Calls {@link #insert(TextKeys, Longs, BulkOptions)} with strings. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insert(List<String> keys, long[] values) {
    OutcomeCounts sums = new OutcomeCounts();
    return sums.inserts(keys.size(), () -> sums.addInserts(() -> insertBatch(keys, values)));
  }

  private InsertCounts insertBatch(List<String> keys, long[] values) {
    try (TextKeys all = TextKeys.of(keys)) {
      return insert(all, Longs.of(values), BulkOptions.NONE);
    }
  }

  /** Inserts keys with their values; a key that is present keeps its value. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insert(TextKeys keys, Longs values, BulkOptions options) {
    return insert(keys, values, options, TextLongMap::insert);
  }

  /** Inserts keys, and writes the value that each key then has in the map. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertAndFind(TextKeys keys, Longs values, Longs found, BulkOptions options) {
    return insert(keys, values, found, options, TextLongMap::insertAndFind);
  }

  /** Inserts keys with their values; a key that is present gets the new value. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrAssign(TextKeys keys, Longs values, BulkOptions options) {
    return insert(keys, values, options, TextLongMap::insertOrAssign);
  }

  /**
   * Inserts keys with their values; for a key that is present, {@code apply} combines the present
   * value and the new one.
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrApply(TextKeys keys, Longs values, Apply apply, BulkOptions options) {
    Objects.requireNonNull(apply, "apply");
    return insert(
        keys, values, options, (map, of, given, its) -> map.insertOrApply(of, given, apply, its));
  }

  /** Calls the same operation with a function of the user. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrApply(TextKeys keys, Longs values, Fold fold, BulkOptions options) {
    Objects.requireNonNull(fold, "fold");
    return insert(
        keys, values, options, (map, of, given, its) -> map.insertOrApply(of, given, fold, its));
  }

  /** Counts the keys that are in the map. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public FindCounts contains(TextKeys keys, BulkOptions options) {
    return find(keys, options, TextLongMap::contains);
  }

  /** Calls {@link #find(TextKeys, Longs, BulkOptions)} with strings. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public FindCounts find(List<String> keys, long[] found) {
    try (TextKeys all = TextKeys.of(keys)) {
      return find(all, Longs.of(found), BulkOptions.NONE);
    }
  }

  /** Looks up keys and writes the value of each, or 0 if it is absent. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public FindCounts find(TextKeys keys, Longs found, BulkOptions options) {
    return find(keys, found, options, TextLongMap::find);
  }

  /** Returns the value of a key, or empty if the key is absent. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = READS)
  public OptionalLong get(String key) {
    return read(hashed.of(key), map -> map.get(key));
  }

  /** Returns the value of a key, or {@code ifAbsent} if the key is absent. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = READS)
  public long getOrDefault(String key, long ifAbsent) {
    return get(key).orElse(ifAbsent);
  }

  /** Removes a key; returns its value, or empty if the key was absent. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public OptionalLong remove(String key) {
    return update(hashed.of(key), map -> map.remove(key));
  }

  /** Removes a key if its value equals {@code value}; returns whether it did. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public boolean remove(String key, long value) {
    return update(hashed.of(key), map -> map.remove(key, value));
  }

  /** Removes keys; of several equal keys, exactly one is REMOVED. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public FindCounts removeAll(TextKeys keys, BulkOptions options) {
    return find(keys, options, TextLongMap::removeAll);
  }

  /** Removes keys, and writes the value that each had, or 0 if it was absent. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public FindCounts removeAndFind(TextKeys keys, Longs found, BulkOptions options) {
    return find(keys, found, options, TextLongMap::removeAndFind);
  }

  /** Removes the entries for which a predicate returns true; returns their number. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public long removeIf(TextPredicate predicate) {
    return removeFromEach(map -> map.removeIf(predicate));
  }

  /** Inserts a key if it is absent; returns the present value, or empty if the key was absent. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public OptionalLong putIfAbsent(String key, long value) {
    return update(hashed.of(key), map -> map.putIfAbsent(key, value));
  }

  /** Inserts a key or updates its value; returns the new value. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public long merge(String key, long value, Apply apply) {
    return update(hashed.of(key), map -> map.merge(key, value, apply));
  }

  /** Appends all keys to a batch and writes their values; returns their number. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public long retrieveAll(TextKeys keys, Longs values) {
    return retrieve(
        values.length(), (map, at) -> map.retrieveAll(keys, values.part(at, values.length() - at)));
  }

  /**
   * Calls a visitor for all entries, shard by shard. What it writes to memory is on the host when
   * this method returns.
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public void visit(TextVisitor visitor) {
    visit(Objects.requireNonNull(visitor, "visitor"), map -> map.visit(visitor));
  }

  /** Calls an action for all entries, on the calling thread; weakly consistent. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = READS)
  public void forEach(ObjLongConsumer<String> action) {
    shards().forEach(map -> map.forEach(action));
  }

  @Override
  InsertCounts copy(TextLongMap from, @Nullable TextLongMap to) {
    try (TextKeys keys = new TextKeys()) {
      Longs room = Longs.of(new long[Math.toIntExact(from.size())]);
      Longs values = room.part(0, from.retrieveAll(keys, room));
      return to == null
          ? insert(keys, values, BulkOptions.NONE)
          : to.insert(keys, values, BulkOptions.NONE);
    }
  }
}
