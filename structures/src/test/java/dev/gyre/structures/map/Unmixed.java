package dev.gyre.structures.map;

import dev.gyre.atomics.Unsigned;
import dev.gyre.kernels.map.Hashing;

/**
 * The inverse of {@link Hashing#hash(long, long)}, by which a hash of a test undoes the mix that
 * maps add to a user's hash, and so says where keys live.
 */
final class Unmixed {

  private Unmixed() {}

  /** What is mixed to a hash, by a seed. */
  static long of(long hash, long seed) {
    long h = hash;
    h ^= Unsigned.shiftRight(h, 31) ^ Unsigned.shiftRight(h, 62);
    h *= 0x319642b2d24d8ec3L;
    h -= seed;
    h ^= Unsigned.shiftRight(h, 27) ^ Unsigned.shiftRight(h, 54);
    h *= 0x96de1b173f119089L;
    h ^= Unsigned.shiftRight(h, 30) ^ Unsigned.shiftRight(h, 60);
    return h ^ seed;
  }
}
