package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.TextLayout;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a thread does by itself, a small bulk operation or a change of one key, waits for the thread
 * that has reserved a slot, and is done, whether the waiting thread is interrupted or not.
 */
@Timeout(60)
class UninterruptibleScopeTest {

  /** A map of which all slots are RESERVED, and an operation that has to wait for one. */
  record Case(
      String name,
      OperationLock lock,
      DeviceInts states,
      long slots,
      LongUnaryOperator stateAt,
      Supplier<Object> operation,
      Object expected,
      AutoCloseable map) {
    void set(int from, int to) {
      for (long slot = 0; slot < slots; slot++) {
        int _ = states.compareAndExchangeSeqCst(stateAt.applyAsLong(slot), from, to);
      }
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static Case longs(Layout layout, String name) {
    LongLongMap map = LongLongMap.builder().layout(layout).workers(1).capacity(1).build();
    int intsOfSlot = layout == Layout.LINE ? 2 * LongSlots.Line.SLOT_LONGS : 1;
    long[] one = {7};
    return new Case(
        "longs " + layout + " " + name,
        map.store.lock(),
        DeviceInts.of(map.store.table().memories().getFirst()),
        map.store.slots(),
        slot -> slot * intsOfSlot,
        switch (name) {
          case "insert" -> () -> map.insert(one, one);
          case "find" -> () -> map.find(one, new long[1]);
          default -> () -> map.merge(7, 7, Apply.ADD);
        },
        expected(name),
        map);
  }

  private static Case ints(String name) {
    IntIntMap map = IntIntMap.builder().layout(Layout.REFERENCE).workers(1).capacity(1).build();
    int[] one = {7};
    return new Case(
        "ints " + name,
        map.store.lock(),
        DeviceInts.of(map.store.table().memories().getFirst()),
        map.store.slots(),
        slot -> slot,
        switch (name) {
          case "insert" -> () -> map.insert(one, one);
          case "find" -> () -> map.find(one, new int[1]);
          default -> () -> (long) map.merge(7, 7, Apply.ADD);
        },
        expected(name),
        map);
  }

  private static Case texts(String name) {
    TextLongMap map = TextLongMap.builder().workers(1).capacity(1).textBytes(64).build();
    long[] one = {7};
    List<String> keys = List.of("a key that is long");
    return new Case(
        "texts " + name,
        map.store.lock(),
        map.store.table().states,
        map.store.table().slots,
        TextLayout::stateAt,
        switch (name) {
          case "insert" -> () -> map.insert(keys, one);
          case "find" -> () -> map.find(keys, new long[1]);
          default -> () -> map.merge(keys.getFirst(), 7, Apply.ADD);
        },
        expected(name),
        map);
  }

  private static Object expected(String name) {
    return switch (name) {
      case "insert" -> new InsertCounts(1, 0, 0);
      case "find" -> new FindCounts(0, 1);
      default -> 7L;
    };
  }

  static Stream<Case> cases() {
    return Stream.of("insert", "find", "merge")
        .flatMap(
            name ->
                Stream.of(
                    longs(Layout.REFERENCE, name),
                    longs(Layout.LINE, name),
                    ints(name),
                    texts(name)));
  }

  private static void await(Thread thread, Thread.State state) throws InterruptedException {
    while (thread.getState() != state && thread.isAlive()) {
      Thread.sleep(1);
    }
  }

  private static void check(Case c, boolean before) throws Exception {
    CompletableFuture<Object> result = new CompletableFuture<>();
    CompletableFuture<Boolean> kept = new CompletableFuture<>();
    // As an update that has reserved the slots; finds are then beside it.
    Entry entry = c.lock.enterUpdate();
    c.set(MapCodes.EMPTY, MapCodes.RESERVED);
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  if (before) {
                    Thread.currentThread().interrupt();
                  }
                  try {
                    result.complete(c.operation.get());
                  } catch (RuntimeException e) {
                    result.completeExceptionally(e);
                  }
                  kept.complete(Thread.interrupted());
                });
    try {
      await(thread, Thread.State.TIMED_WAITING);
      if (!before) {
        thread.interrupt();
        // It has seen that, or is about to.
        await(thread, Thread.State.TIMED_WAITING);
      }
      assertThat(result).as(c.name).isNotDone();
    } finally {
      c.set(MapCodes.RESERVED, MapCodes.EMPTY);
      entry.close();
    }
    assertThat(result.get()).isEqualTo(c.expected);
    assertThat(kept.get()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void whoWasInterruptedBefore(Case c) throws Exception {
    try (AutoCloseable _ = c.map) {
      check(c, true);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void whoIsInterruptedWhileItWaits(Case c) throws Exception {
    try (AutoCloseable _ = c.map) {
      check(c, false);
    }
  }
}
