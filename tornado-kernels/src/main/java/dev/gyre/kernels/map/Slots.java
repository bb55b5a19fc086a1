package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceLongs;

/**
 * A table of open addressing as device functions see it: its memory, and how one slot of it is
 * read, claimed, filled and published. A <em>layout</em> is a record that implements this; the
 * probe loops stand in {@link Insert}, {@link Find}, {@link Retrieve} and {@link SingleKeys}, once
 * for all layouts.
 *
 * <p>A key is a long: the number itself or, of texts, the {@linkplain TextLayout place} where the
 * text is. What a load or a claim has <em>seen</em> of a slot is a long, too, which is EMPTY (0)
 * for an empty slot; all else is for the layout to understand.
 *
 * <p>Which accesses race, in which order they are and why, is in a table at each layout. Whatever
 * the layout, keys are written between claim and publish, nowhere else; values change after that by
 * atomics only.
 */
public interface Slots {

  /**
   * The same table in a record of its own. Who makes one and hands it to nobody has the components
   * in registers, on the JVM too: else they would be read again behind every access that orders.
   */
  Slots copy();

  /** Number of slots that a search may pass. */
  long slots();

  /** The hash of a key. */
  long hash(long key);

  /** The slot where the search for a key begins. */
  long home(long key, long hash);

  // Bulk inserts.

  /** The value of a batch that a claim writes; 0 where a claim writes none. */
  default long claimed(Numbers values, long i) {
    return 0;
  }

  /** What a claim writes to a slot. */
  long desired(long key, long value);

  /** Looks at a slot. */
  long load(long slot);

  /**
   * Looks at a slot before a claim: what is there was seen, but EMPTY may be of some time ago,
   * which the claim will tell.
   */
  default long peek(long slot) {
    return load(slot);
  }

  /** Claims a slot that was EMPTY; returns EMPTY if that succeeded, else what is there. */
  long claim(long slot, long desired);

  /** What is seen of a slot once it is no longer RESERVED; still RESERVED where that gave up. */
  long await(long slot, long seen, long pollLimit);

  /**
   * Fills a slot that was claimed, and publishes it.
   *
   * @param text where text begins that the arena has room for; see {@link #text}
   */
  void fill(long slot, long key, long hash, Numbers values, long i, long text);

  /** Whether it was seen that a slot has a key; if not, it is EMPTY, or still RESERVED. */
  boolean isFilled(long seen);

  /**
   * Whether that is this key.
   *
   * @param desired what a claim for this key writes, with any value
   */
  boolean same(long slot, long seen, long key, long hash, long desired);

  /**
   * Does what a policy from FETCH to XOR says with the value of a key that is there; all atomic,
   * since other threads may, too.
   */
  void update(long slot, long key, Numbers values, long i, int policy);

  /** The value of a key that is there, beside threads that change it. */
  long present(long slot);

  /** Writes such a value where another is expected; returns the one before. */
  long exchange(long slot, long key, long expected, long value);

  // Room for the text of keys; see TextSlots. Other layouts have none.

  /** Whether keys have text in an arena. */
  default boolean hasText() {
    return false;
  }

  /** The same table, of which keys are looked for whose text is somewhere else. */
  default Slots reading(DeviceLongs words) {
    return this;
  }

  /** Words that the text of a key takes in the arena. */
  default long text(long key) {
    return 0;
  }

  /** Whether what a thread has of the arena, from a word to before another, is too little. */
  default boolean lacks(long needed, long from, long to) {
    return false;
  }

  /** Words that a thread takes from the arena at once, where it needs some. */
  default long chunk(long needed) {
    return 0;
  }

  /** Takes words from the arena; returns the first. */
  default long take(long words) {
    return 0;
  }

  /** Gives back what a thread has left of the arena, where nobody took room behind it. */
  default void giveBack(long from, long to) {}

  // Bulk finds.

  /** Whether a find may wait for another thread, and give up. */
  default boolean waits() {
    return true;
  }

  /** Looks at a slot, and waits while it is RESERVED; returns EMPTY, or what tells its key. */
  long observe(long slot, int options, long pollLimit);

  /** The value of a key that was found. */
  long value(long slot, long seen, int options);

  // Going over all slots.

  /** Looks at a slot where nobody inserts. */
  long quiet(long slot);

  /** The state of a slot of which this was seen: EMPTY, RESERVED or FILLED. */
  int stateOf(long seen);

  /** The key of a slot that is FILLED. */
  long key(long slot, long seen);

  /** Whether there is nothing in a slot that inserts do not leave there; nobody changes it. */
  boolean isWhole(long slot);

  // Single keys: linearizable, hence all seq_cst; for the JVM.

  /** Looks at a slot. */
  long loadSeqCst(long slot);

  /** As {@link #claim}. */
  long claimSeqCst(long slot, long desired);

  /** As {@link #fill}. */
  void fillSeqCst(long slot, long key, long hash, long value, long text);

  /** The value of a slot that is FILLED. */
  long valueSeqCst(long slot);

  /** The value of a slot that was seen to be FILLED: as it was then, or is now. */
  default long valueSeqCst(long slot, long seen) {
    return valueSeqCst(slot);
  }

  /**
   * Replaces the value of a slot that was seen to be FILLED by what a policy makes of it and of
   * another; returns the one before.
   */
  long updateSeqCst(long slot, long seen, long operand, int policy);

  /** Writes a value where another is expected; returns the one before. */
  long compareAndExchangeSeqCst(long slot, long expected, long value);
}
