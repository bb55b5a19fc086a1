package dev.gyre.kernels.map.exclusive;

import dev.gyre.atomics.Unsigned;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.NumberTable;

/**
 * Computes the hashes of many keys at once, before the searches, so that more searches overlap.
 *
 * <p>The default hashes are computed in place by loops without branches, which HotSpot vectorises.
 * A user's hash is called in a separate loop through one interface. If the call stood among others,
 * HotSpot would inline it in some processes and not in others.
 */
final class BlockHash {

  /** Number of keys up to which vectors do not pay. */
  private static final int FEW = 16;

  private final Hash hash;
  private final long seed;
  private final long slots;

  /** Whether keys are ints, not longs. */
  private final boolean ints;

  /** Whether the hash is the default hash of such keys. */
  private final boolean ours;

  /** Whether it is a user's hash, mixed once more: {@link Hash.Remixed}. */
  private final boolean remixes;

  /** Number of unused low bits. */
  private final int unused;

  BlockHash(NumberTable table) {
    Hash given = table.hash();
    Hash whole = given instanceof Hash.UpperHalf half ? half.hash() : given;
    this.remixes = whole instanceof Hash.Remixed;
    this.hash = whole instanceof Hash.Remixed remixed ? remixed.hash() : whole;
    this.seed = table.seed();
    this.slots = table.slots();
    this.ints = !ExclusiveTable.areLongs(table);
    this.ours = ints ? given instanceof Hashing.OfInts : given instanceof Hashing.OfLongs;
    this.unused = given instanceof Hash.UpperHalf ? Integer.SIZE : 0;
  }

  /** Writes the home slots of keys; that of a key in the side slot is undefined. */
  void findHomes(long[] keys, int count, long[] homes) {
    if (ours && !ints && count <= FEW) {
      for (int i = 0; i < count; i++) {
        homes[i] = Hashing.home(keys[i], seed, slots);
      }
      return;
    }
    System.arraycopy(keys, 0, homes, 0, count);
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

  /** Replaces each slot by its place or address. */
  static void toPlaces(long[] slots, int count, long first, int shift) {
    for (int i = 0; i < count; i++) {
      slots[i] = first + (slots[i] << shift);
    }
  }

  /** Replaces each key by its hash. */
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
