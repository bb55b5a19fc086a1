package dev.gyre.kernels.examples;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.ThreadDoubles;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.sync.DeviceBarrier;
import dev.gyre.kernels.sync.SyncLayout;

/**
 * The talk's stencil, {@code solve_better}: every thread owns a piece of a row of cells, reads its
 * neighbours' edges, arrives early, solves its interior, waits until all have read, and only then
 * solves and publishes its edges. {@link OverlappedStencil} is {@code solve_excellent}.
 *
 * <p>All threads must run at once. The first and the last cell of the row stay as they are.
 *
 * @param barrier a barrier for all threads, with room for {@link SyncLayout#WORDS} ints
 * @param cells {@code 2 * length} doubles: the row, and as many for the next step
 * @param edges two doubles per thread: the first and the last cell of its piece
 * @param stuck one int: how many waits gave up
 * @param length cells of the row; a multiple of the number of threads, at least twice as much
 * @param steps how often to step
 * @param pollLimit polls after which a wait gives up
 */
public record Stencil(
    DeviceInts barrier,
    ThreadDoubles cells,
    ThreadDoubles edges,
    DeviceInts stuck,
    long length,
    int steps,
    long pollLimit)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    solve(thread, shape.threads(), barrier, cells, edges, stuck, length, steps, pollLimit);
  }

  /** A cell's next value. */
  public static double next(double left, double here, double right) {
    return (left + 2 * here + right) / 4;
  }

  /** The talk's {@code solve_better}; a device function. */
  public static void solve(
      int thread,
      int threads,
      DeviceInts barrier,
      ThreadDoubles cells,
      ThreadDoubles edges,
      DeviceInts stuck,
      long length,
      int steps,
      long pollLimit) {
    long first = length / threads * thread;
    long last = first + length / threads - 1;
    long from = 0;
    publish(thread, cells, edges, from + first, from + last);
    int waits = DeviceBarrier.arriveAndWait(barrier, 0, pollLimit);
    for (int step = 0; step < steps; step++) {
      long to = length - from;
      double left = thread == 0 ? cells.get(from + first) : edges.get(2L * thread - 1);
      double right = thread == threads - 1 ? cells.get(from + last) : edges.get(2L * thread + 2);
      // All have read their neighbours' edges once all have arrived.
      int token = DeviceBarrier.arrive(barrier, 0);
      if (DeviceBarrier.isLast(token) == 1) {
        DeviceBarrier.complete(barrier, 0);
      }
      for (long i = first + 1; i < last; i++) {
        cells.set(
            to + i, next(cells.get(from + i - 1), cells.get(from + i), cells.get(from + i + 1)));
      }
      waits += DeviceBarrier.await(barrier, 0, token, pollLimit);
      double low = next(left, cells.get(from + first), cells.get(from + first + 1));
      double high = next(cells.get(from + last - 1), cells.get(from + last), right);
      cells.set(to + first, thread == 0 ? left : low);
      cells.set(to + last, thread == threads - 1 ? right : high);
      publish(thread, cells, edges, to + first, to + last);
      waits += DeviceBarrier.arriveAndWait(barrier, 0, pollLimit);
      from = to;
    }
    if (waits != 2 * steps + 1) {
      int _ = stuck.fetchAddRelaxed(0, 1);
    }
  }

  private static void publish(
      int thread, ThreadDoubles cells, ThreadDoubles edges, long first, long last) {
    edges.set(2L * thread, cells.get(first));
    edges.set(2L * thread + 1, cells.get(last));
  }
}
