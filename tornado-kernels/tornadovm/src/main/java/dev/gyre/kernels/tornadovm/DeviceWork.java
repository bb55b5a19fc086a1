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

/**
 * A piece of work on a device: it is run, or dropped before it begins. Nothing stops what has
 * begun.
 */
final class DeviceWork<T> extends CompletableFuture<T> {

  /** What a work is, where that says something of its turn; see {@link DeviceStreams}. */
  enum Kind {
    /** A copy to the device, and nothing else. */
    COPY_IN,

    /** Kernels, with copies of little that they need before them. */
    LAUNCH,
    OTHER
  }

  /** What is done in a stream of the device. */
  @FunctionalInterface
  interface InStream<T> {
    T run(DeviceStream stream) throws Exception;
  }

  private final String what;
  private final Set<Memory> memories;
  private final InStream<T> work;
  private final Runnable whenOver;
  private final Kind kind;

  /** Set by the first who runs or drops it. */
  private final AtomicBoolean decided = new AtomicBoolean();

  /** Tells those who wait; for the thread that ran it. */
  private Runnable outcome = () -> {};

  /** Works that must be over before this begins; guarded by the {@link DeviceStreams}. */
  int before;

  /** Works that wait for this; guarded by the {@link DeviceStreams}. */
  final List<DeviceWork<?>> after = new ArrayList<>();

  /** Launches that go before this, a copy; guarded by the {@link DeviceStreams}. */
  final Set<DeviceWork<?>> first = new HashSet<>();

  /** Who does it; guarded by the {@link DeviceStreams}. */
  @Nullable Thread runner;

  /**
   * Work that waits.
   *
   * @param what names it in errors
   * @param memories that it touches
   * @param whenOver runs once, before those who wait for this are told
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

  /** Does it, unless it was dropped; {@link #tell} is to follow. */
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

  /** Tells those who wait what became of it. */
  void tell() {
    outcome.run();
  }

  /** Has this end without having begun, and returns whether it had not. */
  boolean drop(Throwable why) {
    boolean waits = decided.compareAndSet(false, true);
    if (waits) {
      whenOver.run();
      boolean _ = completeExceptionally(why);
    }
    return waits;
  }
}
