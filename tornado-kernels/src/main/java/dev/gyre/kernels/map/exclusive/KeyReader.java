package dev.gyre.kernels.map.exclusive;

import static dev.gyre.kernels.map.MapCodes.EMPTY;

import dev.gyre.atomics.AddressPin;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.KeySlots;
import dev.gyre.kernels.map.NumberCode;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.PackedSlots;
import dev.gyre.kernels.map.SingleKeys;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks up single keys in a table of numbers, concurrently with all other operations. A {@link
 * Writer} inserts and changes them.
 *
 * <p><b>Purpose.</b> It does the same as {@link dev.gyre.kernels.map.SingleKeys}, by address. The
 * layouts with a state differ by numbers, so that HotSpot compiles one method for them. Layouts of
 * one word have readers of their own, and blocks of keys have loops of their own: finds were slower
 * when they shared loops with exclusive inserts.
 *
 * <p><b>Lifetime.</b> The table may be freed meanwhile. If its memories can be {@linkplain
 * AddressPin held}, it is read by address. Nothing is thrown, and a result may be meaningless. The
 * caller must keep this object reachable until then, and must check afterwards that the table is
 * still in place. Otherwise an access throws {@link IllegalStateException}.
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
public abstract sealed class KeyReader
    permits StateReader, WordReader, SetReader, KeyReader.Checked {

  /** Polls of a slot into which another thread is inserting. */
  private static final int MOST_POLLS = 1 << 6;

  static final long UNSURE = -2;

  final long slots;
  private final long seed;
  private final Hash hash;
  private final BlockHash hashes;

  /** Whether keys are hashed as ints, not as longs. */
  final boolean ints;

  /** Whether the hash is the default hash of such keys. */
  private final boolean ours;

  @SuppressWarnings("unused") // Kept reachable by this object.
  private final List<AddressPin> pins;

  KeyReader(Shape shape, List<AddressPin> pins) {
    this.pins = pins;
    slots = shape.table().slots();
    seed = shape.table().seed();
    hash = shape.table().hash();
    ints = !ExclusiveTable.areLongs(shape.table());
    ours = ints ? hash instanceof Hashing.OfInts : hash instanceof Hashing.OfLongs;
    hashes = new BlockHash(shape.table());
  }

  /** Returns whether an access to a freed table throws. */
  public final boolean isChecked() {
    return this instanceof Checked;
  }

  /**
   * Returns a reader whose result is meaningless if the table was freed; or one that throws {@link
   * IllegalStateException} then, if the addresses of the table's memories cannot be pinned.
   */
  public static KeyReader of(NumberTable table) {
    Shape shape = Shape.of(table);
    List<AddressPin> pins =
        Stream.of(shape.states(), shape.keys(), shape.values())
            .map(array -> array.memory().addressPin())
            .filter(Objects::nonNull)
            .toList();
    if (pins.size() < 3) {
      return new Checked(shape);
    }
    if (table instanceof KeySlots keys) {
      return keys instanceof KeySlots.OfLongs
          ? new SetReader.OfLongs(shape, keys.side(), pins)
          : new SetReader.OfInts(shape, keys.side(), pins);
    }
    return table instanceof PackedSlots
        ? new WordReader(shape, pins)
        : new StateReader(shape, pins);
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

  /** Returns the value of a slot with a found key; an int may be {@link SingleKeys#GONE}. */
  public abstract long value(long slot);

  /** Returns whether a value says that its key was removed after it was found. */
  public final boolean isGone(long value) {
    return value == SingleKeys.GONE && ints;
  }

  /**
   * Looks up keys.
   *
   * @param keys keys of a table whose keys are longs
   * @param found destination of values, at the indexes of their keys, 0 for absent keys; null for
   *     none
   * @param from index of the first key
   * @param to index after the last key
   * @return the number of keys that were found; -1 if a slot may have to be waited for, or no EMPTY
   *     slot was met, and some values may be written
   */
  public final int findAll(long[] keys, long @Nullable [] found, int from, int to) {
    int most = ResultBlock.most(from, to);
    long[] homes = new long[most];
    // Copy: the hashed key and the compared key must be the same.
    long[] sought = new long[most];
    int hits = 0;
    for (int at = from; at < to && hits >= 0; at += ResultBlock.LENGTH) {
      int count = Math.min(ResultBlock.LENGTH, to - at);
      System.arraycopy(keys, at, sought, 0, count);
      hashes.findHomes(sought, count, homes);
      hits = sum(hits, findBlock(sought, count, homes, found, at));
    }
    return hits;
  }

  /** Looks up keys of a table whose keys are ints. */
  public final int findAll(int[] keys, int @Nullable [] found, int from, int to) {
    int most = ResultBlock.most(from, to);
    long[] homes = new long[most];
    long[] wide = new long[most];
    int hits = 0;
    for (int at = from; at < to && hits >= 0; at += ResultBlock.LENGTH) {
      int count = Math.min(ResultBlock.LENGTH, to - at);
      for (int i = 0; i < count; i++) {
        wide[i] = keys[at + i];
      }
      hashes.findHomes(wide, count, homes);
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
  static long numberAt(long address, boolean narrow) {
    return narrow ? AddressPin.getInt(address) : AddressPin.getLong(address);
  }

  /**
   * Also updates keys. The caller must guarantee that no thread frees, replaces or clears the table
   * meanwhile: a write to freed memory would crash the JVM.
   */
  public sealed interface Writer permits StateReader, WordReader, SetReader {

    /** Looks up a key as {@link KeyReader#find}. */
    long find(long key);

    /** Returns a value as {@link KeyReader#value}. */
    long value(long slot);

    /** Returns whether a value says that its key was removed after it was found. */
    boolean isGone(long value);

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

    /**
     * Replaces the value of a slot with a found key, or removes the key; see {@link
     * dev.gyre.kernels.map.ValueSlots#exchangeSeqCst}.
     */
    boolean exchange(long slot, long expected, long value, boolean removes);
  }

  /** Reader of any layout by its handles, each access of which is checked. */
  static final class Checked extends KeyReader {

    private final NumberCode code;

    Checked(Shape shape) {
      super(shape, List.of());
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
