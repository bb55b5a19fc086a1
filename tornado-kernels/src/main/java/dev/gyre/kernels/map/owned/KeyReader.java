package dev.gyre.kernels.map.owned;

import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.FILLED;
import static dev.gyre.kernels.map.MapCodes.RESERVED;

import dev.gyre.atomics.Hold;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.KeySlots;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.PackedSlots;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks up single keys in a table of numbers, beside all else that goes on in it, and a {@link
 * Writer} inserts and changes them; as {@link dev.gyre.kernels.map.SingleKeys} does for all
 * layouts, but with what differs between layouts in numbers, so that HotSpot compiles it once and
 * well for all of them.
 *
 * <p>The table may be freed meanwhile. Where its memories can be {@linkplain Hold held}, it is read
 * by address, nothing is thrown then, and what was found means nothing: who asked has to keep this
 * reachable until then, and to see whether that table is still in place. Else there is an {@link
 * IllegalStateException}.
 *
 * <table>
 *   <caption>All accesses that race</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>load of a key whose slot has a state</td><td>plain, aligned, so at once</td><td>-</td>
 *       <td>a key other than 0 is final, and where it is another one says all there is to say;
 *       else it is read again after the state</td></tr>
 *   <tr><td>load of a state, a word or a value; claim, update of a value</td>
 *       <td>seq_cst</td><td>each other</td><td>see {@code SingleKeys}</td></tr>
 *   <tr><td>load of a word, or of a value behind its state, of several keys</td><td>plain, aligned,
 *       so at once</td><td>-</td><td>a word is all there is to see, as in {@code PackedSlots} and
 *       {@code KeySlots}, whose bulk finds are relaxed, too</td></tr>
 *   <tr><td>publication</td><td>plain, aligned, so at once, after a release fence; a full fence
 *       comes before the end of the call</td><td>load of a state</td>
 *       <td>key and value could be missed</td></tr>
 * </table>
 *
 * <p>A publication need not be seq_cst, since the thread leaves by a full fence whatever it came in
 * by to write. Of two threads one of which inserts x and then looks for y, and one inserts y and
 * looks for x, each has its publication before its fence, and its search behind it: whoever's fence
 * is the later one finds the other's key. That fence may be two halves: a seq_cst write by which
 * the thread leaves, and the seq_cst load by which it is told where to search. A search within the
 * call that inserted may miss a key of another call; both are under way, so that either may be the
 * first.
 */
public abstract sealed class KeyReader {

  private static final VarHandle INTS = ValueLayout.JAVA_INT.varHandle();
  private static final VarHandle LONGS = ValueLayout.JAVA_LONG.varHandle();

  /** How often a slot is looked at that somebody inserts to. */
  private static final int MOST_POLLS = 1 << 6;

  private static final long UNSURE = -2;

  final long slots;
  private final long seed;
  private final Hash hash;
  private final OwnedHash hashes;

  /** Whether keys are ints, not longs. */
  final boolean ints;

  /** Whether it is that of {@link Hashing} for such keys. */
  private final boolean ours;

  private KeyReader(Shape shape) {
    slots = shape.table().slots();
    seed = shape.seed();
    hash = shape.hash();
    ints = !OwnedSlots.areLongs(shape.table());
    ours = ints ? hash instanceof Hashing.OfInts : hash instanceof Hashing.OfLongs;
    hashes = new OwnedHash(hash, seed, slots, ints);
  }

  /** Whether it throws where the table was freed. */
  public final boolean isChecked() {
    return this instanceof KeysOfSegments
        || this instanceof SetOfSegments
        || this instanceof WordsOfSegments;
  }

  /** For a table, which throws an {@link IllegalStateException} where it was freed. */
  public static KeyReader checked(NumberTable table) {
    Shape shape = Shape.of(table);
    if (table instanceof KeySlots keys) {
      return new SetOfSegments(shape, keys.side());
    }
    return table instanceof PackedSlots ? new WordsOfSegments(shape) : new KeysOfSegments(shape);
  }

  /**
   * For a table, which says anything where it was freed; or {@link #checked}, where the addresses
   * of the table's memories cannot be held.
   */
  public static KeyReader of(NumberTable table) {
    Shape shape = Shape.of(table);
    List<Hold> holds =
        Stream.of(shape.states(), shape.keys(), shape.values())
            .map(Memory::hold)
            .filter(Objects::nonNull)
            .toList();
    if (holds.size() < 3) {
      return checked(table);
    }
    if (table instanceof KeySlots keys) {
      return keys instanceof KeySlots.OfLongs
          ? new SetOfLongs(shape, keys.side(), holds)
          : new SetOfInts(shape, keys.side(), holds);
    }
    return table instanceof PackedSlots
        ? new Words(shape, holds)
        : table instanceof LongSlots ? new LongKeys(shape, holds) : new IntKeys(shape, holds);
  }

  /**
   * The slot where a key is; if it is in none, the complement of the slot where an insert of it
   * begins, which is negative.
   */
  public abstract long find(long key);

  /**
   * Whether a slot, where an insert of a key that was not found begins, is EMPTY: then nobody is
   * inserting the key, or had not begun to when it was looked for.
   */
  public abstract boolean isEmpty(long slot);

  /** The value of a slot where a key was found. */
  public abstract long value(long slot);

  /**
   * Looks up keys.
   *
   * @param keys of a table whose keys are longs
   * @param found where the value of each goes, or 0; nowhere if null
   * @return how many were found; or -1 if a slot may have to be waited for, or no EMPTY slot was
   *     met: some of the values are then written
   */
  public final int findAll(long[] keys, long @Nullable [] found) {
    int most = Math.min(keys.length, Told.LENGTH);
    long[] homes = new long[most];
    // Copied: what is hashed and what is compared are to be the same key.
    long[] sought = new long[most];
    int hits = 0;
    for (int at = 0; at < keys.length && hits >= 0; at += Told.LENGTH) {
      int count = Math.min(Told.LENGTH, keys.length - at);
      System.arraycopy(keys, at, sought, 0, count);
      hashes.findHomes(sought, 0, count, homes);
      hits = sum(hits, findBlock(sought, count, homes, found, at));
    }
    return hits;
  }

  /** The same of a table whose keys are ints. */
  public final int findAll(int[] keys, int @Nullable [] found) {
    int most = Math.min(keys.length, Told.LENGTH);
    long[] homes = new long[most];
    long[] wide = new long[most];
    int hits = 0;
    for (int at = 0; at < keys.length && hits >= 0; at += Told.LENGTH) {
      int count = Math.min(Told.LENGTH, keys.length - at);
      for (int i = 0; i < count; i++) {
        wide[i] = keys[at + i];
      }
      hashes.findHomes(wide, 0, count, homes);
      hits = sum(hits, findBlock(wide, count, homes, found == null ? null : wide, 0));
      for (int i = 0; found != null && i < count; i++) {
        found[at + i] = (int) wide[i];
      }
    }
    return hits;
  }

  private static int sum(int before, int more) {
    return more < 0 ? -1 : before + more;
  }

  /**
   * Looks up some keys, and writes the value of each to those found.
   *
   * @param homes where the searches begin; used up
   * @param at element for the first value
   * @return as {@link #findAll}
   */
  int findBlock(long[] keys, int count, long[] homes, long @Nullable [] found, int at) {
    int hits = 0;
    for (int i = 0; i < count; i++) {
      long slot = findSlowly(keys[i]);
      if (slot == UNSURE) {
        return -1;
      }
      hits += slot < 0 ? 0 : 1;
      if (found != null) {
        found[at + i] = slot < 0 ? 0 : value(slot);
      }
    }
    return hits;
  }

  /**
   * The slot of a key, -1 if it is not there, or UNSURE: somebody has been about to insert a key
   * there for long.
   */
  final long findSlowly(long key) {
    long slot = find(key);
    boolean sure = slot >= 0 || isEmpty(~slot);
    for (int polls = 0; !sure && polls < MOST_POLLS; polls++) {
      Thread.onSpinWait();
      slot = find(key);
      sure = slot >= 0 || isEmpty(~slot);
    }
    return sure ? Math.max(slot, -1) : UNSURE;
  }

  // By themselves: through the interface, our hashes are compiled with more instructions.

  final long homeOfLong(long key) {
    return Math.unsignedMultiplyHigh(ours ? Hashing.hash(key, seed) : hash.hash(key, seed), slots);
  }

  final long homeOfInt(int key) {
    return ours
        ? Hashing.home(key, seed, slots)
        : Hashing.homeOf((int) hash.hash(key, seed), slots);
  }

  /** Slots that have a state and a key. */
  abstract static sealed class Keys extends KeyReader {

    Keys(Shape shape) {
      super(shape);
    }

    abstract long home(long key);

    /** seq_cst. */
    abstract int state(long slot);

    /** Plain. */
    abstract long key(long slot);

    @Override
    public final long find(long key) {
      long home = home(key);
      long slot = home;
      long seen = key(slot);
      while (seen != key && seen != 0) {
        slot = slot + 1 == slots ? 0 : slot + 1;
        if (slot == home) {
          return ~home;
        }
        seen = key(slot);
      }
      // seq_cst: pairs with publish
      int state = state(slot);
      if (seen == 0 || state != FILLED) {
        slot = state == EMPTY ? ~slot : findOn(key, slot);
      }
      return slot;
    }

    @Override
    public final boolean isEmpty(long slot) {
      return state(slot) == EMPTY;
    }

    /** From a slot on whose key is 0, or was, or has not been published. */
    private long findOn(long key, long from) {
      long slot = from;
      // The first one that is RESERVED.
      long begin = -1;
      // seq_cst: pairs with publish
      int state = state(slot);
      long left = slots;
      while (state != EMPTY && left > 0 && !(state == FILLED && key(slot) == key)) {
        // What is RESERVED is passed over.
        begin = state == RESERVED && begin < 0 ? slot : begin;
        slot = slot + 1 == slots ? 0 : slot + 1;
        state = state(slot);
        left--;
      }
      boolean there = state != EMPTY && left > 0;
      return there ? slot : begin >= 0 ? ~begin : left > 0 ? ~slot : ~from;
    }
  }

  /** {@link PackedSlots}. */
  abstract static sealed class AnyWords extends KeyReader {

    AnyWords(Shape shape) {
      super(shape);
    }

    /** seq_cst. */
    abstract long word(long slot);

    @Override
    public final long find(long key) {
      boolean side = key == Integer.MIN_VALUE;
      int stored = PackedSlots.stored((int) key);
      long slot = side ? slots : homeOfInt((int) key);
      // seq_cst: pairs with the claim
      long word = word(slot);
      // In a side slot, where nothing but its own key is, no further.
      long left = side ? 1 : slots;
      while (word != EMPTY && (int) word != stored && left > 1) {
        slot = slot + 1 == slots ? 0 : slot + 1;
        word = word(slot);
        left--;
      }
      return word != EMPTY && (int) word == stored ? slot : ~slot;
    }

    @Override
    public final boolean isEmpty(long slot) {
      return word(slot) == EMPTY;
    }

    @Override
    public final long value(long slot) {
      // seq_cst: see the table
      return PackedSlots.valueOf(word(slot));
    }
  }

  /** {@link KeySlots}: where there is no value, the key is. */
  abstract static sealed class AnySet extends KeyReader {

    final long side;

    AnySet(Shape shape, long side) {
      super(shape);
      this.side = side;
    }

    abstract long home(long key);

    /** seq_cst. */
    abstract long word(long slot);

    @Override
    public final long find(long key) {
      boolean aside = key == side;
      long stored = KeySlots.stored(key, side);
      long slot = aside ? slots : home(key);
      // seq_cst: pairs with the claim
      long word = word(slot);
      // In a side slot, where nothing but its own key is, no further.
      long left = aside ? 1 : slots;
      while (word != stored && word != EMPTY && left > 1) {
        slot = slot + 1 == slots ? 0 : slot + 1;
        word = word(slot);
        left--;
      }
      return word == stored ? slot : ~slot;
    }

    @Override
    public final boolean isEmpty(long slot) {
      return word(slot) == EMPTY;
    }

    @Override
    public final long value(long slot) {
      return slot == slots ? side : word(slot) ^ side;
    }
  }

  // By address: nothing is checked, a few instructions, so that several searches are under way.

  /** An int or a long, plain, aligned, so at once. */
  private static long numberAt(long address, boolean narrow) {
    return narrow ? Hold.getInt(address) : Hold.getLong(address);
  }

  /**
   * Updates keys, too, for who has seen to it that nobody frees, replaces or clears the table
   * meanwhile: to write to what was freed ends the JVM.
   */
  public sealed interface Writer {

    /** {@link KeyReader#find}. */
    long find(long key);

    /** {@link KeyReader#value}. */
    long value(long slot);

    /**
     * Inserts a key that there is room for where {@link #find} says that an insert begins. What the
     * thread looks at later may come before it, up to a full fence, of which the caller has one
     * behind the last key that it inserts.
     *
     * @return false, having done nothing, if another thread has that slot by now
     */
    boolean insert(long slot, long key, long value);

    /**
     * Replaces the value of a slot where a key was found by what a policy makes of it and of
     * another; returns the value before.
     */
    long update(long slot, long operand, int policy);
  }

  /** {@link KeySlots}, of which there is no value to update. */
  abstract static sealed class SetByAddress extends AnySet implements Writer {
    @SuppressWarnings("unused") // Reachable as long as this is.
    private final List<Hold> holds;

    final long words;
    private final int shift;

    SetByAddress(Shape shape, long side, List<Hold> holds) {
      super(shape, side);
      this.holds = holds;
      words = holds.getFirst().payload();
      shift = shape.shift();
    }

    /** Both loops in one method, as in {@link StateWriter#findBlock}. */
    @Override
    final int findBlock(long[] sought, int count, long[] homes, long @Nullable [] found, int at) {
      boolean narrow = ints;
      long first = words;
      long end = first + (slots << shift);
      long next = 1L << shift;
      long least = side;
      OwnedHash.toPlaces(homes, count, first, shift);
      int hits = 0;
      // The key whose search went on at the first slot last: at its second time it has no end.
      int turned = OwnedSlots.NONE;
      if (found == null) {
        for (int i = 0; i < count; i++) {
          long stored = sought[i] ^ least;
          long place = homes[i];
          if (stored == 0) {
            place = end;
            stored = 1;
          }
          long seen = numberAt(place, narrow);
          while (seen != EMPTY && seen != stored) {
            place += next;
            if (place == end) {
              if (turned == i) {
                return -1;
              }
              turned = i;
              place = first;
            }
            seen = numberAt(place, narrow);
          }
          hits += seen == EMPTY ? 0 : 1;
        }
        return hits;
      }
      for (int i = 0; i < count; i++) {
        long key = sought[i];
        long stored = key ^ least;
        long place = homes[i];
        if (stored == 0) {
          place = end;
          stored = 1;
        }
        long seen = numberAt(place, narrow);
        while (seen != EMPTY && seen != stored) {
          place += next;
          if (place == end) {
            if (turned == i) {
              return -1;
            }
            turned = i;
            place = first;
          }
          seen = numberAt(place, narrow);
        }
        long value = 0;
        if (seen != EMPTY) {
          value = key;
          hits++;
        }
        found[at + i] = value;
      }
      return hits;
    }

    @Override
    public final long update(long slot, long operand, int policy) {
      return value(slot);
    }
  }

  private static final class SetOfLongs extends SetByAddress {

    SetOfLongs(Shape shape, long side, List<Hold> holds) {
      super(shape, side, holds);
    }

    @Override
    long home(long key) {
      return homeOfLong(key);
    }

    @Override
    long word(long slot) {
      return Hold.getLongVolatile(words + slot * Long.BYTES);
    }

    @Override
    public boolean insert(long slot, long key, long value) {
      // seq_cst: claims and publishes, before anything this thread looks at later
      return Hold.compareAndSet(
          words + slot * Long.BYTES, (long) EMPTY, KeySlots.stored(key, side));
    }
  }

  private static final class SetOfInts extends SetByAddress {

    SetOfInts(Shape shape, long side, List<Hold> holds) {
      super(shape, side, holds);
    }

    @Override
    long home(long key) {
      return homeOfInt((int) key);
    }

    @Override
    long word(long slot) {
      return Hold.getIntVolatile(words + slot * Integer.BYTES);
    }

    @Override
    public boolean insert(long slot, long key, long value) {
      // seq_cst: claims and publishes, before anything this thread looks at later
      return Hold.compareAndSet(
          words + slot * Integer.BYTES, EMPTY, (int) KeySlots.stored(key, side));
    }
  }

  /** Slots that have a state and a key. */
  abstract static sealed class StateWriter extends Keys implements Writer {
    @SuppressWarnings("unused") // Reachable as long as this is.
    private final List<Hold> holds;

    private final long states;
    private final int stateShift;
    final int shift;
    final long keys;
    final long values;

    private StateWriter(Shape shape, List<Hold> holds) {
      super(shape);
      shift = shape.shift();
      this.holds = holds;
      states = holds.get(0).payload();
      stateShift = shape.stateShift();
      keys = holds.get(1).payload() + shape.firstKey();
      values = holds.get(2).payload() + shape.firstValue();
    }

    /**
     * Both loops in one method, so that it is longer than those that HotSpot puts into their
     * callers: at the end of a chain of calls it would have no levels left to put what the loops
     * call into them (OwnedLoopsTest). With addresses in place of slots, whose numbers are fewer
     * than registers.
     */
    @Override
    final int findBlock(long[] sought, int count, long[] homes, long @Nullable [] found, int at) {
      boolean narrow = ints;
      long first = keys;
      long end = first + (slots << shift);
      long next = 1L << shift;
      int apart = shift - stateShift;
      // The address of the first key is a multiple of its size, so that nothing is shifted out.
      long said = states - (first >> apart);
      long content = values - first;
      OwnedHash.toPlaces(homes, count, first, shift);
      int hits = 0;
      // The key whose search went on at the first slot last: at its second time it has no end.
      int turned = OwnedSlots.NONE;
      if (found == null) {
        for (int i = 0; i < count; i++) {
          long key = sought[i];
          long place = homes[i];
          long seen = numberAt(place, narrow);
          while (seen != key && seen != 0) {
            place += next;
            if (place == end) {
              if (turned == i) {
                return -1;
              }
              turned = i;
              place = first;
            }
            seen = numberAt(place, narrow);
          }
          int state = Hold.getInt(said + (place >> apart));
          if (seen != 0 && state == FILLED) {
            hits++;
          } else if (seen != 0 || state != EMPTY) {
            long slot = findSlowly(key);
            if (slot == UNSURE) {
              return -1;
            }
            hits += slot < 0 ? 0 : 1;
          }
        }
        return hits;
      }
      for (int i = 0; i < count; i++) {
        long key = sought[i];
        long place = homes[i];
        long seen = numberAt(place, narrow);
        while (seen != key && seen != 0) {
          place += next;
          if (place == end) {
            if (turned == i) {
              return -1;
            }
            turned = i;
            place = first;
          }
          seen = numberAt(place, narrow);
        }
        // seq_cst: pairs with publish; value is seen where the slot is FILLED
        int state = Hold.getIntVolatile(said + (place >> apart));
        long value = 0;
        if (seen != 0 && state == FILLED) {
          value = numberAt(place + content, narrow);
          hits++;
        } else if (seen != 0 || state != EMPTY) {
          long slot = findSlowly(key);
          if (slot == UNSURE) {
            return -1;
          }
          value = slot < 0 ? 0 : value(slot);
          hits += slot < 0 ? 0 : 1;
        }
        found[at + i] = value;
      }
      return hits;
    }

    /** Plain. */
    abstract void write(long slot, long key, long value);

    /** seq_cst, as all that follows; returns what was there. */
    abstract long exchange(long slot, long value);

    abstract long add(long slot, long operand);

    abstract boolean compareAndSet(long slot, long expected, long value);

    @Override
    final int state(long slot) {
      return Hold.getIntVolatile(states + (slot << stateShift));
    }

    @Override
    public final boolean insert(long slot, long key, long value) {
      // seq_cst: the slot is this thread's where no other one was first
      boolean claimed = Hold.compareAndSet(states + (slot << stateShift), EMPTY, RESERVED);
      if (claimed) {
        write(slot, key, value);
        // release: publishes key and value
        VarHandle.releaseFence();
        Hold.setInt(states + (slot << stateShift), FILLED);
      }
      return claimed;
    }

    @Override
    public final long update(long slot, long operand, int policy) {
      return switch (policy) {
        case MapCodes.KEEP, MapCodes.FETCH -> value(slot);
        case MapCodes.ASSIGN -> exchange(slot, operand);
        case MapCodes.ADD -> add(slot, operand);
        default -> apply(slot, operand, policy);
      };
    }

    /** Lock-free: a compare-and-exchange fails only where another one succeeded. */
    private long apply(long slot, long operand, int policy) {
      long before = value(slot);
      while (!compareAndSet(slot, before, Change.applied(before, operand, policy))) {
        before = value(slot);
      }
      return before;
    }
  }

  private static final class LongKeys extends StateWriter {

    LongKeys(Shape shape, List<Hold> holds) {
      super(shape, holds);
    }

    @Override
    long home(long key) {
      return homeOfLong(key);
    }

    @Override
    long key(long slot) {
      return Hold.getLong(keys + (slot << shift));
    }

    @Override
    public long value(long slot) {
      return Hold.getLongVolatile(values + (slot << shift));
    }

    @Override
    void write(long slot, long key, long value) {
      Hold.setLong(keys + (slot << shift), key);
      Hold.setLong(values + (slot << shift), value);
    }

    @Override
    long exchange(long slot, long value) {
      return Hold.getAndSet(values + (slot << shift), value);
    }

    @Override
    long add(long slot, long operand) {
      return Hold.getAndAdd(values + (slot << shift), operand);
    }

    @Override
    boolean compareAndSet(long slot, long expected, long value) {
      return Hold.compareAndSet(values + (slot << shift), expected, value);
    }
  }

  private static final class IntKeys extends StateWriter {

    IntKeys(Shape shape, List<Hold> holds) {
      super(shape, holds);
    }

    @Override
    long home(long key) {
      return homeOfInt((int) key);
    }

    @Override
    long key(long slot) {
      return Hold.getInt(keys + slot * Integer.BYTES);
    }

    @Override
    public long value(long slot) {
      return Hold.getIntVolatile(values + slot * Integer.BYTES);
    }

    @Override
    void write(long slot, long key, long value) {
      Hold.setInt(keys + slot * Integer.BYTES, (int) key);
      Hold.setInt(values + slot * Integer.BYTES, (int) value);
    }

    @Override
    long exchange(long slot, long value) {
      return Hold.getAndSet(values + slot * Integer.BYTES, (int) value);
    }

    @Override
    long add(long slot, long operand) {
      return Hold.getAndAdd(values + slot * Integer.BYTES, (int) operand);
    }

    @Override
    boolean compareAndSet(long slot, long expected, long value) {
      return Hold.compareAndSet(values + slot * Integer.BYTES, (int) expected, (int) value);
    }
  }

  static final class Words extends AnyWords {
    @SuppressWarnings("unused") // Reachable as long as this is.
    private final List<Hold> holds;

    private final long words;

    Words(Shape shape, List<Hold> holds) {
      super(shape);
      this.holds = holds;
      words = holds.getFirst().payload();
    }

    @Override
    long word(long slot) {
      return Hold.getLongVolatile(words + slot * Long.BYTES);
    }

    /** Both loops in one method, as in {@link StateWriter#findBlock}. */
    @Override
    int findBlock(long[] sought, int count, long[] homes, long @Nullable [] found, int at) {
      long first = words;
      long end = first + slots * Long.BYTES;
      OwnedHash.toPlaces(homes, count, first, 3);
      int hits = 0;
      // The key whose search went on at the first slot last: at its second time it has no end.
      int turned = OwnedSlots.NONE;
      if (found == null) {
        for (int i = 0; i < count; i++) {
          int key = (int) sought[i];
          int stored = PackedSlots.stored(key);
          long place = key == Integer.MIN_VALUE ? end : homes[i];
          long seen = Hold.getLong(place);
          while (seen != EMPTY && (int) seen != stored) {
            place += Long.BYTES;
            if (place == end) {
              if (turned == i) {
                return -1;
              }
              turned = i;
              place = first;
            }
            seen = Hold.getLong(place);
          }
          hits += seen == EMPTY ? 0 : 1;
        }
        return hits;
      }
      for (int i = 0; i < count; i++) {
        int key = (int) sought[i];
        int stored = PackedSlots.stored(key);
        long place = key == Integer.MIN_VALUE ? end : homes[i];
        long seen = Hold.getLong(place);
        while (seen != EMPTY && (int) seen != stored) {
          place += Long.BYTES;
          if (place == end) {
            if (turned == i) {
              return -1;
            }
            turned = i;
            place = first;
          }
          seen = Hold.getLong(place);
        }
        // plain: a word is all there is to see
        hits += seen == EMPTY ? 0 : 1;
        found[at + i] = seen == EMPTY ? 0 : PackedSlots.valueOf(seen);
      }
      return hits;
    }
  }

  // From segments: each access is checked, some 20 instructions.

  private static final class KeysOfSegments extends Keys {
    private final MemorySegment states;
    private final MemorySegment keys;
    private final MemorySegment values;
    private final int stateShift;
    private final int shift;

    KeysOfSegments(Shape shape) {
      super(shape);
      states = shape.states().segment();
      keys = shape.keys().segment().asSlice(shape.firstKey());
      values = shape.values().segment().asSlice(shape.firstValue());
      stateShift = shape.stateShift();
      shift = shape.shift();
    }

    @Override
    long home(long key) {
      return ints ? homeOfInt((int) key) : homeOfLong(key);
    }

    @Override
    int state(long slot) {
      return (int) INTS.getVolatile(states, slot << stateShift);
    }

    @Override
    long key(long slot) {
      return ints
          ? keys.get(ValueLayout.JAVA_INT_UNALIGNED, slot << shift)
          : keys.get(ValueLayout.JAVA_LONG_UNALIGNED, slot << shift);
    }

    @Override
    public long value(long slot) {
      return ints
          ? (int) INTS.getVolatile(values, slot << shift)
          : (long) LONGS.getVolatile(values, slot << shift);
    }
  }

  private static final class SetOfSegments extends AnySet {
    private final MemorySegment words;

    SetOfSegments(Shape shape, long side) {
      super(shape, side);
      words = shape.keys().segment();
    }

    @Override
    long home(long key) {
      return ints ? homeOfInt((int) key) : homeOfLong(key);
    }

    @Override
    long word(long slot) {
      return ints
          ? (int) INTS.getVolatile(words, slot * Integer.BYTES)
          : (long) LONGS.getVolatile(words, slot * Long.BYTES);
    }
  }

  private static final class WordsOfSegments extends AnyWords {
    private final MemorySegment words;

    WordsOfSegments(Shape shape) {
      super(shape);
      words = shape.keys().segment();
    }

    @Override
    long word(long slot) {
      return (long) LONGS.getVolatile(words, slot * Long.BYTES);
    }
  }
}
