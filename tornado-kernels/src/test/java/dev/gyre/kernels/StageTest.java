package dev.gyre.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryRange;
import dev.gyre.atomics.ThreadInts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class StageTest {

  private static final LaunchShape ONE = LaunchShape.ofThreads(1);
  private static final int WORDS = 1000;
  private static final LaunchShape ALL = LaunchShape.ofThreads(WORDS);

  private final JvmLauncher launcher = JvmLauncher.ofWorkers(3);
  private final Memory memory = Memory.ofInts(WORDS);
  private final ThreadInts words = ThreadInts.of(memory);

  @AfterEach
  void close() {
    launcher.close();
    memory.close();
  }

  record AddOne(ThreadInts words) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      words.set(thread, words.get(thread) + 1);
    }
  }

  record Square(ThreadInts words) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      words.set(thread, words.get(thread) * words.get(thread));
    }
  }

  record AwaitFlag(DeviceInts flag) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      flag.storeRelease(1, 1);
      int _ = flag.waitWhileEqualAcquire(0, 0, Long.MAX_VALUE);
    }
  }

  record Fail(ThreadInts words) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      throw new IllegalStateException("on purpose");
    }
  }

  @Test
  void kernelsAndFunctionsRunInTheOrderOfTheChain() {
    for (int i = 0; i < WORDS; i++) {
      words.set(i, i);
    }
    int last =
        Stage.schedule(launcher)
            .bulk(ALL, new AddOne(words))
            .bulk(ALL, new Square(words))
            .then(_ -> words.get(WORDS - 1))
            .bulk(ALL, new AddOne(words))
            .join();
    assertThat(last).isEqualTo(WORDS * WORDS);
    for (int i = 0; i < WORDS; i++) {
      assertThat(words.get(i)).isEqualTo((i + 1) * (i + 1) + 1);
    }
  }

  @SuppressWarnings("NullAway") // What is tested.
  @Test
  void whatIsNullIsRefusedWhereItIsGiven() {
    Stage<Launcher> stage = Stage.schedule(launcher);
    Memory[] none = {memory, null};
    List<ThrowingCallable> given =
        List.of(
            () -> Stage.schedule(null),
            () -> Stage.from(launcher, null),
            () -> stage.then(null),
            () -> stage.on(null),
            () -> stage.bulk(null, new AddOne(words)),
            () -> stage.bulk(ALL, null, new AddOne(words)),
            () -> stage.readBack(none),
            () -> stage.hostWrote(none));
    for (ThrowingCallable each : given) {
      assertThatThrownBy(each).isInstanceOf(NullPointerException.class);
    }
  }

  @Test
  void stagesThatDoNotDependOnEachOtherOverlap() {
    CyclicBarrier both = new CyclicBarrier(2);
    Function<Launcher, Integer> meet =
        _ -> {
          try {
            return both.await();
          } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
          }
        };
    Stage<Launcher> first = Stage.schedule(launcher).bulk(ALL, new AddOne(words));
    List<Integer> arrivals = Stage.whenAll(first.then(meet), first.then(meet)).join();
    assertThat(arrivals).containsExactlyInAnyOrder(0, 1);
  }

  @Test
  void whatDependsOnAFailedStageDoesNotBegin() {
    AtomicBoolean begun = new AtomicBoolean();
    Stage<Launcher> failed = Stage.schedule(launcher).bulk(ONE, new Fail(words));
    Stage<Boolean> next = failed.bulk(ALL, new AddOne(words)).then(_ -> begun.getAndSet(true));
    assertThatThrownBy(next::join)
        .isInstanceOf(LaunchException.class)
        .hasRootCauseMessage("on purpose")
        .isSameAs(thrownBy(failed));
    assertThat(begun).isFalse();
    assertThat(words.get(0)).isZero();
    assertThat(next.isDone()).isTrue();
    assertThat(next.cancel()).isFalse();
  }

  private static Throwable thrownBy(Stage<?> stage) {
    try {
      Object value = stage.join();
      throw new AssertionError("it ended with " + value);
    } catch (RuntimeException e) {
      return e;
    }
  }

  @Test
  void anErrorStaysWhatItIs() {
    AssertionError error = new AssertionError("on purpose");
    Stage<Integer> failed =
        Stage.schedule(launcher)
            .then(
                _ -> {
                  throw error;
                });
    assertThatThrownBy(failed::join).isSameAs(error);
    assertThatThrownBy(failed.then(i -> i + 1)::join).isSameAs(error);
  }

  @Test
  void allAreWaitedForAndTheFirstFailureIsTold() {
    CountDownLatch go = new CountDownLatch(1);
    AtomicBoolean ended = new AtomicBoolean();
    Stage<String> slow =
        Stage.schedule(launcher)
            .then(
                _ -> {
                  await(go);
                  ended.set(true);
                  return "slow";
                });
    Stage<String> one = failing("one");
    Stage<String> two = failing("two");
    Stage<List<String>> all = Stage.whenAll(slow, one, two);
    thrownBy(one);
    thrownBy(two);
    assertThat(all.isDone()).isFalse();
    go.countDown();
    assertThatThrownBy(all::join)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("one")
        .satisfies(e -> assertThat(e.getSuppressed()).singleElement().isSameAs(thrownBy(two)));
    assertThat(ended).isTrue();
  }

  private Stage<String> failing(String why) {
    return Stage.schedule(launcher)
        .then(
            _ -> {
              throw new IllegalStateException(why);
            });
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Test
  void valuesOfSeveralStagesAreInTheirOrder() {
    List<Stage<Integer>> stages = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      int value = i;
      stages.add(Stage.schedule(launcher).then(_ -> value));
    }
    @SuppressWarnings({"unchecked", "rawtypes"})
    Stage<Integer>[] array = stages.toArray(new Stage[0]);
    assertThat(Stage.whenAll(array).join()).hasSize(50).isSorted();
    assertThat(Stage.whenAll().join()).isEmpty();
  }

  @Test
  void aKernelThatRunsIsCancelledAndWhatFollowsDoesNotBegin() {
    AtomicBoolean followed = new AtomicBoolean();
    DeviceInts flag = DeviceInts.of(memory);
    Stage<Launcher> waiting = Stage.schedule(launcher).bulk(ONE, new AwaitFlag(flag));
    Stage<Boolean> next = waiting.then(_ -> followed.getAndSet(true));
    while (flag.loadAcquire(1) == 0) {
      Thread.onSpinWait();
    }
    assertThat(next.cancel()).isTrue();
    assertThatThrownBy(next::join).isInstanceOf(LaunchCancelledException.class);
    assertThat(followed).isFalse();
    assertThat(next.cancel()).isFalse();
  }

  @Test
  void aFunctionThatRunsIsInterruptedAndItsThreadIsNotAfterwards() {
    CountDownLatch begun = new CountDownLatch(1);
    Stage<String> waiting =
        Stage.schedule(launcher)
            .then(
                _ -> {
                  begun.countDown();
                  try {
                    new CountDownLatch(1).await();
                    return "not interrupted";
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return "interrupted";
                  }
                });
    await(begun);
    assertThat(waiting.cancel()).isTrue();
    assertThat(waiting.join()).isEqualTo("interrupted");
    for (int i = 0; i < 100; i++) {
      assertThat(Stage.schedule(launcher).then(_ -> Thread.currentThread().isInterrupted()).join())
          .isFalse();
    }
  }

  @Test
  void anInterruptOfWhoWaitsCancelsAndIsKept() {
    DeviceInts flag = DeviceInts.of(memory);
    Stage<Launcher> waiting = Stage.schedule(launcher).bulk(ONE, new AwaitFlag(flag));
    while (flag.loadAcquire(1) == 0) {
      Thread.onSpinWait();
    }
    Thread.currentThread().interrupt();
    assertThatThrownBy(waiting::join).isInstanceOf(LaunchCancelledException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aLongChainIsRunAndCancelled() {
    Stage<Integer> sum = Stage.schedule(launcher).then(_ -> 0);
    for (int i = 0; i < 20_000; i++) {
      sum = sum.then(n -> n + 1);
    }
    assertThat(sum.join()).isEqualTo(20_000);
    CompletableFuture<Integer> never = new CompletableFuture<>();
    Stage<Integer> end = Stage.from(launcher, never);
    for (int i = 0; i < 20_000; i++) {
      end = end.then(n -> n + 1);
    }
    assertThat(end.cancel()).isTrue();
    assertThatThrownBy(end::join).isInstanceOf(CancellationException.class);
    assertThat(never).isNotDone();
  }

  @Test
  void aLauncherThatWasClosedIsTold() {
    JvmLauncher closed = JvmLauncher.ofWorkers(1);
    closed.close();
    Stage<Launcher> stage = Stage.schedule(closed).bulk(ALL, new AddOne(words));
    assertThatThrownBy(stage::join).isInstanceOf(ClosedException.class);
  }

  @Test
  void whatIsNoRecordIsRefusedAtOnce() {
    Stage<Launcher> stage = Stage.schedule(launcher);
    assertThatThrownBy(() -> stage.bulk(ONE, (_, _) -> {})).isInstanceOf(KernelException.class);
  }

  @Test
  void stagesOfTheJdkGoInAndOut() {
    CompletableFuture<String> given = new CompletableFuture<>();
    Stage<Integer> length = Stage.from(launcher, given).then(String::length);
    CompletableFuture<Integer> twice =
        length.toCompletionStage().thenApply(n -> 2 * n).toCompletableFuture();
    given.complete("whale");
    assertThat(twice.join()).isEqualTo(10);
    Stage<String> failed =
        Stage.from(launcher, CompletableFuture.failedStage(new ArithmeticException("one")));
    assertThatThrownBy(failed::join).isInstanceOf(ArithmeticException.class).hasMessage("one");
  }

  /** A launcher with memory of its own, which says what is copied. */
  private record Separate(String name, Launcher jvm, List<String> told) implements Launcher {
    @Override
    public Device device() {
      return jvm.device();
    }

    @Override
    public LaunchShape shapeFor(long items) {
      return jvm.shapeFor(items);
    }

    @Override
    public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
      told.add(name + " runs");
      return jvm.start(kernel, shape, mode);
    }

    @Override
    public void readBack(MemoryRange... ranges) {
      told.add("%s back %d".formatted(name, ranges.length));
    }

    @Override
    public void hostWrote(MemoryRange... ranges) {
      told.add("%s wrote %d".formatted(name, ranges.length));
    }

    @Override
    public void close() {}
  }

  @Test
  void whatKernelsWorkedOnComesAlongToAnotherLauncher() {
    List<String> told = Collections.synchronizedList(new ArrayList<>());
    Separate a = new Separate("a", launcher, told);
    Separate b = new Separate("b", launcher, told);
    try (Memory other = Memory.ofInts(WORDS)) {
      Launcher end =
          Stage.schedule(a)
              .bulk(ALL, new AddOne(words))
              .bulk(ALL, new AddOne(ThreadInts.of(other)))
              .bulk(ALL, new Square(words))
              .on(b)
              .bulk(ALL, new AddOne(words))
              .on(b)
              .on(a)
              .readBack(memory)
              .join();
      assertThat(end).isSameAs(a);
      assertThat(told)
          .containsExactly(
              "a runs",
              "a runs",
              "a runs",
              "a back 2",
              "b wrote 2",
              "b runs",
              "b back 1",
              "a wrote 1",
              "a back 1");
    }
  }

  @Test
  void chainsOfSeveralLaunchersMeet() {
    List<String> told = Collections.synchronizedList(new ArrayList<>());
    Separate a = new Separate("a", launcher, told);
    Separate b = new Separate("b", launcher, told);
    try (Memory other = Memory.ofInts(WORDS)) {
      Stage<List<Launcher>> both =
          Stage.whenAll(
              Stage.schedule(a).bulk(ALL, new AddOne(words)),
              Stage.schedule(b).bulk(ALL, new AddOne(ThreadInts.of(other))));
      assertThatThrownBy(() -> both.bulk(ALL, new Square(words)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("on(launcher)");
      assertThat(both.join()).containsExactly(a, b);
      told.clear();
      List<Launcher> end = both.on(a).bulk(ALL, new Square(words)).join();
      assertThat(end).hasSize(2);
      assertThat(told).containsExactly("b back 1", "a wrote 1", "a runs");
    }
  }

  @Test
  void memoryThatWasClosedIsLeftBehind() {
    List<String> told = Collections.synchronizedList(new ArrayList<>());
    Separate a = new Separate("a", launcher, told);
    Memory other = Memory.ofInts(WORDS);
    Launcher end =
        Stage.schedule(a)
            .bulk(ALL, new AddOne(ThreadInts.of(other)))
            .then(
                l -> {
                  other.close();
                  return l;
                })
            .on(launcher)
            .join();
    assertThat(end).isSameAs(a);
    assertThat(told).containsExactly("a runs", "a back 0");
  }
}
