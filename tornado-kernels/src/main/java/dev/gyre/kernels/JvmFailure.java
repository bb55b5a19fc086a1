package dev.gyre.kernels;

import dev.gyre.atomics.ElementIndexException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** First failure of a launch on the JVM, with the others suppressed in it. */
final class JvmFailure {

  // Guarded by this.
  private @Nullable Throwable first;

  /** Kernel of the failed thread: with shared memory, each block has its own. */
  private @Nullable Kernel failed;

  /**
   * Adds a failure. The first one needs no heap.
   *
   * @param ran the kernel of the failed thread
   */
  @SuppressWarnings("ReferenceEquality") // An exception must not be suppressed in itself.
  synchronized void add(Throwable e, Kernel ran) {
    if (first == null) {
      first = e;
      failed = ran;
    } else if (first != e) {
      try {
        first.addSuppressed(e);
      } catch (OutOfMemoryError full) {
        // The first failure is enough.
      }
    }
  }

  /**
   * Throws the failure, if any.
   *
   * @throws LaunchException that says what failed
   */
  synchronized void throwIfAny(Kernel kernel, Device device) {
    if (first instanceof ResidencyException refusal) {
      throw refusal;
    }
    if (first != null) {
      throw new LaunchException(kernel.name(), device, problem(first, failed), first);
    }
  }

  private static String problem(Throwable failure, @Nullable Kernel kernel) {
    if (failure instanceof ElementIndexException e) {
      List<String> components = components(kernel, e.handle());
      if (!components.isEmpty()) {
        return "index %d is out of bounds of component %s, which has %d elements"
            .formatted(e.index(), String.join(" or ", components), e.length());
      }
    }
    return "a device thread threw " + failure;
  }

  /** Returns the paths to the components of a kernel that are a handle. */
  private static List<String> components(@Nullable Kernel kernel, @Nullable Object handle) {
    if (kernel == null || handle == null) {
      return List.of();
    }
    try {
      return KernelTree.of(kernel).pathsTo(handle);
    } catch (KernelException e) {
      // The JVM also runs kernels that devices cannot run, such as lambdas.
      return List.of();
    }
  }
}
