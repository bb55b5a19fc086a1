package dev.gyre.structures;

import dev.gyre.atomics.Internal;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Copies between segments, with several threads if the amount is large: one thread alone copies
 * slower than a device reads. For the packages of this module.
 */
@Internal
public final class ParallelCopy {

  /** Bytes that a thread copies at a time. */
  private static final long SLICE_BYTES = 1 << 20;

  private ParallelCopy() {}

  /** Copies a whole segment to the start of another; any thread must be able to access both. */
  public static void copy(MemorySegment from, MemorySegment to) {
    long bytes = from.byteSize();
    int slices = (int) Math.ceilDiv(bytes, SLICE_BYTES);
    if (slices <= 1) {
      MemorySegment.copy(from, 0, to, 0, bytes);
      return;
    }
    slices(
        slices,
        i -> {
          long at = i * SLICE_BYTES;
          MemorySegment.copy(from, at, to, at, Math.min(SLICE_BYTES, bytes - at));
        });
  }

  /**
   * Runs work on slices, on several threads. When this method returns or throws, no thread is at
   * work any more, so that the caller may use the memory again. A parallel stream throws earlier,
   * while other threads still write.
   *
   * <p>Throws what a slice that failed threw.
   */
  public static void slices(int count, IntConsumer work) {
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    IntStream.range(0, count)
        .parallel()
        .filter(_ -> failure.get() == null)
        .forEach(
            i -> {
              try {
                work.accept(i);
              } catch (RuntimeException | Error e) {
                boolean _ = failure.compareAndSet(null, e);
              }
            });
    switch (failure.get()) {
      case null -> {}
      case Error e -> throw e;
      case RuntimeException e -> throw e;
      case Throwable e -> throw new IllegalStateException(e);
    }
  }
}
