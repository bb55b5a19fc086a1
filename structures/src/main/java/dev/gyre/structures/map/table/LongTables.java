package dev.gyre.structures.map.table;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.KeySlots;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.Removal;
import dev.gyre.structures.Memories;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.file.SavedMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Allocates tables for longs. */
public final class LongTables {

  /** Largest number of slots, more than any memory. */
  private static final long MAX_SLOTS = 1L << 56;

  /** Kind of maps in files. */
  public static final SavedMap.Kind MAP = SavedMap.Kind.LONGS;

  /** Default layout of a map. */
  public static final Layout LAYOUT = Layout.REFERENCE;

  private LongTables() {}

  private static Hash used(@Nullable Hash other) {
    return switch (other) {
      case null -> new Hashing.OfLongs();
      case Hashing.OfLongs longs -> longs;
      default -> new Hash.Remixed(other);
    };
  }

  public static LongTable allocate(
      SavedMap.Kind kind,
      Layout layout,
      long capacity,
      double loadFactor,
      long seed,
      @Nullable Hash other,
      boolean removable) {
    long slots = MapSettings.slots(capacity, loadFactor, MAX_SLOTS);
    Layout used = kind.isSetOfNumbers() ? Layout.PACKED : layout;
    if (used == Layout.PACKED && !kind.isSetOfNumbers()) {
      throw new IllegalArgumentException(
          "packed slots hold ints only; take Layout.REFERENCE or Layout.LINE for a map of"
              + " longs");
    }
    List<Memory> made = memories(used, slots, removable);
    return Memories.orFree(
        made, () -> over(used, made, capacity, slots, seed, used(other), removable));
  }

  private static List<Memory> memories(Layout layout, long slots, boolean removable) {
    Memories.Allocation numbers = () -> Memory.addressable(slots, Long.BYTES);
    return switch (layout) {
      case REFERENCE ->
          Memories.make(() -> Memory.addressable(slots, Integer.BYTES), numbers, numbers);
      case LINE -> List.of(Memory.addressable(LongSlots.Line.SLOT_LONGS * slots, Long.BYTES));
      case PACKED -> List.of(Memory.addressable(KeySlots.words(slots, removable), Long.BYTES));
    };
  }

  /** Returns the table of a file, whose entries can be iterated and not looked up. */
  static LongTable adopt(SavedMap saved, @Nullable Hash other) {
    return over(
        saved.layout(),
        saved.memories(),
        saved.capacity(),
        saved.slots(),
        0,
        used(other),
        saved.removable());
  }

  /** Returns a table with another seed in the memories of another one, which is empty. */
  public static LongTable emptied(
      SavedMap.Kind kind, Layout layout, LongTable old, long seed, @Nullable Hash other) {
    return over(
        layout,
        old.memories(),
        old.capacity,
        old.slots,
        seed,
        used(other),
        old.inKernels().isRemovable());
  }

  /**
   * Returns a table in memories. Old files of sets have no values in layout REFERENCE; the keys
   * stand for them. In layout PACKED, side slots are after all others.
   */
  private static LongTable over(
      Layout layout,
      List<Memory> memories,
      long capacity,
      long slots,
      long seed,
      Hash hash,
      boolean removable) {
    Memory first = memories.getFirst();
    Removal removal = Removal.of(removable);
    NumberTable table =
        switch (layout) {
          case REFERENCE ->
              new LongSlots.Reference(
                  DeviceInts.of(first),
                  DeviceLongs.of(memories.get(1)),
                  DeviceLongs.of(memories.getLast()),
                  slots,
                  seed,
                  hash,
                  removal);
          case LINE ->
              new LongSlots.Line(
                  DeviceInts.of(first), DeviceLongs.of(first), slots, seed, hash, removal);
          case PACKED -> new KeySlots.OfLongs(DeviceLongs.of(first), slots, seed, hash, removal);
        };
    long places = layout == Layout.PACKED ? KeySlots.words(slots, removable) : slots;
    return new LongTable(table, memories, places, capacity, seed, hash);
  }
}
