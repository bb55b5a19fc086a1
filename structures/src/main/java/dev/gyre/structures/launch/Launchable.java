package dev.gyre.structures.launch;

import dev.gyre.atomics.Internal;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * A structure that a user's kernels can access.
 *
 * <p>A launch makes a kernel, which is a record, with a <em>ref</em> to the structure. Each thread
 * of the kernel uses the ref for one key at a time:
 *
 * <pre>{@code
 * record Count(LongMapRef counts, DeviceLongs keys, long items) implements Kernel {
 *   public void run(int thread, LaunchShape shape) {
 *     for (long i = thread; i < items; i += shape.threads()) {
 *       counts.merge(keys.get(i), 1, MapCodes.ADD);
 *     }
 *   }
 * }
 *
 * map.launch(counts -> new Count(counts, keys, items), launcher.shapeForEach(items));
 * }</pre>
 *
 * <p><b>During a launch</b>, the structure is pinned. Growth, clear, save, copy, close and updates
 * by other threads wait; readers do not. A ref is valid for its launch only; any other launch
 * throws {@link dev.gyre.kernels.StaleRefException}. The launching thread calls the function that
 * makes the kernel. That function must not use the structure in another way, because it would wait
 * for itself.
 *
 * <p><b>Capacity.</b> A kernel inserts into the present capacity. A key that does not fit is FULL,
 * and nothing was done for it. {@link #launchUntilDone} adds capacity and launches again. To avoid
 * repeated work, a kernel notes open items in {@link dev.gyre.kernels.map.OpenItems}. A key whose
 * thread would wait for another thread beyond the poll limit is STUCK, and is noted in the same
 * way.
 *
 * @param <R> the type of its refs, a record
 * @since 0.1.0
 */
public interface Launchable<R> {

  /** Why a launch may block. */
  String WAITS =
      "waits for running operations and growth; its threads wait for each other at claimed slots";

  /**
   * Returns the pin of one launch on this structure; {@link Launches} calls it once per launch.
   *
   * @return a pin that has not entered yet
   */
  @Internal
  StructurePin<R> pin();

  /**
   * Runs a kernel that works on this structure, on the structure's launcher, and waits for its end.
   *
   * @param kernel makes the kernel from a ref to this structure
   * @throws dev.gyre.kernels.KernelException if the kernel is not a record, or has invalid
   *     components; nothing ran
   * @throws dev.gyre.kernels.StaleRefException if the kernel has a ref of another launch; nothing
   *     ran
   * @throws dev.gyre.kernels.LaunchException if the kernel fails, or as a {@link
   *     dev.gyre.kernels.LaunchCancelledException} if the thread is interrupted; changes until then
   *     remain
   * @throws dev.gyre.structures.StructureException if this structure belongs to a {@link
   *     dev.gyre.kernels.LauncherGroup}: launch on a copy on one of its parts
   * @throws dev.gyre.atomics.ClosedException if this structure is closed
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = WAITS)
  default void launch(Function<? super R, ? extends Kernel> kernel, LaunchShape shape) {
    prepare(kernel, shape).once();
  }

  /**
   * Runs a kernel as {@link #launch} does, repeatedly until no key is FULL, and adds capacity in
   * between. Each launch makes a new kernel, with another ref.
   *
   * @throws dev.gyre.structures.map.MapFullException if a structure of fixed capacity is full
   * @throws dev.gyre.structures.map.StuckException if a wait for another thread took too long
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory to grow is not available
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = WAITS)
  default void launchUntilDone(Function<? super R, ? extends Kernel> kernel, LaunchShape shape) {
    prepare(kernel, shape).untilDone();
  }

  private PinnedLaunch prepare(Function<? super R, ? extends Kernel> kernel, LaunchShape shape) {
    Objects.requireNonNull(kernel, "kernel");
    StructurePin<R> held = pin();
    return new PinnedLaunch(List.of(held), () -> kernel.apply(held.ref()), shape);
  }
}
