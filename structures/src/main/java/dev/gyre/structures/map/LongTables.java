package dev.gyre.structures.map;

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
}
