package dev.gyre.kernels;

import dev.gyre.atomics.Memory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous chain of kernels and host functions: the <em>sender</em> of C++'s executors (P2300),
 * over {@link CompletionStage}.
 *
 * <pre>{@code
 * Stage.schedule(gpu)
 *     .bulk(shape, new AddOne(words))
 *     .bulk(shape, new Square(words))
 *     .readBack(memory)
 *     .join();
 * }</pre>
 *
 * <p>Each method returns a stage that begins when the stages it depends on have ended, on a
 * separate thread. Independent stages overlap. What a stage did happens before all stages that
 * depend on it.
 *
 * <p><b>Memory.</b> {@link #on} copies the memories of earlier kernels to another device. {@link
 * #readBack} and {@link #hostWrote} declare what host functions read and write, as for a {@link
 * Launcher}. Memories are in use until the stage has ended: close nothing before {@link #join}.
 *
 * <p><b>Errors.</b> If a stage fails, all stages that depend on it fail with the same exception and
 * do not begin.
 *
 * @param <T> type of the value of the stage
 * @since 0.1.0
 */
public final class Stage<T> {

  /** Threads that wait for devices or run functions of users, which may block. */
  private static final Executor THREADS =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("gyre-stage-", 0).factory());

  /** Result of a stage: its value, and the memories that kernels used, by launcher. */
  private record StageValue<T>(T value, Map<Launcher, Set<Memory>> touched) {
    <U> StageValue<U> with(U other) {
      return new StageValue<>(other, touched);
    }
  }

  /** The thread of a running stage. */
  private static final class Turn {
    private @Nullable Thread thread;
    private boolean cancelled;
    private boolean ended;

    <A, B> B take(Function<A, B> work, A given) {
      begin();
      try {
        return work.apply(given);
      } finally {
        end();
      }
    }

    private synchronized void begin() {
      if (cancelled) {
        throw cancelledBefore();
      }
      thread = Thread.currentThread();
    }

    static CancellationException cancelledBefore() {
      return new CancellationException("the stage was cancelled before it began");
    }

    private synchronized void end() {
      ended = true;
      thread = null;
      // The interrupt that cancelled this work must not affect later work of the thread.
      boolean _ = Thread.interrupted();
    }

    synchronized boolean cancel() {
      cancelled |= !ended;
      if (thread != null) {
        thread.interrupt();
      }
      return !ended;
    }
  }

  private final CompletableFuture<StageValue<T>> held;
  private final @Nullable Launcher launcher;

  /** Null if this stage only waits. */
  private final @Nullable Turn turn;

  /**
   * Stages that this stage waits for; empty after its end, so that long chains do not fill the
   * heap.
   */
  private volatile List<Stage<?>> before;

  private Stage(
      CompletableFuture<StageValue<T>> held,
      @Nullable Launcher launcher,
      @Nullable Turn turn,
      List<Stage<?>> before) {
    this.held = held;
    this.launcher = launcher;
    this.turn = turn;
    this.before = before;
  }

  private static <T> Stage<T> after(
      List<Stage<?>> before,
      @Nullable Launcher launcher,
      @Nullable Turn turn,
      CompletableFuture<StageValue<T>> held) {
    Stage<T> stage = new Stage<>(held, launcher, turn, before);
    CompletableFuture<?> _ = held.whenComplete((_, _) -> stage.before = List.of());
    return stage;
  }

  /** Returns the first stage of a chain. Kernels run on this launcher, which is its value. */
  public static Stage<Launcher> schedule(Launcher launcher) {
    return from(launcher, CompletableFuture.completedStage(launcher));
  }

  /**
   * Returns the first stage of a chain that begins when another stage has ended, with the value of
   * that stage.
   */
  public static <T> Stage<T> from(Launcher launcher, CompletionStage<T> first) {
    Objects.requireNonNull(launcher, "launcher");
    CompletableFuture<StageValue<T>> held =
        Objects.requireNonNull(first, "first")
            .thenApply(value -> new StageValue<>(value, Map.of()))
            .toCompletableFuture();
    return new Stage<>(held, launcher, null, List.of());
  }

  /** Runs a kernel, {@linkplain LaunchMode#STRIDED strided}; the value is unchanged. */
  public Stage<T> bulk(LaunchShape shape, Kernel kernel) {
    return bulk(shape, LaunchMode.STRIDED, kernel);
  }

  /**
   * Runs a kernel; the value is unchanged. The stage fails as {@link Launcher#start} and {@link
   * Launch#join} do.
   *
   * @param kernel a record, as for devices; all its handles refer to a {@link Memory}
   * @throws KernelException if the kernel is not such a record
   * @throws IllegalStateException if the stages before have several launchers: select one by {@link
   *     #on}
   */
  public Stage<T> bulk(LaunchShape shape, LaunchMode mode, Kernel kernel) {
    Objects.requireNonNull(shape, "shape");
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(kernel, "kernel");
    Launcher here = launcher();
    Set<Memory> memories = Set.copyOf(KernelTree.of(kernel).memories());
    return next(
        here,
        given -> {
          here.start(kernel, shape, mode).join();
          return new StageValue<>(given.value(), union(given.touched(), Map.of(here, memories)));
        });
  }

  /**
   * Calls a function on the host. It may block, for example in bulk operations of structures. If
   * the stage is cancelled, its thread is interrupted.
   */
  public <U> Stage<U> then(Function<? super T, ? extends U> function) {
    Objects.requireNonNull(function, "function");
    return next(launcher, given -> given.with(function.apply(given.value())));
  }

  /**
   * Continues on another launcher. Memories that kernels of this chain used elsewhere are copied to
   * the host, and to the device of the new launcher when a kernel there uses them.
   */
  public Stage<T> on(Launcher other) {
    Objects.requireNonNull(other, "other");
    return next(
        other,
        given -> {
          Map<Launcher, Set<Memory>> left = new HashMap<>(given.touched());
          Set<Memory> stay = left.remove(other);
          left.forEach((launcher, memories) -> move(launcher, memories, other));
          return new StageValue<>(given.value(), stay == null ? Map.of() : Map.of(other, stay));
        });
  }

  private static void move(Launcher from, Set<Memory> memories, Launcher to) {
    Memory[] all = memories.stream().filter(m -> !m.isClosed()).toArray(Memory[]::new);
    from.readBack(all);
    to.hostWrote(all);
  }

  /** Copies memories to the host, so that functions of the host see what kernels wrote. */
  public Stage<T> readBack(Memory... memories) {
    return onHost(launcher()::readBack, memories);
  }

  /** Declares that functions of the host wrote memories, so that later kernels see it. */
  public Stage<T> hostWrote(Memory... memories) {
    return onHost(launcher()::hostWrote, memories);
  }

  private Stage<T> onHost(Consumer<Memory[]> copy, Memory[] memories) {
    Memory[] all = List.of(Objects.requireNonNull(memories, "memories")).toArray(Memory[]::new);
    return next(
        launcher,
        given -> {
          copy.accept(all);
          return given;
        });
  }

  /**
   * Waits for all of several stages, even if some fail. The value is the list of their values, in
   * order.
   *
   * <p>If some fail, this stage fails with the exception of the first one, in which the others are
   * suppressed. Later kernels run on the launcher of these stages, if all have the same.
   */
  @SafeVarargs
  @SuppressWarnings("varargs")
  public static <T> Stage<List<T>> whenAll(Stage<? extends T>... stages) {
    List<Stage<? extends T>> all = List.of(stages);
    CompletableFuture<?>[] ends = all.stream().map(s -> s.held).toArray(CompletableFuture[]::new);
    CompletableFuture<StageValue<List<T>>> held =
        CompletableFuture.allOf(ends).handle((_, _) -> gather(all));
    boolean together = all.stream().map(s -> s.launcher).distinct().count() == 1;
    Launcher launcher = together ? all.getFirst().launcher : null;
    return after(List.copyOf(all), launcher, null, held);
  }

  private static <T> StageValue<List<T>> gather(List<Stage<? extends T>> all) {
    requireNoneFailed(all);
    Map<Launcher, Set<Memory>> touched =
        all.stream().map(s -> s.held.join().touched()).reduce(Map.of(), Stage::union);
    List<T> values = all.stream().<T>map(s -> s.held.join().value()).toList();
    return new StageValue<>(values, touched);
  }

  // An exception must not be suppressed in itself.
  @SuppressWarnings("ReferenceEquality")
  private static void requireNoneFailed(List<? extends Stage<?>> all) {
    @Nullable Throwable failure = null;
    for (Stage<?> each : all) {
      if (each.held.isCompletedExceptionally()) {
        Throwable next = cause(each.held.exceptionNow());
        if (failure == null) {
          failure = next;
        } else if (failure != next) {
          failure.addSuppressed(next);
        }
      }
    }
    if (failure != null) {
      throw new CompletionException(failure);
    }
  }

  private static Throwable cause(Throwable thrown) {
    Throwable cause = thrown.getCause();
    return thrown instanceof CompletionException && cause != null ? cause : thrown;
  }

  private static Map<Launcher, Set<Memory>> union(
      Map<Launcher, Set<Memory>> some, Map<Launcher, Set<Memory>> others) {
    Map<Launcher, Set<Memory>> all = new HashMap<>(some);
    others.forEach(
        (launcher, memories) -> {
          Set<Memory> both = new HashSet<>(memories);
          both.addAll(all.getOrDefault(launcher, Set.of()));
          all.put(launcher, both);
        });
    return all;
  }

  private <U> Stage<U> next(@Nullable Launcher on, Function<StageValue<T>, StageValue<U>> work) {
    Turn taken = new Turn();
    return after(
        List.of(this), on, taken, held.thenApplyAsync(given -> taken.take(work, given), THREADS));
  }

  private Launcher launcher() {
    if (launcher == null) {
      throw new IllegalStateException(
          "the stages before this are of several launchers; say by on(launcher) which is next");
    }
    return launcher;
  }

  /**
   * Waits until this stage has ended.
   *
   * <p>An interrupt of the calling thread cancels the stage, as {@link #cancel} does, and the
   * interrupt status is kept. This method still waits for work that has begun.
   *
   * @return the value of the stage
   * @throws RuntimeException the exception of the first stage that failed; a {@link
   *     CancellationException} if the stage was cancelled before it began
   */
  public T join() {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return held.get().value();
        } catch (InterruptedException e) {
          interrupted = true;
          boolean _ = cancel();
        } catch (ExecutionException e) {
          throw thrown(e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException thrown(@Nullable Throwable cause) {
    return switch (cause) {
      case RuntimeException known -> known;
      case Error error -> throw error;
      case null, default -> new CompletionException(cause);
    };
  }

  /**
   * Cancels this stage and all stages before it that have not ended.
   *
   * <p>Work that has not begun does not begin. A running launch is cancelled as by {@link
   * Launch#cancel}, and the thread of a host function is interrupted. Other stages that depend on
   * cancelled stages fail. The stage that a chain is {@linkplain #from from} is not cancelled.
   *
   * @return whether something was cancelled
   */
  public boolean cancel() {
    boolean any = false;
    Deque<Stage<?>> left = new ArrayDeque<>(List.of(this));
    while (!left.isEmpty()) {
      Stage<?> stage = left.pop();
      if (!stage.isDone()) {
        any |= stage.turn == null ? stage.giveUp() : stage.turn.cancel();
        left.addAll(stage.before);
      }
    }
    return any;
  }

  /** Stops waiting for the stage that a chain begins after, which may never end. */
  private boolean giveUp() {
    return before.isEmpty() && held.completeExceptionally(Turn.cancelledBefore());
  }

  /** Returns whether this stage has ended or failed. */
  public boolean isDone() {
    return held.isDone();
  }

  /** Returns the value as a stage of the JDK. Cancelling that stage does not affect this one. */
  public CompletionStage<T> toCompletionStage() {
    return held.thenApply(StageValue::value).minimalCompletionStage();
  }
}
