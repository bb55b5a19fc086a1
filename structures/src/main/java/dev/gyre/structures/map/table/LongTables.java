package dev.gyre.structures.map.table;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.KeySlots;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.NumberTable;
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
      @Nullable Hash other) {
    Hash hash = used(other);
    long slots = MapSettings.slots(capacity, loadFactor, MAX_SLOTS);
    if (kind.isSetOfNumbers()) {
      Memory made = Memory.holdable(KeySlots.words(slots), Long.BYTES);
      return Memories.orFree(List.of(made), () -> keys(made, capacity, slots, seed, hash));
    }
    return switch (layout) {
      case REFERENCE -> {
        Memories.Allocation numbers = () -> Memory.holdable(slots, Long.BYTES);
        List<Memory> made =
            Memories.make(() -> Memory.holdable(slots, Integer.BYTES), numbers, numbers);
        yield Memories.orFree(made, () -> reference(made, capacity, slots, seed, hash));
      }
      case LINE -> {
        Memory made = Memory.holdable(LongSlots.Line.SLOT_LONGS * slots, Long.BYTES);
        yield Memories.orFree(List.of(made), () -> line(made, capacity, slots, seed, hash));
      }
      case PACKED ->
          throw new IllegalArgumentException(
              "packed slots hold ints only; take Layout.REFERENCE or Layout.LINE for a map of"
                  + " longs");
    };
  }

  /**
   * Returns a table with this layout. Old files of sets have no values in it; the keys stand for
   * them.
   */
  private static LongTable reference(
      List<Memory> memories, long capacity, long slots, long seed, Hash hash) {
    NumberTable layout =
        new LongSlots.Reference(
            DeviceInts.of(memories.get(0)),
            DeviceLongs.of(memories.get(1)),
            DeviceLongs.of(memories.getLast()),
            slots,
            seed,
            hash);
    return new LongTable(layout, memories, slots, capacity, seed, hash);
  }

  private static LongTable line(Memory memory, long capacity, long slots, long seed, Hash hash) {
    NumberTable layout =
        new LongSlots.Line(DeviceInts.of(memory), DeviceLongs.of(memory), slots, seed, hash);
    return new LongTable(layout, List.of(memory), slots, capacity, seed, hash);
  }

  /** The side slot is after all others. */
  private static LongTable keys(Memory memory, long capacity, long slots, long seed, Hash hash) {
    NumberTable layout = new KeySlots.OfLongs(DeviceLongs.of(memory), slots, seed, hash);
    return new LongTable(layout, List.of(memory), KeySlots.words(slots), capacity, seed, hash);
  }

  /** Returns the table of a file, whose entries can be iterated and not looked up. */
  static LongTable adopt(SavedMap saved, @Nullable Hash other) {
    return over(saved.layout(), saved.memories(), saved.capacity(), saved.slots(), 0, used(other));
  }

  /** Returns a table with another seed in the memories of another one, which is empty. */
  public static LongTable emptied(
      SavedMap.Kind kind, Layout layout, LongTable old, long seed, @Nullable Hash other) {
    return over(layout, old.memories(), old.capacity, old.slots, seed, used(other));
  }

  private static LongTable over(
      Layout layout, List<Memory> memories, long capacity, long slots, long seed, Hash hash) {
    return switch (layout) {
      case REFERENCE -> reference(memories, capacity, slots, seed, hash);
      case LINE -> line(memories.getFirst(), capacity, slots, seed, hash);
      case PACKED -> keys(memories.getFirst(), capacity, slots, seed, hash);
    };
  }
}
