package dev.gyre.structures.launch;

import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.TableRef;
import dev.gyre.kernels.map.TextColumn;
import dev.gyre.structures.map.TextSet;

/**
 * A {@link TextSet} within a kernel: one key at a time, by each of its threads, side by side. It
 * comes from {@link TextSet#launch}, and is good for that launch. Keys and outcomes as of {@link
 * TextMapRef}.
 */
public record TextSetRef(TableRef table) {

  /** Adds a key: INSERTED, PRESENT, FULL or STUCK. */
  public int add(TextColumn keys, long index) {
    return table.reading(keys.words()).insert(keys.place(index), 0, MapCodes.KEEP);
  }

  /** Whether a key is there: FOUND, ABSENT or STUCK. */
  public int contains(TextColumn keys, long index) {
    return table.reading(keys.words()).contains(keys.place(index));
  }
}
