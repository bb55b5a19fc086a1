package dev.gyre.structures.map;

import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.EntryVisitor;
import org.jspecify.annotations.Nullable;

/** A store of keys that are longs. */
final class LongStore extends Store<LongTable, LongStage> {

  /** Of a map. */
  LongStore(String name, MapSettings settings) {
    this(name, LongTables.MAP, settings);
  }

  LongStore(String name, SavedMap.Kind kind, MapSettings settings) {
    super(
        name,
        kind,
        settings,
        fresh -> allocate(fresh, fresh.capacity(), fresh.seed()),
        saved -> LongSaved.adopt(saved, settings.hash()),
        LongStage::new);
  }

  private static LongTable allocate(MapSettings settings, long capacity, long seed) {
    return LongTables.allocate(settings.layout(), capacity, settings.loadFactor(), seed, settings.hash());
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

  InsertCounts insert(
      Longs keys, Longs values, Change change, @Nullable Longs found, BulkOptions options) {
    return stay(() -> LongInsertion.run(this, keys, values, change, found, options));
  }

  FindCounts find(Longs keys, @Nullable Longs found, BulkOptions options) {
    return stay(() -> LongLookup.run(this, keys, found, options));
  }

  long retrieve(Longs keys, Longs values, @Nullable EntryPredicate predicate) {
    requireOpen();
    settle();
    return stay(() -> new LongRetrieval(this).all(keys, values, predicate));
  }

  void visit(EntryVisitor visitor) {
    boolean _ =
        stay(
            () -> {
              new LongRetrieval(this).visit(visitor);
              return true;
            });
  }

  void forEach(LongLongConsumer action) {
    requireOpen();
    new LongRetrieval(this).forEach(action);
  }

  /** Number of slots that are RESERVED, where nobody updates. */
  long reserved() {
    return stay(() -> new LongRetrieval(this).reserved());
  }

  /** Makes room for a key that found none in a table, unless there is some by now, or the key. */
  void growForOne(LongTable full, long key) {
    gate().exclusively(() -> growForOne(full, () -> full.slotOf(key) < 0));
  }
}
