package dev.gyre.structures.map.table;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.IntSlots;
import dev.gyre.kernels.map.KeySlots;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.PackedSlots;
import dev.gyre.kernels.map.Removal;
import dev.gyre.structures.Memories;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.file.SavedMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Allocates tables for ints. */
public final class IntTables {

  /** Largest number of slots: the hash scales 32 bits to slots. */
  private static final long MAX_SLOTS = 1L << 32;

  /** Kind of maps in files. */
  public static final SavedMap.Kind MAP = SavedMap.Kind.INTS;

  /** Default layout of a map. */
  public static final Layout LAYOUT = Layout.PACKED;

  private IntTables() {}

  private static Hash used(@Nullable Hash other) {
    return switch (other) {
      case null -> new Hashing.OfInts();
      case Hashing.OfInts ints -> ints;
      default -> new Hash.UpperHalf(new Hash.Remixed(other));
    };
  }

  public static IntTable allocate(
      SavedMap.Kind kind,
      Layout layout,
      long capacity,
      double loadFactor,
      long seed,
      @Nullable Hash other,
      boolean removable) {
    long slots = MapSettings.slots(capacity, loadFactor, MAX_SLOTS);
    Layout used = kind.isSetOfNumbers() ? Layout.PACKED : layout;
    List<Memory> made = memories(kind, used, slots, removable);
    return Memories.orFree(
        made, () -> over(kind, used, made, capacity, slots, seed, used(other), removable));
  }

  private static List<Memory> memories(
      SavedMap.Kind kind, Layout layout, long slots, boolean removable) {
    Memories.Allocation numbers = () -> Memory.addressable(slots, Integer.BYTES);
    return switch (layout) {
      case REFERENCE -> Memories.make(numbers, numbers, numbers);
      case LINE -> throw noLines();
      case PACKED ->
          List.of(
              kind.isSetOfNumbers()
                  ? Memory.addressable(KeySlots.words(slots, removable), Integer.BYTES)
                  : Memory.addressable(PackedSlots.words(slots), Long.BYTES));
    };
  }

  private static IllegalArgumentException noLines() {
    return new IllegalArgumentException(
        "lines hold longs only; take Layout.PACKED or Layout.REFERENCE for a map of ints");
  }

  /** Returns the table of a file, whose entries can be iterated and not looked up. */
  static IntTable adopt(SavedMap saved, @Nullable Hash other) {
    return over(
        saved.kind(),
        saved.layout(),
        saved.memories(),
        saved.capacity(),
        saved.slots(),
        0,
        used(other),
        saved.removable());
  }

  /** Returns a table with another seed in the memories of another one, which is empty. */
  public static IntTable emptied(
      SavedMap.Kind kind, Layout layout, IntTable old, long seed, @Nullable Hash other) {
    return over(
        kind,
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
  private static IntTable over(
      SavedMap.Kind kind,
      Layout layout,
      List<Memory> memories,
      long capacity,
      long slots,
      long seed,
      Hash hash,
      boolean removable) {
    Memory first = memories.getFirst();
    Removal removal = Removal.of(removable);
    boolean isSet = kind.isSetOfNumbers();
    NumberTable table =
        switch (layout) {
          case REFERENCE ->
              new IntSlots(
                  DeviceInts.of(first),
                  DeviceInts.of(memories.get(1)),
                  DeviceInts.of(memories.getLast()),
                  slots,
                  seed,
                  hash,
                  removal);
          case LINE -> throw noLines();
          case PACKED ->
              isSet
                  ? new KeySlots.OfInts(DeviceInts.of(first), slots, seed, hash, removal)
                  : new PackedSlots(DeviceLongs.of(first), slots, seed, hash, removal);
        };
    long words = isSet ? KeySlots.words(slots, removable) : PackedSlots.words(slots);
    long places = layout == Layout.PACKED ? words : slots;
    return new IntTable(table, memories, places, capacity, seed, hash);
  }
}
