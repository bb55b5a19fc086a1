package dev.gyre.kernels;

import dev.gyre.atomics.Internal;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Makes a {@link Ref} valid for exactly one launch.
 *
 * <p>A structure that creates refs takes a number for each. It {@linkplain #start starts} the
 * kernel while it pins itself. A kernel with a ref that is started in another way is refused.
 *
 * @since 0.1.0
 */
@Internal
public final class Lease {

  private static final AtomicLong LAST = new AtomicLong();

  /** Leases of the launch that this thread is starting. */
  private static final ScopedValue<Set<Long>> HELD = ScopedValue.newInstance();

  private Lease() {}

  /** Returns a number that no other lease has. */
  public static long next() {
    return LAST.incrementAndGet();
  }

  /**
   * Starts a kernel with refs.
   *
   * @param leases numbers of the refs
   * @param start calls {@link Launcher#start}, on this thread
   */
  public static Launch start(Set<Long> leases, Supplier<Launch> start) {
    return ScopedValue.where(HELD, Set.copyOf(leases)).call(start::get);
  }

  /**
   * Throws if a kernel has a ref that is not for the launch that is being started. Launchers call
   * it first.
   *
   * @throws StaleRefException if the kernel has such a ref
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
