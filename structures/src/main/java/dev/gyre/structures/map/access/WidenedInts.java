package dev.gyre.structures.map.access;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.Numbers;
import dev.gyre.structures.map.Ints;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.work.ConvertedLongs;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Ints of the caller as longs, for maps in which either keys or values are ints: all operations on
 * these work on longs.
 */
public final class WidenedInts extends ConvertedLongs {

  /** Largest number of elements that are copied at once, so that no scratch memory is needed. */
  private static final int MAX_COPIED = 1 << 12;

  private final Ints ints;

  private WidenedInts(Ints ints) {
    super(ints.length());
    this.ints = ints;
  }

  /** Returns a view of elements. */
  public static Longs of(Ints ints) {
    return new WidenedInts(ints);
  }

  /** Returns elements that an operation reads and does not write: few of them as a copy. */
  public static Longs toRead(Ints ints) {
    WidenedInts view = new WidenedInts(ints);
    return ints.isOnDevice() || ints.length() > MAX_COPIED
        ? view
        : view.copied(0, (int) ints.length());
  }

  @Override
  public Longs part(long from, long count) {
    return new WidenedInts(ints.part(from, count));
  }

  /** Returns the memory of the ints, if kernels convert them on the device. */
  @Override
  public @Nullable Memory memory() {
    return ints.isOnDevice() ? ints.memory() : null;
  }

  @Override
  public Numbers numbers() {
    return ints.numbers();
  }

  @Override
  public boolean isOnDevice() {
    return ints.isOnDevice();
  }

  @Override
  public MemorySegment segment() {
    return ints.segment();
  }

  @Override
  protected void toLongs(long from, long[] to, int at, int count, int[] buffer) {
    ints.read(from, buffer, count);
    for (int i = 0; i < count; i++) {
      to[at + i] = buffer[i];
    }
  }

  @Override
  protected void toInts(long to, long[] from, int at, int count, int[] buffer) {
    for (int i = 0; i < count; i++) {
      buffer[i] = (int) from[at + i];
    }
    ints.write(to, buffer, count);
  }
}
