package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.Memory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Work on a device: it runs, or is dropped before it begins. Running work cannot be stopped. */
final class DeviceWork<T> extends CompletableFuture<T> {

  /** Kind of a work, which affects its turn; see {@link DeviceStreams}. */
  enum Kind {
    /** A copy to the device, and nothing else. */
    COPY_IN,

    /** Kernels, with small copies before them. */
    LAUNCH,
    OTHER
  }

  /** Work in a stream of the device. */
  @FunctionalInterface
  interface InStream<T> {
    T run(DeviceStream stream) throws Exception;
  }

  private final String what;
  private final Set<Memory> memories;
  private final InStream<T> work;
  private final Runnable whenOver;
  private final Kind kind;

  /** Set by the first thread that runs or drops it. */
  private final AtomicBoolean decided = new AtomicBoolean();

  /** Notifies waiting threads; for the thread that ran it. */
  private Runnable outcome = () -> {};

  /** Number of works that must end before this one begins; guarded by the {@link DeviceStreams}. */
  int before;

  /** Works that wait for this one; guarded by the {@link DeviceStreams}. */
  final List<DeviceWork<?>> after = new ArrayList<>();

  /** Launches before this copy; guarded by the {@link DeviceStreams}. */
  final Set<DeviceWork<?>> first = new HashSet<>();

  /** Thread that runs it; guarded by the {@link DeviceStreams}. */
  @Nullable Thread runner;

  /**
   * Creates a waiting work.
   *
   * @param what name in errors
   * @param memories memories that it uses
   * @param whenOver runs once, before waiting threads are notified
   */
  DeviceWork(
      String what, Collection<Memory> memories, InStream<T> work, Runnable whenOver, Kind kind) {
    this.what = what;
    this.memories = new LinkedHashSet<>(memories);
    this.work = work;
    this.whenOver = whenOver;
    this.kind = kind;
  }

  Kind kind() {
    return kind;
  }

  String what() {
    return what;
  }

  Set<Memory> memories() {
    return memories;
  }

  /** Runs it, unless it was dropped; {@link #finish} must follow. */
  void run(Supplier<DeviceStream> stream) {
    if (decided.compareAndSet(false, true)) {
      try {
        T result = runAndLetGo(stream);
        outcome = () -> complete(result);
      } catch (Throwable e) {
        outcome = () -> completeExceptionally(e);
      }
    }
  }

  private T runAndLetGo(Supplier<DeviceStream> stream) throws Exception {
    try {
      return work.run(stream.get());
    } finally {
      whenOver.run();
    }
  }

  /** Notifies waiting threads of the outcome. */
  void finish() {
    outcome.run();
  }

  /** Drops it if it has not begun; returns whether it did. */
  boolean drop(Throwable why) {
    boolean waits = decided.compareAndSet(false, true);
    if (waits) {
      whenOver.run();
      boolean _ = completeExceptionally(why);
    }
    return waits;
  }
}
