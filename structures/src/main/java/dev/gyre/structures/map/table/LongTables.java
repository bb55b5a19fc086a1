package dev.gyre.structures.map.table;

import dev.gyre.atomics.IntSpecialized;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.Removal;
import dev.gyre.structures.Memories;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.file.SavedMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Allocates tables of longs. */
@IntSpecialized
public final class LongTables {

  /** Kind of maps in files. */
  public static final SavedMap.Kind MAP = SavedMap.Kind.LONGS;

  /** Default layout of a map. */
  public static final Layout LAYOUT = NumberTables.layout(MAP);

  private LongTables() {}

  public static LongTable allocate(
      SavedMap.Kind kind,
      Layout layout,
      long capacity,
      double loadFactor,
      long seed,
      @Nullable Hash other,
      boolean removable) {
    long slots = MapSettings.slots(capacity, loadFactor, NumberTables.maxSlots(kind));
    Layout used = kind.isSetOfNumbers() ? Layout.PACKED : layout;
    List<Memory> made = NumberTables.memories(kind, used, slots, removable);
    return Memories.orFree(
        made, () -> over(kind, used, made, capacity, slots, seed, other, removable));
  }

  /** Returns the table of a file, whose entries can be iterated and not looked up. */
  static LongTable adopt(SavedMap saved, @Nullable Hash other) {
    return over(
        saved.kind(),
        saved.layout(),
        saved.memories(),
        saved.capacity(),
        saved.slots(),
        0,
        other,
        saved.removable());
  }

  /** Returns a table with another seed in the memories of another one, which is empty. */
  public static LongTable emptied(
      SavedMap.Kind kind, Layout layout, LongTable old, long seed, @Nullable Hash other) {
    return over(
        kind,
        layout,
        old.memories(),
        old.capacity,
        old.slots,
        seed,
        other,
        old.inKernels().isRemovable());
  }

  private static LongTable over(
      SavedMap.Kind kind,
      Layout layout,
      List<Memory> memories,
      long capacity,
      long slots,
      long seed,
      @Nullable Hash other,
      boolean removable) {
    Hash hash = NumberTables.hash(kind, other);
    NumberTable table =
        NumberTables.slots(kind, layout, memories, slots, seed, hash, Removal.of(removable));
    long places = NumberTables.places(kind, layout, slots, removable);
    return new LongTable(table, memories, places, capacity, seed, hash);
  }
}
