package dev.gyre.structures.map.store;

import dev.gyre.atomics.IntSpecialized;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.EntryVisitor;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.exclusive.KeyReader;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.LongLongConsumer;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.table.LongSaved;
import dev.gyre.structures.map.table.LongScratch;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.table.MapSettings;
import dev.gyre.structures.map.table.SlotFormat;
import dev.gyre.structures.map.work.OutcomeCounts;
import dev.gyre.structures.map.work.Workers;
import org.jspecify.annotations.Nullable;

/** Store of keys that are longs. */
@IntSpecialized
public final class LongStore extends Store<LongTable, LongScratch> {

  /** Reader of the present state; another object after each change. */
  private volatile @Nullable KeyReader reader;

  /** Creates the store of a map or a set of some kind. */
  public LongStore(String name, SavedMap.Kind kind, MapSettings settings) {
    super(
        name,
        kind,
        settings,
        fresh ->
            LongTable.allocate(
                SlotFormat.of(
                    kind, fresh.options().layout(), hash(fresh), fresh.options().removable()),
                fresh.capacity(),
                fresh.options().loadFactor(),
                fresh.seed()),
        saved ->
            LongSaved.load(saved, settings.seed(), hash(settings), settings.options().removable()),
        LongScratch::new);
    readers();
  }

  @Override
  void read(boolean by) {
    // First null: an old reader must not stay if no heap is left for another.
    reader = null;
    if (by) {
      reader = table.reader();
    }
  }

  /** Returns the reader of single keys without the lock; null if none exists at present. */
  public @Nullable KeyReader reader() {
    return reader;
  }

  /** Returns the layout: a set has packed slots without values, whatever the settings say. */
  @Override
  Layout layout() {
    return kind.isSetOfNumbers() ? Layout.PACKED : super.layout();
  }

  private static @Nullable Hash hash(MapSettings settings) {
    return settings.hashOf(Hash.class, "numbers");
  }

  @Override
  LongTable resized(long capacity, long textWords) {
    return table.resized(capacity, settings.options().loadFactor());
  }

  @Override
  LongTable emptied(LongTable other, long seed) {
    return other.emptied(seed);
  }

  @Override
  void move(LongTable old, LongTable fresh) {
    if (onJvm()) {
      new LongRehash(old, fresh).run(LongPlan.workersFor(this, old.places(), true));
      fresh.countAs(old);
    } else {
      rehash(old, fresh, workers(), old.places(), (counters, _) -> old.move(fresh, counters));
    }
  }

  public InsertCounts insert(
      Longs keys, Longs values, Change change, @Nullable Longs found, BulkOptions options) {
    LongPlan.OfInsert plan = LongPlan.ofInsert(this, keys, values, change, found, options);
    return switch (plan) {
      case LongPlan.Singly _, LongPlan.Exclusively _ ->
          LongCaller.insert(this, plan, keys, values, change, found);
      case LongPlan.Batches _ -> insertInBatches(keys, values, change, found, options);
      case LongPlan.InPlace _ ->
          inserts(
              keys.length(),
              sums ->
                  LongInsertion.inPlace(
                      this, new LongKeys.Operands(keys, values, change, found, options), sums));
    };
  }

  /** Inserts keys through scratch memory, where keys can wait for other threads. */
  InsertCounts insertInBatches(
      Longs keys, Longs values, Change change, @Nullable Longs found, BulkOptions options) {
    LongKeys.Operands all = new LongKeys.Operands(keys, values, change, found, options);
    return inserts(keys.length(), sums -> LongInsertion.inBatches(this, all, sums));
  }

  public FindCounts find(Longs keys, @Nullable Longs found, BulkOptions options) {
    LongPlan.OfFind plan = LongPlan.ofFind(this, keys, found, options);
    if (plan instanceof LongPlan.Outside(Workers workers)) {
      long hits = LongCaller.find(this, workers, keys, found);
      if (hits >= 0) {
        return new FindCounts(hits, keys.length() - hits);
      }
    }
    LongKeys.Operands all = new LongKeys.Operands(keys, null, Change.Policy.KEEP, found, options);
    return finds(
        sums -> {
          if (plan instanceof LongPlan.InPlace) {
            lookUpInPlace(all, sums);
          } else {
            LongBatch.forAll(this, all, true, (batch, _) -> batch.lookUp(this, sums));
          }
        });
  }

  /** Removes keys; {@code found} receives the values that they had. */
  public FindCounts remove(Longs keys, @Nullable Longs found, BulkOptions options) {
    LongKeys.Operands all = new LongKeys.Operands(keys, null, Change.Policy.KEEP, found, options);
    return removes(
        sums -> {
          if (!onJvm() && LongDeviceBatch.holds(this, options, keys, found)) {
            try (LongDeviceBatch held = LongDeviceBatch.toFind(this, all)) {
              held.orSkipped(() -> held.batch().remove(this, sums));
            }
          } else {
            LongBatch.forAll(this, all, true, (batch, _) -> batch.remove(this, sums));
          }
        });
  }

  /** Removes the entries for which a predicate returns true; returns their number. */
  public long removeIf(EntryPredicate predicate) {
    return removeIf(_ -> predicate);
  }

  private void lookUpInPlace(LongKeys.Operands operands, OutcomeCounts sums) {
    try (LongDeviceBatch all = LongDeviceBatch.toFind(this, operands)) {
      all.orSkipped(() -> all.batch().lookUp(this, sums));
    }
  }

  public long retrieve(Longs keys, Longs values, @Nullable EntryPredicate predicate) {
    requireOpen();
    recount();
    try (Entry _ = begin()) {
      return new LongRetrieval(this).all(keys, values, predicate);
    }
  }

  /** Calls a visitor for all entries. */
  public void visit(EntryVisitor visitor) {
    visit(_ -> visitor);
  }

  public void forEach(LongLongConsumer action) {
    requireOpen();
    new LongRetrieval(this).forEach(table, action);
  }

  /**
   * Makes capacity for a key that did not fit in a table, unless there is some by now, or the key
   * is present.
   */
  public void growForOne(LongTable full, /* int */ long key) {
    exclusivelyIf(full, () -> growForOne(full, () -> !full.entries().find(key).isFound(), 0));
  }
}
