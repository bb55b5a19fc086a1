package dev.gyre.atomics.tornadovm;

import dev.gyre.atomics.BlockInts;
import dev.gyre.atomics.BlockLongs;
import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.SystemInts;
import dev.gyre.atomics.SystemLongs;
import dev.gyre.atomics.ThreadInts;
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

  public static ThreadInts threadInts(LongArray array) {
    throw onlyOnDevices();
  }

  public static ThreadLongs threadLongs(LongArray array) {
    throw onlyOnDevices();
  }

  public static BlockInts blockInts(LongArray array) {
    throw onlyOnDevices();
  }

  public static BlockLongs blockLongs(LongArray array) {
    throw onlyOnDevices();
  }

  public static DeviceInts deviceInts(LongArray array) {
    throw onlyOnDevices();
  }

  public static DeviceLongs deviceLongs(LongArray array) {
    throw onlyOnDevices();
  }

  public static SystemInts systemInts(LongArray array) {
    throw onlyOnDevices();
  }

  public static SystemLongs systemLongs(LongArray array) {
    throw onlyOnDevices();
  }

  public static Bytes bytes(LongArray array) {
    throw onlyOnDevices();
  }

  private static IllegalStateException onlyOnDevices() {
    return new IllegalStateException(
        "a task method ran on the JVM; launch the kernel there instead");
  }
}
