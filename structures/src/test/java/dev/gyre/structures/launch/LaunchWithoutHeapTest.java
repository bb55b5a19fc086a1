package dev.gyre.structures.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.structures.ChildJvm;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A launch that finds no heap after it has pinned a structure. */
@Timeout(60)
class LaunchWithoutHeapTest {

  /** A kernel that does nothing. */
  record Nothing() implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {}
  }

  /** A structure that takes the whole heap while it is pinned. */
  private static final class Greedy implements Launchable<Nothing> {

    private final JvmLauncher launcher;
    private boolean takesAll;
    private boolean pinned;

    @SuppressWarnings("unused") // Keeps the heap full.
    private @Nullable Object @Nullable [] taken;

    Greedy(JvmLauncher launcher) {
      this.launcher = launcher;
    }

    @Override
    public StructurePin<Nothing> pin() {
      Nothing kernel = new Nothing();
      return new StructurePin<>(StructurePin.nextOrder(), "greedy", launcher) {
        @Override
        protected Nothing enter(long lease) {
          for (int length = takesAll ? 1 << 22 : 0; length > 0; length /= 2) {
            takeAll(length);
          }
          pinned = true;
          return kernel;
        }

        @Override
        protected void leave(LaunchEnd ran) {
          pinned = false;
          taken = null;
        }
      };
    }

    /** Allocates arrays, each of which refers to the one before, until the heap is full. */
    private void takeAll(int length) {
      try {
        while (true) {
          @Nullable Object[] next = new @Nullable Object[length];
          next[0] = taken;
          taken = next;
        }
      } catch (OutOfMemoryError e) {
        // Shorter arrays may still fit.
      }
    }
  }

  /** Child JVM. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) {
      try (JvmLauncher launcher = JvmLauncher.ofWorkers(1)) {
        Greedy structure = new Greedy(launcher);
        // Classes and lambdas are linked.
        structure.launch(kernel -> kernel, LaunchShape.ofThreads(1));
        structure.takesAll = true;
        boolean failed = false;
        try {
          structure.launch(kernel -> kernel, LaunchShape.ofThreads(1));
        } catch (OutOfMemoryError e) {
          failed = true;
        }
        boolean left = !structure.pinned;
        structure.taken = null;
        System.out.println("failed " + failed + ", left " + left);
      }
    }
  }

  @Test
  void theStructureIsLeft() throws Exception {
    assertThat(ChildJvm.run(Child.class, "-Xmx32m", "-XX:+UseSerialGC"))
        .contains("failed true, left true");
  }
}
