package dev.gyre.structures.map.table;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.structures.Memories;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.file.SavedMap;
import java.util.List;

/** Allocates tables for longs. */
public final class LongTables {

  /** More than any memory. */
  private static final long MAX_SLOTS = 1L << 56;

  /** What files hold. */
  public static final SavedMap.Kind MAP = SavedMap.Kind.LONGS;

  public static final SavedMap.Kind SET = SavedMap.Kind.LONG_SET;

  /** The layout of a map that asks for none. */
  public static final Layout LAYOUT = Layout.REFERENCE;

  private LongTables() {}

  public static LongTable allocate(Layout layout, long capacity, double loadFactor, long seed) {
    long slots = MapSettings.slots(capacity, loadFactor, MAX_SLOTS);
    return switch (layout) {
      case REFERENCE ->
          reference(
              Memories.make(
                  () -> Memory.ofInts(slots),
                  () -> Memory.ofLongs(slots),
                  () -> Memory.ofLongs(slots)),
              capacity,
              slots,
              seed);
      case LINE -> line(Memory.ofLongs(LongSlots.Line.SLOT_LONGS * slots), capacity, slots, seed);
      case PACKED ->
          throw new IllegalArgumentException(
              "packed slots hold ints only; take Layout.REFERENCE or Layout.LINE for longs");
    };
  }

  private static LongTable reference(List<Memory> memories, long capacity, long slots, long seed) {
    NumberTable layout =
        new LongSlots.Reference(
            DeviceInts.of(memories.get(0)),
            DeviceLongs.of(memories.get(1)),
            DeviceLongs.of(memories.get(2)),
            slots,
            seed);
    return new LongTable(layout, memories, slots, capacity, seed);
  }

  private static LongTable line(Memory memory, long capacity, long slots, long seed) {
    NumberTable layout =
        new LongSlots.Line(DeviceInts.of(memory), DeviceLongs.of(memory), slots, seed);
    return new LongTable(layout, List.of(memory), slots, capacity, seed);
  }

  /** The table of a file, of which nothing was looked at yet. */
  static LongTable adopt(SavedMap saved) {
    return switch (saved.layout()) {
      case REFERENCE -> reference(saved.memories(), saved.capacity(), saved.slots(), saved.seed());
      case LINE -> line(saved.memories().getFirst(), saved.capacity(), saved.slots(), saved.seed());
      case PACKED -> throw new IllegalArgumentException(saved.file().toString());
    };
  }
}
