package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.MemoryInUseException;
import dev.gyre.atomics.tornadovm.Lowering;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.tornadovm.DeviceWork.Kind;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;

/**
 * Submits work to a device. Each work pins its memories until it has ended, and runs in one of the
 * device's streams. After a failure the thread waits for the device, so that memories can be freed.
 */
final class DeviceSubmissions implements AutoCloseable {

  /** Name of a copy in errors. */
  static final String COPY = "copy";

  private final Device device;
  private final Lowering lowering;
  private final DeviceQueue queue;
  private final DeviceBuffers buffers;

  /** One stream per thread of the queue. */
  private final List<DeviceStream> streams;

  private final AtomicInteger streamsUsed = new AtomicInteger();

  /** Whether this was closed while the device might still read parameters. */
  private volatile boolean keepsParameters;

  /**
   * Creates submissions to a device.
   *
   * @param sync waits until the device has done what was queued in a plan's stream
   */
  DeviceSubmissions(TornadoXPUDevice tornado, Device device, Lowering lowering, LongConsumer sync) {
    this.device = device;
    this.lowering = lowering;
    this.streams =
        Stream.generate(() -> DeviceStream.open(sync)).limit(DeviceStreams.MOST).toList();
    this.queue = new DeviceQueue(device, this::bindStream);
    this.buffers = new DeviceBuffers(tornado, queue);
  }

  private DeviceStream bindStream() {
    // The context of CUDA belongs to threads.
    lowering.bindThread();
    return streams.get(streamsUsed.getAndIncrement());
  }

  DeviceQueue queue() {
    return queue;
  }

  DeviceBuffers buffers() {
    return buffers;
  }

  /**
   * Queues work.
   *
   * @throws ClosedException if this or a memory is closed
   */
  <T> DeviceWork<T> submit(
      String what, List<Memory> memories, Kind kind, DeviceWork.InStream<T> work) {
    Runnable letGo = buffers.hold(memories);
    Runnable whenOver =
        () -> {
          letGo.run();
          if (keepsParameters) {
            freeParameters();
          }
        };
    boolean queued = false;
    try {
      DeviceWork<T> all = queue.submit(what, memories, whenOver, kind, work);
      queued = true;
      return all;
    } finally {
      if (!queued) {
        letGo.run();
      }
    }
  }

  /** Runs work and waits for it. */
  <T> T run(String what, List<Memory> memories, DeviceWork.InStream<T> work) {
    return await(what, submit(what, memories, Kind.OTHER, work));
  }

  /**
   * Runs work on the device. It has ended when this method returns or throws, so that memories may
   * be freed. Some copies may have been queued when others failed.
   *
   * @param own memories that are pinned here
   * @param touched all memories that it uses
   * @param back memories whose copies to the host it began
   * @throws LaunchException if it fails
   */
  <T> T onDevice(
      String what,
      DeviceStream stream,
      List<Memory> own,
      List<Memory> touched,
      List<Memory> back,
      Callable<T> work) {
    Runnable letGo = buffers.hold(own);
    try {
      return work.call();
    } catch (Exception | Error e) {
      awaitDevice(what, stream, touched);
      back.forEach(buffers::deviceWrote);
      throw switch (e) {
        case LaunchException known -> known;
        case MemoryExhaustedException full ->
            new LaunchException(what, device, String.valueOf(full.getMessage()), full);
        default -> new LaunchException(what, device, "the launch failed: " + e, e);
      };
    } finally {
      letGo.run();
    }
  }

  /**
   * Waits until the device has done what was queued, even if it failed. If the wait fails, its
   * memories are kept for good.
   */
  void awaitDevice(String what, DeviceStream stream, List<Memory> touched) {
    try {
      DeviceStream _ =
          queue.watchedInAnyCase(
              what,
              () -> {
                stream.sync();
                return stream;
              });
    } catch (Exception | Error e) {
      buffers.keep(touched);
      queue.lose("the device cannot be waited for after %s failed: %s".formatted(what, e));
    }
  }

  /** Waits without regard to interrupts: this work cannot be stopped. */
  private <T> T await(String what, Future<T> future) {
    try {
      return queue.await(what, future, _ -> {});
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException known) {
        throw known;
      }
      throw new LaunchException(what, device, String.valueOf(e.getCause()), e.getCause());
    }
  }

  @Override
  public void close() {
    queue.close();
    freeParameters();
    if (keepsParameters && !queue.isStuck()) {
      // It ended before it could see that they are to be freed.
      freeParameters();
    }
    buffers.close();
  }

  /** Frees the parameters; on a stuck device, when it comes back. */
  private void freeParameters() {
    boolean kept = false;
    for (Memory block : streams.stream().flatMap(s -> s.blocks().stream()).toList()) {
      try {
        block.close();
      } catch (MemoryInUseException e) {
        // The callers that waited for its work were notified.
        kept = true;
      }
    }
    keepsParameters = kept;
  }
}
