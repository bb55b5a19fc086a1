package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.gyre.atomics.ClosedException;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.OperationLock.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which operations a lock lets in beside which, and in which order. */
@Timeout(60)
class OperationLockTest {

  private final OperationLock lock = new OperationLock("map", Long.MAX_VALUE);

  private Entry enter(Mode mode) {
    return switch (mode) {
      case UPDATE -> lock.enterUpdate();
      case EXCLUSIVE_UPDATE -> lock.enterExclusiveUpdate();
      case CONCURRENT_READ -> lock.enterConcurrentRead();
      case QUIESCENT_READ -> lock.enterQuiescentRead();
      case EXCLUSIVE -> lock.enterExclusive();
    };
  }

  /** Enters on a thread of its own; returns that when it waits, or has left again. */
  private Thread entering(Mode mode, List<Mode> order) {
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  try (Entry _ = enter(mode)) {
                    order.add(mode);
                  }
                });
    Others.await(() -> Others.waits(thread) || !thread.isAlive());
    return thread;
  }

  private static List<Mode> modes() {
    return Collections.synchronizedList(new ArrayList<>());
  }

  static Stream<List<Mode>> pairs() {
    return Stream.of(Mode.values())
        .flatMap(first -> Stream.of(Mode.values()).map(second -> List.of(first, second)));
  }

  private static boolean mayMeet(Mode first, Mode second) {
    return switch (first) {
      case UPDATE -> second == Mode.UPDATE || second == Mode.CONCURRENT_READ;
      case EXCLUSIVE_UPDATE -> second == Mode.CONCURRENT_READ;
      case CONCURRENT_READ -> second != Mode.EXCLUSIVE;
      case QUIESCENT_READ -> second == Mode.CONCURRENT_READ || second == Mode.QUIESCENT_READ;
      case EXCLUSIVE -> false;
    };
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void operationsMeetOnlyIfTheirModesAllowIt(List<Mode> pair) throws InterruptedException {
    List<Mode> order = modes();
    Entry first = enter(pair.getFirst());
    Thread second = entering(pair.getLast(), order);
    assertThat(!order.isEmpty()).isEqualTo(mayMeet(pair.getFirst(), pair.getLast()));
    first.close();
    second.join();
    assertThat(order).hasSize(1);
  }

  /** A single key is an update, whether it waits or others wait for it. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void singleKeysMeetTheOthersAsUpdatesDo(Mode other) throws InterruptedException {
    List<Mode> order = modes();
    Entry single = lock.enterSingle();
    Thread second = entering(other, order);
    assertThat(!order.isEmpty()).isEqualTo(mayMeet(Mode.UPDATE, other));
    single.close();
    second.join();
    Entry first = enter(other);
    AtomicBoolean inside = new AtomicBoolean();
    Thread adder =
        Thread.ofPlatform()
            .start(
                () -> {
                  try (Entry _ = lock.enterSingle()) {
                    inside.set(true);
                  }
                });
    Others.await(() -> Others.waits(adder) || !adder.isAlive());
    assertThat(inside.get()).isEqualTo(mayMeet(Mode.UPDATE, other));
    first.close();
    adder.join();
    assertThat(inside).isTrue();
  }

  static Stream<List<Mode>> turns() {
    return Stream.of(
        List.of(Mode.UPDATE, Mode.QUIESCENT_READ),
        List.of(Mode.UPDATE, Mode.EXCLUSIVE, Mode.UPDATE),
        List.of(Mode.EXCLUSIVE, Mode.UPDATE, Mode.EXCLUSIVE),
        List.of(Mode.EXCLUSIVE, Mode.QUIESCENT_READ, Mode.EXCLUSIVE),
        List.of(Mode.UPDATE, Mode.QUIESCENT_READ, Mode.UPDATE),
        List.of(Mode.UPDATE, Mode.EXCLUSIVE_UPDATE, Mode.UPDATE),
        List.of(Mode.EXCLUSIVE_UPDATE, Mode.EXCLUSIVE_UPDATE, Mode.QUIESCENT_READ),
        List.of(Mode.EXCLUSIVE_UPDATE, Mode.EXCLUSIVE, Mode.EXCLUSIVE_UPDATE));
  }

  /** So that operations that come again and again keep none out for ever. */
  @ParameterizedTest
  @MethodSource("turns")
  void operationsEnterInTheOrderInWhichTheyWait(List<Mode> turns) throws InterruptedException {
    for (Mode first : List.of(Mode.QUIESCENT_READ, Mode.EXCLUSIVE)) {
      List<Mode> order = modes();
      List<Thread> threads = new ArrayList<>();
      try (Entry _ = enter(first)) {
        for (Mode mode : turns) {
          threads.add(entering(mode, order));
        }
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(order).as("behind %s", first).isEqualTo(turns);
    }
  }

  /** Otherwise readers that come again and again would keep the update out. */
  @Test
  void aReaderBesideAnUpdateThatWaitsIsAConcurrentOne() throws InterruptedException {
    List<Mode> order = modes();
    Entry quiescent = lock.enterRead();
    assertThat(quiescent.isQuiescent()).isTrue();
    Thread update = entering(Mode.EXCLUSIVE_UPDATE, order);
    assertThat(order).isEmpty();
    // On another thread: this one is inside.
    CompletableFuture<Boolean> other = new CompletableFuture<>();
    Thread.ofPlatform()
        .start(
            () -> {
              try (Entry read = lock.enterRead()) {
                other.complete(read.isQuiescent());
              }
            });
    assertThat(other.join()).isFalse();
    quiescent.close();
    update.join();
    assertThat(order).containsExactly(Mode.EXCLUSIVE_UPDATE);
  }

  @Test
  void anExclusiveUpdateThatDoesNotWaitEntersOnlyWhereNoUpdateIs() {
    Entry alone = Objects.requireNonNull(lock.tryEnterExclusiveUpdate());
    assertThat(lock.tryEnterExclusiveUpdate()).isNull();
    alone.close();
    try (Entry _ = lock.enterSingle()) {
      assertThat(lock.tryEnterExclusiveUpdate()).isNull();
    }
    Objects.requireNonNull(lock.tryEnterExclusiveUpdate()).close();
  }

  /** More threads than there are stripes are inside at the same time, and all are seen. */
  @Test
  void operationsBeyondTheStripesAreCounted() throws InterruptedException {
    int threads = 8 * Runtime.getRuntime().availableProcessors() + 3;
    CompletableFuture<Void> leave = new CompletableFuture<>();
    List<Thread> inside = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      boolean single = i % 2 == 0;
      inside.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try (Entry _ = single ? lock.enterSingle() : lock.enterUpdate()) {
                      leave.join();
                    }
                  }));
    }
    Others.await(() -> inside.stream().allMatch(Others::waits));
    List<Mode> order = modes();
    Thread exclusive = entering(Mode.EXCLUSIVE, order);
    assertThat(order).isEmpty();
    leave.complete(null);
    exclusive.join();
    for (Thread thread : inside) {
      thread.join();
    }
    lock.exclusively(() -> {});
  }

  /** Such as an update function that updates the same structure. */
  @Test
  void aThreadThatIsInsideEntersAgainThoughAnotherWaits() throws InterruptedException {
    List<Mode> order = modes();
    Entry outer = lock.enterUpdate();
    Thread exclusive = entering(Mode.EXCLUSIVE, order);
    try (Entry _ = lock.enterSingle();
        Entry _ = lock.enterSingle();
        Entry _ = lock.enterUpdate();
        Entry read = lock.enterRead()) {
      assertThat(read.isQuiescent()).isFalse();
    }
    assertThat(order).isEmpty();
    outer.close();
    exclusive.join();
    assertThat(order).hasSize(1);
  }

  /** All stripes are taken, so the thread is only counted. */
  @Test
  void aThreadInsideByNoStripeEntersAgainThoughAnotherWaits() throws InterruptedException {
    CompletableFuture<Void> leave = new CompletableFuture<>();
    CompletableFuture<Void> again = new CompletableFuture<>();
    List<Thread> inside = new ArrayList<>();
    for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
      inside.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    try (Entry _ = lock.enterSingle()) {
                      leave.join();
                    }
                  }));
    }
    Others.await(() -> inside.stream().allMatch(Others::waits));
    Thread counted =
        Thread.ofPlatform()
            .start(
                () -> {
                  try (Entry outer = lock.enterSingle()) {
                    assertThat(outer.isStripe()).isFalse();
                    again.join();
                    lock.enterSingle().close();
                    assertThatThrownBy(lock::enterExclusive).isInstanceOf(StructureException.class);
                    leave.complete(null);
                  }
                });
    Others.await(() -> Others.waits(counted));
    List<Mode> order = modes();
    Thread exclusive = entering(Mode.EXCLUSIVE, order);
    assertThat(order).isEmpty();
    again.complete(null);
    assertThat(counted.join(Duration.ofSeconds(10))).isTrue();
    assertThat(leave).isDone();
    exclusive.join();
    assertThat(order).hasSize(1);
    for (Thread thread : inside) {
      thread.join();
    }
    // Nobody is counted any more.
    lock.exclusively(() -> {});
  }

  @Test
  void aThreadThatWouldWaitForItselfIsRefused() {
    try (Entry _ = lock.enterUpdate()) {
      assertThatThrownBy(lock::enterExclusive)
          .isInstanceOf(StructureException.class)
          .hasMessageStartingWith("map: ");
      assertThatThrownBy(lock::enterQuiescentRead).isInstanceOf(StructureException.class);
    }
    lock.exclusively(() -> {});
  }

  @Test
  void threadsThatWaitAreTurnedAwayWhenItIsClosed() throws InterruptedException {
    Entry alone = lock.enterExclusive();
    List<Runnable> entries = new ArrayList<>();
    for (Mode mode : Mode.values()) {
      entries.add(() -> enter(mode).close());
    }
    entries.add(() -> lock.enterSingle().close());
    List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
    List<Thread> waiting = new ArrayList<>();
    for (Runnable entry : entries) {
      Thread thread = Thread.ofPlatform().unstarted(() -> thrown.add(catchThrowable(entry::run)));
      thread.start();
      Others.await(() -> Others.waits(thread));
      waiting.add(thread);
    }
    lock.close();
    alone.close();
    for (Thread thread : waiting) {
      thread.join();
    }
    assertThat(thrown).hasSize(entries.size()).allMatch(ClosedException.class::isInstance);
    assertThat(lock.isClosed()).isTrue();
    assertThatThrownBy(lock::enterUpdate).isInstanceOf(ClosedException.class);
  }

  @Test
  void anInterruptEndsNoWaitAndIsKept() throws InterruptedException {
    AtomicBoolean kept = new AtomicBoolean();
    Entry alone = lock.enterExclusive();
    Thread waiting =
        Thread.ofPlatform()
            .start(
                () -> {
                  lock.enterUpdate().close();
                  kept.set(Thread.currentThread().isInterrupted());
                });
    Others.await(() -> Others.waits(waiting));
    waiting.interrupt();
    assertThat(waiting.join(Duration.ofMillis(20))).isFalse();
    alone.close();
    waiting.join();
    assertThat(kept).isTrue();
  }

  /** What many threads ask for, such as growth, the first of them does. */
  @Test
  void whatIsNeedlessAtTheFrontOfTheLineIsNotDone() throws InterruptedException {
    AtomicBoolean needed = new AtomicBoolean(true);
    List<Mode> done = modes();
    Entry inside = lock.enterUpdate();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () ->
                      lock.exclusivelyIf(
                          needed::get,
                          () -> {
                            needed.set(false);
                            done.add(Mode.EXCLUSIVE);
                          })));
    }
    Others.await(() -> threads.stream().allMatch(Others::waits));
    inside.close();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(done).hasSize(1);
  }
}
