package dev.gyre.structures.map;

import dev.gyre.kernels.map.MapCodes;

/** Allocates tables for ints. */
final class IntTables {

  /** The hash scales 32 bits to the slots. */
  private static final long MAX_SLOTS = 1L << 32;

  /** What files hold. */
  static final SavedMap.Kind MAP = SavedMap.Kind.INTS;

  static final SavedMap.Kind SET = SavedMap.Kind.INT_SET;

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

  /** The table of a file, of which nothing was looked at yet. */
  static IntTable adopt(SavedMap saved) {
    return switch (saved.layout()) {
      case REFERENCE ->
          new IntSlotTable(
              MapCodes.REFERENCE, saved.memories(), saved.capacity(), saved.slots(), saved.seed());
      case LINE ->
          new IntLineTable(
              saved.memories().getFirst(), saved.capacity(), saved.slots(), saved.seed());
      case PACKED ->
          new PackedTable(
              saved.memories().getFirst(), saved.capacity(), saved.slots(), saved.seed());
    };
  }
}
