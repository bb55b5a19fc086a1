package dev.gyre.kernels.map;

/**
 * The hash of texts, and which of them are one key: a record that is compiled into the kernels, on
 * every target.
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
 * <p>As a {@link Hash}, it is a device function, depends on its arguments and on the record's
 * components alone, and is mixed once more with the map's own seed. {@link #same} is asked only
 * about keys of which 24 bits of that are equal. A key stays as it was when it was inserted,
 * whichever of its equals is looked for.
 *
 * <p>The two belong together: keys that are the same have one hash, with every seed, and {@link
 * #same} is reflexive, symmetric and transitive. Where they are not so, equal keys may become
 * several, and a file may be refused as damaged; nothing else goes wrong.
 *
 * <p>{@link TextHashing} has ours.
 */
public interface TextHash extends KeyHash {
  long hash(Text key, long seed);

  /** Whether two texts are one key: their bytes are the same, unless that is said otherwise. */
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
