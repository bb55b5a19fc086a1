package dev.gyre.structures.spark;

import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.TextHashing;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Queue;
import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;
import scala.Tuple2;

/**
 * A task's part of a count: fills a structure from its partition and writes it as blocks of runs,
 * each with the number of its piece, whenever it is full, and at the end.
 */
final class Filling implements Iterator<Tuple2<Integer, byte[]>> {

  /** Number of elements after which a task checks whether it was killed. */
  private static final int ELEMENTS = 1 << 10;

  private static final long SEED = 0x53_70_61_72_6bL;
  private static final long MULTIPLIER = TextHashing.multiplier(SEED);
  private static final long END_MULTIPLIER = TextHashing.endMultiplier(SEED);

  private final TaskContext task;
  private final Rows rows;
  private final Filler filler;
  private final RunWriter[] pieces;
  private final Queue<Tuple2<Integer, byte[]>> ready = new ArrayDeque<>();
  private boolean ended;

  /**
   * Creates a count of rows.
   *
   * @param pieces number of pieces to cut
   * @param memory largest number of bytes off-heap
   */
  Filling(TaskContext task, Rows rows, KeyType<?, ?> type, Fold fold, int pieces, long memory) {
    this.task = task;
    this.rows = rows;
    this.pieces = new RunWriter[pieces];
    for (int i = 0; i < pieces; i++) {
      this.pieces[i] = new RunWriter();
    }
    long granted = TaskMemory.offHeap(task, memory);
    // Closed in reverse order, before the memory is returned.
    Launcher launcher = Workplace.open(task);
    task.addTaskCompletionListener((TaskCompletionListener) _ -> launcher.close());
    this.filler = type.filler(fold, launcher, granted, this::putOut);
    Filler closed = filler;
    task.addTaskCompletionListener((TaskCompletionListener) _ -> closed.close());
  }

  @Override
  public boolean hasNext() {
    for (int elements = 1; ready.isEmpty() && !ended; elements++) {
      if (elements % ELEMENTS == 0) {
        task.killTaskIfInterrupted();
      }
      if (rows.next()) {
        filler.add(rows);
      } else {
        filler.flush();
        putOut();
        filler.close();
        ended = true;
      }
    }
    return !ready.isEmpty();
  }

  @Override
  public Tuple2<Integer, byte[]> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return ready.remove();
  }

  private void putOut() {
    filler.drain(
        (key, length, value) -> {
          int piece = piece(key, length);
          pieces[piece].add(key, length, value);
          if (pieces[piece].isFull()) {
            putOut(piece);
          }
        });
    for (int piece = 0; piece < pieces.length; piece++) {
      if (!pieces[piece].isEmpty()) {
        putOut(piece);
      }
    }
  }

  private void putOut(int piece) {
    ready.add(new Tuple2<>(piece, pieces[piece].take()));
  }

  /** Returns the piece of a key, by the upper bits of its hash. */
  private int piece(byte[] key, int length) {
    return pieces.length == 1
        ? 0
        : (int)
            Math.unsignedMultiplyHigh(
                TextHashing.hash(key, length, SEED, MULTIPLIER, END_MULTIPLIER), pieces.length);
  }
}
