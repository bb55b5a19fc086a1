package dev.gyre.structures.map;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Internal;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.events.Span;
import dev.gyre.kernels.map.TextColumn;
import dev.gyre.kernels.map.TextLayout;
import dev.gyre.structures.Leaving;
import dev.gyre.structures.Memories;
import dev.gyre.structures.TextBytes;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantReadWriteLock;

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
 * thread-safe: one thread at a time adds; then any number of operations may read. The memory stays
 * while an operation of a map reads it: what would free it, or take it for other keys, waits. All
 * methods but {@link #close} throw a {@link ClosedException} once that was called.
 */
public final class TextKeys implements AutoCloseable {

  /** Most bytes of a key. */
  public static final int MAX_LENGTH = Integer.MAX_VALUE - 64;

  private static final int FIRST_COUNT = 64;

  private Memory wordMemory;
  private Memory placeMemory;
  private DeviceLongs words;
  private DeviceLongs places;
  private int count;
  private long usedWords;
  private volatile boolean closed;

  /** Held to read where operations of maps run, and to write where memory is freed. */
  private final ReentrantReadWriteLock inUse = new ReentrantReadWriteLock();

  /** Made before anybody uses them: where there is no heap left for it, they stayed in use. */
  private final Leaving unused = inUse.readLock()::unlock;

  /** No keys yet. */
  public TextKeys() {
    this(FIRST_COUNT, 4 * FIRST_COUNT);
  }

  /** No keys yet, and room for some of some words in all. */
  @Internal
  public TextKeys(int keys, long wordsOfKeys) {
    List<Memory> made =
        Memories.make(() -> Memory.ofLongs(wordsOfKeys), () -> Memory.ofLongs(keys));
    this.wordMemory = made.getFirst();
    this.placeMemory = made.getLast();
    this.words = DeviceLongs.of(wordMemory);
    this.places = DeviceLongs.of(placeMemory);
  }

  /** Strings, such as a column of a table. */
  public static TextKeys of(List<String> keys) {
    String[] those = Objects.requireNonNull(keys, "keys").toArray(String[]::new);
    TextKeys all = new TextKeys(Math.max(1, those.length), Math.max(1, wordsOf(those)));
    try {
      return all.addAll(those);
    } catch (RuntimeException | Error e) {
      all.close();
      throw e;
    }
  }

  /** How many words strings take if all of their characters are ASCII; else less than they take. */
  @Internal
  public static long wordsOf(String[] keys) {
    long words = 0;
    for (String key : keys) {
      words += TextLayout.words(Objects.requireNonNull(key, "key").length());
    }
    return words;
  }

  /** Adds strings. */
  @Internal
  public TextKeys addAll(String[] keys) {
    Span span = Span.staging();
    for (String key : keys) {
      TextKeys _ = add(key);
    }
    span.moved("keys", (usedWords + count) * Long.BYTES);
    return this;
  }

  /** Rows of bytes. */
  public static TextKeys of(byte[]... keys) {
    Objects.requireNonNull(keys, "keys");
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
   * @throws IllegalArgumentException if an offset is outside the text, or less than the one before,
   *     or the text can no longer be read
   */
  public static TextKeys of(MemorySegment text, long... offsets) {
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(offsets, "offsets");
    TextKeys all = new TextKeys();
    try {
      for (int i = 1; i < offsets.length; i++) {
        requireRange(offsets[i - 1], offsets[i], text.byteSize());
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
    byte[] bytes = TextBytes.of(Objects.requireNonNull(key, "key"));
    return add(bytes, 0, bytes.length);
  }

  static void requireRange(long from, long to, long length) {
    if (from < 0 || to < from || to > length) {
      throw new IllegalArgumentException(
          "[%d, %d) is no part of %d bytes".formatted(from, to, length));
    }
  }

  /**
   * Adds bytes of an array.
   *
   * @param to the first byte after the key
   * @throws IllegalArgumentException if the array does not have these bytes
   */
  public TextKeys add(byte[] bytes, int from, int to) {
    requireRange(from, to, Objects.requireNonNull(bytes, "bytes").length);
    int length = to - from;
    int needed = TextLayout.words(length);
    reserve(needed);
    int at = from;
    for (int word = 0; word < needed - 1; word++) {
      words.set(usedWords + word, TextBytes.word(bytes, at));
      at += Long.BYTES;
    }
    words.set(usedWords + needed - 1, TextBytes.lastWord(bytes, at, to));
    return added(length, needed);
  }

  /** Adds a key of other keys. */
  @Internal
  public TextKeys add(TextKeys others, int index) {
    long place = others.places.get(index);
    int length = TextLayout.length(place);
    int needed = TextLayout.words(length);
    reserve(needed);
    for (int word = 0; word < needed; word++) {
      words.set(usedWords + word, others.words.get(TextLayout.start(place) + word));
    }
    return added(length, needed);
  }

  /** Adds a key of one or two words. */
  @Internal
  public TextKeys add(long first, long second, int length) {
    int needed = TextLayout.words(length);
    reserve(needed);
    words.set(usedWords, first);
    if (needed > 1) {
      words.set(usedWords + 1, second);
    }
    return added(length, needed);
  }

  /** Adds a key of some words. */
  @Internal
  public TextKeys add(long[] ofKey, int length) {
    reserve(ofKey.length);
    for (int word = 0; word < ofKey.length; word++) {
      words.set(usedWords + word, ofKey[word]);
    }
    return added(length, ofKey.length);
  }

  private TextKeys added(int length, int needed) {
    places.set(count++, TextLayout.place(usedWords, length));
    usedWords += needed;
    return this;
  }

  /**
   * Adds the bytes of a segment.
   *
   * @throws IllegalArgumentException if there are more than {@value #MAX_LENGTH}, or they can no
   *     longer be read
   */
  public TextKeys add(MemorySegment bytes) {
    if (Objects.requireNonNull(bytes, "bytes").byteSize() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "a key has %d bytes at most, not %d".formatted(MAX_LENGTH, bytes.byteSize()));
    }
    Memories.requireReadable(bytes);
    int length = (int) bytes.byteSize();
    int needed = TextLayout.words(length);
    reserve(needed);
    for (int word = 0; word < needed; word++) {
      words.set(usedWords + word, TextBytes.word(bytes, word));
    }
    return added(length, needed);
  }

  /** Makes room for another key of some words. */
  private void reserve(int needed) {
    requireOpen();
    if (usedWords + needed > words.length()) {
      Memory old = wordMemory;
      wordMemory = enlarged(old, Math.max(2 * words.length(), usedWords + needed));
      words = DeviceLongs.of(wordMemory);
      whenUnused(old::close);
    }
    if (count == places.length()) {
      if (count == Integer.MAX_VALUE) {
        throw new IllegalArgumentException("a batch has 2^31 - 1 keys at most");
      }
      Memory old = placeMemory;
      placeMemory = enlarged(old, 2 * places.length());
      places = DeviceLongs.of(placeMemory);
      whenUnused(old::close);
    }
  }

  private static Memory enlarged(Memory old, long longs) {
    Memory fresh = Memory.ofLongs(longs);
    MemorySegment.copy(old.segment(), 0, fresh.segment(), 0, old.byteSize());
    return fresh;
  }

  /** Number of keys. */
  public int count() {
    requireOpen();
    return count;
  }

  /** The bytes of a key. */
  public byte[] bytes(int index) {
    requireOpen();
    long place = places.get(Objects.checkIndex(index, count));
    return TextBytes.bytes(words, TextLayout.start(place), TextLayout.length(place));
  }

  /** A key as a string; bytes that are no UTF-8 are replaced. */
  public String text(int index) {
    return new String(bytes(index), StandardCharsets.UTF_8);
  }

  /**
   * These keys as kernels of users see them, on a launcher, which is sent them as they are now. The
   * caller adds no more, and does not close this, while such a kernel runs.
   */
  public TextColumn column(Launcher launcher) {
    requireOpen();
    Objects.requireNonNull(launcher, "launcher").hostWrote(wordMemory, placeMemory);
    return new TextColumn(words, places);
  }

  /** Takes all keys out, having waited for operations that read them; the memory is kept. */
  public void clear() {
    requireOpen();
    whenUnused(
        () -> {
          count = 0;
          usedWords = 0;
        });
  }

  /**
   * Begins an operation that reads these keys; none of them goes before its end. So what an insert
   * reads between the claim of a slot and its publication is there.
   */
  @Internal
  public Leaving use() {
    inUse.readLock().lock();
    try {
      requireOpen();
    } catch (ClosedException e) {
      inUse.readLock().unlock();
      throw e;
    }
    return unused;
  }

  private void whenUnused(Runnable change) {
    inUse.writeLock().lock();
    try {
      change.run();
    } finally {
      inUse.writeLock().unlock();
    }
  }

  void requireOpen() {
    if (closed) {
      throw new ClosedException("TextKeys");
    }
  }

  /** The words of all keys, one key after the other. */
  @Internal
  public DeviceLongs words() {
    return words;
  }

  /** Where each key is in its words; see {@link TextLayout}. */
  @Internal
  public DeviceLongs places() {
    return places;
  }

  /** What the keys are in. */
  @Internal
  public List<Memory> memories() {
    return List.of(wordMemory, placeMemory);
  }

  /** Words that the arena needs at most for keys of a range. */
  @Internal
  public long room(long from, long to) {
    long room = 0;
    for (long i = from; i < to; i++) {
      room += TextLayout.room(TextLayout.length(places.get(i)));
    }
    return room;
  }

  /**
   * Frees the memory, having waited for operations of maps that read it; further calls do nothing.
   */
  @Override
  public void close() {
    closed = true;
    whenUnused(
        () -> {
          Memories.close(memories());
        });
  }
}
