package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Internal;

/**
 * A table with open addressing, for device functions: its memory, and how one slot is read,
 * claimed, filled and published.
 *
 * <p>A <em>layout</em> is a record that implements this interface. The probe loops are in {@link
 * Insert}, {@link Find}, {@link Retrieve} and {@link SingleKeys}, once for all layouts.
 *
 * <p>A key is a long: the number, or the {@linkplain TextLayout place} of a text. The <em>seen</em>
 * content of a slot, from a load or a claim, is a long too. It is EMPTY (0) for an empty slot; the
 * layout defines everything else.
 *
 * <p><b>Invariant.</b> In all layouts, keys are written between claim and publish, and nowhere
 * else. After that, values change by atomics only. No slot is used again after its key was removed,
 * so that two inserts of a key always meet at one slot: the first EMPTY one. Each layout has a
 * table of the racing accesses with their orders.
 *
 * @since 0.1.0
 */
@Internal
public interface Slots {

  /** Message for a table from which no key can be removed. */
  String NOT_REMOVABLE = "keys can be removed only if the builder was called with removable()";

  /**
   * Returns a copy of this record. If a thread creates a copy and passes it to no other code, its
   * components stay in registers, on the JVM too. Otherwise they would be read again after every
   * ordered access.
   */
  Slots copy();

  /** Returns the number of slots that a search may pass. */
  long slots();

  /** Returns the hash of a key. */
  long hash(long key);

  /** Returns the home slot of a key. */
  long home(long key, long hash);

  // Bulk inserts.

  /** Returns the value of a batch that a claim writes; 0 if a claim writes no value. */
  default long claimed(Numbers values, long i) {
    return 0;
  }

  /** Returns the content that a claim writes to a slot. */
  long claimWord(long key, long value);

  /** Loads a slot. */
  long load(long slot);

  /**
   * Loads a slot before a claim. A key is up to date; EMPTY may be stale, which the claim detects.
   */
  default long peek(long slot) {
    return load(slot);
  }

  /** Claims an EMPTY slot; returns EMPTY on success, otherwise its content. */
  long claim(long slot, long claimWord);

  /**
   * Waits while a slot is RESERVED; returns its content, which is still RESERVED if the wait gave
   * up.
   */
  long await(long slot, long seen, long pollLimit);

  /**
   * Fills a claimed slot, and publishes it.
   *
   * @param text start of the space for the text in the arena; see {@link #text}
   */
  void fill(long slot, long key, long hash, Numbers values, long i, long text);

  /**
   * Returns whether the content of a slot is a key, or what is left of a removed key: a search
   * passes it. Otherwise it is EMPTY or RESERVED.
   */
  boolean isOccupied(long seen);

  /**
   * Returns whether the content of an occupied slot is a given key.
   *
   * @param claimWord content that a claim for this key writes, with any value
   */
  boolean matches(long slot, long seen, long key, long hash, long claimWord);

  /**
   * Changes the value of a present key by a policy from FETCH to XOR, atomically, because other
   * threads may change it too.
   */
  void update(long slot, long key, Numbers values, long i, int policy);

  // Removal, if the table allows it.

  /** Returns whether keys can be removed: a constant of the compiled kernel. */
  default boolean isRemovable() {
    return false;
  }

  /**
   * Changes the value of a key that was found, and that another thread may remove.
   *
   * @param seen content of the slot
   * @return PRESENT; SEARCHING if the slot has changed, so that it must be loaded again; STUCK if a
   *     wait for another thread gave up
   */
  default int changePresent(
      long slot, long seen, long key, Numbers values, long i, Change change, long pollLimit) {
    throw new UnsupportedOperationException(NOT_REMOVABLE);
  }

  /**
   * Removes a key that was found. Its slot is never used again, so that its value stays readable.
   *
   * @return FOUND; SEARCHING or STUCK as {@link #changePresent}
   */
  default int remove(long slot, long seen, long pollLimit) {
    throw new UnsupportedOperationException(NOT_REMOVABLE);
  }

  /** Returns the value of a present key, which other threads may change. */
  long present(long slot);

  /** Writes the value of a present key if it is expected; returns the old value. */
  long exchange(long slot, long key, long expected, long value);

  // Arena for the text of keys; see TextSlots. Other layouts have none.

  /** Returns the same table for keys whose text is in other words. */
  default Slots reading(DeviceLongs words) {
    return this;
  }

  /** Returns the words of a key's text in the arena. */
  default long text(long key) {
    return 0;
  }

  /** Returns whether a thread's range of the arena is too small. */
  default boolean lacks(long needed, long from, long to) {
    return false;
  }

  /** Returns the words that a thread takes from the arena at once. */
  default long chunk(long needed) {
    return 0;
  }

  /** Takes words from the arena; returns the first. */
  default long take(long words) {
    return 0;
  }

  /**
   * Takes the words for the texts of all entries in each {@code step}th slot of a range of another
   * table, so that there are no gaps; returns the first.
   */
  default long takeFor(Slots other, long from, long to, int step) {
    return 0;
  }

  /** Returns a thread's unused range of the arena, unless another thread took words after it. */
  default void giveBack(long from, long to) {}

  // Bulk finds.

  /** Returns whether a find may wait for another thread, and give up. */
  default boolean waits() {
    return true;
  }

  /** Loads a slot, and waits while it is RESERVED; returns EMPTY, or the content with its key. */
  long observe(long slot, int options, long pollLimit);

  /** Returns the value of a key that was found. */
  long value(long slot, long seen, int options);

  // Iteration over all slots.

  /** Loads a slot while no thread inserts. */
  long quiet(long slot);

  /** Returns the state of a slot from its content: EMPTY, RESERVED or FILLED. */
  int stateOf(long seen);

  /** Returns the key of a FILLED slot. */
  long key(long slot, long seen);

  // Single keys: linearizable, therefore all seq_cst. For the JVM.

  /** Loads a slot. */
  long loadSeqCst(long slot);

  /** Claims as {@link #claim}. */
  long claimSeqCst(long slot, long claimWord);

  /** Fills as {@link #fill}. */
  void fillSeqCst(long slot, long key, long hash, long value, long text);
}
