package dev.gyre.kernels;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Internal;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryRange;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Runs kernels on one device: the JVM or a GPU.
 *
 * <pre>{@code
 * try (Launcher launcher = Launchers.open(Launchers.auto().target());
 *     Memory memory = Memory.ofInts(items)) {
 *   launcher.run(new AddOne(DeviceInts.of(memory), items), launcher.shapeFor(items));
 *   launcher.readBack(memory);
 * }
 * }</pre>
 *
 * <p><b>Memory.</b> What the caller wrote before {@link #start} happens before the kernel, and what
 * the kernel wrote happens before the return of {@link Launch#join}. A device may have separate
 * memory: {@link #readBack} copies what kernels wrote to the host, and {@link #hostWrote} declares
 * what the host wrote.
 *
 * <p><b>Threads.</b> All methods are thread-safe. Launches and copies may overlap. On a device,
 * operations that access the same memory run in the order in which they were started.
 *
 * <p><b>Lifetime.</b> A launch or copy pins its memories from its start until it has ended, failed
 * or been cancelled. {@link Memory#close} waits for that. An interrupt cancels only a {@link
 * Launch}; copies run to their end, and the interrupt status is kept.
 *
 * <p><b>Errors.</b> If a device does not end its work in time, or its driver stops a kernel, the
 * launcher abandons the device. Waiting and later calls throw {@link LaunchTimeoutException}.
 * Memory in use by the device is kept until its work has ended; see {@link
 * dev.gyre.atomics.MemoryInUseException}. What was only on the device is lost.
 *
 * @since 0.1.0
 */
public interface Launcher extends AutoCloseable {

  /** Returns the device. */
  Device device();

  /** Returns the launchers of a {@link LauncherGroup}, otherwise this launcher. */
  default List<Launcher> parts() {
    return List.of(this);
  }

  /**
   * Returns a shape that keeps the device busy with independent items of work.
   *
   * @param items number of items that can be processed at the same time, more than 0
   */
  LaunchShape shapeFor(long items);

  /**
   * Returns a shape for many small items. A GPU gets a device thread per item and starts blocks as
   * others end, which balances the load. With {@link #shapeFor}, all threads run from beginning to
   * end.
   *
   * @param items number of items that can be processed at the same time, more than 0
   */
  default LaunchShape shapeForEach(long items) {
    return shapeFor(items);
  }

  /**
   * Returns how many blocks of a kernel are guaranteed to run at the same time: the largest grid
   * for {@link LaunchMode#CONCURRENT}, and for threads that meet at a latch or a barrier.
   *
   * <p>On a device it depends on the registers of the kernel, which is compiled for that.
   *
   * @param blockSize device threads per block, 1 or more
   * @return 0 if not even one block fits, or if this launcher does not know
   * @throws LaunchException if the kernel does not compile, or the device has a smaller block size
   * @throws IllegalArgumentException if the block size is less than 1
   */
  default int blocksAtOnce(Kernel kernel, int blockSize) {
    return 0;
  }

  /**
   * Starts a kernel.
   *
   * <p>A kernel whose threads meet at a latch or a barrier is refused with a {@link
   * ResidencyException} if they are not guaranteed to run at the same time. On a device {@link
   * Launch#join} throws it, before the kernel begins. On the JVM it is thrown before a thread
   * waits.
   *
   * @throws LaunchException if the kernel cannot be launched
   * @throws ClosedException if this launcher, or a memory for a device, is closed
   */
  Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode);

  /**
   * Runs a kernel and waits for its end, {@linkplain LaunchMode#STRIDED strided}.
   *
   * @throws LaunchException as {@link #start} and {@link Launch#join}
   * @throws ClosedException if this launcher is closed, also if that cancelled the launch
   */
  default void run(Kernel kernel, LaunchShape shape) {
    start(kernel, shape, LaunchMode.STRIDED).join();
  }

  /**
   * Runs kernels one after another and copies memories back to the host, in one submission.
   *
   * <p>Each kernel sees what earlier ones wrote. A device starts a kernel as soon as the previous
   * one has ended, and the host waits once. If a kernel fails, later ones may have run too. An
   * interrupt cancels what has not begun, as in {@link Launch#join}: on a device the whole chain,
   * on the JVM the remaining kernels.
   *
   * @throws LaunchException as {@link #run} and {@link #readBack}, for the first failure
   * @throws ClosedException as {@link #run} and {@link #readBack}
   */
  default void runChain(List<ChainLink> links, MemoryRange... back) {
    links.forEach(link -> run(link.kernel(), link.shape()));
    readBack(back);
  }

  /**
   * Copies memories, or ranges of them, to the host after kernels on the device may have written
   * them. Bytes around a range may be out of date on the host. If device and host share memory, as
   * on the JVM, this method does nothing.
   *
   * @throws LaunchException if they cannot be copied
   * @throws ClosedException if this launcher or a memory is closed
   */
  default void readBack(MemoryRange... ranges) {}

  /**
   * Declares that the host wrote memories, or their first bytes: the next launch that uses them
   * sends these bytes again.
   *
   * <p>Without this call a memory is sent only before its first use, as a whole. Bytes after a
   * range are unchanged on the device.
   *
   * @throws IllegalArgumentException if a range does not begin at the start of its memory
   */
  default void hostWrote(MemoryRange... ranges) {}

  /**
   * Declares that the host wrote memories, as {@link #hostWrote} does, and begins to send them at
   * once.
   *
   * <p>The next launch that uses one of the memories waits for it. The host must not change them
   * until that launch has ended. If sending fails, that launch tries again and reports the failure.
   * If device and host share memory, as on the JVM, this method does nothing.
   *
   * @throws ClosedException if this launcher or a memory is closed
   * @throws LaunchTimeoutException if the device was abandoned
   * @throws IllegalArgumentException as {@link #hostWrote}
   */
  default void prefetch(MemoryRange... ranges) {
    hostWrote(ranges);
  }

  /**
   * Begins to send a range of one memory to the start of another memory on the device, whose copy
   * on the host is then out of date. Otherwise as {@link #prefetch}, except that the next launch
   * that uses the memory fails if sending failed.
   *
   * @param from the range, in its copy on the host
   * @throws IllegalArgumentException if {@code to} is shorter than the range
   */
  default void copyIn(Memory to, MemoryRange from) {
    MemoryRange beginning = to.first(from.byteSize());
    MemorySegment.copy(from.memory().segment(), from.from(), to.segment(), 0, from.byteSize());
    prefetch(beginning);
  }

  /**
   * Copies the first bytes of a memory from the device to a range of another memory on the host.
   *
   * @param to the range; if the device has a copy of its memory, call {@link #hostWrote}
   * @throws IllegalArgumentException if {@code from} is shorter than the range
   * @throws LaunchException if it cannot be copied
   */
  default void copyOut(Memory from, MemoryRange to) {
    readBack(from.first(to.byteSize()));
    MemorySegment.copy(from.segment(), 0, to.memory().segment(), to.from(), to.byteSize());
  }

  /**
   * Allocates memory of a kind for the device of this launcher, set to 0. Every target supports
   * {@link MemoryKind#ORDINARY}, which is also what {@link Memory#ofBytes} returns.
   *
   * @throws MemoryKindException if the device does not support the kind
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory is not available
   * @throws IllegalArgumentException if {@code bytes} is negative
   */
  default Memory memory(MemoryKind kind, long bytes) {
    if (kind != MemoryKind.ORDINARY) {
      throw new MemoryKindException(
          kind, device(), "threads of the JVM use ordinary memory where it lies");
    }
    return Memory.ofBytes(bytes);
  }

  /**
   * Returns whether a memory can be copied to and from the device at full speed without a staging
   * buffer. Bulk operations then do so.
   */
  @Internal
  default boolean copiesInPlace(Memory memory) {
    return false;
  }

  /**
   * Returns whether kernels access a memory on the host in place: {@linkplain MemoryKind#PINNED
   * pinned} memory of this launcher. Their accesses go over the bus, and nothing is copied.
   */
  @Internal
  default boolean usesInPlace(Memory memory) {
    return false;
  }

  /**
   * Sets all bytes of memories to 0 for the kernels of this device, without a transfer. The host
   * sees it after {@link #readBack}. If device and host share memory, as on the JVM, this method
   * does nothing: the host clears the memory.
   *
   * @throws LaunchException if the device memory is exhausted, or the launch fails
   * @throws ClosedException if this launcher or a memory is closed
   */
  default void clear(Memory... memories) {}

  /**
   * Throws if this launcher is closed. A launcher that does not override it counts as open.
   *
   * @throws ClosedException if this launcher is closed
   */
  @Internal
  default void requireOpen() {}

  /**
   * Cancels what has not begun, waits for what has begun on a device until it ends or the device is
   * abandoned, and releases the device. Further calls do nothing.
   */
  @Override
  void close();
}
