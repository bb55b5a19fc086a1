package dev.gyre.kernels;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryRange;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Runs kernels on one device.
 *
 * <p>What a kernel wrote happens before the return of {@link Launch#join}; what the caller wrote
 * before {@link #start} happens before the kernel. A device may have memory of its own: what
 * kernels wrote is seen by the host after {@link #readBack}, what the host wrote by kernels after
 * {@link #hostWrote}. Thread-safe; launches and copies may overlap, but on a device those that
 * touch the same memory are done in the order in which they were started.
 *
 * <p>A device holds the memories of a launch or a copy from when it is started until it has ended,
 * failed or been cancelled: {@link Memory#close} waits for that. Where a device does not end what
 * it began within the time that it is given, it is abandoned: what waits is dropped with a {@link
 * LaunchTimeoutException}, as all is refused from then on, and the memories of what had begun are
 * kept until that has ended, see {@link dev.gyre.atomics.MemoryInUseException}. So is a device
 * whose driver stopped a kernel in the middle, since its context may be lost: what was there alone
 * is lost with it.
 *
 * <p>An interrupt ends nothing but a {@link Launch}, see {@link Launch#join}; copies are made to
 * their end, and the interrupt is kept.
 */
public interface Launcher extends AutoCloseable {

  /** The device that this launches on. */
  Device device();

  /** What this consists of: several launchers if it is a {@link LauncherGroup}, else itself. */
  default List<Launcher> parts() {
    return List.of(this);
  }

  /**
   * A shape that keeps the device busy with independent pieces of work.
   *
   * @param items pieces of work that can be done at the same time, more than 0
   */
  LaunchShape shapeFor(long items);

  /**
   * A shape for many small items. A GPU has a device thread for each: it starts blocks as others
   * end, which balances the load; with {@link #shapeFor} all run from beginning to end.
   *
   * @param items pieces of work that can be done at the same time, more than 0
   */
  default LaunchShape shapeForEach(long items) {
    return shapeFor(items);
  }

  /**
   * How many blocks of a size are sure to run at once when they run this kernel: the largest grid
   * for {@link LaunchMode#CONCURRENT}, and for threads that meet at a latch or a barrier. A device
   * counts with the registers that the kernel takes, and compiles it for that.
   *
   * @param blockSize device threads of a block, 1 or more
   * @return 0 if not even the threads of one such block are sure to run at once, or if this
   *     launcher does not know
   * @throws LaunchException if the kernel does not compile, or blocks of the device are smaller
   * @throws IllegalArgumentException if the block size is not positive
   */
  default int blocksAtOnce(Kernel kernel, int blockSize) {
    return 0;
  }

  /**
   * Starts a kernel.
   *
   * <p>A kernel whose threads meet, at a latch or a barrier of block, device or system scope, is
   * refused with a {@link ResidencyException} where they are not sure to run at once; on a device
   * by {@link Launch#join}, before the kernel begins, on the JVM before a thread waits.
   *
   * @throws LaunchException if it cannot be launched
   * @throws ClosedException if this launcher was closed, or a memory that a device is to work on
   */
  Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode);

  /**
   * Runs a kernel to its end, {@linkplain LaunchMode#STRIDED strided}.
   *
   * @throws LaunchException as {@link #start} and {@link Launch#join} do
   * @throws ClosedException if this launcher was closed, also if that cancelled the launch
   */
  default void run(Kernel kernel, LaunchShape shape) {
    start(kernel, shape, LaunchMode.STRIDED).join();
  }

  /**
   * Runs kernels one after the other, each of which finds what those before it wrote, and brings
   * memories back: as one piece of work, where a device is waited for once, and comes to a kernel
   * as soon as it has ended the one before. If one fails, those behind it may have run, too.
   *
   * <p>An interrupt of the calling thread does what {@link Launch#join} says: it cancels what has
   * not begun. On a device, that is the chain as a whole; on the JVM, the kernels that are left.
   *
   * @throws LaunchException as {@link #run} and {@link #readBack} do, for the first that failed
   * @throws ClosedException as they do
   */
  default void runChain(List<ChainLink> links, MemoryRange... back) {
    links.forEach(link -> run(link.kernel(), link.shape()));
    readBack(back);
  }

  /**
   * Brings memories, or ranges of them, back to the host after kernels on the device may have
   * written them. What is around a range may be old on the host. If device and host share memory,
   * as on the JVM, this does nothing.
   *
   * @throws LaunchException if they cannot be copied
   * @throws ClosedException if this launcher was closed, or a memory
   */
  default void readBack(MemoryRange... ranges) {}

  /**
   * Declares that the host wrote memories, or the beginning of them, which this device has seen
   * before: the next launch that uses them sends that again. A memory is sent without being asked
   * only the first time, and then as a whole; what follows a range stays as it is on the device.
   *
   * @throws IllegalArgumentException if a range does not begin where its memory does
   */
  default void hostWrote(MemoryRange... ranges) {}

  /**
   * Declares what {@link #hostWrote} does and begins to send it while the device goes on with what
   * it does: the next launch that uses one of the memories waits until it is there. The host must
   * leave them alone until that launch has ended. What fails is tried again by that launch, which
   * reports it. If device and host share memory, as on the JVM, this does nothing.
   *
   * @throws ClosedException if this launcher was closed, or a memory
   * @throws LaunchTimeoutException if the device was abandoned
   * @throws IllegalArgumentException as {@link #hostWrote} does
   */
  default void prefetch(MemoryRange... ranges) {
    hostWrote(ranges);
  }

  /**
   * Begins to send a range of one memory to the beginning of another one on the device, whose copy
   * on the host is old then. For the rest it is as {@link #prefetch}, but what fails is not tried
   * again: the next launch that uses the memory fails with it.
   *
   * @param from of which the host's copy is sent
   * @throws IllegalArgumentException if {@code to} does not have so many bytes
   */
  default void copyIn(Memory to, MemoryRange from) {
    MemoryRange beginning = to.first(from.byteSize());
    MemorySegment.copy(from.memory().segment(), from.from(), to.segment(), 0, from.byteSize());
    prefetch(beginning);
  }

  /**
   * Brings the beginning of a memory from the device to a range of another one on the host.
   *
   * @param to whose copy on the device, if there is one, is old then, which {@link #hostWrote} says
   * @throws IllegalArgumentException if {@code from} does not have so many bytes
   * @throws LaunchException if it cannot be copied
   */
  default void copyOut(Memory from, MemoryRange to) {
    readBack(from.first(to.byteSize()));
    MemorySegment.copy(from.segment(), 0, to.memory().segment(), to.from(), to.byteSize());
  }

  /**
   * Makes memory of a kind for the device of this launcher, all 0. {@link MemoryKind#ORDINARY} is
   * there on every target, and what {@link Memory#ofBytes} makes.
   *
   * @throws MemoryKindException if the device does not have it
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not as much
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
   * Whether a memory is copied to the device, and from there, as fast from where it lies as from
   * memory that this launcher has copied before: then bulk operations do.
   */
  default boolean copiesInPlace(Memory memory) {
    return false;
  }

  /**
   * Whether kernels use a memory where the host has it: {@linkplain MemoryKind#PINNED pinned}
   * memory of this launcher. What they read and write there goes over the bus then, and nothing is
   * copied.
   */
  default boolean usesInPlace(Memory memory) {
    return false;
  }

  /**
   * Sets all bytes of memories to 0 for the kernels of this device, which need not be sent anything
   * for that; the host sees it after {@link #readBack}. Where device and host share memory, as on
   * the JVM, this does nothing: the host clears by itself.
   *
   * @throws LaunchException if the device has no room, or the launch fails
   * @throws ClosedException if this launcher was closed, or a memory
   */
  default void clear(Memory... memories) {}

  /**
   * Refuses to go on once this was closed, before anything is moved here; a launcher that does not
   * say counts as open.
   *
   * @throws ClosedException if this was closed
   */
  default void requireOpen() {}

  /**
   * Cancels what still runs and gives the device back; further calls do nothing. Nothing stops what
   * a device has begun: this waits for it, or until the device is abandoned.
   */
  @Override
  void close();
}
