package dev.gyre.atomics.tornadovm;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.ThreadLongs;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * Handles for TornadoVM's arrays, in task methods only. The compiler replaces each call by the
 * array, which the lowering of the handle's operations uses.
 *
 * <p>The array is a {@code Memory} wrapped in place, for any elements. It is a {@link LongArray}
 * because that has the largest range, and its payload begins {@code Memory.HEADER_BYTES} after its
 * start.
 */
@SuppressWarnings("DoNotCallSuggester") // Called in task methods, in which no call remains.
public final class Handles {

  private Handles() {}

  /** Returns a plain handle to longs. */
  public static ThreadLongs threadLongs(LongArray array) {
    throw onlyOnDevices();
  }

  /** Returns an atomic handle to longs at device scope. */
  public static DeviceLongs deviceLongs(LongArray array) {
    throw onlyOnDevices();
  }

  private static IllegalStateException onlyOnDevices() {
    return new IllegalStateException(
        "a task method ran on the JVM; launch the kernel there instead");
  }
}
