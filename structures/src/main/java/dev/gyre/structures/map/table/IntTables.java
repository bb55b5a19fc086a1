package dev.gyre.structures.map.table;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.IntLines;
import dev.gyre.kernels.map.IntSlots;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.PackedSlots;
import dev.gyre.structures.Memories;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.file.SavedMap;
import java.util.List;

/** Allocates tables for ints. */
public final class IntTables {

  /** The hash scales 32 bits to the slots. */
  private static final long MAX_SLOTS = 1L << 32;

  /** What files hold. */
  public static final SavedMap.Kind MAP = SavedMap.Kind.INTS;

  public static final SavedMap.Kind SET = SavedMap.Kind.INT_SET;

  /** The layout of a map that asks for none. */
  public static final Layout LAYOUT = Layout.PACKED;

  private IntTables() {}

  public static IntTable allocate(Layout layout, long capacity, double loadFactor, long seed) {
    long slots = MapSettings.slots(capacity, loadFactor, MAX_SLOTS);
    return switch (layout) {
      case REFERENCE ->
          reference(
              Memories.make(
                  () -> Memory.ofInts(slots),
                  () -> Memory.ofInts(slots),
                  () -> Memory.ofInts(slots)),
              capacity,
              slots,
              seed);
      case LINE -> line(Memory.ofLongs(IntLines.words(slots)), capacity, slots, seed);
      case PACKED -> packed(Memory.ofLongs(PackedSlots.words(slots)), capacity, slots, seed);
    };
  }

  private static IntTable reference(List<Memory> memories, long capacity, long slots, long seed) {
    NumberTable layout =
        new IntSlots(
            DeviceInts.of(memories.get(0)),
            DeviceInts.of(memories.get(1)),
            DeviceInts.of(memories.get(2)),
            slots,
            seed);
    return new IntTable(layout, memories, slots, capacity, seed);
  }

  private static IntTable line(Memory memory, long capacity, long slots, long seed) {
    NumberTable layout = new IntLines(DeviceLongs.of(memory), slots, seed);
    return new IntTable(layout, List.of(memory), slots, capacity, seed);
  }

  /** The side slot is behind all others. */
  private static IntTable packed(Memory memory, long capacity, long slots, long seed) {
    NumberTable layout = new PackedSlots(DeviceLongs.of(memory), slots, seed);
    return new IntTable(layout, List.of(memory), PackedSlots.words(slots), capacity, seed);
  }

  /** The table of a file, of which nothing was looked at yet. */
  static IntTable adopt(SavedMap saved) {
    return switch (saved.layout()) {
      case REFERENCE -> reference(saved.memories(), saved.capacity(), saved.slots(), saved.seed());
      case LINE -> line(saved.memories().getFirst(), saved.capacity(), saved.slots(), saved.seed());
      case PACKED ->
          packed(saved.memories().getFirst(), saved.capacity(), saved.slots(), saved.seed());
    };
  }
}
