package dev.gyre.elsewhere;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/** A kernel of which nothing is public, in a package that Gyre does not know. */
public final class Elsewhere {

  private Elsewhere() {}

  /** What to do with an element. */
  private interface Change {
    long apply(long value);
  }

  private record Add(long what) implements Change {
    @Override
    public long apply(long value) {
      return plus(value, what);
    }
  }

  private record ChangeAll(ThreadLongs longs, Change change, int length) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < length; i += shape.threads()) {
        longs.set(i, change.apply(longs.get(i)));
      }
    }
  }

  private static long plus(long a, long b) {
    return a + b;
  }

  /** A kernel that adds 5 to each element of a memory of longs. */
  public static Kernel addFive(Memory longs) {
    ThreadLongs handle = ThreadLongs.of(longs);
    return new ChangeAll(handle, new Add(5), (int) handle.length());
  }
}
