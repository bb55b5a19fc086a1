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
import java.util.Arrays;
import java.util.List;

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

  /** Copies to the host, which are queued and waited for. */
  private interface Copies {
    /**
     * Queues the copies.
     *
     * @param begun receives the memories whose host copy is to become current
     */
    void queue(DeviceStream stream, List<Memory> begun);
  }

  /** See {@link dev.gyre.kernels.Launcher#readBack}. */
  void readBack(MemoryRange... ranges) {
    List<MemoryRange> all = List.of(ranges);
    List<Memory> memories = all.stream().map(MemoryRange::memory).toList();
    memories.forEach(DeviceBuffers::requireOnHost);
    readBack(
        memories,
        (stream, begun) -> {
          for (MemoryRange range : all) {
            if (buffers.beginToHost(range, stream)) {
              begun.add(range.memory());
            }
          }
        });
  }

  /** See {@link dev.gyre.kernels.Launcher#copyOut}. */
  void copyOut(Memory from, MemoryRange to) {
    MemoryRange beginning = from.first(to.byteSize());
    readBack(
        List.of(from, to.memory()),
        (stream, _) -> {
          buffers.toHost(beginning, to, stream);
          stream.sync();
        });
  }

  private void readBack(List<Memory> memories, Copies copies) {
    List<Memory> _ = submissions.run(COPY, memories, stream -> readBack(memories, stream, copies));
  }

  private List<Memory> readBack(List<Memory> memories, DeviceStream stream, Copies copies) {
    List<Memory> begun = new ArrayList<>();
    return submissions.onDevice(
        COPY,
        stream,
        List.of(),
        memories,
        begun,
        () ->
            submissions
                .queue()
                .watched(
                    COPY,
                    () -> {
                      copies.queue(stream, begun);
                      if (!begun.isEmpty()) {
                        stream.sync();
                      }
                      return memories;
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
    for (Memory memory : Arrays.stream(ranges).map(MemoryRange::memory).toList()) {
      DeviceWork<Memory> _ =
          submissions.submit(COPY, List.of(memory), Kind.COPY_IN, stream -> send(stream, memory));
    }
  }

  private Memory send(DeviceStream stream, Memory memory) throws Exception {
    boolean sent = false;
    try {
      Memory all =
          submissions
              .queue()
              .watched(
                  COPY,
                  () -> {
                    long _ = buffers.toDevice(memory, stream);
                    stream.sync();
                    return memory;
                  });
      sent = true;
      return all;
    } finally {
      if (!sent) {
        submissions.awaitDevice(COPY, stream, List.of(memory));
        buffers.notSent(memory);
      }
    }
  }

  /** See {@link dev.gyre.kernels.Launcher#copyIn}. */
  void copyIn(Memory to, MemoryRange from) {
    MemoryRange _ = to.first(from.byteSize());
    long writes = buffers.writes(to);
    List<Memory> touched = List.of(to, from.memory());
    DeviceWork<Memory> _ =
        submissions.submit(
            COPY, touched, Kind.COPY_IN, stream -> copyIn(to, from, touched, writes, stream));
  }

  /** Copies to the device. If that fails, the next use of the memory fails with it. */
  private Memory copyIn(
      Memory to, MemoryRange from, List<Memory> touched, long writes, DeviceStream stream) {
    try {
      return submissions.onDevice(
          COPY,
          stream,
          List.of(),
          touched,
          List.of(),
          () ->
              submissions
                  .queue()
                  .watched(
                      COPY,
                      () -> {
                        buffers.toDevice(to, from, writes, stream);
                        stream.sync();
                        return to;
                      }));
    } catch (LaunchException e) {
      buffers.lose(to, writes, e.getCause() == null ? e : e.getCause());
      throw e;
    }
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
