package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.Memory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Resources of a running work on a device: a stream of the driver, and the parameters of its
 * launches, so that works may overlap. One thread of the {@link DeviceStreams} uses it.
 *
 * @param plan number of an execution plan of TornadoVM, to which it assigns a stream or command
 *     queue, and a stack frame for launches
 * @param blocks parameters of the kernels that are queued in this stream, in turn
 * @param waiter waits until the device has done what was queued in a plan's stream
 */
record DeviceStream(long plan, List<Memory> blocks, LongConsumer waiter) {

  /** Numbers of TornadoVM's execution plans, far from its own. */
  private static final AtomicLong PLANS = new AtomicLong(1 << 20);

  /** Parameter blocks of a usual chain, as in a bulk call; more are allocated for a longer one. */
  private static final int USUAL_CHAIN = 8;

  /** Returns a stream, which TornadoVM creates at its first use, for the thread that uses it. */
  static DeviceStream open(LongConsumer waiter) {
    DeviceStream stream =
        new DeviceStream(PLANS.incrementAndGet(), new CopyOnWriteArrayList<>(), waiter);
    var _ = stream.parameters(USUAL_CHAIN);
    return stream;
  }

  /** Returns the parameters of the first kernel. */
  Memory parameters() {
    return blocks.getFirst();
  }

  /** Returns the parameters of a number of kernels. */
  List<Memory> parameters(int kernels) {
    while (blocks.size() < kernels) {
      blocks.add(Parameters.allocate());
    }
    return blocks.subList(0, kernels);
  }

  /** Waits until the device has done what was queued in this stream. */
  void sync() {
    waiter.accept(plan);
  }
}
