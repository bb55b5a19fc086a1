package dev.gyre.structures.map.sharded;

import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.TextPredicate;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.TextSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A {@link TextSet} whose entries are distributed over several devices. It has the methods of that
 * set; the package describes the differences.
 *
 * @since 0.1.0
 */
public final class ShardedTextSet extends ShardedTable<TextSet, ShardedTextSet, TextKeys, Longs> {

  private final TextRows.Hashed hashed;

  private ShardedTextSet(Launcher group, Function<? super Launcher, ? extends TextSet> shard) {
    super(group, shard);
    this.hashed = new TextRows.Hashed(first().textHash(), seed());
  }

  /**
   * Returns a set with a shard for each part of a launcher group, or one shard for a single
   * launcher. The caller closes the launcher, after the set.
   *
   * @param shard returns an empty set on a part, such as {@code on ->
   *     TextSet.builder().launcher(on).build()}; all shards must have the same hash
   */
  public static ShardedTextSet of(
      Launcher group, Function<? super Launcher, ? extends TextSet> shard) {
    return new ShardedTextSet(group, shard);
  }

  @Override
  TextRows rows(TextKeys keys, @Nullable Longs values, @Nullable Longs found) {
    return new TextRows(hashed, keys, 0, values, found);
  }

  /** Adds keys. A key is INSERTED if it was not in the set. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts addAll(TextKeys all, BulkOptions options) {
    return insert(all, options, TextSet::addAll);
  }

  /** Counts the keys that are in the set. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public FindCounts containsAll(TextKeys all, BulkOptions options) {
    return find(all, options, TextSet::containsAll);
  }

  /** Adds a key; returns true if it was not in the set. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public boolean add(String key) {
    return update(hashed.of(key), set -> set.add(key));
  }

  /** Removes a key; returns true if it was in the set. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public boolean remove(String key) {
    return update(hashed.of(key), set -> set.remove(key));
  }

  /** Removes keys; of several equal keys, exactly one is REMOVED. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public FindCounts removeAll(TextKeys all, BulkOptions options) {
    return find(all, options, TextSet::removeAll);
  }

  /** Removes the keys for which a predicate returns true; returns their number. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public long removeIf(TextPredicate predicate) {
    return removeFromEach(set -> set.removeIf(predicate));
  }

  /** Returns whether a key is in the set. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = READS)
  public boolean contains(String key) {
    return read(hashed.of(key), set -> set.contains(key));
  }

  /** Appends all keys to a batch in one consistent state; returns their number. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public long retrieveAll(TextKeys all) {
    return retrieve(Long.MAX_VALUE, (set, _) -> set.retrieveAll(all));
  }

  /** Calls an action for all keys, on the calling thread; weakly consistent. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = READS)
  public void forEach(Consumer<String> action) {
    shards().forEach(set -> set.forEach(action));
  }

  @Override
  InsertCounts copy(TextSet from, @Nullable TextSet to) {
    try (TextKeys keys = new TextKeys()) {
      long _ = from.retrieveAll(keys);
      return to == null ? addAll(keys, BulkOptions.NONE) : to.addAll(keys, BulkOptions.NONE);
    }
  }
}
