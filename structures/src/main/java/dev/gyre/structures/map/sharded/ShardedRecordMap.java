package dev.gyre.structures.map.sharded;

import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.RecordPredicate;
import dev.gyre.kernels.map.RecordVisitor;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Changes;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.RecordMap;
import dev.gyre.structures.map.RecordSchema;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A {@link RecordMap} whose entries are distributed over several devices. It has the methods of
 * that map; the package describes the differences.
 *
 * @param <K> keys
 * @param <V> values
 * @since 0.1.0
 */
public final class ShardedRecordMap<K extends Record, V extends Record>
    extends ShardedTable<RecordMap<K, V>, ShardedRecordMap<K, V>, Columns, Columns> {

  private final RecordSchema<K, V> schema;
  private final RecordRows.Hashed hashed;

  private ShardedRecordMap(
      Launcher group, Function<? super Launcher, ? extends RecordMap<K, V>> shard) {
    super(group, shard);
    this.schema = first().schema();
    this.hashed = new RecordRows.Hashed(schema, seed());
  }

  /**
   * Returns a map with a shard for each part of a launcher group, or one shard for a single
   * launcher. The caller closes the launcher, after the map.
   *
   * @param shard returns an empty map on a part, such as {@code on ->
   *     RecordMap.builder(schema).launcher(on).build()}; all shards must have the same schema
   */
  public static <K extends Record, V extends Record> ShardedRecordMap<K, V> of(
      Launcher group, Function<? super Launcher, ? extends RecordMap<K, V>> shard) {
    return new ShardedRecordMap<>(group, shard);
  }

  @Override
  RecordRows rows(Columns keys, @Nullable Columns values, @Nullable Columns found) {
    return new RecordRows(hashed, keys, values, found);
  }

  /** Inserts keys with their values; a key that is present keeps its value. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insert(Columns keys, Columns values, BulkOptions options) {
    return insert(keys, values, options, RecordMap::insert);
  }

  /** Inserts keys, and writes the value that each key then has in the map. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertAndFind(
      Columns keys, Columns values, Columns found, BulkOptions options) {
    return insert(keys, values, found, options, RecordMap::insertAndFind);
  }

  /**
   * Inserts keys with their values; the new value replaces that of a key that is present, as a
   * whole.
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrAssign(Columns keys, Columns values, BulkOptions options) {
    return insert(keys, values, options, RecordMap::insertOrAssign);
  }

  /**
   * Inserts keys with their values; for a key that is present, the changes combine columns of the
   * present value and the new one.
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts insertOrApply(
      Columns keys, Columns values, Changes changes, BulkOptions options) {
    Objects.requireNonNull(changes, "changes");
    return insert(
        keys, values, options, (map, of, given, its) -> map.insertOrApply(of, given, changes, its));
  }

  /** Counts the keys that are in the map. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public FindCounts contains(Columns keys, BulkOptions options) {
    return find(keys, options, RecordMap::contains);
  }

  /** Looks up keys and writes the value of each, or zeros if it is absent. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public FindCounts find(Columns keys, Columns found, BulkOptions options) {
    return find(keys, found, options, RecordMap::find);
  }

  private long hash(K key) {
    return hashed.of(schema.keyWords(key));
  }

  /** Returns the value of a key, or empty if the key is absent. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = READS)
  public Optional<V> get(K key) {
    return read(hash(key), map -> map.get(key));
  }

  /** Returns the value of a key, or {@code ifAbsent} if the key is absent. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = READS)
  public V getOrDefault(K key, V ifAbsent) {
    return get(key).orElse(ifAbsent);
  }

  /** Removes a key; returns its value, or empty if the key was absent. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public Optional<V> remove(K key) {
    return update(hash(key), map -> map.remove(key));
  }

  /** Removes a key if its value equals {@code value}; returns whether it did. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public boolean remove(K key, V value) {
    return update(hash(key), map -> map.remove(key, value));
  }

  /** Removes keys; of several equal keys, exactly one is REMOVED. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public FindCounts removeAll(Columns keys, BulkOptions options) {
    return find(keys, options, RecordMap::removeAll);
  }

  /** Removes the entries for which a predicate returns true; returns their number. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public long removeIf(RecordPredicate predicate) {
    return removeFromEach(map -> map.removeIf(predicate));
  }

  /** Inserts a key if it is absent; returns the present value, or empty if the key was absent. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public Optional<V> putIfAbsent(K key, V value) {
    return update(hash(key), map -> map.putIfAbsent(key, value));
  }

  /** Inserts a key or updates columns of its value; returns the new value. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public V merge(K key, V value, Changes changes) {
    return update(hash(key), map -> map.merge(key, value, changes));
  }

  /** Copies all entries in one consistent state; returns their number. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public long retrieveAll(Columns keys, Columns values) {
    return retrieve(
        Math.min(keys.length(), values.length()),
        (map, at) ->
            map.retrieveAll(
                keys.part(at, keys.length() - at), values.part(at, values.length() - at)));
  }

  /**
   * Calls a visitor for all entries, shard by shard. What it writes to memory is on the host when
   * this method returns.
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public void visit(RecordVisitor visitor) {
    visit(Objects.requireNonNull(visitor, "visitor"), map -> map.visit(visitor));
  }

  /** Calls an action for all entries, on the calling thread; weakly consistent. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = READS)
  public void forEach(BiConsumer<? super K, ? super V> action) {
    shards().forEach(map -> map.forEach(action));
  }

  @Override
  InsertCounts copy(RecordMap<K, V> from, @Nullable RecordMap<K, V> to) {
    int count = Math.toIntExact(from.size());
    Columns keys = Columns.empty(schema.keyTypes(), count);
    Columns values = Columns.empty(schema.valueTypes(), count);
    long there = from.retrieveAll(keys, values);
    Columns allKeys = keys.part(0, there);
    Columns allValues = values.part(0, there);
    return to == null
        ? insert(allKeys, allValues, BulkOptions.NONE)
        : to.insert(allKeys, allValues, BulkOptions.NONE);
  }
}
