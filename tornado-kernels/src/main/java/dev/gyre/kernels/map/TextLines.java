package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceLongs;

/** Slots of a table of texts, as {@link TextLayout} describes them. */
interface TextLines extends LongValues {

  /** Returns the slots, as longs. */
  DeviceLongs table();

  @Override
  default DeviceLongs values() {
    return table();
  }

  @Override
  default long stateAt(long slot) {
    return TextLayout.stateAt(slot);
  }

  @Override
  default long valueAt(long slot) {
    return TextLayout.valueAt(slot);
  }

  @Override
  default long home(long key, long hash) {
    return TextLayout.home(hash, slots());
  }

  /** The key is represented by its slot; see {@link TextLayout#key}. */
  @Override
  default long key(long slot, long seen) {
    return slot;
  }
}
