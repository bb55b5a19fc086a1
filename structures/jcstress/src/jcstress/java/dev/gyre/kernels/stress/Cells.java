package dev.gyre.kernels.stress;

import dev.gyre.atomics.DeviceDoubles;
import dev.gyre.atomics.DeviceFloats;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.table.ElementType;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Shared words for the states of a test: jcstress has thousands of states alive at once, and no
 * memory is allocated for each.
 *
 * <p>A state takes the next of a ring of places. Each place has two words, in cache lines of their
 * own. There are far more places than jcstress keeps states alive (stride size x stride count).
 */
public final class Cells {

  /** The memory of all places. */
  public static final Memory MEMORY;

  private static final int PLACES = 1 << 16;

  /** Two pairs of cache lines: lines are fetched in pairs. */
  private static final int LONGS = 32;

  private static final AtomicLong TAKEN = new AtomicLong();
  private static final DeviceInts INTS;
  private static final DeviceLongs WORDS;
  private static final DeviceFloats FLOATS;
  private static final DeviceDoubles DOUBLES;

  static {
    MEMORY = Memory.ofLongs((long) PLACES * LONGS);
    INTS = DeviceInts.of(MEMORY);
    WORDS = DeviceLongs.of(MEMORY);
    FLOATS = DeviceFloats.of(MEMORY);
    DOUBLES = DeviceDoubles.of(MEMORY);
  }

  private Cells() {}

  /** Takes a place; the result counts up from 0. */
  public static long take() {
    long taken = TAKEN.getAndIncrement();
    WORDS.set(first(ElementType.LONG, taken), 0);
    WORDS.set(second(ElementType.LONG, taken), 0);
    return taken;
  }

  /** Index of the first word of a place, in a handle to elements of a type. */
  public static long first(ElementType type, long taken) {
    return taken % PLACES * LONGS * Long.BYTES / type.bytes();
  }

  /** Index of the second word of a place. */
  public static long second(ElementType type, long taken) {
    return first(type, taken) + (long) LONGS / 2 * Long.BYTES / type.bytes();
  }

  /** Writes a number as an element, plainly. */
  static void set(ElementType type, long index, long value) {
    switch (type) {
      case INT -> INTS.set(index, (int) value);
      case LONG -> WORDS.set(index, value);
      case FLOAT -> FLOATS.set(index, (float) value);
      case DOUBLE -> DOUBLES.set(index, (double) value);
    }
  }

  /** Reads an element that is a whole number, plainly. */
  static long get(ElementType type, long index) {
    return switch (type) {
      case INT -> INTS.get(index);
      case LONG -> WORDS.get(index);
      case FLOAT -> (long) FLOATS.get(index);
      case DOUBLE -> (long) DOUBLES.get(index);
    };
  }
}
