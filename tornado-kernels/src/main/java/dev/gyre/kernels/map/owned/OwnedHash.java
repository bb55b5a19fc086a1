package dev.gyre.kernels.map.owned;

import dev.gyre.atomics.Unsigned;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.Hashing;

/**
 * The hash of many keys at once, apart from the searches, so that more of those are under way at a
 * time. Ours stands in loops without branches and in place, so that they are made of vector
 * instructions; a user's is called in a loop of its own and by one interface: where the call stood
 * among others, HotSpot inlined it in some processes and not in others.
 */
final class OwnedHash {

  /** So many keys are hashed one by one: to begin with vectors would take longer. */
  private static final int FEW = 16;

  private final Hash hash;
  private final long seed;
  private final long slots;
  private final boolean ints;

  /** Whether it is that of {@link Hashing} for such keys. */
  private final boolean ours;

  /** Whether a user's hash is mixed once more: {@link Hash.Remixed}. */
  private final boolean remixes;

  /** Bits that are not needed, below those that are. */
  private final int unused;

  /**
   * Of the keys of a table.
   *
   * @param ints whether those are ints, not longs
   */
  OwnedHash(Hash hash, long seed, long slots, boolean ints) {
    Hash whole = hash instanceof Hash.UpperHalf half ? half.hash() : hash;
    this.remixes = whole instanceof Hash.Remixed;
    this.hash = whole instanceof Hash.Remixed remixed ? remixed.hash() : whole;
    this.seed = seed;
    this.slots = slots;
    this.ints = ints;
    this.ours = ints ? hash instanceof Hashing.OfInts : hash instanceof Hashing.OfLongs;
    this.unused = hash instanceof Hash.UpperHalf ? Integer.SIZE : 0;
  }

  /** The slots where the searches for some keys begin; that of a key aside is not told. */
  void findHomes(long[] keys, int at, int count, long[] homes) {
    if (ours && !ints && count <= FEW) {
      for (int i = 0; i < count; i++) {
        homes[i] = Hashing.home(keys[at + i], seed, slots);
      }
      return;
    }
    System.arraycopy(keys, at, homes, 0, count);
    if (ints && ours) {
      for (int i = 0; i < count; i++) {
        homes[i] = Hashing.home((int) homes[i], seed, slots);
      }
      return;
    }
    if (ours) {
      for (int i = 0; i < count; i++) {
        homes[i] = Hashing.hash(homes[i], seed);
      }
    } else {
      hash(homes, count);
    }
    if (ints) {
      for (int i = 0; i < count; i++) {
        homes[i] = Hashing.homeOf((int) homes[i], slots);
      }
    } else {
      for (int i = 0; i < count; i++) {
        homes[i] = Unsigned.multiplyHigh(homes[i], slots);
      }
    }
  }

  /** Puts the place of each slot, or its address, where its number is. */
  static void toPlaces(long[] slots, int count, long first, int shift) {
    for (int i = 0; i < count; i++) {
      slots[i] = first + (slots[i] << shift);
    }
  }

  /** Puts the hash of each key in its place. */
  private void hash(long[] keys, int count) {
    Hash by = hash;
    for (int i = 0; i < count; i++) {
      keys[i] = by.hash(keys[i], seed);
    }
    if (remixes) {
      for (int i = 0; i < count; i++) {
        keys[i] = Hashing.hash(keys[i], seed);
      }
    }
    for (int i = 0; i < count; i++) {
      keys[i] >>= unused;
    }
  }
}
