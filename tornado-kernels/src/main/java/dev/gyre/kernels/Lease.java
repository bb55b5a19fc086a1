package dev.gyre.kernels;

import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * What makes a {@link Ref} good for one launch. Who hands refs out takes a number for each, and
 * {@linkplain #start starts} the kernel that has them while it holds what they are of; a kernel
 * that is started in any other way is refused.
 */
public final class Lease {

  private static final AtomicLong LAST = new AtomicLong();

  /** What is started at the moment, by the thread that starts it. */
  private static final ScopedValue<Set<Long>> HELD = ScopedValue.newInstance();

  private Lease() {}

  /** A number that no other lease has. */
  public static long next() {
    return LAST.incrementAndGet();
  }

  /**
   * Starts a kernel with refs.
   *
   * @param leases their numbers
   * @param start calls {@link Launcher#start}, on this thread
   */
  public static Launch start(Set<Long> leases, Supplier<Launch> start) {
    return ScopedValue.where(HELD, Set.copyOf(leases)).call(start::get);
  }

  /**
   * Refuses a kernel with a ref that was not handed out for the launch that is being started;
   * launchers call it before anything else is done.
   *
   * @throws StaleRefException if it has one
   */
  public static void require(KernelTree tree) {
    Set<Long> held = HELD.orElse(Set.of());
    tree.leases()
        .forEach(
            (path, lease) -> {
              if (!held.contains(lease)) {
                throw new StaleRefException(tree.kernel(), path);
              }
            });
  }
}
