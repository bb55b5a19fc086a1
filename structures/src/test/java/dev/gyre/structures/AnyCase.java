package dev.gyre.structures;

import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.Text;
import dev.gyre.kernels.map.TextHash;

/**
 * A hash of a user's by which upper and lower case of ASCII are the same, a word at a time.
 *
 * @param mask of what is hashed: where few bits are left, many keys have one hash
 */
public record AnyCase(long mask) implements TextHash {

  private static final long EACH = 0x0101010101010101L;
  private static final long HIGHEST = 0x8080808080808080L;

  @Override
  public long hash(Text key, long seed) {
    long hash = key.length() & mask;
    for (int i = 0; i < key.words(); i++) {
      hash = Hashing.hash(hash ^ (lower(key.word(i)) & mask), seed);
    }
    return hash;
  }

  @Override
  public boolean same(Text one, Text other) {
    int words = one.length() == other.length() ? one.words() : 0;
    boolean same = words > 0;
    int i = 0;
    while (i < words) {
      same = lower(one.word(i)) == lower(other.word(i));
      i = same ? i + 1 : words;
    }
    return same;
  }

  private static long lower(long word) {
    long low = word & (0x7f * EACH);
    long fromA = low + (0x80 - 'A') * EACH;
    long behindZ = low + (0x80 - 'Z' - 1) * EACH;
    long upper = fromA & ~behindZ & ~word & HIGHEST;
    return word | (upper >> 2 & (0x20 * EACH));
  }
}
