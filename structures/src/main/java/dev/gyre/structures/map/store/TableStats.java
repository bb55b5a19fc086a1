package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.ProbeLengths;
import dev.gyre.structures.StructureStats;
import dev.gyre.structures.map.table.FixedTable;
import dev.gyre.structures.map.work.Workers;

/** Measures a table. */
final class TableStats {

  /** Largest number of places whose probes are measured. */
  private static final long MEASURED = 1 << 16;

  private TableStats() {}

  /** Measures a table that no thread updates; its probes, on a sample if it is large. */
  static StructureStats of(FixedTable table, Workers workers) {
    try (Memory sums = Memory.ofLongs(ProbeLengths.LONGEST + 1)) {
      DeviceLongs counters = DeviceLongs.of(sums);
      long blocks = MEASURED / ProbeLengths.BLOCK;
      boolean all = table.places() <= MEASURED;
      workers.hostWrote(sums);
      workers.launch(
          new ProbeLengths(
              table.hashed(),
              counters,
              all ? table.places() : MEASURED,
              all ? ProbeLengths.BLOCK : table.places() / blocks),
          Math.min(table.places(), MEASURED));
      workers.readBack(sums);
      long keys = counters.get(ProbeLengths.KEYS);
      return new StructureStats(
          table.size(),
          table.capacity,
          (double) table.used() / table.slots,
          table.byteSize(),
          keys == 0 ? 0 : (double) counters.get(ProbeLengths.LENGTHS) / keys,
          counters.get(ProbeLengths.LONGEST),
          keys);
    }
  }
}
