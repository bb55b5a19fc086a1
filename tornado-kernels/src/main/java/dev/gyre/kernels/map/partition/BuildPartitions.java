package dev.gyre.kernels.map.partition;

import static dev.gyre.kernels.map.MapCodes.INSERTED;
import static dev.gyre.kernels.map.MapCodes.KEEP;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.SKIPPED;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Counting;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.NumberTable;

/**
 * Inserts entries in the order of a table's partitions: each block into one {@link BlockPartition}
 * after another.
 *
 * <p>If a layout changes values {@linkplain PartitionSlots#inRounds in rounds}, each thread inserts
 * one key. Then the threads whose keys are present change their values. So no thread waits for a
 * value.
 *
 * @param built the partition of a block
 * @param level level of the partitions
 * @param isNew whether all slots are EMPTY, and need not be read
 */
public record BuildPartitions(
    BlockPartition built, Pairs entries, PartitionLevel level, Change change, boolean isNew)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    PartitionSlots layout = built.layout();
    NumberTable table = layout.table();
    DeviceInts numbers = level.numbers();
    int blockSize = shape.blockSize();
    int own = thread % blockSize;
    int partitions = level.isCrowded() ? 0 : level.partitions();
    boolean inRounds = layout.inRounds(change);
    int inserted = 0;
    int present = 0;
    for (int part = thread / blockSize; part < partitions; part += shape.blocks()) {
      long first = level.firstSlot(table, part);
      int size = (int) (level.firstSlot(table, part + 1) - first);
      int end = numbers.get(level.begins() + part + 1);
      built.read(own, blockSize, first, size, isNew);
      int begin = numbers.get(level.begins() + part);
      long next = begin + own < end ? entries.word(begin + own) : 0;
      long nextCompanion = begin + own < end ? entries.companion(begin + own) : 0;
      // In rounds, all threads of the block arrive at each barrier.
      for (int at = inRounds ? begin : begin + own; at < end; at += blockSize) {
        int i = inRounds ? at + own : at;
        boolean is = i < end;
        long key = entries.keyIn(next);
        long value = entries.valueIn(next, nextCompanion);
        i += blockSize;
        // The next entry is requested early, because memory is slow.
        next = i < end ? entries.word(i) : 0;
        nextCompanion = i < end ? entries.companion(i) : 0;
        int home = built.home(key, first, size);
        int outcome = SKIPPED;
        if (is) {
          outcome = built.insert(key, value, home, size, change);
        }
        inserted += outcome == INSERTED ? 1 : 0;
        present += outcome == PRESENT ? 1 : 0;
        if (inRounds) {
          Block.barrier();
          // No loop in a branch here: TornadoVM would mistranslate it.
          boolean changes = outcome == PRESENT && change.policy() != KEEP;
          layout.change(built.slots(), key, value, home, size, change, changes);
        }
      }
      built.write(own, blockSize, first, size);
    }
    Counting.add(level.counters(), thread, INSERTED, inserted, MapCodes.STRIPED);
    Counting.add(level.counters(), thread, PRESENT, present, MapCodes.STRIPED);
  }
}
