package dev.gyre.atomics.tornadovm;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.ThreadLongs;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * Handles made of TornadoVM's arrays, in task methods only: the compiler puts the array itself in
 * place of the call, and the lowering of the handle's operations takes it from there.
 *
 * <p>The array is a {@code Memory} wrapped in place, whatever its elements: it is a {@link
 * LongArray} because that reaches farthest, and its payload begins {@code Memory.HEADER_BYTES}
 * after its start.
 */
@SuppressWarnings("DoNotCallSuggester") // Called in task methods, where no call is left.
public final class Handles {

  private Handles() {}

  /** Plain access to longs. */
  public static ThreadLongs threadLongs(LongArray array) {
    throw onlyOnDevices();
  }

  /** Atomic access to longs at device scope. */
  public static DeviceLongs deviceLongs(LongArray array) {
    throw onlyOnDevices();
  }

  private static IllegalStateException onlyOnDevices() {
    return new IllegalStateException(
        "a task method ran on the JVM; launch the kernel there instead");
  }
}
