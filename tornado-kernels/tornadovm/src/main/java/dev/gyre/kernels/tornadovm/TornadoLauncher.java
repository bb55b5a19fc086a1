package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.MemoryRange;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.tornadovm.DeviceFacts;
import dev.gyre.atomics.tornadovm.Lowering;
import dev.gyre.atomics.tornadovm.UnsupportedByDeviceException;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.ClearLongs;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.MemoryKind;
import dev.gyre.kernels.tornadovm.graal.TreePlugin;
import java.util.List;
import java.util.function.LongConsumer;
import uk.ac.manchester.tornado.api.enums.TornadoDeviceType;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;

/**
 * Launcher for one device of TornadoVM, with several streams for works that do not use the same
 * memory.
 *
 * <p>{@link KernelLaunches} compiles and runs kernels, {@link DeviceMemory} copies memories, and
 * both submit their work to {@link DeviceSubmissions}.
 */
public final class TornadoLauncher implements Launcher {

  /** Threads per block, and blocks per multiprocessor, that keep a GPU busy. */
  private static final int GPU_BLOCK_SIZE = 256;

  private static final int GPU_BLOCKS_PER_UNIT = 8;

  /** Largest number of blocks, if there is a device thread per item. */
  private static final int MAX_GPU_BLOCKS = 1 << 22;

  /** Device threads per core: as on the JVM, more than cores, because pieces of work are uneven. */
  private static final int THREADS_PER_CORE = 8;

  private final TornadoXPUDevice tornado;
  private final Device device;
  private final Lowering lowering;
  private final DeviceSubmissions submissions;
  private final KernelLaunches kernels;
  private final DeviceMemory memories;

  TornadoLauncher(TornadoXPUDevice tornado, Device device) {
    this(tornado, device, tornado::sync);
  }

  /**
   * Creates a launcher.
   *
   * @param sync waits until the device has done what was queued in a plan's stream
   */
  TornadoLauncher(TornadoXPUDevice tornado, Device device, LongConsumer sync) {
    Memory.expectLargeBlocks();
    this.tornado = tornado;
    this.device = device;
    this.lowering = Lowering.install(tornado, new TreePlugin(Task::treeOfClass));
    KernelCode code = new KernelCode(tornado, device, lowering);
    Residency residency =
        Residency.of(device, isCpu(), DeviceFacts.of(tornado).computeCapability());
    // After everything that can throw: an exception would leave its memory allocated.
    this.submissions = new DeviceSubmissions(tornado, device, lowering, sync);
    this.kernels = new KernelLaunches(tornado, device, lowering, code, residency, submissions);
    this.memories = new DeviceMemory(device, submissions);
  }

  @Override
  public Device device() {
    return device;
  }

  /** Uses a given task for kernels of its tree, for tests. */
  void use(Task task) {
    kernels.use(task);
  }

  private boolean isCpu() {
    return tornado.getDeviceType() == TornadoDeviceType.CPU;
  }

  @Override
  public LaunchShape shapeFor(long items) {
    if (items < 1) {
      throw new IllegalArgumentException("items must be more than 0, not " + items);
    }
    if (isCpu()) {
      return LaunchShape.ofThreads((int) Math.min(items, (long) device.units() * THREADS_PER_CORE));
    }
    long blocks = (items + GPU_BLOCK_SIZE - 1) / GPU_BLOCK_SIZE;
    return new LaunchShape(
        (int) Math.min(blocks, (long) device.units() * GPU_BLOCKS_PER_UNIT), GPU_BLOCK_SIZE);
  }

  @Override
  public LaunchShape shapeForEach(long items) {
    LaunchShape lasting = shapeFor(items);
    long blocks = Math.min(Math.ceilDiv(items, GPU_BLOCK_SIZE), MAX_GPU_BLOCKS);
    return isCpu() ? lasting : new LaunchShape((int) blocks, GPU_BLOCK_SIZE);
  }

  @Override
  public int blocksAtOnce(Kernel kernel, int blockSize) {
    return kernels.blocksAtOnce(kernel, blockSize);
  }

  @Override
  public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
    return kernels.start(kernel, shape, mode);
  }

  @Override
  public void runChain(List<ChainLink> links, MemoryRange... back) {
    if (links.isEmpty()) {
      readBack(back);
      return;
    }
    List<MemoryRange> ranges = List.of(back);
    ranges.forEach(range -> DeviceBuffers.requireOnHost(range.memory()));
    kernels.start(links, ranges).join();
  }

  /**
   * Returns the text of a kernel in the device's language, compiled if necessary.
   *
   * @throws LaunchException if it does not compile
   */
  public String source(Kernel kernel) {
    return kernels.compiled(kernel, CompiledKernel::source);
  }

  /**
   * Returns the text to which an operation of the shim is lowered on this device; see {@link
   * Lowering#text}.
   *
   * @throws UnsupportedByDeviceException if the device does not support it
   */
  public String text(Operation operation) {
    return lowering.text(operation);
  }

  /** Returns the shared memory of a block, in bytes: a kernel that needs more is refused. */
  public long sharedBytes() {
    return lowering.sharedBytes();
  }

  /** Returns what texts of kernels depend on besides their kernels; see {@link KernelCache}. */
  String origin() {
    return Origin.of(tornado, lowering);
  }

  /** Returns the lowering of the shim on this device. */
  Lowering lowering() {
    return lowering;
  }

  @Override
  public void readBack(MemoryRange... ranges) {
    memories.readBack(ranges);
  }

  @Override
  public void hostWrote(MemoryRange... ranges) {
    memories.hostWrote(ranges);
  }

  @Override
  public void prefetch(MemoryRange... ranges) {
    memories.prefetch(ranges);
  }

  @Override
  public void copyIn(Memory to, MemoryRange from) {
    memories.copyIn(to, from);
  }

  @Override
  public void copyOut(Memory from, MemoryRange to) {
    memories.copyOut(from, to);
  }

  @Override
  public Memory memory(MemoryKind kind, long bytes) {
    return switch (kind) {
      case ORDINARY -> Memory.ofBytes(bytes);
      case PINNED, UNIFIED -> memories.shared(kind, bytes);
      case DEVICE_ONLY -> onDevice(bytes);
    };
  }

  /** Allocates device memory at once: if it is exhausted, this method fails and not a launch. */
  private Memory onDevice(long bytes) {
    Memory memory = Memory.onDevice(bytes);
    boolean made = false;
    try {
      clear(memory);
      made = true;
      return memory;
    } catch (LaunchException e) {
      throw e.getCause() instanceof MemoryExhaustedException full ? full : e;
    } finally {
      if (!made) {
        memory.close();
      }
    }
  }

  @Override
  public boolean copiesInPlace(Memory memory) {
    return submissions.buffers().copiesInPlace(memory);
  }

  @Override
  public boolean usesInPlace(Memory memory) {
    return submissions.buffers().isPinned(memory);
  }

  @Override
  public void clear(Memory... cleared) {
    for (Memory memory : cleared) {
      // A device holds whole longs.
      long length = Math.ceilDiv(memory.byteSize(), Long.BYTES);
      kernels.fill(
          memory, new ClearLongs(ThreadLongs.of(memory), length), shapeFor(Math.max(1, length)));
    }
  }

  @Override
  public void requireOpen() {
    submissions.queue().requireOpen();
  }

  @Override
  public void close() {
    submissions.close();
  }
}
