package dev.gyre.structures.map;

import dev.gyre.atomics.ClosedException;
import dev.gyre.kernels.map.ShortText;
import dev.gyre.structures.Memories;
import dev.gyre.structures.TextBytes;
import dev.gyre.structures.map.store.TextStore;
import dev.gyre.structures.map.words.CombinerBatch;
import dev.gyre.structures.map.words.WordPage;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Combines values of equal text keys in one thread, and applies the results to a map in batches.
 *
 * <pre>{@code
 * try (var counts = new TextCombiner(map, Apply.ADD)) {
 *   for (...) {
 *     counts.add(text, from, to, 1);
 *   }
 * }
 * }</pre>
 *
 * <p>It is faster than {@code merge} if keys repeat soon, such as the words of a text. Short keys
 * have a direct-mapped table in this object, so that frequent keys need neither an atomic operation
 * nor a cache miss. A key that is evicted from the table goes to the map with the next batch.
 *
 * <p><b>Threads.</b> Not thread-safe. Any number of threads may update one map, each with its own
 * combiner. The map has all values after {@link #flush} or {@link #close}. After close, all other
 * methods throw {@link ClosedException}.
 *
 * <p><b>Errors.</b> An exception describes the keys since the last {@link #flush}, as that of an
 * insert does: see {@link dev.gyre.atomics.GyreException#soFar}.
 *
 * @since 0.1.0
 */
public final class TextCombiner implements AutoCloseable {

  private static final int FEW_BYTES = Long.BYTES;

  /** Longest key in the table: two words. */
  private static final int MOST_BYTES = 2 * Long.BYTES;

  // Longs of an entry for a key of up to FEW_BYTES bytes, the last of which is not 0, so that no
  // two keys have the same word. Both are 0 if the entry is empty.
  private static final int WORD = 0;
  private static final int VALUE_OF_WORD = 1;
  private static final int SHORT_LONGS = 2;
  private static final int SHORT_BITS = 14;

  // Longs of an entry for a key of up to MOST_BYTES bytes. All are 0 if the entry is empty.
  private static final int FIRST = 0;
  private static final int SECOND = 1;
  private static final int LENGTH_AND_ONE = 2;
  private static final int VALUE = 3;
  private static final int LONG_LONGS = 4;
  private static final int LONG_BITS = 12;

  private static final long FIRST_FACTOR = 0x9e3779b97f4a7c15L;
  private static final long SECOND_FACTOR = 0xd6e8feb86659fd93L;

  private final Apply apply;
  private final CombinerBatch batch;
  private boolean closed;
  private final long[] shorts = new long[SHORT_LONGS << SHORT_BITS];
  private final long[] longs = new long[LONG_LONGS << LONG_BITS];

  /**
   * Creates a combiner for a map. The caller closes both.
   *
   * @param apply how two values of a key are combined
   */
  public TextCombiner(TextLongMap map, Apply apply) {
    this(Objects.requireNonNull(map, "map").store, Objects.requireNonNull(apply, "apply"));
  }

  TextCombiner(TextStore store, Apply apply) {
    this.apply = apply;
    this.batch = new CombinerBatch(store, apply);
  }

  /** Calls {@link #add(byte[], int, int, long)} with a string, encoded as UTF-8. */
  public void add(String key, long value) {
    byte[] bytes = TextBytes.of(Objects.requireNonNull(key, "key"));
    add(bytes, 0, bytes.length, value);
  }

  /**
   * Applies a value to a key, now or later.
   *
   * @param from index of the first byte of the key
   * @param to index after its last byte
   * @throws IllegalArgumentException if the range is outside the array
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory to grow the map is not
   *     available; this key is not taken, and a later call applies the earlier ones
   * @throws ClosedException if this combiner or the map is closed
   */
  public void add(byte[] key, int from, int to, long value) {
    TextKeys.requireRange(from, to, Objects.requireNonNull(key, "key").length);
    requireOpen();
    int length = to - from;
    if (length > MOST_BYTES) {
      batch.add(key, from, to, value);
    } else if (length > FEW_BYTES) {
      long second = ShortText.lastWord(key, from + FEW_BYTES, to);
      addLong(ShortText.word(key, from), second, length, value);
    } else {
      long word = ShortText.lastWord(key, from, to);
      // Check the word, not the array again: its bytes may have changed.
      if (length > 0 && word >>> (Byte.SIZE * (length - 1)) != 0) {
        addShort(word, value);
      } else {
        addLong(word, 0, length, value);
      }
    }
  }

  /**
   * Applies a value to each word that begins in a range of a text. A word may end after the range,
   * so that several threads can process the parts of a text.
   *
   * @param text bytes, such as UTF-8
   * @param from offset of the first byte of the range
   * @param to offset after its last byte
   * @return the number of words
   * @throws IllegalArgumentException if the range is outside the text
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory to grow the map is not
   *     available; a later call applies the words that were added
   * @throws ClosedException if this combiner or the map is closed
   */
  public long addWords(MemorySegment text, long from, long to, Words words, long value) {
    TextKeys.requireRange(from, to, Objects.requireNonNull(text, "text").byteSize());
    Memories.requireReadable(text);
    Objects.requireNonNull(words, "words");
    requireOpen();
    long folding = words.folding();
    WordPage page = new WordPage(text, from, to, words);
    long all = 0;
    while (page.hasNext()) {
      int count = page.next();
      byte[] bytes = page.bytes();
      for (int word = 0; word < count; word++) {
        addWord(bytes, page.begin(word), page.end(word), folding, value);
      }
      all += count;
    }
    return all;
  }

  /** Adds a word of a page. The page is readable beyond the end of the word. */
  private void addWord(byte[] page, int begin, int end, long folding, long value) {
    int length = end - begin;
    // Mask of the bytes of the last word: shifts count modulo 64.
    long last = -1L >>> -(Byte.SIZE * length);
    long first = ShortText.word(page, begin) | folding;
    if (length <= FEW_BYTES) {
      addShort(first & last, value);
    } else if (length <= MOST_BYTES) {
      long second = ShortText.word(page, begin + FEW_BYTES) | folding;
      addLong(first, second & last, length, value);
    } else {
      for (int i = begin; i < end; i++) {
        page[i] |= (byte) folding;
      }
      batch.add(page, begin, end, value);
    }
  }

  private void addShort(long word, long value) {
    int place = SHORT_LONGS * (int) ((word * FIRST_FACTOR) >>> (Long.SIZE - SHORT_BITS));
    if (shorts[place + WORD] == word) {
      shorts[place + VALUE_OF_WORD] = apply.result(shorts[place + VALUE_OF_WORD], value);
    } else {
      driveOutShort(place);
      shorts[place + WORD] = word;
      shorts[place + VALUE_OF_WORD] = value;
    }
  }

  private void addLong(long first, long second, int length, long value) {
    long hash = (first * FIRST_FACTOR) ^ (second * SECOND_FACTOR);
    int place = LONG_LONGS * (int) ((hash * FIRST_FACTOR) >>> (Long.SIZE - LONG_BITS));
    if (longs[place + FIRST] == first
        && longs[place + SECOND] == second
        && longs[place + LENGTH_AND_ONE] == length + 1L) {
      longs[place + VALUE] = apply.result(longs[place + VALUE], value);
    } else {
      driveOutLong(place);
      longs[place + FIRST] = first;
      longs[place + SECOND] = second;
      longs[place + LENGTH_AND_ONE] = length + 1L;
      longs[place + VALUE] = value;
    }
  }

  /** Moves the key of an entry, if any, to the next batch. */
  private void driveOutShort(int place) {
    long word = shorts[place + WORD];
    if (word != 0) {
      int length = Long.BYTES - Long.numberOfLeadingZeros(word) / Byte.SIZE;
      batch.add(word, 0, length, shorts[place + VALUE_OF_WORD]);
      shorts[place + WORD] = 0;
    }
  }

  private void driveOutLong(int place) {
    int length = (int) longs[place + LENGTH_AND_ONE] - 1;
    if (length >= 0) {
      batch.add(longs[place + FIRST], longs[place + SECOND], length, longs[place + VALUE]);
      longs[place + LENGTH_AND_ONE] = 0;
    }
  }

  /**
   * Applies all values that were added.
   *
   * @return counts of the keys that went to the map since the last call; equal keys may count more
   *     than once
   * @throws ClosedException if this combiner or the map is closed
   */
  public InsertCounts flush() {
    requireOpen();
    return applyAll();
  }

  private void requireOpen() {
    if (closed) {
      throw new ClosedException("text combiner");
    }
  }

  private InsertCounts applyAll() {
    for (int place = 0; place < shorts.length; place += SHORT_LONGS) {
      driveOutShort(place);
    }
    for (int place = 0; place < longs.length; place += LONG_LONGS) {
      driveOutLong(place);
    }
    return batch.flush();
  }

  /** Applies all values that were added, and frees the memory. Further calls do nothing. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      try {
        var _ = applyAll();
      } finally {
        batch.close();
      }
    }
  }
}
