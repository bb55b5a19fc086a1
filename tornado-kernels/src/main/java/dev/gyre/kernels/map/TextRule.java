package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceLongs;
import org.jspecify.annotations.Nullable;

/** How a table of texts hashes its keys, and tells them apart. */
public interface TextRule {

  /**
   * The hash of a text.
   *
   * @param start its first word
   * @param length in bytes
   */
  long hash(DeviceLongs words, long start, int length, long seed);

  /** The same of a text that is in a slot, or in the arena from there on. */
  long hash(Text key, long seed);

  /**
   * Whether the key of a slot is one of the batch.
   *
   * @param mark of the slot
   * @param hash of the key of the batch
   * @param first the first word of the slot's key
   * @param length of the slot's key
   * @param words where the text of the batch's keys is
   */
  boolean same(
      long mark,
      long hash,
      long first,
      int length,
      DeviceLongs arena,
      DeviceLongs words,
      long place);

  /** A user's, or ours if there is none. */
  static TextRule of(@Nullable TextHash hash, long seed) {
    return hash == null
        ? new OfBytes(TextHashing.multiplier(seed), TextHashing.endMultiplier(seed))
        : new Given(hash);
  }

  /**
   * Ours: keys are the same where their bytes are.
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
      // Of the length of the batch's key, which its hash took as well: no work at each slot.
      long end = same ? TextLayout.words(givenLength) : 0;
      return sameRest(arena, TextLayout.arenaWord(mark), words, start, end, same);
    }

    /**
     * Whether all words after the first are equal, too; apart, so that the JVM inlines what is not.
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

  /** A user's, whose hash is mixed once more with the table's seed, as {@link Hash.Remixed}. */
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
