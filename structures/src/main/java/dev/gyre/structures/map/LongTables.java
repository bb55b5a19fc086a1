package dev.gyre.structures.map;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.MapCodes;
import java.nio.file.Path;

/** Allocates tables for longs. */
final class LongTables {

  /** More than any memory. */
  private static final long MAX_SLOTS = 1L << 56;

  /** The layout of a map that asks for none. */
  static final Layout LAYOUT = Layout.REFERENCE;

  private LongTables() {}

  static LongTable allocate(Layout layout, long capacity, double loadFactor, long seed) {
    long slots = MapSettings.slots(capacity, loadFactor, MAX_SLOTS);
    return switch (layout) {
      case REFERENCE -> LongSlotTable.reference(capacity, slots, seed);
      case LINE -> LongSlotTable.line(capacity, slots, seed);
      case PACKED ->
          throw new IllegalArgumentException(
              "packed slots hold ints only; take Layout.REFERENCE or Layout.LINE for longs");
    };
  }

  /** The table of a file. */
  static LongTable adopt(SavedMap saved) {
    saved.requireKind(SavedMap.Kind.LONGS);
    LongTable table =
        switch (saved.layout()) {
          case REFERENCE, LINE ->
              new LongSlotTable(
                  saved.layout() == Layout.LINE ? MapCodes.LINE : MapCodes.REFERENCE,
                  saved.memories(),
                  saved.capacity(),
                  saved.slots(),
                  saved.seed());
          case PACKED -> throw new IllegalArgumentException(saved.file().toString());
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

  static void save(LongTable table, Layout layout, Path file) {
    MapFile.save(
        new SavedMap(
            file,
            SavedMap.Kind.LONGS,
            layout,
            table.taken(),
            table.capacity,
            table.slots,
            table.seed,
            table.memories()),
        table.memories().stream().map(Memory::segment).toList());
  }
}
