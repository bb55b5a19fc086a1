package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.Memory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * What work on a device has of its own while it runs, so that works may overlap: a stream of the
 * driver, and the parameters of its launches. Used by one thread of the {@link DeviceStreams}.
 *
 * @param plan number of an execution plan of TornadoVM's, to which it gives a stream, or command
 *     queue, and a stack frame for launches
 * @param blocks parameters of the kernels that are queued in this stream, in turn
 * @param waiter waits until the device has done what was queued in a plan's stream
 */
record DeviceStream(long plan, List<Memory> blocks, LongConsumer waiter) {

  /** Numbers of TornadoVM's execution plans; far from those that it counts itself. */
  private static final AtomicLong PLANS = new AtomicLong(1 << 20);

  /** Kernels of a chain as long as those of a bulk call; a longer one has more made for it. */
  private static final int USUAL_CHAIN = 8;

  /** A stream, which TornadoVM makes when it is first used, for the thread that does. */
  static DeviceStream open(LongConsumer waiter) {
    DeviceStream stream =
        new DeviceStream(PLANS.incrementAndGet(), new CopyOnWriteArrayList<>(), waiter);
    var _ = stream.parameters(USUAL_CHAIN);
    return stream;
  }

  /** Those of the first kernel. */
  Memory parameters() {
    return blocks.getFirst();
  }

  /** Those of so many kernels. */
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
