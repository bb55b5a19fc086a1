package dev.gyre.structures.map.store;

import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.LongLongConsumer;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.table.LongSaved;
import dev.gyre.structures.map.table.LongScratch;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.table.LongTables;
import dev.gyre.structures.map.table.MapSettings;
import org.jspecify.annotations.Nullable;

/** A store of keys that are longs. */
public final class LongStore extends Store<LongTable, LongScratch> {

  /** Of a map. */
  public LongStore(String name, MapSettings settings) {
    this(name, LongTables.MAP, settings);
  }

  public LongStore(String name, SavedMap.Kind kind, MapSettings settings) {
    super(
        name,
        kind,
        settings,
        fresh -> allocate(fresh, fresh.capacity(), fresh.seed()),
        LongSaved::adopt,
        LongScratch::new);
  }

  private static LongTable allocate(MapSettings settings, long capacity, long seed) {
    return LongTables.allocate(settings.layout(), capacity, settings.loadFactor(), seed);
  }

  @Override
  LongTable resized(long capacity) {
    return allocate(settings(), capacity, table.seed);
  }

  @Override
  void move(LongTable old, LongTable fresh) {
    new LongRehash(this, old, fresh).run();
  }

  @Override
  long count() {
    return new LongRetrieval(this).count();
  }

  public InsertCounts insert(
      Longs keys, Longs values, int policy, @Nullable Longs found, BulkOptions options) {
    return stay(() -> LongInsertion.run(this, keys, values, policy, found, options));
  }

  public FindCounts find(Longs keys, @Nullable Longs found, BulkOptions options) {
    return stay(() -> LongLookup.run(this, keys, found, options));
  }

  public long retrieveAll(Longs keys, Longs values) {
    requireOpen();
    settle();
    return stay(() -> new LongRetrieval(this).all(keys, values));
  }

  public void forEach(LongLongConsumer action) {
    requireOpen();
    new LongRetrieval(this).forEach(action);
  }

  /** Number of slots that are RESERVED, where nobody updates. */
  public long reserved() {
    return stay(() -> new LongRetrieval(this).reserved());
  }

  /** Makes room for a key that found none in a table, unless there is some by now, or the key. */
  public void growForOne(LongTable full, long key) {
    gate().exclusively(() -> growForOne(full, () -> full.slotOf(key) < 0));
  }
}
