package dev.gyre.kernels.map;

/**
 * Hash of text keys, and optionally their equality: a user's record, which is compiled into the
 * operation on every target.
 *
 * <pre>{@code
 * record AnyCase() implements TextHash {
 *   public long hash(Text key, long seed) {
 *     long hash = seed;
 *     for (int i = 0; i < key.length(); i++) {
 *       hash = Hashing.hash(hash ^ lower(key.byteAt(i)), seed);
 *     }
 *     return hash;
 *   }
 *
 *   public boolean same(Text one, Text other) {
 *     int differing = one.length() ^ other.length();
 *     int length = Math.min(one.length(), other.length());
 *     for (int i = 0; i < length; i++) {
 *       differing |= lower(one.byteAt(i)) ^ lower(other.byteAt(i));
 *     }
 *     return differing == 0;
 *   }
 *
 *   private static int lower(int letter) {
 *     // One comparison: neither difference is less than 0.
 *     return ((letter - 'A') | ('Z' - letter)) >= 0 ? letter + 32 : letter;
 *   }
 * }
 * }</pre>
 *
 * <p>The rules of {@link Hash} apply. Equal texts must have the same hash with every seed, and
 * {@link #same} must be reflexive, symmetric and transitive. Otherwise equal keys may become
 * several entries and a file may be refused as damaged; nothing else goes wrong.
 *
 * <p>{@link #same} is called only for keys whose hashes agree in 24 bits. The map keeps the key
 * that was inserted first among equal ones. {@link TextHashing} has the default hash.
 *
 * @since 0.1.0
 */
public interface TextHash extends KeyHash {
  long hash(Text key, long seed);

  /** Returns whether two texts are equal keys; by default, whether their bytes are the same. */
  default boolean same(Text one, Text other) {
    int words = one.length() == other.length() ? one.words() : 0;
    boolean same = words > 0;
    int word = 0;
    while (word < words) {
      same = one.word(word) == other.word(word);
      word = same ? word + 1 : words;
    }
    return same;
  }
}
