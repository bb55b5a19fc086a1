package dev.gyre.structures.map.store;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.table.RowScratch;
import dev.gyre.structures.map.table.TextTable;
import dev.gyre.structures.map.work.OutcomeCounts;
import dev.gyre.structures.map.work.TaskRange;

/**
 * Bulk insert of text keys; see {@link Insertion}. If the text of some keys of a task does not fit,
 * these stay PENDING, and the task is put aside until it does.
 */
final class TextInsertion extends Insertion<TextTable> {

  private final TextStore store;
  private final TextBatch batch;
  private final RowScratch scratch;

  /**
   * Whether a task left keys because their text did not fit, since the last growth of the arena.
   */
  private volatile boolean noText;

  TextInsertion(TextStore store, TextBatch batch, OutcomeCounts sums) {
    super(store, batch, sums);
    this.store = store;
    this.batch = batch;
    this.scratch = batch.scratch;
  }

  @Override
  void launch(TextTable used, DeviceLongs counters, TaskRange task, int more) {
    super.launch(used, counters, task, more);
    if (counters.get(MapCodes.PENDING) > 0 && (more & MapCodes.BOUNDED) == 0) {
      noText = true;
      putAside(task);
    }
  }

  /** Inserts new keys, unless text did not fit: then it does not matter which keys are new. */
  @Override
  void insertNew(TextTable full) {
    if (!noText) {
      super.insertNew(full);
    }
  }

  /**
   * Makes capacity for all remaining text, if necessary. How many of the first keys were new, such
   * as words, says little about the rest.
   */
  @Override
  void growFor(TextTable full, long left, long atOnce) {
    long words = 0;
    if (noText) {
      long chunks = TextBatch.JVM_CHUNK * workers.count();
      words = left().stream().mapToLong(batch::wordsFor).sum() + chunks;
    }
    store.grow(full, atOnce, words);
    noText = false;
  }

  /**
   * Inserts a task with exclusive access. A thread of a device may find no space for a text because
   * another thread has it, and inserts an equal key: then the space is recovered. PENDING keys are
   * FULL after a launch has inserted nothing although there were no gaps.
   */
  @Override
  void insertAlone(TaskRange task) {
    boolean again = true;
    boolean compacted = false;
    while (again) {
      DeviceLongs counters = insertIntoRest(task);
      long inserted = counters.get(MapCodes.INSERTED);
      boolean pending = counters.get(MapCodes.PENDING) > 0;
      boolean news = inserted > 0 || !compacted;
      compacted = pending && news && store.compact();
      again = pending && (compacted || inserted > 0);
      if (pending && !again) {
        giveUp(task);
      }
    }
  }

  private void giveUp(TaskRange task) {
    workers.readBack(scratch.outcomeMemory);
    DeviceLongs counters = scratch.freshCounters(0);
    counters.set(MapCodes.FULL, scratch.giveUp(task));
    workers.hostWrote(scratch.outcomeMemory);
    sums.add(counters);
  }
}
