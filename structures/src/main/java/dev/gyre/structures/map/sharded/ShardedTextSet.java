package dev.gyre.structures.map.sharded;

import dev.gyre.kernels.Launcher;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.TextSet;
import java.util.function.Consumer;
import java.util.function.Function;

/** A {@link TextSet} over several devices; its operations are those of that set. */
public final class ShardedTextSet extends ShardedTable<TextSet, ShardedTextSet> {

  private final TextRows.Hashed hashed;

  private ShardedTextSet(Launcher group, Function<? super Launcher, ? extends TextSet> shard) {
    super(group, shard);
    this.hashed = new TextRows.Hashed(shards().getFirst().textHash(), seed());
  }

  /**
   * A set with a shard for each part of a group, or one for a launcher that is alone. The caller
   * closes the launcher, after the set.
   *
   * @param shard makes an empty set on a part, such as {@code on ->
   *     TextSet.builder().launcher(on).build()}; all with the same hash
   */
  public static ShardedTextSet of(
      Launcher group, Function<? super Launcher, ? extends TextSet> shard) {
    return new ShardedTextSet(group, shard);
  }

  @Override
  ShardedTextSet self() {
    return this;
  }

  private TextRows rows(TextKeys keys, BulkOptions options) {
    shards().getFirst().check(keys, options);
    return new TextRows(hashed, keys, null, null);
  }

  /** Adds keys; INSERTED are those that were not in the set. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts addAll(TextKeys all, BulkOptions options) {
    TextRows rows = rows(all, options);
    try (var _ = all.use()) {
      return insert(rows, options, (set, of, its) -> set.addAll(of.keys(), its));
    }
  }

  /** Counts the keys that are in the set. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public FindCounts containsAll(TextKeys all, BulkOptions options) {
    TextRows rows = rows(all, options);
    try (var _ = all.use()) {
      return find(rows, options, (set, of, its) -> set.containsAll(of.keys(), its));
    }
  }

  /** Adds a key; returns whether it was not in the set. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public boolean add(String key) {
    return update(hashed.of(key), set -> set.add(key));
  }

  /** Whether a key is in the set. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = READS)
  public boolean contains(String key) {
    return read(hashed.of(key), set -> set.contains(key));
  }

  /** Adds all keys to a batch, as they are at one time; returns how many there are. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public long retrieveAll(TextKeys all) {
    return retrieve((set, _) -> set.retrieveAll(all));
  }

  /** Gives all keys to an action, on the calling thread; weakly consistent. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = READS)
  public void forEach(Consumer<String> action) {
    shards().forEach(set -> set.forEach(action));
  }

  /** Adds all keys to an ordinary set, such as to save it. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = ALONE)
  public void copyTo(TextSet set) {
    forEachAlone((shard, _) -> copy(shard, keys -> set.addAll(keys, BulkOptions.NONE)));
  }

  /** Adds all keys of an ordinary set. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = CLAIMS)
  public InsertCounts copyFrom(TextSet set) {
    return copy(set, keys -> addAll(keys, BulkOptions.NONE));
  }

  private static InsertCounts copy(TextSet from, Function<TextKeys, InsertCounts> add) {
    try (TextKeys keys = new TextKeys()) {
      long _ = from.retrieveAll(keys);
      return add.apply(keys);
    }
  }
}
