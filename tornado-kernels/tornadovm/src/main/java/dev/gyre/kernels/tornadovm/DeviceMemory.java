package dev.gyre.kernels.tornadovm;

import static dev.gyre.kernels.tornadovm.DeviceSubmissions.COPY;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryRange;
import dev.gyre.atomics.tornadovm.SharedMemory;
import dev.gyre.atomics.tornadovm.SharedMemory.Pages;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.MemoryKind;
import dev.gyre.kernels.MemoryKindException;
import dev.gyre.kernels.tornadovm.DeviceWork.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Allocates memory for a device, and copies memories between host and device. */
final class DeviceMemory {

  private final Device device;
  private final DeviceSubmissions submissions;
  private final DeviceBuffers buffers;

  DeviceMemory(Device device, DeviceSubmissions submissions) {
    this.device = device;
    this.submissions = submissions;
    this.buffers = submissions.buffers();
  }

  /** See {@link dev.gyre.kernels.Launcher#readBack}. */
  void readBack(MemoryRange... ranges) {
    List<MemoryRange> all = List.of(ranges);
    List<Memory> memories = all.stream().map(MemoryRange::memory).toList();
    memories.forEach(DeviceBuffers::requireOnHost);
    List<Memory> begun = new ArrayList<>();
    boolean _ =
        submissions.run(
            COPY,
            memories,
            stream ->
                copy(
                    stream,
                    memories,
                    begun,
                    () -> {
                      for (MemoryRange range : all) {
                        if (buffers.beginToHost(range, stream)) {
                          begun.add(range.memory());
                        }
                      }
                      return !begun.isEmpty();
                    }));
  }

  /** See {@link dev.gyre.kernels.Launcher#copyOut}. */
  void copyOut(Memory from, MemoryRange to) {
    MemoryRange beginning = from.first(to.byteSize());
    List<Memory> touched = List.of(from, to.memory());
    boolean _ =
        submissions.run(
            COPY,
            touched,
            stream -> copy(stream, touched, () -> buffers.toHost(beginning, to, stream)));
  }

  private boolean copy(DeviceStream stream, List<Memory> touched, Runnable copy) {
    return copy(
        stream,
        touched,
        List.of(),
        () -> {
          copy.run();
          return true;
        });
  }

  /**
   * Queues copies and waits for them; on a thread of the queue.
   *
   * @param begun memories whose copies to the host were begun
   * @param copies queues the copies; returns whether there is something to wait for
   * @return whether there was
   * @throws LaunchException if a copy fails
   */
  private boolean copy(
      DeviceStream stream, List<Memory> touched, List<Memory> begun, BooleanSupplier copies) {
    return submissions.onDevice(
        COPY,
        stream,
        List.of(),
        touched,
        begun,
        () ->
            submissions
                .queue()
                .watched(
                    COPY,
                    () -> {
                      boolean queued = copies.getAsBoolean();
                      if (queued) {
                        stream.sync();
                      }
                      return queued;
                    }));
  }

  /** See {@link dev.gyre.kernels.Launcher#hostWrote}. */
  void hostWrote(MemoryRange... ranges) {
    for (MemoryRange range : ranges) {
      if (range.from() != 0) {
        throw new IllegalArgumentException(
            "a range of hostWrote must begin at the start of its memory, not at byte "
                + range.from());
      }
      DeviceBuffers.requireOnHost(range.memory());
      buffers.hostWrote(range.memory(), range.byteSize());
    }
  }

  /** See {@link dev.gyre.kernels.Launcher#prefetch}. */
  void prefetch(MemoryRange... ranges) {
    hostWrote(ranges);
    for (MemoryRange range : ranges) {
      Memory memory = range.memory();
      List<Memory> touched = List.of(memory);
      DeviceWork<Boolean> _ =
          submissions.submit(
              COPY,
              touched,
              Kind.COPY_IN,
              stream -> {
                try {
                  return copy(stream, touched, () -> buffers.toDevice(memory, stream));
                } catch (LaunchException e) {
                  buffers.notSent(memory);
                  throw e;
                }
              });
    }
  }

  /** See {@link dev.gyre.kernels.Launcher#copyIn}. */
  void copyIn(Memory to, MemoryRange from) {
    MemoryRange _ = to.first(from.byteSize());
    long writes = buffers.writes(to);
    List<Memory> touched = List.of(to, from.memory());
    DeviceWork<Boolean> _ =
        submissions.submit(
            COPY,
            touched,
            Kind.COPY_IN,
            stream -> {
              try {
                return copy(stream, touched, () -> buffers.toDevice(to, from, writes, stream));
              } catch (LaunchException e) {
                // The next use of the memory fails with it.
                buffers.lose(to, writes, e.getCause() == null ? e : e.getCause());
                throw e;
              }
            });
  }

  /** Allocates memory that host and device access in place. */
  Memory shared(MemoryKind kind, long bytes) {
    Pages pages = kind == MemoryKind.PINNED ? Pages.STAY : Pages.MOVE;
    SharedMemory shared = buffers.shared();
    String problem = shared.problem(pages);
    if (!problem.isEmpty()) {
      throw new MemoryKindException(kind, device, problem);
    }
    SharedMemory.Block block = shared.make(pages, Memory.blockBytes(bytes));
    Memory memory = Memory.ofBlock(block.segment(), bytes, block.free());
    buffers.share(memory, block.address(), pages);
    return memory;
  }
}
