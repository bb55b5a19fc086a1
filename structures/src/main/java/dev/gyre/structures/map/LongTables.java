package dev.gyre.structures.map;

import dev.gyre.kernels.map.MapCodes;

/** Allocates tables for longs. */
final class LongTables {

  /** More than any memory. */
  private static final long MAX_SLOTS = 1L << 56;

  /** What files hold. */
  static final SavedMap.Kind MAP = SavedMap.Kind.LONGS;

  static final SavedMap.Kind SET = SavedMap.Kind.LONG_SET;

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

  /** The table of a file, of which nothing was looked at yet. */
  static LongTable adopt(SavedMap saved) {
    return switch (saved.layout()) {
      case REFERENCE, LINE ->
          new LongSlotTable(
              saved.layout() == Layout.LINE ? MapCodes.LINE : MapCodes.REFERENCE,
              saved.memories(),
              saved.capacity(),
              saved.slots(),
              saved.seed());
      case PACKED -> throw new IllegalArgumentException(saved.file().toString());
    };
  }
}
