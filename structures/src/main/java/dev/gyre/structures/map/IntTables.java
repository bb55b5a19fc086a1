package dev.gyre.structures.map;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.MapCodes;
import java.nio.file.Path;

/** Allocates tables for ints. */
final class IntTables {

  /** The hash scales 32 bits to the slots. */
  private static final long MAX_SLOTS = 1L << 32;

  /** The layout of a map that asks for none. */
  static final Layout LAYOUT = Layout.PACKED;

  private IntTables() {}

  static IntTable allocate(Layout layout, long capacity, double loadFactor, long seed) {
    long slots = MapSettings.slots(capacity, loadFactor, MAX_SLOTS);
    return switch (layout) {
      case REFERENCE -> IntSlotTable.reference(capacity, slots, seed);
      case LINE -> new IntLineTable(capacity, slots, seed);
      case PACKED -> new PackedTable(capacity, slots, seed);
    };
  }

  /** The table of a file. */
  static IntTable adopt(SavedMap saved) {
    saved.requireKind(SavedMap.Kind.INTS);
    IntTable table =
        switch (saved.layout()) {
          case REFERENCE ->
              new IntSlotTable(
                  MapCodes.REFERENCE,
                  saved.memories(),
                  saved.capacity(),
                  saved.slots(),
                  saved.seed());
          case LINE ->
              new IntLineTable(
                  saved.memories().getFirst(), saved.capacity(), saved.slots(), saved.seed());
          case PACKED ->
              new PackedTable(
                  saved.memories().getFirst(), saved.capacity(), saved.slots(), saved.seed());
        };
    long entries = 0;
    for (long slot = 0; slot < table.places(); slot++) {
      saved.require(table.isSound(slot), "slot " + slot);
      entries += table.state(slot) == MapCodes.FILLED ? 1 : 0;
    }
    saved.require(entries == saved.entries(), "number of entries");
    table.setTaken(entries);
    return table;
  }

  static void save(IntTable table, Layout layout, Path file) {
    MapFile.save(
        new SavedMap(
            file,
            SavedMap.Kind.INTS,
            layout,
            table.taken(),
            table.capacity,
            table.slots,
            table.seed,
            table.memories()),
        table.memories().stream().map(Memory::segment).toList());
  }
}
