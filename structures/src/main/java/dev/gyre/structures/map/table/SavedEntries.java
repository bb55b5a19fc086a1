package dev.gyre.structures.map.table;

import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Workers;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Inserts the entries of a file into a new table that no other thread uses. The file may be
 * corrupted with a valid checksum.
 */
final class SavedEntries {

  /** Number of slots of the file that a worker processes at a time. */
  private static final int STEP = 1 << 12;

  /** Slots of a file, for several threads. */
  interface Slots {

    int state(long slot);

    /** Inserts the entry of a slot; returns whether it is sound and its key was absent. */
    boolean insert(long slot);
  }

  private SavedEntries() {}

  /**
   * Inserts all entries, by claims, on all workers of the JVM.
   *
   * @return number of entries, which equals that of the file and fits in the table
   * @throws dev.gyre.structures.SavedFileException if the file is invalid
   */
  static long insertAll(SavedMap saved, Slots file, Workers workers) {
    List<Step> steps = Step.cut(0, saved.slots(), STEP);
    AtomicLong filled = new AtomicLong();
    workers.run("count", steps, (_, step) -> filled.addAndGet(countFilled(saved, file, step)));
    // Counted before anything is inserted: more entries could overfill the table.
    saved.require(filled.get() == saved.entries(), "number of entries");
    workers.run("load", steps, (_, step) -> insert(saved, file, step));
    return filled.get();
  }

  private static long countFilled(SavedMap saved, Slots file, Step step) {
    long filled = 0;
    for (long slot = step.from(); slot < step.to(); slot++) {
      int state = file.state(slot);
      saved.require(state == MapCodes.EMPTY || state == MapCodes.FILLED, "slot " + slot);
      filled += state == MapCodes.FILLED ? 1 : 0;
    }
    return filled;
  }

  private static void insert(SavedMap saved, Slots file, Step step) {
    for (long slot = step.from(); slot < step.to(); slot++) {
      saved.require(file.state(slot) == MapCodes.EMPTY || file.insert(slot), "slot " + slot);
    }
  }
}
