package dev.gyre.structures.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.TextLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * Keys that are texts, laid out as maps read them: off-heap, each from a multiple of 8 bytes on. A
 * batch grows as keys are added, and can be emptied and filled again.
 *
 * <pre>{@code
 * try (TextKeys keys = TextKeys.of(List.of("whale", "sea"))) {
 *   keys.add("harpoon").add(bytes, from, to);
 *   map.insert(keys, values, BulkOptions.NONE);
 * }
 * }</pre>
 *
 * <p>A key is a row of bytes; strings are taken as UTF-8. Nothing is folded or normalized. Not
 * thread-safe: one thread at a time adds; then any number of operations may read.
 */
public final class TextKeys implements AutoCloseable {

  /** Most bytes of a key. */
  public static final int MAX_LENGTH = Integer.MAX_VALUE - 64;

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int FIRST_COUNT = 64;

  private Memory wordMemory = Memory.ofLongs(4 * FIRST_COUNT);
  private Memory placeMemory = Memory.ofLongs(FIRST_COUNT);
  private DeviceLongs words = DeviceLongs.of(wordMemory);
  private DeviceLongs places = DeviceLongs.of(placeMemory);
  private int count;
  private long usedWords;

  /** No keys yet. */
  public TextKeys() {}

  /** Strings, such as a column of a table. */
  public static TextKeys of(List<String> keys) {
    TextKeys all = new TextKeys();
    try {
      keys.forEach(all::add);
      return all;
    } catch (RuntimeException | Error e) {
      all.close();
      throw e;
    }
  }

  /** Rows of bytes. */
  public static TextKeys of(byte[]... keys) {
    TextKeys all = new TextKeys();
    try {
      for (byte[] key : keys) {
        all.add(key, 0, key.length);
      }
      return all;
    } catch (RuntimeException | Error e) {
      all.close();
      throw e;
    }
  }

  /**
   * Parts of a text: key {@code i} is from {@code offsets[i]} to {@code offsets[i + 1] - 1}.
   *
   * @throws IndexOutOfBoundsException if an offset is none of the text, or less than the one before
   */
  public static TextKeys of(MemorySegment text, long... offsets) {
    TextKeys all = new TextKeys();
    try {
      for (int i = 1; i < offsets.length; i++) {
        all.add(text.asSlice(offsets[i - 1], offsets[i] - offsets[i - 1]));
      }
      return all;
    } catch (RuntimeException | Error e) {
      all.close();
      throw e;
    }
  }

  /**
   * Adds a string, as UTF-8.
   *
   * @throws IllegalArgumentException if it holds half of a surrogate pair, which UTF-8 cannot say
   */
  public TextKeys add(String key) {
    byte[] bytes = bytesOf(key);
    return add(bytes, 0, bytes.length);
  }

  /** The bytes of a key. */
  static byte[] bytesOf(String key) {
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      if (Character.isSurrogate(c)) {
        boolean paired =
            Character.isHighSurrogate(c)
                && i + 1 < key.length()
                && Character.isLowSurrogate(key.charAt(i + 1));
        if (!paired) {
          throw new IllegalArgumentException("half of a surrogate pair at " + i + " of a key");
        }
        i++;
      }
    }
    return key.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Adds bytes of an array.
   *
   * @param to the first byte after the key
   */
  public TextKeys add(byte[] bytes, int from, int to) {
    Objects.checkFromToIndex(from, to, bytes.length);
    int length = to - from;
    int needed = TextLayout.words(length);
    reserve(needed);
    int at = from;
    for (int word = 0; word < needed - 1; word++) {
      words.set(usedWords + word, (long) LONGS.get(bytes, at));
      at += Long.BYTES;
    }
    words.set(usedWords + needed - 1, lastWord(bytes, at, to));
    return added(length, needed);
  }

  private static long lastWord(byte[] bytes, int from, int to) {
    int length = to - from;
    if (length > 0 && from + Long.BYTES <= bytes.length) {
      return (long) LONGS.get(bytes, from) & (-1L >>> (Long.SIZE - Byte.SIZE * length));
    }
    long last = 0;
    for (int i = to - 1; i >= from; i--) {
      last = (last << Byte.SIZE) | (bytes[i] & 0xff);
    }
    return last;
  }

  private TextKeys added(int length, int needed) {
    places.set(count++, TextLayout.place(usedWords, length));
    usedWords += needed;
    return this;
  }

  /**
   * Adds the bytes of a segment.
   *
   * @throws IllegalArgumentException if there are more than {@value #MAX_LENGTH}
   */
  public TextKeys add(MemorySegment bytes) {
    if (bytes.byteSize() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "a key has %d bytes at most, not %d".formatted(MAX_LENGTH, bytes.byteSize()));
    }
    int length = (int) bytes.byteSize();
    int needed = TextLayout.words(length);
    reserve(needed);
    for (int word = 0; word < needed; word++) {
      words.set(usedWords + word, word(bytes, word));
    }
    return added(length, needed);
  }

  /** A word of a key, filled up with zeros. */
  static long word(MemorySegment bytes, int word) {
    long at = (long) word * Long.BYTES;
    if (at + Long.BYTES <= bytes.byteSize()) {
      return bytes.get(WORD, at);
    }
    long last = 0;
    for (long i = bytes.byteSize() - 1; i >= at; i--) {
      last = (last << Byte.SIZE) | (bytes.get(ValueLayout.JAVA_BYTE, i) & 0xff);
    }
    return last;
  }

  /** Makes room for another key of some words. */
  private void reserve(int needed) {
    if (usedWords + needed > words.length()) {
      wordMemory = enlarged(wordMemory, Math.max(2 * words.length(), usedWords + needed));
      words = DeviceLongs.of(wordMemory);
    }
    if (count == places.length()) {
      if (count == Integer.MAX_VALUE) {
        throw new IllegalArgumentException("a batch has 2^31 - 1 keys at most");
      }
      placeMemory = enlarged(placeMemory, 2 * places.length());
      places = DeviceLongs.of(placeMemory);
    }
  }

  private static Memory enlarged(Memory old, long longs) {
    Memory fresh = Memory.ofLongs(longs);
    MemorySegment.copy(old.segment(), 0, fresh.segment(), 0, old.byteSize());
    old.close();
    return fresh;
  }

  /** Number of keys. */
  public int count() {
    return count;
  }

  /** The bytes of a key. */
  public byte[] bytes(int index) {
    long place = places.get(Objects.checkIndex(index, count));
    return bytes(words, TextLayout.start(place), TextLayout.length(place));
  }

  /** The bytes of a key that begins at a word. */
  static byte[] bytes(DeviceLongs words, long start, int length) {
    byte[] bytes = new byte[length];
    MemorySegment to = MemorySegment.ofArray(bytes);
    int whole = length / Long.BYTES;
    for (int word = 0; word < whole; word++) {
      to.set(WORD, (long) word * Long.BYTES, words.get(start + word));
    }
    for (int i = whole * Long.BYTES; i < length; i++) {
      bytes[i] = (byte) (words.get(start + whole) >> (Byte.SIZE * (i % Long.BYTES)));
    }
    return bytes;
  }

  /** A key as a string; bytes that are no UTF-8 are replaced. */
  public String text(int index) {
    return new String(bytes(index), StandardCharsets.UTF_8);
  }

  /** Takes all keys out; the memory is kept. */
  public void clear() {
    count = 0;
    usedWords = 0;
  }

  DeviceLongs words() {
    return words;
  }

  DeviceLongs places() {
    return places;
  }

  /** Words that the arena needs at most for keys of a range. */
  long room(long from, long to) {
    long room = 0;
    for (long i = from; i < to; i++) {
      room += TextLayout.room(TextLayout.length(places.get(i)));
    }
    return room;
  }

  /** Frees the memory; further calls do nothing. */
  @Override
  public void close() {
    wordMemory.close();
    placeMemory.close();
  }
}
