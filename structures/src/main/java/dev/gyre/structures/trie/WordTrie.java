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
import java.util.PriorityQueue;
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
 * <p>Thread-safe: texts are added one after the other, each by all workers; readers wait until a
 * text is added.
 */
public final class WordTrie implements AutoCloseable {

  /** Most device threads that can be asked for. */
  public static final int MAX_DEVICE_THREADS = 1 << 20;

  /** A strip shorter than this does not pay for its device thread, in bytes. */
  private static final long MIN_STRIP_BYTES = 1 << 14;

  /** The same on a device, whose threads are many. */
  private static final long MIN_DEVICE_STRIP_BYTES = 1 << 8;

  private final @Nullable Launcher ownLauncher;
  private Launcher launcher;
  private final int deviceThreads;
  private final TrieNodes nodes;
  private final Memory classTable;
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private boolean closed;
  private @Nullable Throwable failure;
  private long size = -1;
  private long total = -1;

  private WordTrie(Builder builder) {
    Launcher given = builder.launcher;
    this.launcher = given == null ? builder.newLauncher() : given;
    this.ownLauncher = given == null ? launcher : null;
    this.deviceThreads = builder.deviceThreads;
    this.nodes = new TrieNodes(builder.alphabet, builder.initialNodes);
    this.classTable = builder.alphabet.classTable();
  }

  /** An empty trie for ASCII letters that works with every core of the JVM. */
  public static WordTrie create() {
    return builder().build();
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
    private long initialNodes = 1 << 10;

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
    try (Memory memory = Memory.ofBytes(bytes.length)) {
      memory.segment().copyFrom(MemorySegment.ofArray(bytes));
      return add(memory, bytes.length);
    }
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
    return locked(
        lock.writeLock(),
        () -> {
          if (length > 0) {
            size = -1;
            total = -1;
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

  /**
   * Has another launcher add the texts that follow: a trie can be built on a device and go on on
   * the JVM, and the other way round. Nodes move when they are needed. The caller closes the
   * launcher, after the trie.
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = "waits for running operations")
  public void runOn(Launcher next) {
    var _ = locked(lock.writeLock(), () -> launcher = next);
  }

  /** How often a word was found; 0 for what is not a word of the alphabet. */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits until a text that is being added is done")
  public long count(CharSequence word) {
    byte[] bytes = word.toString().getBytes(StandardCharsets.UTF_8);
    return reading(() -> countOf(bytes));
  }

  private long countOf(byte[] word) {
    int node = TrieLayout.ROOT;
    int at = 0;
    boolean onPath = word.length > 0;
    while (onPath && at < word.length) {
      int letter = nodes.alphabet().letterOf(word[at] & 0xff);
      node = letter == Alphabet.NO_LETTER ? TrieLayout.ROOT : nodes.child(node, letter);
      onPath = node != TrieLayout.ROOT;
      at++;
    }
    return onPath ? nodes.count(node) : 0;
  }

  /** Whether a word was found. */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits until a text that is being added is done")
  public boolean contains(CharSequence word) {
    return count(word) > 0;
  }

  /** Number of distinct words. */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits until a text that is being added is done")
  public long size() {
    return reading(
        () -> {
          summarise();
          return size;
        });
  }

  /** Number of words, each as often as it was found. */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits until a text that is being added is done")
  public long total() {
    return reading(
        () -> {
          summarise();
          return total;
        });
  }

  private synchronized void summarise() {
    if (size < 0) {
      long words = 0;
      long sum = 0;
      for (long node = 1; node < nodes.size(); node++) {
        long count = nodes.count((int) node);
        words += count > 0 ? 1 : 0;
        sum += count;
      }
      size = words;
      total = sum;
    }
  }

  /** Number of nodes, with the root: one more than there are distinct beginnings of words. */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits until a text that is being added is done")
  public long nodes() {
    return reading(nodes::size);
  }

  /** Size of the off-heap memory that the trie holds, in bytes. */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits until a text that is being added is done")
  public long memoryBytes() {
    return reading(nodes::byteSize);
  }

  /** Gives back memory that is kept for words to come; at most half of the rest is still unused. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = "waits for running operations")
  public void trim() {
    locked(
        lock.writeLock(),
        () -> {
          nodes.trim();
          return this;
        });
  }

  /** Calls an action for every word, in byte order. The action must not add to this trie. */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits until a text that is being added is done")
  public void forEach(Consumer<? super WordCount> action) {
    var _ =
        readingNodes(
            () -> {
              TrieWalk walk = new TrieWalk(nodes);
              while (walk.next()) {
                action.accept(new WordCount(walk.word(), walk.count()));
              }
              return this;
            });
  }

  /**
   * The most frequent words, the most frequent first, equally frequent ones in byte order.
   *
   * @param limit how many at most
   */
  @Progress(
      value = ProgressClass.DEADLOCK_FREE,
      because = "waits until a text that is being added is done")
  public List<WordCount> top(int limit) {
    if (limit < 0) {
      throw new IllegalArgumentException("limit must not be negative: " + limit);
    }
    return readingNodes(() -> topOf(limit));
  }

  private List<WordCount> topOf(int limit) {
    PriorityQueue<WordCount> last = new PriorityQueue<>(WordCount.BY_COUNT.reversed());
    TrieWalk walk = new TrieWalk(nodes);
    while (walk.next()) {
      // Words come in byte order: one that is no more frequent than the last stays behind it.
      WordCount least = last.peek();
      if (least == null || last.size() < limit || walk.count() > least.count()) {
        last.add(new WordCount(walk.word(), walk.count()));
        if (last.size() > limit) {
          WordCount _ = last.remove();
        }
      }
    }
    return last.stream().sorted(WordCount.BY_COUNT).toList();
  }

  private long reading(LongSupplier read) {
    return readingNodes(read::getAsLong);
  }

  private <T> T readingNodes(Supplier<T> read) {
    return locked(
        lock.readLock(),
        () -> {
          nodes.toHost();
          return read.get();
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
    lock.writeLock().lock();
    try {
      if (!closed) {
        closed = true;
        if (ownLauncher != null) {
          ownLauncher.close();
        }
        nodes.close();
        classTable.close();
      }
    } finally {
      lock.writeLock().unlock();
    }
  }
}
