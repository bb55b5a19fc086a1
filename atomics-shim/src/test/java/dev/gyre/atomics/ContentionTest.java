package dev.gyre.atomics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.table.OperationKind;
import dev.gyre.atomics.table.OperationTable;
import dev.gyre.atomics.table.Scope;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What several threads do to one element at once; thread scope is the mutant that must fail. */
@Timeout(60)
class ContentionTest {

  private static final int THREADS = 4;
  private static final int ROUNDS = 20_000;

  static List<Operation> sums() {
    return OperationTable.operations().stream()
        .filter(o -> o.kind() == OperationKind.FETCH_ADD || o.kind() == OperationKind.FETCH_SUB)
        .filter(o -> o.scope() != Scope.THREAD)
        .toList();
  }

  static List<Operation> flags() {
    return OperationTable.operations().stream()
        .filter(o -> o.kind() == OperationKind.TEST_AND_SET)
        .filter(o -> o.scope() != Scope.THREAD)
        .toList();
  }

  static List<Operation> compares() {
    return OperationTable.operations().stream()
        .filter(o -> o.kind() == OperationKind.COMPARE_AND_SET)
        .filter(o -> o.scope() != Scope.THREAD)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("sums")
  void noAddIsLost(Operation o) throws Exception {
    try (Memory memory = Memory.ofLongs(1)) {
      Object handle = Methods.handle(o, memory);
      long three = Methods.element(o.type(), 3);
      inParallel(t -> repeat(1000, () -> Methods.call(handle, o, 0, three)));
      int sign = o.kind() == OperationKind.FETCH_ADD ? 1 : -1;
      assertThat(Methods.call(handle, get(o), 0))
          .isEqualTo(Methods.element(o.type(), sign * 3 * 1000 * THREADS));
    }
  }

  @ParameterizedTest
  @MethodSource("flags")
  void oneThreadWinsAFlag(Operation o) throws Exception {
    try (Memory memory = Memory.ofLongs(1000);
        Memory wins = Memory.ofLongs(1)) {
      Object handle = Methods.handle(o, memory);
      SystemLongs won = SystemLongs.of(wins);
      inParallel(
          t -> {
            for (int i = 0; i < 1000; i++) {
              won.fetchAddRelaxed(0, 1 - Methods.call(handle, o, i));
            }
          });
      assertThat(won.get(0)).isEqualTo(1000);
    }
  }

  @ParameterizedTest
  @MethodSource("compares")
  void oneThreadWinsACompareAndSet(Operation o) throws Exception {
    try (Memory memory = Memory.ofLongs(1000);
        Memory wins = Memory.ofLongs(1)) {
      Object handle = Methods.handle(o, memory);
      SystemLongs won = SystemLongs.of(wins);
      inParallel(
          t -> {
            for (int i = 0; i < 1000; i++) {
              won.fetchAddRelaxed(0, Methods.call(handle, o, i, 0, t + 1));
            }
          });
      assertThat(won.get(0)).isEqualTo(1000);
    }
  }

  @Test
  void minAndMaxKeepTheExtremes() throws Exception {
    try (Memory memory = Memory.ofInts(2)) {
      DeviceInts ints = DeviceInts.of(memory);
      inParallel(
          t -> {
            for (int i = 0; i < ROUNDS; i++) {
              int value = i * THREADS + (int) t;
              ints.fetchMinRelaxed(0, -value);
              ints.fetchMaxRelaxed(1, value);
            }
          });
      assertThat(ints.get(0)).isEqualTo(-(ROUNDS * THREADS - 1));
      assertThat(ints.get(1)).isEqualTo(ROUNDS * THREADS - 1);
    }
  }

  /** The broken variant: an add that is not atomic loses some, so the tests above can fail. */
  @Test
  void addsOfThreadScopeAreLost() throws Exception {
    try (Memory memory = Memory.ofLongs(1)) {
      ThreadLongs longs = ThreadLongs.of(memory);
      long expected = 0;
      long attempts = 0;
      while (longs.get(0) == expected && attempts < 200) {
        inParallel(
            t ->
                repeat(
                    ROUNDS,
                    () -> {
                      longs.fetchAddRelaxed(0, 1);
                      // Else the compiler makes one addition of them all.
                      Thread.onSpinWait();
                    }));
        expected += (long) THREADS * ROUNDS;
        attempts++;
      }
      assertThat(longs.get(0)).isLessThan(expected);
    }
  }

  private static Operation get(Operation o) {
    OperationKind get = OperationKind.GET;
    return new Operation(get, get.orders().getFirst(), o.scope(), o.type(), o.space());
  }

  private static void repeat(int times, Runnable action) {
    for (int i = 0; i < times; i++) {
      action.run();
    }
  }

  private static void inParallel(LongConsumer body) throws Exception {
    CyclicBarrier start = new CyclicBarrier(THREADS);
    List<Thread> threads =
        java.util.stream.IntStream.range(0, THREADS)
            .mapToObj(
                t ->
                    Thread.ofPlatform()
                        .start(
                            () -> {
                              try {
                                start.await();
                              } catch (Exception e) {
                                throw new IllegalStateException(e);
                              }
                              body.accept(t);
                            }))
            .toList();
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
