package dev.gyre.kernels.map.owned;

import dev.gyre.kernels.map.Hash;

/**
 * A user's hash of many keys at once. It is called in a loop of its own and by one interface: where
 * the call stood among others, HotSpot inlined it in some processes and not in others.
 */
final class OwnedHash {

  private final Hash hash;
  private final long seed;

  /** Bits that are not needed, below those that are. */
  private final int unused;

  OwnedHash(Hash hash, long seed) {
    this.hash = hash instanceof Hash.UpperHalf half ? half.hash() : hash;
    this.seed = seed;
    this.unused = hash instanceof Hash.UpperHalf ? Integer.SIZE : 0;
  }

  /** Puts the hash of each key in its place. */
  void hash(long[] keys, int count) {
    Hash by = hash;
    for (int i = 0; i < count; i++) {
      keys[i] = by.hash(keys[i], seed) >> unused;
    }
  }
}
