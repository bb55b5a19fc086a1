package dev.gyre.kernels.examples;

import dev.gyre.atomics.SystemInts;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * {@link Signal} with the host on the other side, both ways: for each round the host writes a
 * message and raises a flag; the device, which has begun before and polls the flag, reads the
 * message, writes an answer and raises another flag, for which the host waits.
 *
 * <p>Needs parallel forward progress of host and device, memory that both use where it lies ({@link
 * dev.gyre.kernels.MemoryKind#PINNED}), and flags of system scope. One thread.
 *
 * @param flags ints, 0: at {@link #TO_DEVICE} the number of rounds that the host began, at {@link
 *     #TO_HOST} that of those that the device answered
 * @param data ints of the same memory or another: a message and an answer; plain, since the flags
 *     order their accesses
 * @param rounds how many
 * @param pollLimit polls after which the device gives up
 */
public record HostSignal(SystemInts flags, ThreadInts data, int rounds, long pollLimit)
    implements Kernel {

  /** Index of the flag that the host raises. */
  public static final int TO_DEVICE = 0;

  /** Index of the flag that the device raises. */
  public static final int TO_HOST = 16;

  /** Index of a message. */
  public static final int MESSAGE = 32;

  /** Index of its answer. */
  public static final int ANSWER = 48;

  /** Ints of a memory for all. */
  public static final int INTS = 64;

  @Override
  public void run(int thread, LaunchShape shape) {
    if (thread == 0) {
      int left = rounds;
      int round = 0;
      while (left > 0) {
        // acquire: pairs with the host's release; the message was written before it.
        boolean begun = flags.waitWhileEqualAcquire(TO_DEVICE, round, pollLimit) != round;
        if (begun) {
          data.set(ANSWER, answer(data.get(MESSAGE)));
          // release: pairs with the host's acquire; publishes the answer.
          flags.storeRelease(TO_HOST, round + 1);
        }
        round++;
        left = begun ? left - 1 : 0;
      }
    }
  }

  /** What the device answers to a message. */
  public static int answer(int message) {
    return 3 * message + 1;
  }

  /** A round, begun and waited for by the host; returns the answer, or the message if none came. */
  public static int ask(SystemInts flags, ThreadInts data, int round, int message, long pollLimit) {
    data.set(MESSAGE, message);
    // release: pairs with the device's acquire; publishes the message.
    flags.storeRelease(TO_DEVICE, round + 1);
    // acquire: pairs with the device's release; the answer was written before it.
    int seen = flags.waitWhileEqualAcquire(TO_HOST, round, pollLimit);
    return seen == round ? message : data.get(ANSWER);
  }
}
