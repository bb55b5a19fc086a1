package dev.gyre.structures.trie;

import dev.gyre.atomics.Internal;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.Tracked;
import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.TextFiles;
import dev.gyre.datasets.TextSource;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Stage;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.TrieRef;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;
import dev.gyre.structures.StageSequence;
import dev.gyre.structures.StructureException;
import dev.gyre.structures.StructureStats;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.launch.Launchable;
import dev.gyre.structures.launch.StructurePin;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Counts how many times each word occurs in texts.
 *
 * <pre>{@code
 * try (WordTrie trie = WordTrie.create()) {
 *   trie.add("It was the best of times, it was the worst of times");
 *   trie.count("times");  // 2
 *   trie.top(3);          // it 2, of 2, the 2
 * }
 * }</pre>
 *
 * <p>A word is a longest sequence of letters of the trie's {@link Alphabet}. The default alphabet
 * is the ASCII letters, in lower case. Texts are UTF-8. Counts are exact. A trie contains at most
 * 2^63 - 1 words in all and refuses an addition that could exceed this limit.
 *
 * <p><b>Threads.</b> All methods are thread-safe. The calling thread adds a short text, such as a
 * word, while other threads add and read. Long texts are added one after another, each by all
 * workers. A reader sees a word that is being added or does not see it. Readers wait only while a
 * larger pool of nodes replaces a full one, or while {@link #retain} or {@link #clear} take effect.
 *
 * <p><b>Memory.</b> The trie has one node per distinct prefix of its words. A node takes 128 bytes.
 * With {@link Alphabet#UNICODE_LETTERS}, a letter outside ASCII may need up to four more nodes.
 * {@linkplain WordTrieBuilder#nodeSize Small nodes} take 32 bytes each, and there are up to twice
 * as many. Memory is off-heap: close each trie.
 *
 * <p><b>Errors.</b> An addition that fails is not counted at all, or the trie refuses all later
 * calls. The package describes failures and interrupts.
 *
 * <p><b>Algorithm.</b> All threads of a launch build one trie, as in Olivier Giroux's blog post
 * "CUDA on Turing Opens New GPU Compute Possibilities". The thread that claims an edge allocates a
 * node and publishes it; other threads that need the edge wait for the node. A text is cut into
 * strips for the workers of the JVM, or into a part for each block of a device. A word belongs to
 * the strip in which it starts.
 *
 * <p>Each worker and each block first adds up words that repeat soon, and adds the sums to the trie
 * later. If the nodes run out, the remaining words wait until a larger pool has replaced the old
 * one.
 *
 * @since 0.1.0
 */
public final class WordTrie implements AutoCloseable, Launchable<TrieRef> {

  /** Largest number of device threads that a builder accepts. */
  public static final int MAX_DEVICE_THREADS = 1 << 20;

  private static final String GROWTH = "waits while a larger pool replaces a full one";
  private static final String RUNNING = "waits for running operations";
  private static final String BEGINS = "takes a lock to register the operation";
  private static final String TEXTS =
      "waits for the previous text; a device thread waits for the thread that creates a node";

  static {
    // Initialise this class while enough stack is left: a class whose initialiser overflows the
    // stack can never be used.
    Objects.requireNonNull(TrieFile.FORMAT);
  }

  /** The launcher that this trie closes, if it created one. */
  private final @Nullable Launcher own;

  private final TrieNodes nodes;
  private final TrieLock guard;
  private final CountLimit limit;
  private final TrieSums sums;
  private final TrieWords words;
  private final TrieQueries views;
  private final DeviceQueries there;
  private final TrieGroup group;
  private final Waiting waiting;
  private final int deviceThreads;
  private final TextIngest texts;
  private final Runnable parts;
  private final StageSequence begun = new StageSequence();
  private final Tracked tracked;
  private final long order = StructurePin.nextOrder();

  /** Creates a trie that takes over the nodes, and the launcher if {@code ownsLauncher}. */
  WordTrie(
      TrieNodes nodes,
      Launcher launcher,
      boolean ownsLauncher,
      int deviceThreads,
      Waiting waiting) {
    this.own = ownsLauncher ? launcher : null;
    this.nodes = nodes;
    this.guard = new TrieLock(nodes);
    this.limit = new CountLimit(nodes);
    this.sums = new TrieSums(nodes, guard);
    this.words = new TrieWords(nodes, guard);
    this.views = new TrieQueries(nodes);
    this.there = new DeviceQueries(nodes);
    this.waiting = waiting;
    this.deviceThreads = deviceThreads;
    TrieBuild.Shapes shapes = new TrieBuild.Shapes(deviceThreads);
    this.group = new TrieGroup(nodes, launcher, shapes, waiting);
    this.texts = new TextIngest(nodes, guard, limit, group);
    this.parts = parts(nodes, group, there, own);
    // Every operation uses the guard to its end.
    this.tracked = Tracked.of(guard, "WordTrie", guard.whenDropped(parts));
  }

  /**
   * Returns an action that frees the parts of a trie. It does not refer to the trie or its guard.
   */
  private static Runnable parts(
      TrieNodes nodes, TrieGroup group, DeviceQueries there, @Nullable Launcher own) {
    return () -> {
      try (nodes;
          group;
          there;
          var _ = own) {
        // Closes all of them, even if one throws.
      }
    };
  }

  /** Returns an empty trie for ASCII letters that uses a thread per core. */
  public static WordTrie create() {
    return builder().build();
  }

  /** Loads a trie for ASCII letters from a file; see {@link WordTrieBuilder#load(Path)}. */
  public static WordTrie load(Path file) {
    return builder().load(file);
  }

  /** Loads a trie for ASCII letters from bytes; see {@link WordTrieBuilder#load(MemorySegment)}. */
  public static WordTrie load(MemorySegment saved) {
    return builder().load(saved);
  }

  /**
   * Loads a trie for ASCII letters from a stream; see {@link WordTrieBuilder#load(InputStream)}.
   */
  public static WordTrie load(InputStream in) {
    return builder().load(in);
  }

  /** Returns a builder with the default settings. */
  public static WordTrieBuilder builder() {
    return new WordTrieBuilder();
  }

  /**
   * Adds the words of a text.
   *
   * <p>A text of less than 16 KiB is counted as a whole or, if this method throws, not at all. If
   * this method throws after a part of a longer text was counted, the trie refuses all later calls;
   * see the package.
   *
   * @return this trie
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory for its words is not available
   * @throws dev.gyre.kernels.LaunchException if a device thread failed on a long text, or as a
   *     {@link dev.gyre.kernels.LaunchCancelledException} if the thread is interrupted
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = TEXTS)
  public WordTrie add(CharSequence text) {
    texts.add(utf8(text, "text"));
    return this;
  }

  /**
   * Adds the words of a UTF-8 text, as {@link #add(CharSequence)} does.
   *
   * @return this trie
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory for its words is not available
   * @throws dev.gyre.kernels.LaunchException if a device thread failed on a long text, or as a
   *     {@link dev.gyre.kernels.LaunchCancelledException} if the thread is interrupted
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = TEXTS)
  public WordTrie add(byte[] text) {
    texts.add(Objects.requireNonNull(text, "text"));
    return this;
  }

  /**
   * Adds the words of files, as if they were separated by newlines. Gzip files are unpacked.
   *
   * <p>A folder stands for the regular files in it and in the folders below it, sorted by path.
   * Names that begin with a dot are left out, and links to folders are not followed.
   *
   * <p>If this method throws after a part was counted, the trie refuses all later calls; see the
   * package.
   *
   * @return this trie
   * @throws dev.gyre.datasets.BadInputException if a file cannot be read or is not text: a zip
   *     archive, UTF-16 with a byte-order mark, or truncated or corrupted gzip; or if a folder has
   *     no files
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory for its words is not available
   * @throws dev.gyre.kernels.LaunchException if a device thread failed, or as a {@link
   *     dev.gyre.kernels.LaunchCancelledException} if the thread is interrupted
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = TEXTS)
  public WordTrie add(Path... files) {
    List<Path> all = new ArrayList<>();
    for (Path file : Objects.requireNonNull(files, "files")) {
      Objects.requireNonNull(file, "file");
      all.addAll(Files.isDirectory(file) ? TextFiles.below(file) : List.of(file));
    }
    add(TextSource.ofFiles(all), ByteProgress.NONE);
    return this;
  }

  /**
   * Adds the words of a text of any length, read ahead in chunks whose size suits the launcher.
   *
   * <p>If this method throws after a part was counted, the trie refuses all later calls; see the
   * package.
   *
   * @param progress called with the number of bytes that are done
   * @return the number of bytes read
   * @throws dev.gyre.datasets.BadInputException if the text cannot be read
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory for its words is not available
   * @throws dev.gyre.kernels.LaunchException if a device thread failed, or as a {@link
   *     dev.gyre.kernels.LaunchCancelledException} if the thread is interrupted
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = TEXTS)
  public long add(TextSource text, ByteProgress progress) {
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(progress, "progress");
    return texts.add(text, progress);
  }

  /**
   * Adds the words of a text as {@link #add(TextSource, ByteProgress)} does, with a given chunk
   * size.
   *
   * @param chunkBytes size of a chunk, in bytes; two chunks are in memory at a time
   * @param progress called with the number of bytes that are done
   * @return the number of bytes read
   * @throws dev.gyre.datasets.BadInputException if the text cannot be read
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory for its words is not available
   * @throws dev.gyre.kernels.LaunchException if a device thread failed, or as a {@link
   *     dev.gyre.kernels.LaunchCancelledException} if the thread is interrupted
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = TEXTS)
  public long add(TextSource text, long chunkBytes, ByteProgress progress) {
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(progress, "progress");
    return texts.add(text, chunkBytes, progress);
  }

  /**
   * Adds the words of the first bytes of a memory. The text begins and ends there, and so do its
   * words.
   *
   * <p>If this method throws after a part was counted, the trie refuses all later calls; see the
   * package.
   *
   * @param length bytes of text, from 0 to the size of the memory
   * @return this trie
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory for its words is not available
   * @throws dev.gyre.kernels.LaunchException if a device thread failed, or as a {@link
   *     dev.gyre.kernels.LaunchCancelledException} if the thread is interrupted
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = TEXTS)
  public WordTrie add(Memory text, long length) {
    Objects.requireNonNull(text, "text");
    texts.add(text, length);
    return this;
  }

  /**
   * Adds one word a number of times.
   *
   * @param word letters of the alphabet, in upper or lower case
   * @param times 1 or more
   * @return this trie
   * @throws IllegalArgumentException if {@code word} is not exactly one word, or {@code times} is
   *     less than 1
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory for it is not available; it is
   *     not counted
   * @throws StructureException if the trie would have more than 2^63 - 1 words; it is unchanged
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = TEXTS)
  public WordTrie addWord(CharSequence word, long times) {
    Objects.requireNonNull(word, "word");
    if (times < 1) {
      throw new IllegalArgumentException("times must be 1 or more, not " + times);
    }
    texts.add(nodes.nodeSize().edges(Steps.ofWord(nodes.alphabet(), word.toString())), times);
    return this;
  }

  /** Calls {@link #count(byte[])} with a string. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = GROWTH)
  public long count(CharSequence word) {
    return words.count(Objects.requireNonNull(word, "word").toString());
  }

  /**
   * Returns how many times a word was added; 0 if it is absent or not a word of the alphabet.
   *
   * <p>The first calls follow the letters of the word. After they have followed as many letters as
   * there is capacity for nodes, the trie keeps an index of its words in at most 64 bytes of the
   * heap per word. {@link #trim} frees it.
   *
   * @param word the word, in UTF-8
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = GROWTH)
  public long count(byte[] word) {
    return words.count(Objects.requireNonNull(word, "word"));
  }

  /** Returns whether a word was added. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = GROWTH)
  public boolean contains(CharSequence word) {
    return count(word) > 0;
  }

  /** Returns the number of distinct words. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = GROWTH)
  public long size() {
    return totals().distinct();
  }

  /** Returns the number of words, with repetitions. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = GROWTH)
  public long total() {
    return totals().all();
  }

  private TrieSums.Totals totals() {
    return guard.read(on -> there.totals(on, guard.changes()), sums::totals);
  }

  /**
   * Returns the number of words that begin with a prefix, with repetitions.
   *
   * <p>The first calls after a change visit the nodes below the prefix. After they have visited as
   * many nodes as the trie has, it keeps the totals of all prefixes in 8 bytes of the heap per
   * node, until the next change. {@link #trim} frees them.
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = GROWTH)
  public long total(CharSequence prefix) {
    byte[] bytes = utf8(prefix, "prefix");
    return guard.read(() -> views.total(bytes, sums));
  }

  /**
   * Returns the number of nodes, including the root.
   *
   * <p>With ASCII letters it is one more than the number of distinct prefixes. It includes prefixes
   * of words whose addition failed for lack of memory. Small nodes have additional nodes between
   * two letters.
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = GROWTH)
  public long nodes() {
    return guard.read(nodes::size);
  }

  /** Returns the off-heap bytes of the trie, including memory that it keeps for further texts. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = GROWTH)
  public long byteSize() {
    return guard.read(() -> nodes.byteSize() + group.byteSize() + there.byteSize());
  }

  /**
   * Measures the trie: the load of its nodes, and how many nodes a search for a word reads. The
   * first words with each first letter are measured, 2,048 at most. If the trie is on a device, its
   * nodes are copied to the host.
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = GROWTH)
  public StructureStats stats() {
    long distinct = size();
    long bytes = byteSize();
    return guard.read(
        () -> {
          LongSummaryStatistics probes = views.probes();
          return new StructureStats(
              distinct,
              nodes.capacity(),
              (double) nodes.size() / nodes.capacity(),
              bytes,
              probes.getAverage(),
              Math.max(0, probes.getMax()),
              probes.getCount());
        });
  }

  /**
   * Frees memory that is kept for further words, and the indexes that {@code add}, {@code count}
   * and {@code total} keep on the heap. At most half of the remaining nodes are then unused.
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = RUNNING)
  public void trim() {
    guard.change(
        () -> {
          nodes.trim();
          group.trim();
          there.trim();
          sums.trim();
          words.trim();
          return this;
        });
  }

  /** Calls an action for each word, in byte order; see {@link #forEach(CharSequence, Consumer)}. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = GROWTH)
  public void forEach(Consumer<? super WordCount> action) {
    forEach("", action);
  }

  /**
   * Calls an action for each word that begins with a prefix, in byte order, on the calling thread.
   *
   * <p>No thread waits for the action, which may call any method of this trie and of others. The
   * iteration may or may not include words that are added or removed meanwhile, and includes each
   * other word once. Each count is one that the word had during the call. The iteration ends even
   * if the action adds words.
   *
   * @param prefix letters; if one is not in the alphabet, no word begins with the prefix
   * @throws dev.gyre.atomics.ClosedException if this trie is closed during the iteration
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = GROWTH)
  public void forEach(CharSequence prefix, Consumer<? super WordCount> action) {
    byte[] bytes = utf8(prefix, "prefix");
    Objects.requireNonNull(action, "action");
    PrefixCursor sweep = guard.read(() -> views.sweep(bytes));
    while (!sweep.hasEnded()) {
      guard.readOn(sweep::next).forEach(action);
    }
  }

  /** Returns the longest word of this trie that is a prefix of a text, or empty. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = GROWTH)
  public Optional<WordCount> longestPrefix(CharSequence text) {
    byte[] bytes = utf8(text, "text");
    return guard.read(() -> views.longestPrefix(bytes));
  }

  /**
   * Returns the most frequent words, in order of falling counts. Words with equal counts are in
   * byte order.
   *
   * @param limit largest number of words to return
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = GROWTH)
  public List<WordCount> top(int limit) {
    return top("", limit);
  }

  /**
   * Returns the most frequent words that begin with a prefix, in the order of {@link #top(int)}.
   *
   * @param limit largest number of words to return
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = GROWTH)
  public List<WordCount> top(CharSequence prefix, int limit) {
    if (limit < 0) {
      throw new IllegalArgumentException("limit must not be negative: " + limit);
    }
    byte[] bytes = utf8(prefix, "prefix");
    return guard.read(
        on -> bytes.length == 0 ? there.top(on, guard.changes(), limit) : Optional.empty(),
        () -> views.top(bytes, limit));
  }

  /**
   * Adds the counts of another trie, as they are when this method begins: all or, if it throws,
   * none.
   *
   * @return this trie
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory is not available for the words,
   *     for a copy of the other trie, and for 4 bytes per node of it
   * @throws StructureException if the alphabets differ, or both have more than 2^63 - 1 words; this
   *     trie is unchanged
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = RUNNING)
  public WordTrie addAll(WordTrie other) {
    Objects.requireNonNull(other, "other");
    // Copy first: this thread must not hold the lock of one trie while it waits for that of
    // another.
    try (TrieNodes theirs = other.guard.quiescent(other.nodes::copy)) {
      return guard.change(
          () -> {
            TrieMerge.requireMergeable(nodes, theirs);
            limit.require(theirs.total());
            TrieMerge.addAll(nodes, theirs);
            return this;
          });
    }
  }

  /**
   * Removes the words with a count below a minimum, and frees their memory.
   *
   * @return this trie
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory to copy the other words is not
   *     available; no word is removed
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = RUNNING)
  public WordTrie retain(long minCount) {
    return guard.change(
        () -> {
          TrieNodes kept = nodes.like(TrieNodes.INITIAL_CAPACITY);
          try {
            TrieMerge.retain(kept, nodes, minCount);
          } catch (RuntimeException | Error e) {
            kept.close();
            throw e;
          }
          return become(kept);
        });
  }

  /** Replaces all nodes, inside the lock. */
  private WordTrie become(TrieNodes others) {
    nodes.become(others);
    limit.recount();
    sums.trim();
    words.trim();
    return this;
  }

  /**
   * Removes all words.
   *
   * @return this trie
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory for an empty trie is not
   *     available; no word is removed
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = RUNNING)
  public WordTrie clear() {
    return guard.change(() -> become(nodes.like(TrieNodes.INITIAL_CAPACITY)));
  }

  /**
   * Saves this trie to a file, which is replaced as a whole or not at all.
   *
   * @throws StructureException if the file cannot be written; its cause is the {@link
   *     java.io.IOException}
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = RUNNING)
  public void save(Path file) {
    Objects.requireNonNull(file, "file");
    guard.quiescent(
        () -> {
          TrieFile.save(nodes, file);
          return this;
        });
  }

  /**
   * Writes the bytes of a saved file to a stream. {@link #load(MemorySegment)} loads them.
   *
   * <p>This method flushes the stream and does not close it. Additions wait for it. The stream must
   * not add to this trie either.
   *
   * @throws StructureException if the stream cannot be written; its cause is the {@link
   *     java.io.IOException}, and a part may be written
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted; a part may be
   *     written
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = RUNNING)
  public void save(OutputStream out) {
    Objects.requireNonNull(out, "out");
    guard.quiescent(
        () -> {
          TrieFile.save(nodes, out);
          return this;
        });
  }

  /**
   * Starts an operation on this trie and returns at once: {@code trie.async(t -> t.add(file))}.
   *
   * <p>Operations that are started in this way run one after another, in the order of the calls,
   * even if one of them fails. Other operations may run at the same time. The text is in use until
   * the stage ends. An operation must not wait for another operation that it starts with this
   * method.
   *
   * @return a stage that completes with the result of the operation, or with its exception
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = BEGINS)
  public <T> Stage<T> async(Function<? super WordTrie, ? extends T> operation) {
    return begun.begin(group.launcher(), this, operation);
  }

  @Internal
  @Override
  @Progress(value = ProgressClass.WAIT_FREE, because = "creates an object, and pins nothing yet")
  public StructurePin<TrieRef> pin() {
    return new TriePin(nodes, guard, group, order);
  }

  /**
   * Copies all words to a new trie with the same settings on another launcher.
   *
   * <p>This trie is unchanged. The caller closes both tries, and the launcher after the copy.
   *
   * @return the copy
   * @throws dev.gyre.atomics.ClosedException if this trie or the launcher is closed
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory for the copy is not available
   * @throws dev.gyre.kernels.LaunchException if the nodes cannot be copied from a device
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = RUNNING)
  public WordTrie copyTo(Launcher launcher) {
    Objects.requireNonNull(launcher, "launcher").requireOpen();
    TrieNodes copied = guard.quiescent(nodes::copy);
    try {
      return new WordTrie(copied, launcher, false, deviceThreads, waiting);
    } catch (RuntimeException | Error e) {
      copied.close();
      throw e;
    }
  }

  private static byte[] utf8(CharSequence text, String name) {
    return Objects.requireNonNull(text, name).toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Frees the memory. Further calls do nothing. */
  @Override
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = RUNNING)
  public void close() {
    guard.close(
        () -> {
          sums.trim();
          words.trim();
          parts.run();
        });
    tracked.closed();
  }
}
