package dev.gyre.structures.map;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Internal;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.events.Span;
import dev.gyre.kernels.map.ShortText;
import dev.gyre.kernels.map.TextColumn;
import dev.gyre.kernels.map.TextLayout;
import dev.gyre.structures.Memories;
import dev.gyre.structures.Releasable;
import dev.gyre.structures.StackReserve;
import dev.gyre.structures.StructureException;
import dev.gyre.structures.TextBytes;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * Batch of text keys in off-heap memory, for bulk operations.
 *
 * <pre>{@code
 * try (TextKeys keys = TextKeys.of(List.of("whale", "sea"))) {
 *   keys.add("harpoon").add(bytes, from, to);
 *   map.insert(keys, values, BulkOptions.NONE);
 * }
 * }</pre>
 *
 * <p>A key is a sequence of bytes. Strings are encoded as UTF-8, without case folding or
 * normalization. Each key starts at a multiple of 8 bytes. A batch grows as keys are added, and
 * {@link #clear} empties it for reuse.
 *
 * <p><b>Threads.</b> Not thread-safe: one thread at a time adds keys. Then any number of operations
 * may read them. {@link #clear} and {@link #close} wait until these operations end. A function that
 * such an operation calls must not call them.
 *
 * <p><b>Memory.</b> Close each batch. After that, all methods except {@link #close} throw {@link
 * ClosedException}.
 *
 * @since 0.1.0
 */
public final class TextKeys implements AutoCloseable {

  /** Largest size of a key, in bytes. */
  public static final int MAX_LENGTH = Integer.MAX_VALUE - 64;

  private static final int FIRST_COUNT = 64;

  private Memory wordMemory;
  private Memory placeMemory;
  private DeviceLongs words;
  private DeviceLongs places;
  private int count;
  private long usedWords;
  private volatile boolean closed;

  /** Read lock: operations of maps. Write lock: changes that free or reuse memory. */
  private final ReentrantReadWriteLock inUse = new ReentrantReadWriteLock();

  /** Memories that larger ones have replaced while operations read them. */
  private final Queue<Memory> replaced = new ConcurrentLinkedQueue<>();

  /**
   * Created in advance: an allocation that failed after the lock was taken would leave it locked.
   */
  private final Releasable unused = inUse.readLock()::unlock;

  /** Creates an empty batch. */
  public TextKeys() {
    this(FIRST_COUNT, 4 * FIRST_COUNT);
  }

  /** Creates an empty batch with capacity for some keys and for the words of all of them. */
  @Internal
  public TextKeys(int keys, long wordsOfKeys) {
    List<Memory> made =
        Memories.make(() -> Memory.ofLongs(wordsOfKeys), () -> Memory.ofLongs(keys));
    this.wordMemory = made.getFirst();
    this.placeMemory = made.getLast();
    this.words = DeviceLongs.of(wordMemory);
    this.places = DeviceLongs.of(placeMemory);
  }

  /**
   * Returns a batch of strings, such as a column of a table.
   *
   * @throws IllegalArgumentException if one of them contains half of a surrogate pair, which UTF-8
   *     cannot encode
   */
  public static TextKeys of(List<String> keys) {
    String[] those = Objects.requireNonNull(keys, "keys").toArray(String[]::new);
    TextKeys all = new TextKeys(Math.max(1, those.length), Math.max(1, wordsOf(those)));
    return all.filled(() -> all.addAll(those));
  }

  /** Adds keys by a function; closes this batch if it fails. */
  @Internal
  public TextKeys filled(Runnable adding) {
    try {
      adding.run();
      return this;
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /**
   * Returns the number of words of strings if all their characters are ASCII; otherwise a lower
   * bound.
   */
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

  /** Returns a batch of byte arrays. */
  public static TextKeys of(byte[]... keys) {
    Objects.requireNonNull(keys, "keys");
    TextKeys all = new TextKeys();
    return all.filled(
        () -> {
          for (byte[] key : keys) {
            all.add(key, 0, key.length);
          }
        });
  }

  /**
   * Returns a batch of parts of a text: key {@code i} is from {@code offsets[i]} to {@code
   * offsets[i + 1] - 1}.
   *
   * @throws IllegalArgumentException if an offset is outside the text or less than the previous
   *     one, or the text can no longer be read
   */
  public static TextKeys of(MemorySegment text, long... offsets) {
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(offsets, "offsets");
    TextKeys all = new TextKeys();
    return all.filled(
        () -> {
          long from = offsets.length > 0 ? offsets[0] : 0;
          for (int i = 1; i < offsets.length; i++) {
            long to = offsets[i];
            requireRange(from, to, text.byteSize());
            all.add(text.asSlice(from, to - from));
            from = to;
          }
        });
  }

  /**
   * Adds a string, encoded as UTF-8.
   *
   * @throws IllegalArgumentException if it contains half of a surrogate pair, which UTF-8 cannot
   *     encode
   */
  public TextKeys add(String key) {
    byte[] bytes = TextBytes.of(Objects.requireNonNull(key, "key"));
    return add(bytes, 0, bytes.length);
  }

  static void requireRange(long from, long to, long length) {
    if (from < 0 || to < from || to > length) {
      throw new IllegalArgumentException(
          "the range [%d, %d) is outside %d bytes".formatted(from, to, length));
    }
  }

  /**
   * Adds bytes of an array.
   *
   * @param from index of the first byte
   * @param to index after the last byte
   * @throws IllegalArgumentException if the range is outside the array
   */
  public TextKeys add(byte[] bytes, int from, int to) {
    requireRange(from, to, Objects.requireNonNull(bytes, "bytes").length);
    int length = to - from;
    int needed = TextLayout.words(length);
    reserve(needed);
    int at = from;
    for (int word = 0; word < needed - 1; word++) {
      words.set(usedWords + word, ShortText.word(bytes, at));
      at += Long.BYTES;
    }
    words.set(usedWords + needed - 1, ShortText.lastWord(bytes, at, to));
    return added(length, needed);
  }

  /** Adds a key of another batch. */
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

  private TextKeys added(int length, int needed) {
    places.set(count++, TextLayout.place(usedWords, length));
    usedWords += needed;
    return this;
  }

  /**
   * Adds the bytes of a segment.
   *
   * @throws IllegalArgumentException if there are more than {@value #MAX_LENGTH} bytes, or they can
   *     no longer be read
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

  /** Makes capacity for another key of some words. */
  private void reserve(int needed) {
    requireOpen();
    if (usedWords + needed > words.length()) {
      Memory old = wordMemory;
      wordMemory = enlarged(old, Math.max(2 * words.length(), usedWords + needed));
      words = DeviceLongs.of(wordMemory);
      free(old);
    }
    if (count == places.length()) {
      if (count == Integer.MAX_VALUE) {
        throw new IllegalArgumentException("a batch has 2^31 - 1 keys at most");
      }
      Memory old = placeMemory;
      placeMemory = enlarged(old, 2 * places.length());
      places = DeviceLongs.of(placeMemory);
      free(old);
    }
  }

  /**
   * Frees a memory that was replaced, or leaves it to a later call if operations read the keys.
   * Waiting for these operations could be a deadlock: they may wait for a map from which the caller
   * is retrieving keys.
   */
  private void free(Memory old) {
    boolean _ = replaced.add(old);
    // A StackOverflowError at the end of tryLock() would leave the lock held.
    StackReserve.require();
    if (inUse.writeLock().tryLock()) {
      try {
        freeReplaced();
      } finally {
        inUse.writeLock().unlock();
      }
    }
  }

  private void freeReplaced() {
    Memories.close(replaced);
    replaced.clear();
  }

  private static Memory enlarged(Memory old, long longs) {
    Memory fresh = Memory.ofLongs(longs);
    MemorySegment.copy(old.segment(), 0, fresh.segment(), 0, old.byteSize());
    return fresh;
  }

  /** Returns the number of keys. */
  public int count() {
    requireOpen();
    return count;
  }

  /** Returns the bytes of a key. */
  public byte[] bytes(int index) {
    requireOpen();
    long place = places.get(Objects.checkIndex(index, count));
    return TextBytes.bytes(words, TextLayout.start(place), TextLayout.length(place));
  }

  /** Returns a key as a string; invalid UTF-8 is replaced. */
  public String text(int index) {
    return new String(bytes(index), StandardCharsets.UTF_8);
  }

  /**
   * Returns these keys for the user's kernels on a launcher, and sends them to its device. The
   * caller must not add keys, or close this batch, while such a kernel runs.
   */
  public TextColumn column(Launcher launcher) {
    requireOpen();
    Objects.requireNonNull(launcher, "launcher").hostWrote(wordMemory, placeMemory);
    return new TextColumn(words, places);
  }

  /**
   * Waits for operations that read the keys, then removes all keys. The memory is kept.
   *
   * @throws StructureException if the calling thread is inside such an operation
   */
  public void clear() {
    requireOpen();
    requireOutside();
    whenUnused(
        () -> {
          count = 0;
          usedWords = 0;
          freeReplaced();
        });
  }

  /**
   * Begins an operation that reads these keys. They stay in memory until it ends, also between the
   * claim of a slot and its publication.
   */
  @Internal
  public Releasable use() {
    // A StackOverflowError at the end of lock() would leave the lock held.
    StackReserve.require();
    inUse.readLock().lock();
    try {
      requireOpen();
    } catch (ClosedException e) {
      inUse.readLock().unlock();
      throw e;
    }
    return unused;
  }

  /**
   * Begins an operation as {@link #use()} does, with values and options for each key. The caller
   * has checked their numbers, but another thread may have added or removed keys since then.
   *
   * @throws ConcurrentModificationException if it has
   * @throws IllegalArgumentException if it has, and the options name keys
   */
  @Internal
  public Releasable use(@Nullable Longs values, @Nullable Longs found, BulkOptions options) {
    Releasable used = use();
    try {
      int now = count;
      options.check(now);
      requireNumber(now, values);
      requireNumber(now, found);
      return used;
    } catch (RuntimeException | Error e) {
      used.close();
      throw e;
    }
  }

  private static void requireNumber(int keys, @Nullable Longs of) {
    if (of != null && of.length() != keys) {
      throw new ConcurrentModificationException(
          "TextKeys: the number of keys changed from %d to %d in the middle of an operation on them"
              .formatted(of.length(), keys));
    }
  }

  private void whenUnused(Runnable change) {
    StackReserve.require();
    inUse.writeLock().lock();
    try {
      change.run();
    } finally {
      inUse.writeLock().unlock();
    }
  }

  private void requireOutside() {
    if (inUse.getReadHoldCount() > 0) {
      throw new StructureException(
          "TextKeys: a function that an operation on them calls must not clear or close them");
    }
  }

  void requireOpen() {
    if (closed) {
      throw new ClosedException("TextKeys");
    }
  }

  /** Returns the words of all keys, in order. */
  @Internal
  public DeviceLongs words() {
    return words;
  }

  /** Returns the place of each key in the words; see {@link TextLayout}. */
  @Internal
  public DeviceLongs places() {
    return places;
  }

  /** Returns the memories of the keys. */
  @Internal
  public List<Memory> memories() {
    return List.of(wordMemory, placeMemory);
  }

  /** Returns an upper bound of the arena words for a range of keys. */
  @Internal
  public long arenaWords(long from, long to) {
    long words = 0;
    for (long i = from; i < to; i++) {
      words += TextLayout.arenaWords(TextLayout.length(places.get(i)));
    }
    return words;
  }

  /**
   * Waits for operations that read the keys, then frees the memory. Further calls do nothing.
   *
   * @throws StructureException if the calling thread is inside such an operation
   */
  @Override
  public void close() {
    requireOutside();
    closed = true;
    whenUnused(
        () -> {
          Memories.close(memories());
          freeReplaced();
        });
  }
}
