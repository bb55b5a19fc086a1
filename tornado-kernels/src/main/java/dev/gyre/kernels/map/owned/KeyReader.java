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
import dev.gyre.kernels.map.NumberCode;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.PackedSlots;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks up single keys in a table of numbers, concurrently with all other operations. A {@link
 * Writer} inserts and changes them.
 *
 * <p><b>Purpose.</b> It does the same as {@link dev.gyre.kernels.map.SingleKeys}. The differences
 * between layouts are numbers here, so that HotSpot compiles one efficient method for all layouts.
 *
 * <p><b>Lifetime.</b> The table may be freed meanwhile. If its memories can be {@linkplain Hold
 * held}, it is read by address. Nothing is thrown, and a result may be meaningless. The caller must
 * keep this object reachable until then, and must check afterwards that the table is still in
 * place. Otherwise an access throws {@link IllegalStateException}.
 *
 * <table>
 *   <caption>Racing accesses</caption>
 *   <tr><th>access</th><th>order</th><th>pairs with</th><th>why not weaker</th></tr>
 *   <tr><td>load of a key whose slot has a state</td><td>plain, aligned and therefore atomic</td><td>-</td>
 *       <td>a key other than 0 is final, and a different key needs no further information; otherwise it is read again after the state</td></tr>
 *   <tr><td>load of a state, a word or a value; claim, update of a value</td>
 *       <td>seq_cst</td><td>each other</td><td>see {@code SingleKeys}</td></tr>
 *   <tr><td>load of a word, or of a value after its state, of several keys</td><td>plain, aligned and therefore atomic</td><td>-</td>
 *       <td>a word contains everything, as in {@code PackedSlots} and {@code KeySlots}, whose bulk finds are relaxed too</td></tr>
 *   <tr><td>publication</td><td>plain, aligned and therefore atomic, after a release fence; a full fence precedes the end of the call</td>
 *       <td>load of a state</td><td>key and value could be missed</td></tr>
 * </table>
 *
 * <p><b>Why a publication need not be seq_cst.</b> The thread leaves by a full fence. Let one
 * thread insert x and then look up y, and another insert y and then look up x. Each has its
 * publication before its fence, and its search after it. So the thread with the later fence finds
 * the key of the other.
 *
 * <p>The fence may consist of two halves: the seq_cst write by which the thread leaves, and the
 * seq_cst load that selects the table to search. A search within the inserting call may miss a key
 * of another call. Both are concurrent, so that either may be the first.
 */
public abstract sealed class KeyReader {

  /** Polls of a slot into which another thread is inserting. */
  private static final int MOST_POLLS = 1 << 6;

  private static final long UNSURE = -2;

  final long slots;
  private final long seed;
  private final Hash hash;
  private final OwnedHash hashes;

  /** Whether keys are ints, not longs. */
  final boolean ints;

  /** Whether the hash is the default hash of such keys. */
  private final boolean ours;

  private KeyReader(Shape shape) {
    slots = shape.table().slots();
    seed = shape.seed();
    hash = shape.hash();
    ints = !OwnedSlots.areLongs(shape.table());
    ours = ints ? hash instanceof Hashing.OfInts : hash instanceof Hashing.OfLongs;
    hashes = new OwnedHash(hash, seed, slots, ints);
  }

  /** Returns whether an access to a freed table throws. */
  public final boolean isChecked() {
    return this instanceof Checked;
  }

  /** Returns a reader that throws {@link IllegalStateException} if the table was freed. */
  static KeyReader checked(NumberTable table) {
    return new Checked(Shape.of(table));
  }

  /**
   * Returns a reader whose result is meaningless if the table was freed; or a {@link #checked}
   * reader if the addresses of the table's memories cannot be held.
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
   * Returns the slot of a key; if it is absent, the complement of the slot where its insert begins,
   * which is negative.
   */
  public abstract long find(long key);

  /**
   * Returns whether a slot, where the insert of an absent key begins, is EMPTY. Then no thread is
   * inserting the key, or had not begun when it was looked up.
   */
  public abstract boolean isEmpty(long slot);

  /** Returns the value of a slot with a found key. */
  public abstract long value(long slot);

  /**
   * Looks up keys.
   *
   * @param keys keys of a table whose keys are longs
   * @param found destination of values, 0 for absent keys; null for none
   * @return the number of keys that were found; -1 if a slot may have to be waited for, or no EMPTY
   *     slot was met, and some values may be written
   */
  public final int findAll(long[] keys, long @Nullable [] found) {
    int most = Math.min(keys.length, Told.LENGTH);
    long[] homes = new long[most];
    // Copy: the hashed key and the compared key must be the same.
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

  /** Looks up keys of a table whose keys are ints. */
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
   * Looks up a block of keys, and writes the value of each.
   *
   * @param homes home slots; overwritten
   * @param at index of the first value
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
   * Returns the slot of a key, -1 if it is absent, or UNSURE if another thread has been inserting
   * into a slot for long.
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

  // Separate from the interface: through it, the default hashes are compiled with more
  // instructions.

  final long homeOfLong(long key) {
    return Math.unsignedMultiplyHigh(ours ? Hashing.hash(key, seed) : hash.hash(key, seed), slots);
  }

  final long homeOfInt(int key) {
    return ours
        ? Hashing.home(key, seed, slots)
        : Hashing.homeOf((int) hash.hash(key, seed), slots);
  }

  // By address: no checks and few instructions, so that several searches overlap.

  /** Returns an int or a long by a plain, aligned and therefore atomic read. */
  private static long numberAt(long address, boolean narrow) {
    return narrow ? Hold.getInt(address) : Hold.getLong(address);
  }

  /**
   * Also updates keys. The caller must guarantee that no thread frees, replaces or clears the table
   * meanwhile: a write to freed memory would crash the JVM.
   */
  public sealed interface Writer {

    /** Looks up a key as {@link KeyReader#find}. */
    long find(long key);

    /** Returns a value as {@link KeyReader#value}. */
    long value(long slot);

    /**
     * Inserts a key, for which the caller has a reservation, where {@link #find} says that its
     * insert begins.
     *
     * <p>Later reads of the thread may move before it, up to a full fence. The caller has one after
     * the last key that it inserts.
     *
     * @return false, without an effect, if another thread has claimed the slot
     */
    boolean insert(long slot, long key, long value);

    /**
     * Combines the value of a slot with a found key and another value by a policy; returns the old
     * value.
     */
    long update(long slot, long operand, int policy);
  }

  /** Writer of {@link KeySlots}, whose value is the key and is never updated. */
  abstract static sealed class SetByAddress extends KeyReader implements Writer {
    @SuppressWarnings("unused") // Kept reachable by this object.
    private final List<Hold> holds;

    final long side;
    final long words;
    private final int shift;

    SetByAddress(Shape shape, long side, List<Hold> holds) {
      super(shape);
      this.side = side;
      this.holds = holds;
      words = holds.getFirst().payload();
      shift = shape.shift();
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
      // A side slot contains only its own key: no further.
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

    /** Both loops in one method; see {@link StateWriter#findBlock}. */
    @Override
    final int findBlock(long[] sought, int count, long[] homes, long @Nullable [] found, int at) {
      boolean narrow = ints;
      long first = words;
      long end = first + (slots << shift);
      long next = 1L << shift;
      long least = side;
      OwnedHash.toPlaces(homes, count, first, shift);
      int hits = 0;
      // Key whose search last continued at the first slot. A second time means that the search is
      // endless.
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
      // seq_cst: claims and publishes, before all later reads of this thread
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
      // seq_cst: claims and publishes, before all later reads of this thread
      return Hold.compareAndSet(
          words + slot * Integer.BYTES, EMPTY, (int) KeySlots.stored(key, side));
    }
  }

  /** Slots that have a state and a key. */
  abstract static sealed class StateWriter extends KeyReader implements Writer {
    @SuppressWarnings("unused") // Kept reachable by this object.
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

    abstract long home(long key);

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

    /** Searches from a slot whose key is or was 0, or has not been published. */
    private long findOn(long key, long from) {
      long slot = from;
      // The first RESERVED slot.
      long begin = -1;
      // seq_cst: pairs with publish
      int state = state(slot);
      long left = slots;
      while (state != EMPTY && left > 0 && !(state == FILLED && key(slot) == key)) {
        // RESERVED slots are skipped.
        begin = state == RESERVED && begin < 0 ? slot : begin;
        slot = slot + 1 == slots ? 0 : slot + 1;
        state = state(slot);
        left--;
      }
      boolean there = state != EMPTY && left > 0;
      return there ? slot : begin >= 0 ? ~begin : left > 0 ? ~slot : ~from;
    }

    /**
     * Looks up a block of keys. Both loops are in one method, which is then too long for HotSpot to
     * inline into its callers. At the end of a chain of calls, no inlining levels would be left for
     * what the loops call (OwnedLoopsTest). It uses addresses in place of slots, to need fewer
     * registers.
     */
    @Override
    final int findBlock(long[] sought, int count, long[] homes, long @Nullable [] found, int at) {
      boolean narrow = ints;
      long first = keys;
      long end = first + (slots << shift);
      long next = 1L << shift;
      int apart = shift - stateShift;
      // The address of the first key is a multiple of its size, so that the shift loses no bits.
      long said = states - (first >> apart);
      long content = values - first;
      OwnedHash.toPlaces(homes, count, first, shift);
      int hits = 0;
      // Key whose search last continued at the first slot. A second time means that the search is
      // endless.
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
        // seq_cst: pairs with publish; the value is visible if the slot is FILLED
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

    /** Exchanges a value, seq_cst like all following methods; returns the old value. */
    abstract long exchange(long slot, long value);

    abstract long add(long slot, long operand);

    abstract boolean compareAndSet(long slot, long expected, long value);

    /** seq_cst. */
    private int state(long slot) {
      return Hold.getIntVolatile(states + (slot << stateShift));
    }

    @Override
    public final boolean insert(long slot, long key, long value) {
      // seq_cst: the slot is this thread's if no other thread was first
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

    /** Lock-free: a compare-and-exchange fails only if another one succeeded. */
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

  /** {@link PackedSlots}. */
  static final class Words extends KeyReader {
    @SuppressWarnings("unused") // Kept reachable by this object.
    private final List<Hold> holds;

    private final long words;

    Words(Shape shape, List<Hold> holds) {
      super(shape);
      this.holds = holds;
      words = holds.getFirst().payload();
    }

    /** seq_cst. */
    private long word(long slot) {
      return Hold.getLongVolatile(words + slot * Long.BYTES);
    }

    @Override
    public long find(long key) {
      boolean side = key == Integer.MIN_VALUE;
      int stored = PackedSlots.stored((int) key);
      long slot = side ? slots : homeOfInt((int) key);
      // seq_cst: pairs with the claim
      long word = word(slot);
      // A side slot contains only its own key: no further.
      long left = side ? 1 : slots;
      while (word != EMPTY && (int) word != stored && left > 1) {
        slot = slot + 1 == slots ? 0 : slot + 1;
        word = word(slot);
        left--;
      }
      return word != EMPTY && (int) word == stored ? slot : ~slot;
    }

    @Override
    public boolean isEmpty(long slot) {
      return word(slot) == EMPTY;
    }

    @Override
    public long value(long slot) {
      // seq_cst: see the table
      return PackedSlots.valueOf(word(slot));
    }

    /** Both loops in one method; see {@link StateWriter#findBlock}. */
    @Override
    int findBlock(long[] sought, int count, long[] homes, long @Nullable [] found, int at) {
      long first = words;
      long end = first + slots * Long.BYTES;
      OwnedHash.toPlaces(homes, count, first, 3);
      int hits = 0;
      // Key whose search last continued at the first slot. A second time means that the search is
      // endless.
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
        // plain: a word contains everything
        hits += seen == EMPTY ? 0 : 1;
        found[at + i] = seen == EMPTY ? 0 : PackedSlots.valueOf(seen);
      }
      return hits;
    }
  }

  /** Reader of any layout by its handles, each access of which is checked. */
  private static final class Checked extends KeyReader {

    private final NumberCode code;

    Checked(Shape shape) {
      super(shape);
      code = shape.table().own();
    }

    @Override
    public long find(long key) {
      return code.find(key).slot();
    }

    @Override
    public boolean isEmpty(long slot) {
      return code.state(slot) == EMPTY;
    }

    @Override
    public long value(long slot) {
      return code.value(slot);
    }
  }
}
