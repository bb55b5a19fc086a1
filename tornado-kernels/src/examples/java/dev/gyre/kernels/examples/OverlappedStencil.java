package dev.gyre.kernels.examples;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.SharedDoubles;
import dev.gyre.atomics.ThreadDoubles;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.sync.DeviceBarrier;
import dev.gyre.kernels.sync.SyncLayout;

/**
 * The talk's {@code solve_excellent}, with what a device has of it in Java: as {@link Stencil}, but
 * a thread does not wait for its neighbours' edges before it solves its interior, and its piece is
 * in fast memory, which its block shares.
 *
 * <p>The talk has {@code memcpy_async}: copies that end while the interior is solved, and for which
 * the barrier waits. No target has them for a barrier of the whole grid. Here the edges are loads
 * that nothing touches before the interior is solved, so that a GPU goes on meanwhile. An arrival
 * would wait for them; so no barrier says that they have been read. Instead all edges are kept
 * twice, for even and odd steps: who publishes the next ones writes over those of the step before,
 * which all have read. So a step has one phase, not two.
 *
 * <p>All threads must run at once. The first and the last cell of the row stay as they are.
 *
 * @param barrier a barrier for all threads, with room for {@link SyncLayout#WORDS} ints
 * @param cells the row: a piece for each thread
 * @param edges four doubles per thread: twice the first and the last cell of its piece
 * @param local twice a piece for each thread of a block, see {@link #localOf}
 * @param stuck one int: how many waits gave up
 * @param piece cells of a thread, at least 2
 * @param steps how often to step
 * @param pollLimit polls after which a wait gives up
 */
public record OverlappedStencil(
    DeviceInts barrier,
    ThreadDoubles cells,
    ThreadDoubles edges,
    SharedDoubles local,
    DeviceInts stuck,
    int piece,
    int steps,
    long pollLimit)
    implements Kernel {

  /** What a block shares, for its number of threads. */
  public static SharedDoubles localOf(int blockSize, int piece) {
    return SharedDoubles.of(Math.toIntExact(2L * piece * blockSize));
  }

  @Override
  public void run(int thread, LaunchShape shape) {
    int threads = shape.threads();
    long first = (long) thread * piece;
    // Only this thread touches what is there.
    long mine = 2L * piece * (thread % shape.blockSize());
    for (int i = 0; i < piece; i++) {
      local.set(mine + i, cells.get(first + i));
    }
    long from = mine;
    publish(2L * thread, local.get(from), local.get(from + piece - 1));
    int waits = DeviceBarrier.arriveAndWait(barrier, 0, pollLimit);
    for (int step = 0; step < steps; step++) {
      long now = 2L * threads * (step & 1);
      long next = 2L * threads - now;
      long to = 2 * mine + piece - from;
      double left = thread == 0 ? local.get(from) : edges.get(now + 2L * thread - 1);
      double right =
          thread == threads - 1 ? local.get(from + piece - 1) : edges.get(now + 2L * thread + 2);
      for (long i = 1; i < piece - 1; i++) {
        local.set(
            to + i,
            Stencil.next(local.get(from + i - 1), local.get(from + i), local.get(from + i + 1)));
      }
      double low = Stencil.next(left, local.get(from), local.get(from + 1));
      double high = Stencil.next(local.get(from + piece - 2), local.get(from + piece - 1), right);
      low = thread == 0 ? left : low;
      high = thread == threads - 1 ? right : high;
      local.set(to, low);
      local.set(to + piece - 1, high);
      publish(next + 2L * thread, low, high);
      waits += DeviceBarrier.arriveAndWait(barrier, 0, pollLimit);
      from = to;
    }
    for (int i = 0; i < piece; i++) {
      cells.set(first + i, local.get(from + i));
    }
    if (waits != steps + 1) {
      int _ = stuck.fetchAddRelaxed(0, 1);
    }
  }

  private void publish(long at, double first, double last) {
    edges.set(at, first);
    edges.set(at + 1, last);
  }
}
