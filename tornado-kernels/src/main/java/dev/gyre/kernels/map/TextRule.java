package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceLongs;
import org.jspecify.annotations.Nullable;

/**
 * Hash and equality of the keys of a table of texts.
 *
 * @since 0.1.0
 */
public interface TextRule {

  /**
   * Returns the hash of a text.
   *
   * @param start its first word
   * @param length its length in bytes
   */
  long hash(DeviceLongs words, long start, int length, long seed);

  /** Returns the hash of a text in a slot or in the arena. */
  long hash(Text key, long seed);

  /**
   * Returns whether the key of a slot equals a key of the batch.
   *
   * @param mark mark of the slot
   * @param hash hash of the key of the batch
   * @param first first word of the slot's key
   * @param length length of the slot's key
   * @param words words with the keys of the batch
   */
  boolean same(
      long mark,
      long hash,
      long first,
      int length,
      DeviceLongs arena,
      DeviceLongs words,
      long place);

  /** Returns the rule of a user's hash, or the default. */
  static TextRule of(@Nullable TextHash hash, long seed) {
    return hash == null
        ? new OfBytes(TextHashing.multiplier(seed), TextHashing.endMultiplier(seed))
        : new Given(hash);
  }

  /**
   * Default rule: keys are equal if their bytes are.
   *
   * @param multiplier {@link TextHashing#multiplier} of the seed
   * @param endMultiplier {@link TextHashing#endMultiplier} of the seed
   */
  record OfBytes(long multiplier, long endMultiplier) implements TextRule {

    @Override
    public long hash(DeviceLongs words, long start, int length, long seed) {
      return TextHashing.hash(words, start, length, seed, multiplier, endMultiplier);
    }

    @Override
    public long hash(Text key, long seed) {
      long hash = TextHashing.fold(seed ^ key.first(), multiplier);
      int words = key.words();
      for (int i = 1; i < words; i++) {
        hash = TextHashing.fold(hash ^ key.source().word(i), multiplier);
      }
      return TextHashing.fold(hash ^ key.length(), endMultiplier);
    }

    @Override
    public boolean same(
        long mark,
        long hash,
        long first,
        int length,
        DeviceLongs arena,
        DeviceLongs words,
        long place) {
      long start = TextLayout.start(place);
      int givenLength = TextLayout.length(place);
      long given = words.get(start);
      boolean same = TextLayout.hasHash(mark, hash) && length == givenLength && first == given;
      // From the length of the batch's key, which its hash used too: no work at each slot.
      long end = same ? TextLayout.words(givenLength) : 0;
      return sameRest(arena, TextLayout.arenaWord(mark), words, start, end, same);
    }

    /**
     * Returns whether all words after the first are equal. A separate method, so that the JVM
     * inlines the rest.
     */
    private static boolean sameRest(
        DeviceLongs arena, long at, DeviceLongs given, long start, long end, boolean first) {
      boolean same = first;
      long word = 1;
      while (word < end) {
        same = arena.get(at + word) == given.get(start + word);
        word = same ? word + 1 : end;
      }
      return same;
    }
  }

  /** Rule of a user's hash, mixed once more with the table's seed; see {@link Hash.Remixed}. */
  record Given(TextHash hash) implements TextRule {

    @Override
    public long hash(DeviceLongs words, long start, int length, long seed) {
      return hash(Text.at(words, start, length), seed);
    }

    @Override
    public long hash(Text key, long seed) {
      return Hashing.hash(hash.hash(key, seed), seed);
    }

    @Override
    public boolean same(
        long mark,
        long hash,
        long first,
        int length,
        DeviceLongs arena,
        DeviceLongs words,
        long place) {
      boolean same = false;
      if (TextLayout.hasHash(mark, hash)) {
        Text there = new Text(new Text.InMemory(arena, TextLayout.arenaWord(mark)), first, length);
        Text given = Text.at(words, TextLayout.start(place), TextLayout.length(place));
        same = this.hash.same(there, given);
      }
      return same;
    }
  }
}
