package dev.gyre.structures.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Memory;
import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.TextChunk;
import dev.gyre.datasets.TextChunks;
import dev.gyre.datasets.TextSource;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;
import dev.gyre.structures.StructureException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts words: a map from the words of texts to how often they were found.
 *
 * <p>All threads of a launch build one trie, by the protocol of Giroux's "CUDA on Turing Opens New
 * GPU Compute Possibilities": the thread that claims an edge takes a node from a bump allocator and
 * publishes it, others that need the edge wait for that. The text is cut into strips, one per
 * device thread; a word belongs to the strip in which it starts. When the nodes run out, the strips
 * stop at the word they cannot add, the pool is doubled, and they go on from there.
 *
 * <p>A word is a run of letters of the trie's {@link Alphabet}; by default, ASCII letters with
 * upper and lower case the same. Counts are exact up to 2^63 - 1. A node, of which there is one for
 * every distinct beginning of a word, takes 128 bytes with ASCII letters.
 *
 * <pre>{@code
 * try (WordTrie trie = WordTrie.create()) {
 *   trie.add("It was the best of times, it was the worst of times");
 *   trie.count("times");  // 2
 *   trie.top(3);          // it 2, of 2, the 2
 * }
 * }</pre>
 *
 * <p>Thread-safe. Short texts, such as a word, are added by the calling thread, beside any number
 * of others; long ones one after the other, each by all workers. Readers run beside all that, and
 * see a word that is being added or do not; they wait only while a grown pool takes the place of
 * the old one, and {@link #retain} or {@link #clear} take effect.
 */
public final class WordTrie implements AutoCloseable {

  /** Most device threads that can be asked for. */
  public static final int MAX_DEVICE_THREADS = 1 << 20;

  /** A strip shorter than this does not pay for its device thread, in bytes. */
  private static final long MIN_STRIP_BYTES = 1 << 14;

  /** The same on a device, whose threads are many. */
  private static final long MIN_DEVICE_STRIP_BYTES = 1 << 8;

  private static final long INITIAL_NODES = 1 << 10;

  private final Launcher launcher;
  private final boolean ownsLauncher;
  private final int deviceThreads;
  private final TrieNodes nodes;
  private final Memory classTable;
  // Held to read by those who add by themselves, to write by all others that change something.
  private final ReentrantReadWriteLock updates = new ReentrantReadWriteLock();
  private final TrieViews views;
  // Odd and even alike: just another number after each change.
  private final AtomicLong changes = new AtomicLong();
  private volatile boolean closed;
  private volatile @Nullable Throwable failure;
  private long summarised = -1;
  private long size;
  private long total;

  private WordTrie(Builder builder) {
    this.ownsLauncher = builder.launcher == null;
    this.launcher = builder.launcher != null ? builder.launcher : builder.newLauncher();
    this.deviceThreads = builder.deviceThreads;
    this.nodes = new TrieNodes(builder.alphabet, builder.initialNodes);
    this.views = new TrieViews(nodes);
    this.classTable = builder.alphabet.classTable();
  }

  /** An empty trie for ASCII letters that works with every core of the JVM. */
  public static WordTrie create() {
    return builder().build();
  }

  /** A trie for ASCII letters with the words of a file; see {@link Builder#load}. */
  public static WordTrie load(Path file) {
    return builder().load(file);
  }

  /** Settings of a trie to be made. */
  public static Builder builder() {
    return new Builder();
  }

  /** What a trie is made with; all settings have defaults. */
  public static final class Builder {
    private Alphabet alphabet = Alphabet.ASCII_LETTERS;
    private @Nullable Launcher launcher;
    private int workers;
    private int deviceThreads;
    private long initialNodes = INITIAL_NODES;

    private Builder() {}

    /** Which bytes are letters; by default {@link Alphabet#ASCII_LETTERS}. */
    public Builder alphabet(Alphabet alphabet) {
      this.alphabet = alphabet;
      return this;
    }

    /**
     * Where to work; the caller closes it, after the trie. By default, a JVM launcher of its own.
     */
    public Builder launcher(Launcher launcher) {
      this.launcher = launcher;
      return this;
    }

    /**
     * How many JVM threads work; by default, as many as there are cores. Of no effect with {@link
     * #launcher}.
     */
    public Builder workers(int workers) {
      if (workers < 1 || workers > JvmLauncher.MAX_WORKERS) {
        throw new IllegalArgumentException(
            "workers must be from 1 to " + JvmLauncher.MAX_WORKERS + ", not " + workers);
      }
      this.workers = workers;
      return this;
    }

    /** Into how many strips a text is cut; by default, what suits the launcher. */
    public Builder deviceThreads(int deviceThreads) {
      if (deviceThreads < 1 || deviceThreads > MAX_DEVICE_THREADS) {
        throw new IllegalArgumentException(
            "device threads must be from 1 to " + MAX_DEVICE_THREADS + ", not " + deviceThreads);
      }
      this.deviceThreads = deviceThreads;
      return this;
    }

    /** For how many nodes there is room at first, at least 1; more are found when needed. */
    public Builder initialNodes(long initialNodes) {
      if (initialNodes < 1 || initialNodes > TrieLayout.MAX_NODES) {
        throw new IllegalArgumentException(
            "initial nodes must be from 1 to " + TrieLayout.MAX_NODES + ", not " + initialNodes);
      }
      this.initialNodes = initialNodes;
      return this;
    }

    private Launcher newLauncher() {
      return workers == 0 ? JvmLauncher.create() : JvmLauncher.ofWorkers(workers);
    }

    /** Makes the trie. */
    public WordTrie build() {
      return new WordTrie(this);
    }

    /**
     * Makes a trie with the words of a file that {@link WordTrie#save} wrote. The file is mapped,
     * and nobody may change it until the trie is closed; to replace it is no harm. Words that are
     * added do not reach it.
     *
     * @throws dev.gyre.datasets.BadInputException if the file cannot be read
     * @throws TrieFileException if it is damaged, of a newer version, or of another alphabet
     */
    public WordTrie load(Path file) {
      TrieNodes loaded = TrieFile.load(file, alphabet);
      WordTrie trie;
      try {
        trie = new WordTrie(this);
      } catch (RuntimeException | Error e) {
        loaded.close();
        throw e;
      }
      trie.nodes.become(loaded);
      return trie;
    }
  }

  /**
   * Adds the words of a text.
   *
   * @return this trie
   */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits for the text before; a device thread waits for the one that makes a node")
  public WordTrie add(CharSequence text) {
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    if (bytes.length < MIN_STRIP_BYTES) {
      addHere(bytes);
      return this;
    }
    try (Memory memory = Memory.ofBytes(bytes.length)) {
      memory.segment().copyFrom(MemorySegment.ofArray(bytes));
      return add(memory, bytes.length);
    }
  }

  private void addHere(byte[] text) {
    int at = 0;
    while (at < text.length) {
      int from = at;
      long[] full = new long[1];
      at =
          update(
              updates.readLock(),
              () -> {
                full[0] = nodes.capacity();
                return TrieAdder.addText(nodes, text, from);
              });
      if (at < text.length) {
        growFrom(full[0]);
      }
    }
  }

  /** Grows, unless another thread has. */
  private void growFrom(long full) {
    update(
        updates.writeLock(),
        () -> {
          if (nodes.capacity() == full) {
            nodes.grow();
          }
          return this;
        });
  }

  /**
   * Adds the words of files, as if a newline stood between them.
   *
   * @return this trie
   * @throws dev.gyre.datasets.BadInputException if a file cannot be read
   */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits for the text before; a device thread waits for the one that makes a node")
  public WordTrie add(Path... files) {
    add(TextSource.ofFiles(List.of(files)), TextChunks.DEFAULT_CHUNK_BYTES, ByteProgress.NONE);
    return this;
  }

  /**
   * Adds the words of a text of any length, in chunks that are read ahead.
   *
   * @param chunkBytes size of a chunk; two are in memory at a time
   * @param progress told how many bytes are done
   * @return bytes read
   * @throws dev.gyre.datasets.BadInputException if the text cannot be read; what came before is
   *     counted
   */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits for the text before; a device thread waits for the one that makes a node")
  public long add(TextSource text, long chunkBytes, ByteProgress progress) {
    Alphabet alphabet = nodes.alphabet();
    try (TextChunks chunks =
        TextChunks.open(
            text, chunkBytes, b -> alphabet.letterOf(b) == Alphabet.NO_LETTER, progress)) {
      for (TextChunk chunk = chunks.next(); chunk != null; chunk = chunks.next()) {
        add(chunk.memory(), chunk.length());
      }
      return chunks.sourceBytesDone();
    }
  }

  /**
   * Adds the words of the first bytes of a memory. A word that begins or ends there begins or ends
   * with the text.
   *
   * @param length bytes of text, from 0 to the size of the memory
   * @return this trie
   * @throws dev.gyre.kernels.LaunchException if a device thread failed, or was cancelled; the
   *     counts are then incomplete, and all that can be done with this trie is to close it
   */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits for the text before; a device thread waits for the one that makes a node")
  public WordTrie add(Memory text, long length) {
    if (length < 0 || length > text.byteSize()) {
      throw new IllegalArgumentException(
          "length must be from 0 to "
              + text.byteSize()
              + ", the size of the memory, not "
              + length);
    }
    return update(
        updates.writeLock(),
        () -> {
          if (length > 0) {
            try {
              new TrieBuild(launcher, nodes, Bytes.of(classTable)).add(text, length, shape(length));
            } catch (RuntimeException | Error e) {
              failure = e;
              throw e;
            }
          }
          return this;
        });
  }

  private LaunchShape shape(long length) {
    if (deviceThreads > 0) {
      return LaunchShape.ofThreads(deviceThreads);
    }
    long least =
        launcher.device().target() == Target.JVM ? MIN_STRIP_BYTES : MIN_DEVICE_STRIP_BYTES;
    return launcher.shapeFor(Math.max(1, length / least));
  }

  /** How often a word was found; 0 for what is not a word of the alphabet. */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits while a larger pool takes the place of a full one")
  public long count(CharSequence word) {
    byte[] bytes = utf8(word);
    return reading(() -> views.count(bytes));
  }

  /** Whether a word was found. */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits while a larger pool takes the place of a full one")
  public boolean contains(CharSequence word) {
    return count(word) > 0;
  }

  /** Number of distinct words. */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits while a larger pool takes the place of a full one")
  public long size() {
    return reading(() -> summary(true));
  }

  /** Number of words, each as often as it was found. */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits while a larger pool takes the place of a full one")
  public long total() {
    return reading(() -> summary(false));
  }

  private synchronized long summary(boolean distinct) {
    summarise();
    return distinct ? size : total;
  }

  private void summarise() {
    // What is added from now on is seen or not; it changes the number, and is seen the next time.
    long now = changes.get();
    if (summarised != now) {
      long words = 0;
      long sum = 0;
      long made = nodes.size();
      for (long node = 1; node < made; node++) {
        long count = nodes.count((int) node);
        words += count > 0 ? 1 : 0;
        sum += count;
      }
      size = words;
      total = sum;
      summarised = now;
    }
  }

  /** Number of nodes, with the root: one more than there are distinct beginnings of words. */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits while a larger pool takes the place of a full one")
  public long nodes() {
    return reading(nodes::size);
  }

  /** Size of the off-heap memory that the trie holds, in bytes. */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits while a larger pool takes the place of a full one")
  public long memoryBytes() {
    return reading(nodes::byteSize);
  }

  /** Gives back memory that is kept for words to come; at most half of the rest is still unused. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = "waits for running operations")
  public void trim() {
    update(
        updates.writeLock(),
        () -> {
          nodes.trim();
          return this;
        });
  }

  /** Calls an action for every word, in byte order. The action must not change this trie. */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits while a larger pool takes the place of a full one")
  public void forEach(Consumer<? super WordCount> action) {
    forEach("", action);
  }

  /**
   * Calls an action for every word that begins with a prefix, in byte order. The action must not
   * change this trie.
   *
   * @param prefix letters; where one is none of the alphabet, no word begins with it
   */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits while a larger pool takes the place of a full one")
  public void forEach(CharSequence prefix, Consumer<? super WordCount> action) {
    byte[] bytes = utf8(prefix);
    locked(
        nodes.readLock(),
        () -> {
          views.forEach(bytes, action);
          return this;
        });
  }

  /** The longest word of this trie that a text begins with, if it begins with any. */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits while a larger pool takes the place of a full one")
  public Optional<WordCount> longestPrefix(CharSequence text) {
    byte[] bytes = utf8(text);
    return locked(nodes.readLock(), () -> views.longestPrefix(bytes));
  }

  /**
   * The most frequent words, the most frequent first, equally frequent ones in byte order.
   *
   * @param limit how many at most
   */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits while a larger pool takes the place of a full one")
  public List<WordCount> top(int limit) {
    return top("", limit);
  }

  /**
   * The most frequent words that begin with a prefix, in the order of {@link #top(int)}.
   *
   * @param limit how many at most
   */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits while a larger pool takes the place of a full one")
  public List<WordCount> top(CharSequence prefix, int limit) {
    if (limit < 0) {
      throw new IllegalArgumentException("limit must not be negative: " + limit);
    }
    byte[] bytes = utf8(prefix);
    return locked(nodes.readLock(), () -> views.top(bytes, limit));
  }

  /**
   * Adds the counts of another trie, as they are when this begins.
   *
   * @return this trie
   * @throws StructureException if the alphabets differ, or the words of both are more than 2^63 - 1
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = "waits for running operations")
  public WordTrie addAll(WordTrie other) {
    // A copy: no lock of one trie is held while that of another is waited for.
    try (TrieNodes theirs = other.locked(other.updates.writeLock(), other.nodes::copy)) {
      return update(
          updates.writeLock(),
          () -> {
            TrieMerge.requireMergeable(nodes, theirs);
            TrieMerge.add(nodes, theirs, 1);
            return this;
          });
    }
  }

  /**
   * Forgets the words that were found less often than that, and gives back their memory.
   *
   * @return this trie
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = "waits for running operations")
  public WordTrie retain(long minCount) {
    return update(
        updates.writeLock(),
        () -> {
          TrieNodes kept = new TrieNodes(nodes.alphabet(), INITIAL_NODES);
          try {
            TrieMerge.add(kept, nodes, minCount);
          } catch (RuntimeException | Error e) {
            kept.close();
            throw e;
          }
          nodes.become(kept);
          return this;
        });
  }

  /**
   * Forgets all words.
   *
   * @return this trie
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = "waits for running operations")
  public WordTrie clear() {
    return update(
        updates.writeLock(),
        () -> {
          nodes.become(new TrieNodes(nodes.alphabet(), INITIAL_NODES));
          return this;
        });
  }

  /**
   * Writes this trie to a file, which is replaced as a whole or not at all.
   *
   * @throws StructureException if it cannot be written
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = "waits for running operations")
  public void save(Path file) {
    locked(
        updates.writeLock(),
        () -> {
          TrieFile.save(nodes, file);
          return this;
        });
  }

  private static byte[] utf8(CharSequence text) {
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private long reading(LongSupplier read) {
    return locked(nodes.readLock(), read::getAsLong);
  }

  private <T> T update(Lock heldLock, Supplier<T> action) {
    if (nodes.isReading()) {
      throw new StructureException("word trie: an action of forEach must not change the trie");
    }
    return locked(
        heldLock,
        () -> {
          try {
            return action.get();
          } finally {
            // After the change: who still sees the old number sums up again the next time.
            changes.incrementAndGet();
          }
        });
  }

  private <T> T locked(Lock heldLock, Supplier<T> action) {
    heldLock.lock();
    try {
      if (closed) {
        throw new ClosedException("word trie");
      }
      if (failure != null) {
        throw new StructureException(
            "word trie: an earlier text was not added to its end, so counts are incomplete; close"
                + " this trie and build another",
            failure);
      }
      return action.get();
    } finally {
      heldLock.unlock();
    }
  }

  /** Frees the memory; further calls do nothing. */
  @Override
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = "waits for running operations")
  public void close() {
    updates.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        if (ownsLauncher) {
          launcher.close();
        }
        nodes.close();
        classTable.close();
      }
    } finally {
      updates.writeLock().unlock();
    }
  }
}
