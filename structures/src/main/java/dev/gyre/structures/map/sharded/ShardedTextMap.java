package dev.gyre.structures.map.sharded;

import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.Fold;
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
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A {@link TextLongMap} over several devices; its operations are those of that map. */
public final class ShardedTextMap extends ShardedTable<TextLongMap, ShardedTextMap> {

  private final TextRows.Hashed hashed;

  private ShardedTextMap(Launcher group, Function<? super Launcher, ? extends TextLongMap> shard) {
    super(group, shard);
    this.hashed = new TextRows.Hashed(first().textHash(), seed());
  }

  /**
   * A map with a shard for each part of a group, or one for a launcher that is alone. The caller
   * closes the launcher, after the map.
   *
   * @param shard makes an empty map on a part, such as {@code on ->
   *     TextLongMap.builder().launcher(on).build()}; all with the same hash
   */
  public static ShardedTextMap of(
      Launcher group, Function<? super Launcher, ? extends TextLongMap> shard) {
    return new ShardedTextMap(group, shard);
  }

  @Override
  ShardedTextMap self() {
    return this;
  }

  private TextLongMap first() {
    return shards().getFirst();
  }

  private TextRows rows(TextKeys keys, @Nullable Longs values, @Nullable Longs found) {
    return new TextRows(hashed, keys, values, found);
  }

  /** {@link #insert(TextKeys, Longs, BulkOptions)} of strings. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insert(List<String> keys, long[] values) {
    try (TextKeys all = TextKeys.of(keys)) {
      return insert(all, Longs.of(values), BulkOptions.NONE);
    }
  }

  /** Inserts keys with their values; a key that is present keeps its value. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insert(TextKeys keys, Longs values, BulkOptions options) {
    return update(keys, values, options, (map, of, its) -> map.insert(of.keys(), of.values(), its));
  }

  /** Inserts keys, and writes the value that each then has in the map. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertAndFind(TextKeys keys, Longs values, Longs found, BulkOptions options) {
    first().check(keys, values, options);
    first().checkOutput(keys, found, options);
    found.requireSameOrApart(values, "values");
    return using(
        keys,
        () ->
            insert(
                rows(keys, values, found),
                options,
                (map, of, its) -> map.insertAndFind(of.keys(), of.values(), of.found(), its)));
  }

  /** Inserts keys with their values; a key that is present gets the new value. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrAssign(TextKeys keys, Longs values, BulkOptions options) {
    return update(
        keys, values, options, (map, of, its) -> map.insertOrAssign(of.keys(), of.values(), its));
  }

  /** Inserts keys with their values; {@code apply} changes the value of a key that is present. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrApply(TextKeys keys, Longs values, Apply apply, BulkOptions options) {
    Objects.requireNonNull(apply, "apply");
    return update(
        keys,
        values,
        options,
        (map, of, its) -> map.insertOrApply(of.keys(), of.values(), apply, its));
  }

  /** The same with a function of the user's. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrApply(TextKeys keys, Longs values, Fold fold, BulkOptions options) {
    Objects.requireNonNull(fold, "fold");
    return update(
        keys,
        values,
        options,
        (map, of, its) -> map.insertOrApply(of.keys(), of.values(), fold, its));
  }

  private InsertCounts update(
      TextKeys keys,
      Longs values,
      BulkOptions options,
      Bulk<TextLongMap, TextRows, InsertCounts> update) {
    first().check(keys, values, options);
    return using(keys, () -> insert(rows(keys, values, null), options, update));
  }

  /** Does something while nobody takes keys out, or closes them. */
  private static <R> R using(TextKeys keys, Supplier<R> operation) {
    try (var _ = keys.use()) {
      return operation.get();
    }
  }

  /** Counts the keys that are in the map. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public FindCounts contains(TextKeys keys, BulkOptions options) {
    first().check(keys, options);
    return using(
        keys,
        () ->
            find(rows(keys, null, null), options, (map, of, its) -> map.contains(of.keys(), its)));
  }

  /** {@link #find(TextKeys, Longs, BulkOptions)} of strings. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public FindCounts find(List<String> keys, long[] found) {
    try (TextKeys all = TextKeys.of(keys)) {
      return find(all, Longs.of(found), BulkOptions.NONE);
    }
  }

  /** Looks up keys and writes the value of each, or 0 if it is absent. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public FindCounts find(TextKeys keys, Longs found, BulkOptions options) {
    first().check(keys, options);
    first().checkOutput(keys, found, options);
    return using(
        keys,
        () ->
            find(
                rows(keys, null, found),
                options,
                (map, of, its) -> map.find(of.keys(), of.found(), its)));
  }

  /** The value of a key, or nothing if it is absent. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = READS)
  public OptionalLong get(String key) {
    return read(hashed.of(key), map -> map.get(key));
  }

  /** Inserts a key unless it is present; returns the value that was there, or nothing. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public OptionalLong putIfAbsent(String key, long value) {
    return update(hashed.of(key), map -> map.putIfAbsent(key, value));
  }

  /** Inserts a key, or changes its value; returns the one that it has now. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public long merge(String key, long value, Apply apply) {
    return update(hashed.of(key), map -> map.merge(key, value, apply));
  }

  /** Adds all keys to a batch, and copies their values; returns how many there are. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public long retrieveAll(TextKeys keys, Longs values) {
    return alone(
        () -> {
          requireCapacity(values.length());
          return retrieve(
              (map, at) -> map.retrieveAll(keys, values.part(at, values.length() - at)));
        });
  }

  /**
   * Gives all entries to a visitor, on one shard after the other; what it writes to memory is on
   * the host at the end.
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public void visit(TextVisitor visitor) {
    visit(Objects.requireNonNull(visitor, "visitor"), map -> map.visit(visitor));
  }

  /** Gives all entries to an action, on the calling thread; weakly consistent. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = READS)
  public void forEach(ObjLongConsumer<String> action) {
    shards().forEach(map -> map.forEach(action));
  }

  /** Inserts all entries into an ordinary map, such as to save it. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public void copyTo(TextLongMap map) {
    forEachAlone(
        (shard, _) -> copy(shard, (keys, values) -> map.insert(keys, values, BulkOptions.NONE)));
  }

  /** Inserts all entries of an ordinary map, into which nobody inserts meanwhile. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts copyFrom(TextLongMap map) {
    return copy(map, (keys, values) -> insert(keys, values, BulkOptions.NONE));
  }

  private static InsertCounts copy(
      TextLongMap from, BiFunction<TextKeys, Longs, InsertCounts> insert) {
    try (TextKeys keys = new TextKeys()) {
      Longs values = Longs.of(new long[Math.toIntExact(from.size())]);
      long count = from.retrieveAll(keys, values);
      return insert.apply(keys, values.part(0, count));
    }
  }
}
