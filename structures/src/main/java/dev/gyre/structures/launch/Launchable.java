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
 * A structure that kernels of the user's can work on.
 *
 * <p>A launch makes a kernel, a record, with a <em>ref</em> on the structure; the threads of the
 * kernel work by it on one key each at a time, side by side:
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
 * <p>While a launch goes on, the structure stays as it is: what would grow, clear, save, copy or
 * close it waits, as do updates by others; readers do not. A ref is good for the launch that it was
 * handed out for, and refused by every other: {@link dev.gyre.kernels.StaleRefException}. The
 * function that makes the kernel is called on the thread that launches, and must not use the
 * structure in another way, which would wait for itself.
 *
 * <p>What a kernel inserts takes the room that there is, and no more: a key that finds none is
 * FULL, and nothing was done for it. {@link #launchUntilDone} makes room, and launches again; a
 * kernel that notes in {@link dev.gyre.kernels.map.OpenItems} what is still to be done does the
 * rest then, and nothing twice. A key that would have to wait longer than the structure's poll
 * limit for another thread is STUCK, and is noted in the same way.
 *
 * @param <R> the type of its refs, a record
 */
public interface Launchable<R> {

  /** Why a launch may block. */
  String WAITS = "waits for running operations and growth; its threads wait in slots";

  /**
   * What a launch holds of this structure; {@link Launches} calls it, for each launch once.
   *
   * @return one that holds nothing yet
   */
  @Internal
  Held<R> hold();

  /**
   * Runs a kernel that works on this structure, to its end, on the structure's launcher.
   *
   * @param kernel makes the kernel, from a ref on this structure
   * @throws dev.gyre.kernels.KernelException if it is no record, or has parts that kernels cannot
   *     have; nothing ran
   * @throws dev.gyre.kernels.StaleRefException if it has a ref of another launch; nothing ran
   * @throws dev.gyre.kernels.LaunchException if it fails, or as a {@link
   *     dev.gyre.kernels.LaunchCancelledException} if the thread is interrupted; what it did until
   *     then is done
   * @throws dev.gyre.structures.StructureException if this structure belongs to a {@link
   *     dev.gyre.kernels.LauncherGroup}: a copy on one of its parts can be launched with
   * @throws dev.gyre.atomics.ClosedException if this structure was closed
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = WAITS)
  default void launch(Function<? super R, ? extends Kernel> kernel, LaunchShape shape) {
    Objects.requireNonNull(kernel, "kernel");
    Held<R> held = hold();
    new HeldLaunch(List.of(held), () -> kernel.apply(held.ref()), shape).once();
  }

  /**
   * Runs a kernel as {@link #launch} does, again and again until none of its keys is FULL, making
   * room in between. Each time a kernel is made anew, with another ref.
   *
   * @throws dev.gyre.structures.map.MapFullException if the structure is of fixed capacity, and
   *     full: what is open did not fit
   * @throws dev.gyre.structures.map.StuckException if a wait for another thread took too long
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not the memory to grow
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = WAITS)
  default void launchUntilDone(Function<? super R, ? extends Kernel> kernel, LaunchShape shape) {
    Objects.requireNonNull(kernel, "kernel");
    Held<R> held = hold();
    new HeldLaunch(List.of(held), () -> kernel.apply(held.ref()), shape).untilDone();
  }
}
