package dev.gyre.kernels.sync.stress;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SystemInts;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.atomics.table.Scope;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.sync.SyncLayout;
import dev.gyre.kernels.sync.SystemBarrier;
import dev.gyre.kernels.sync.SystemLatch;
import dev.gyre.kernels.sync.SystemSemaphore;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the stress programs of this package on a target.
 *
 * @param launcher of the target
 * @param scope of latches, barriers and semaphores: block, device or system
 * @param shape of the launches, which are concurrent
 * @param groupSize threads that meet; at block scope those of a block, or fewer
 * @param pollLimit polls after which a wait gives up
 */
public record SyncStress(
    Launcher launcher, Scope scope, LaunchShape shape, int groupSize, long pollLimit) {

  /** How threads of a group arrive. */
  public enum Arrivals {
    /** In every order, one after another; for groups of up to {@value #MOST_ORDERED}. */
    EVERY_ORDER,
    /** After delays that look random. */
    DELAYED
  }

  /** What the threads of a group are to their barrier. */
  public enum Members {
    /** Each arrives once in a phase. */
    ONE_EACH,
    /** One arrives once, the next for two at once, and so on. */
    SEVERAL_EACH,
    /** Each arrives once, and they drop one after another; with delays only. */
    DROPPING
  }

  /** Most threads of a group whose arrivals are tried in every order. */
  public static final int MOST_ORDERED = 6;

  /** Most often that a thread lets go before it is said to be alone. */
  private static final int TURNS = 1 << 26;

  /**
   * What a program found.
   *
   * @param stuck waits that gave up
   * @param wrong looks that missed what was published; threads inside too many; starved threads
   * @param counted last arrivers, waits at latches, or entries into semaphores
   * @param payload the sum of what was written plainly
   */
  public record Report(long stuck, long wrong, long counted, long payload) {}

  public SyncStress {
    int most = scope == Scope.BLOCK ? shape.blockSize() : shape.threads();
    if (groupSize < 1 || most % groupSize != 0) {
      throw new IllegalArgumentException(
          "%d blocks of %d threads have no groups of %d at %s scope"
              .formatted(shape.blocks(), shape.blockSize(), groupSize, scope));
    }
  }

  private StressKernels kernels() {
    return switch (scope) {
      case BLOCK -> new BlockStressKernels(groupSize, pollLimit);
      case DEVICE -> new DeviceStressKernels(groupSize, pollLimit);
      case SYSTEM -> new SystemStressKernels(groupSize, pollLimit);
      case THREAD -> throw new IllegalArgumentException("a thread does not meet itself");
    };
  }

  private int groups() {
    return shape.threads() / groupSize;
  }

  /**
   * Threads meet at a barrier, twice per round.
   *
   * @return with two last arrivers per group and round, where all went well
   */
  public Report barrier(int rounds, Arrivals arrivals, Members members) {
    if (members == Members.DROPPING && arrivals == Arrivals.EVERY_ORDER) {
      throw new IllegalArgumentException("threads that dropped have no turn in an order");
    }
    try (Memory words = words(groups());
        Memory payload = Memory.ofInts((groupSize + 1L) * groups());
        Memory orders = orders(arrivals)) {
      int expected =
          members == Members.SEVERAL_EACH ? groupSize * (groupSize + 1) / 2 : groupSize;
      for (int g = 0; g < groups(); g++) {
        SystemBarrier.init(SystemInts.of(words), (long) g * SyncLayout.WORDS, expected);
      }
      return run(
          payload,
          report ->
              kernels()
                  .barrier(
                      words,
                      ThreadInts.of(payload),
                      ThreadInts.of(orders),
                      report,
                      orderCount(arrivals),
                      rounds,
                      members));
    }
  }

  /** Threads count latches down, one per round, and some wait at them. */
  public Report latch(int rounds, Arrivals arrivals) {
    long count = Math.multiplyExact(groups(), rounds);
    try (Memory words = words(count);
        Memory payload = Memory.ofInts(groupSize * count);
        Memory orders = orders(arrivals)) {
      for (long l = 0; l < count; l++) {
        SystemLatch.init(SystemInts.of(words), l * SyncLayout.WORDS, groupSize);
      }
      return run(
          payload,
          report ->
              kernels()
                  .latch(
                      words,
                      ThreadInts.of(payload),
                      ThreadInts.of(orders),
                      report,
                      orderCount(arrivals),
                      rounds));
    }
  }

  /**
   * Threads enter a semaphore and leave it.
   *
   * @return with an entry per thread and round, where all went well; with one permit the payload is
   *     as much
   */
  public Report semaphore(int rounds, int permits) {
    try (Memory words = words(groups());
        Memory payload = Memory.ofInts(groups())) {
      for (int g = 0; g < groups(); g++) {
        SystemSemaphore.init(SystemInts.of(words), (long) g * SyncLayout.WORDS, permits);
      }
      return run(
          payload,
          report -> kernels().semaphore(words, ThreadInts.of(payload), report, rounds, permits));
    }
  }

  /** The program of CCCL's issue 450, with a semaphore per round. */
  public Report starvation(int rounds) {
    long count = Math.multiplyExact(groups(), rounds);
    try (Memory words = words(count);
        Memory payload = Memory.ofInts(1)) {
      for (long s = 0; s < count; s++) {
        SystemSemaphore.init(SystemInts.of(words), s * SyncLayout.WORDS, 1);
      }
      return run(payload, report -> kernels().starvation(words, report, rounds, TURNS));
    }
  }

  private static Memory words(long count) {
    return Memory.ofInts(count * SyncLayout.WORDS);
  }

  private interface Program {
    Kernel reportingTo(DeviceLongs report);
  }

  private Report run(Memory payload, Program program) {
    try (Memory report = Memory.ofLongs(StressLayout.REPORT)) {
      DeviceLongs found = DeviceLongs.of(report);
      launcher.start(program.reportingTo(found), shape, LaunchMode.CONCURRENT).join();
      launcher.readBack(report, payload);
      ThreadInts written = ThreadInts.of(payload);
      long sum = 0;
      for (long i = 0; i < payload.byteSize() / Integer.BYTES; i++) {
        sum += written.get(i);
      }
      return new Report(
          found.get(StressLayout.STUCK),
          found.get(StressLayout.WRONG),
          found.get(StressLayout.COUNTED),
          sum);
    }
  }

  private int orderCount(Arrivals arrivals) {
    return arrivals == Arrivals.DELAYED ? 0 : orders(groupSize).size();
  }

  /** For each order of arrival, the place of each thread in it. */
  private Memory orders(Arrivals arrivals) {
    List<List<Integer>> orders = arrivals == Arrivals.DELAYED ? List.of() : orders(groupSize);
    Memory memory = Memory.ofInts(Math.max(1, (long) orders.size() * groupSize));
    ThreadInts places = ThreadInts.of(memory);
    for (int order = 0; order < orders.size(); order++) {
      for (int rank = 0; rank < groupSize; rank++) {
        places.set((long) order * groupSize + rank, orders.get(order).get(rank));
      }
    }
    return memory;
  }

  /**
   * All orders of the numbers from 0 to n - 1.
   *
   * @throws IllegalArgumentException if {@code n} is more than {@value #MOST_ORDERED}
   */
  public static List<List<Integer>> orders(int n) {
    if (n > MOST_ORDERED) {
      throw new IllegalArgumentException("too many orders of " + n);
    }
    List<List<Integer>> orders = List.of(List.of());
    for (int next = 0; next < n; next++) {
      List<List<Integer>> longer = new ArrayList<>();
      for (List<Integer> order : orders) {
        for (int at = 0; at <= order.size(); at++) {
          List<Integer> with = new ArrayList<>(order);
          with.add(at, next);
          longer.add(with);
        }
      }
      orders = longer;
    }
    return orders;
  }
}
