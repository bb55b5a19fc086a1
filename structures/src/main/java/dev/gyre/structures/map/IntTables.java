package dev.gyre.structures.map;

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
}
