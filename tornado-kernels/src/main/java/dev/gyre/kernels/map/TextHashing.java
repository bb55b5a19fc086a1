package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Unsigned;

/**
 * Default hash of text keys, with the same bits on every target.
 *
 * <p>A key is read as 64-bit words, the first byte lowest, the last word filled up with zeros. Each
 * word is mixed in by a <em>folded product</em>: the xor of both halves of the 128-bit product with
 * a multiplier, as in wyhash (Wang Yi). The multipliers come from the seed. Without the seed it is
 * unpredictable which keys collide. The length is mixed in at the end, because zeros may belong to
 * the key. The hash is not cryptographic.
 *
 * @since 0.1.0
 */
public final class TextHashing {

  private static final long MULTIPLIER_SEED = 0xa0761d6478bd642fL;
  private static final long END_SEED = 0xe7037ed1a0b428dbL;

  private TextHashing() {}

  /** Returns the multiplier of words. */
  public static long multiplier(long seed) {
    return Hashing.hash(seed, MULTIPLIER_SEED) | 1;
  }

  /** Returns the multiplier of the end. */
  public static long endMultiplier(long seed) {
    return Hashing.hash(seed, END_SEED) | 1;
  }

  /** Returns the folded product, which mixes a word into a hash. */
  public static long fold(long a, long b) {
    return (a * b) ^ Unsigned.multiplyHigh(a, b);
  }

  /**
   * Returns the hash of a key.
   *
   * @param words words with the key
   * @param start its first word
   * @param length its length in bytes
   * @param multiplier {@link #multiplier} of the seed
   * @param endMultiplier {@link #endMultiplier} of the seed
   */
  public static long hash(
      DeviceLongs words, long start, int length, long seed, long multiplier, long endMultiplier) {
    long hash = seed;
    long end = start + TextLayout.words(length);
    for (long at = start; at < end; at++) {
      hash = fold(hash ^ words.get(at), multiplier);
    }
    return fold(hash ^ length, endMultiplier);
  }

  /**
   * Returns the hash of the first bytes of an array. For the host.
   *
   * @param length number of bytes of the key
   * @param endMultiplier {@link #endMultiplier} of the seed
   */
  public static long hash(byte[] key, int length, long seed, long multiplier, long endMultiplier) {
    long hash = seed;
    int at = 0;
    for (; at < length - Long.BYTES; at += Long.BYTES) {
      hash = fold(hash ^ ShortText.word(key, at), multiplier);
    }
    hash = fold(hash ^ ShortText.lastWord(key, at, length), multiplier);
    return fold(hash ^ length, endMultiplier);
  }

  /** Returns the hash of a key of one or two words. For the host. */
  public static long hash(
      long first, long second, int length, long seed, long multiplier, long endMultiplier) {
    long one = fold(seed ^ first, multiplier);
    long two = fold(one ^ second, multiplier);
    // All bits if there are two words: a branch on the length would be mispredicted.
    long both = (long) (Long.BYTES - length) >> (Long.SIZE - 1);
    return fold(((two & both) | (one & ~both)) ^ length, endMultiplier);
  }
}
