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
      @Nullable Hash other) {
    Hash hash = used(other);
    long slots = MapSettings.slots(capacity, loadFactor, MAX_SLOTS);
    if (kind.isSetOfNumbers()) {
      Memory made = Memory.holdable(KeySlots.words(slots), Integer.BYTES);
      return Memories.orFree(List.of(made), () -> keys(made, capacity, slots, seed, hash));
    }
    return switch (layout) {
      case REFERENCE -> {
        Memories.Allocation numbers = () -> Memory.holdable(slots, Integer.BYTES);
        List<Memory> made = Memories.make(numbers, numbers, numbers);
        yield Memories.orFree(made, () -> reference(made, capacity, slots, seed, hash));
      }
      case LINE -> throw noLines();
      case PACKED -> {
        Memory made = Memory.holdable(PackedSlots.words(slots), Long.BYTES);
        yield Memories.orFree(List.of(made), () -> packed(made, capacity, slots, seed, hash));
      }
    };
  }

  /**
   * Returns a table with this layout. Old files of sets have no values in it; the keys stand for
   * them.
   */
  private static IntTable reference(
      List<Memory> memories, long capacity, long slots, long seed, Hash hash) {
    NumberTable layout =
        new IntSlots(
            DeviceInts.of(memories.get(0)),
            DeviceInts.of(memories.get(1)),
            DeviceInts.of(memories.getLast()),
            slots,
            seed,
            hash);
    return new IntTable(layout, memories, slots, capacity, seed, hash);
  }

  private static IllegalArgumentException noLines() {
    return new IllegalArgumentException(
        "lines hold longs only; take Layout.PACKED or Layout.REFERENCE for a map of ints");
  }

  /** The side slot is after all others. */
  private static IntTable packed(Memory memory, long capacity, long slots, long seed, Hash hash) {
    NumberTable layout = new PackedSlots(DeviceLongs.of(memory), slots, seed, hash);
    return new IntTable(layout, List.of(memory), PackedSlots.words(slots), capacity, seed, hash);
  }

  /** The side slot is after all others. */
  private static IntTable keys(Memory memory, long capacity, long slots, long seed, Hash hash) {
    NumberTable layout = new KeySlots.OfInts(DeviceInts.of(memory), slots, seed, hash);
    return new IntTable(layout, List.of(memory), KeySlots.words(slots), capacity, seed, hash);
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
        used(other));
  }

  /** Returns a table with another seed in the memories of another one, which is empty. */
  public static IntTable emptied(
      SavedMap.Kind kind, Layout layout, IntTable old, long seed, @Nullable Hash other) {
    return over(kind, layout, old.memories(), old.capacity, old.slots, seed, used(other));
  }

  private static IntTable over(
      SavedMap.Kind kind,
      Layout layout,
      List<Memory> memories,
      long capacity,
      long slots,
      long seed,
      Hash hash) {
    return switch (layout) {
      case REFERENCE -> reference(memories, capacity, slots, seed, hash);
      case LINE -> throw noLines();
      case PACKED ->
          kind.isSetOfNumbers()
              ? keys(memories.getFirst(), capacity, slots, seed, hash)
              : packed(memories.getFirst(), capacity, slots, seed, hash);
    };
  }
}
