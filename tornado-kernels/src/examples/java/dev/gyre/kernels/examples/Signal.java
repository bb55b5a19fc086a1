package dev.gyre.kernels.examples;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.SystemInts;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Write then signal, poll then read: the talk's first example. Thread 0 writes a word and raises a
 * flag; thread 1 waits for the flag and reads the word.
 *
 * <p>Needs parallel forward progress: thread 1 waits for thread 0. Both are threads of one launch;
 * {@link HostSignal} has the talk's host and device on either side. The flag has system scope as
 * there. A flag of another scope is another type: the talk's compile error.
 *
 * @param flag one int, 0
 * @param data one int: the message; plain, since the flag orders its accesses
 * @param read two ints: what thread 1 read, and 1 once it did
 * @param value what thread 0 writes
 * @param pollLimit polls after which thread 1 gives up
 */
public record Signal(SystemInts flag, ThreadInts data, DeviceInts read, int value, long pollLimit)
    implements Kernel {

  @Override
  public void run(int thread, LaunchShape shape) {
    if (thread == 0) {
      writeThenSignal(flag, data, value);
    }
    if (thread == 1) {
      pollThenRead(flag, data, read, pollLimit);
    }
  }

  /** The talk's {@code write_then_signal_excellent}. */
  public static void writeThenSignal(SystemInts flag, ThreadInts data, int value) {
    data.set(0, value);
    // release: pairs with the acquire in pollThenRead(); publishes the data.
    flag.storeRelease(0, 1);
    flag.wakeAll(0);
  }

  /** The talk's {@code poll_then_read_excellent}. */
  public static void pollThenRead(
      SystemInts flag, ThreadInts data, DeviceInts read, long pollLimit) {
    // acquire: pairs with the release in writeThenSignal().
    if (flag.waitWhileEqualAcquire(0, 0, pollLimit) == 1) {
      read.set(0, data.get(0));
      read.set(1, 1);
    }
  }
}
