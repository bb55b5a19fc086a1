package dev.gyre.kernels.map.owned;

import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FILLED;

import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.IntLines;
import dev.gyre.kernels.map.IntSlots;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.PackedSlots;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Looks up single keys in a table of numbers, beside all else that goes on in it; as {@link
 * dev.gyre.kernels.map.SingleKeys} does for all layouts, but on segments, and with what differs
 * between layouts in numbers, so that HotSpot compiles it once and well for all of them.
 *
 * <table>
 *   <caption>All accesses that race</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>load of a key whose slot has a state</td><td>plain, aligned, so at once</td><td>-</td>
 *       <td>a key other than 0 is final, and where it is another one says all there is to say;
 *       else it is read again after the state</td></tr>
 *   <tr><td>load of a state, a word or a value</td><td>seq_cst</td><td>their publication</td>
 *       <td>see {@code SingleKeys}</td></tr>
 * </table>
 */
public final class KeyReader {

  /** In place of a slot: the key is not in the table. */
  public static final long ABSENT = -1;

  private static final VarHandle INTS = ValueLayout.JAVA_INT.varHandle();
  private static final VarHandle LONGS = ValueLayout.JAVA_LONG.varHandle();

  private final long slots;
  private final long seed;
  private final Hash hash;

  /** Whether it is {@link Hashing}'s. */
  private final boolean ours;

  /** Whether keys are ints, not longs. */
  private final boolean ints;

  /** Whether a word is all there is of a key, in place of a state and the key. */
  private final boolean words;

  private final MemorySegment states;
  private final MemorySegment keys;
  private final MemorySegment values;

  // What belongs to a slot is behind so many bytes: the slot, shifted.
  private final int stateShift;
  private final int shift;

  /** Where in a word the key begins; 0 where the word holds the value, too. */
  private final int keyShift;

  /** For a table. */
  public KeyReader(NumberTable table) {
    slots = table.slots();
    switch (table) {
      case LongSlots longs -> {
        seed = longs.seed();
        hash = longs.hash();
        states = longs.states().memory().segment();
        keys = longs.keys().memory().segment().asSlice(longs.keyAt(0) * Long.BYTES);
        values = longs.values().memory().segment().asSlice(longs.valueAt(0) * Long.BYTES);
        stateShift = Long.numberOfTrailingZeros(longs.stateAt(1) * Integer.BYTES);
        shift = Long.numberOfTrailingZeros((longs.keyAt(1) - longs.keyAt(0)) * Long.BYTES);
        keyShift = 0;
      }
      case IntSlots of -> {
        seed = of.seed();
        hash = of.hash();
        states = of.states().memory().segment();
        keys = of.keys().memory().segment();
        values = of.values().memory().segment();
        stateShift = 2;
        shift = 2;
        keyShift = 0;
      }
      case IntLines lines -> {
        seed = lines.seed();
        hash = lines.hash();
        keys = lines.words().memory().segment();
        states = keys;
        values = keys.asSlice(Long.BYTES);
        stateShift = 0;
        shift = 4;
        keyShift = Integer.SIZE;
      }
      case PackedSlots packed -> {
        seed = packed.seed();
        hash = packed.hash();
        keys = packed.words().memory().segment();
        states = keys;
        values = keys;
        stateShift = 0;
        shift = 3;
        keyShift = 0;
      }
      default -> throw new IllegalArgumentException("not a table of numbers: " + table);
    }
    ours = hash instanceof Hashing.OfLongs || hash instanceof Hashing.OfInts;
    ints = !(table instanceof LongSlots);
    words = table instanceof IntLines || table instanceof PackedSlots;
  }

  /** The slot where a key is, or {@link #ABSENT}. */
  public long find(long key) {
    return words ? findWord((int) key) : findKey(key);
  }

  private long findKey(long key) {
    MemorySegment present = keys;
    long length = slots;
    long home = home(key);
    long slot = home;
    long seen = key(present, slot);
    while (seen != key && seen != 0) {
      slot = slot + 1 == length ? 0 : slot + 1;
      if (slot == home) {
        return ABSENT;
      }
      seen = key(present, slot);
    }
    // seq_cst: pairs with publish
    int state = (int) INTS.getVolatile(states, slot << stateShift);
    if (seen != 0 && state == FILLED) {
      return slot;
    }
    return state == EMPTY ? ABSENT : findOn(key, slot);
  }

  /** From a slot on whose key is 0, or was, or has not been published. */
  private long findOn(long key, long from) {
    long slot = from;
    // seq_cst: pairs with publish
    int state = (int) INTS.getVolatile(states, slot << stateShift);
    long left = slots;
    while (state != EMPTY && left > 0 && !(state == FILLED && key(keys, slot) == key)) {
      // What is RESERVED is passed over.
      slot = slot + 1 == slots ? 0 : slot + 1;
      state = (int) INTS.getVolatile(states, slot << stateShift);
      left--;
    }
    return state == EMPTY || left == 0 ? ABSENT : slot;
  }

  private long key(MemorySegment keys, long slot) {
    return ints
        ? keys.get(ValueLayout.JAVA_INT_UNALIGNED, slot << shift)
        : keys.get(ValueLayout.JAVA_LONG_UNALIGNED, slot << shift);
  }

  private long findWord(int key) {
    boolean lines = keyShift != 0;
    boolean side = !lines && key == Integer.MIN_VALUE;
    int stored = lines ? key : PackedSlots.stored(key);
    long slot = side ? slots : home(key);
    // In a side slot, where nothing but its own key is, no further.
    for (long left = side ? 1 : slots; left > 0; left--) {
      // seq_cst: pairs with the claim
      long word = (long) LONGS.getVolatile(keys, slot << shift);
      if (word == EMPTY) {
        return ABSENT;
      }
      if ((int) (word >> keyShift) == stored) {
        // seq_cst: pairs with the store of the value, without which the key is not there yet
        boolean there = !lines || (long) LONGS.getVolatile(values, slot << shift) != EMPTY;
        return there ? slot : ABSENT;
      }
      slot = slot + 1 == slots ? 0 : slot + 1;
    }
    return ABSENT;
  }

  private long home(long key) {
    // By itself: through the interface, it is compiled with more instructions.
    if (ints) {
      return ours
          ? Hashing.home((int) key, seed, slots)
          : Hashing.homeOf((int) hash.hash(key, seed), slots);
    }
    return Math.unsignedMultiplyHigh(ours ? Hashing.hash(key, seed) : hash.hash(key, seed), slots);
  }

  /** The value of a slot where a key was found. */
  public long value(long slot) {
    long at = slot << shift;
    // seq_cst: see the table
    if (words) {
      return (int) ((long) LONGS.getVolatile(values, at) >> Integer.SIZE);
    }
    return ints ? (int) INTS.getVolatile(values, at) : (long) LONGS.getVolatile(values, at);
  }
}
