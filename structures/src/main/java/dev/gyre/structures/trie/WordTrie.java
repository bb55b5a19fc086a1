package dev.gyre.structures.trie;

import dev.gyre.atomics.Internal;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.Tracked;
import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.TextSource;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Stage;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.TrieRef;
import dev.gyre.progress.Progress;
import dev.gyre.progress.ProgressClass;
import dev.gyre.structures.StageSequence;
import dev.gyre.structures.StructureException;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.launch.Held;
import dev.gyre.structures.launch.Launchable;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Counts words: a map from the words of texts to how often they were found.
 *
 * <p>All threads of a launch build one trie, by the protocol of Giroux's "CUDA on Turing Opens New
 * GPU Compute Possibilities": the thread that claims an edge takes a node from a bump allocator and
 * publishes it, others that need the edge wait for that. The text is cut into strips, of which each
 * worker of the JVM goes through many, or into a part for each block of a device, whose threads
 * take what lies side by side; a word belongs to where it starts. Words that come again soon are
 * counted by the worker, or by the block in memory that it shares, and added to the trie later.
 * When the nodes run out, words that cannot be added are left, a larger pool takes the place of the
 * old one, and they are gone on with.
 *
 * <p>A word is a run of letters of the trie's {@link Alphabet}; by default, ASCII letters with
 * upper and lower case the same. Texts are in UTF-8. Counts are exact: a trie has at most 2^63 - 1
 * words, each as often as it was found, and refuses what may be more before anything changes, where
 * a text may have half as many words as bytes. A node takes 128 bytes; there is one for every
 * distinct beginning of a word, and with {@link Alphabet#UNICODE_LETTERS} up to four more on the
 * way through a letter that is none of ASCII. {@linkplain WordTrieBuilder#nodeSize Small nodes}
 * take 32 bytes each, and there are up to twice as many.
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
 * the old one, and {@link #retain} or {@link #clear} take effect. What fails is not counted at all,
 * or the trie refuses what follows: see the description of the package.
 */
public final class WordTrie implements AutoCloseable, Launchable<TrieRef> {

  /** Most device threads that can be asked for. */
  public static final int MAX_DEVICE_THREADS = 1 << 20;

  private static final String GROWTH = "waits while a larger pool takes the place of a full one";
  private static final String RUNNING = "waits for running operations";
  private static final String BEGINS = "takes a lock for as long as it takes to note the operation";
  private static final String TEXTS =
      "waits for the text before; a device thread waits for the one that makes a node";

  private static final byte[] NO_PREFIX = {};

  /** The launcher that this trie closes, if it has one of its own. */
  private final @Nullable Launcher own;

  private final TrieNodes nodes;
  private final TrieGuard guard;
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
  private final long order = Held.nextOrder();

  /** A trie of nodes, which become its own; so does the launcher where it is to own that. */
  WordTrie(
      TrieNodes nodes,
      Launcher launcher,
      boolean ownsLauncher,
      int deviceThreads,
      Waiting waiting) {
    this.own = ownsLauncher ? launcher : null;
    this.nodes = nodes;
    this.guard = new TrieGuard(nodes);
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

  /** Frees what a trie consists of; does not refer to the trie or its guard. */
  private static Runnable parts(
      TrieNodes nodes, TrieGroup group, DeviceQueries there, @Nullable Launcher own) {
    return () -> {
      try (nodes;
          group;
          there;
          var _ = own) {
        // In any case all of them.
      }
    };
  }

  /** An empty trie for ASCII letters that works with every core of the JVM. */
  public static WordTrie create() {
    return builder().build();
  }

  /** A trie for ASCII letters with the words of a file; see {@link WordTrieBuilder#load}. */
  public static WordTrie load(Path file) {
    return builder().load(file);
  }

  /** A trie for ASCII letters with the words of bytes; see {@link WordTrieBuilder#load}. */
  public static WordTrie load(MemorySegment saved) {
    return builder().load(saved);
  }

  /** Settings of a trie to be made. */
  public static WordTrieBuilder builder() {
    return new WordTrieBuilder();
  }

  /**
   * Adds the words of a text. Of less than 16 KiB, it is counted as a whole or, where this throws,
   * not at all. Where this throws after a part of a longer one was counted, this trie refuses all
   * that follows; see the description of the package.
   *
   * @return this trie
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not the memory for its words
   * @throws dev.gyre.kernels.LaunchException if it is long and a device thread failed, or as a
   *     {@link dev.gyre.kernels.LaunchCancelledException} if the thread was interrupted
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = TEXTS)
  public WordTrie add(CharSequence text) {
    texts.add(utf8(text, "text"));
    return this;
  }

  /**
   * {@link #add(CharSequence)} of a text in UTF-8.
   *
   * @return this trie
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not the memory for its words
   * @throws dev.gyre.kernels.LaunchException if it is long and a device thread failed, or as a
   *     {@link dev.gyre.kernels.LaunchCancelledException} if the thread was interrupted
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = TEXTS)
  public WordTrie add(byte[] text) {
    texts.add(Objects.requireNonNull(text, "text"));
    return this;
  }

  /**
   * Adds the words of files, as if a newline stood between them; gzip is unpacked. If this throws
   * after a part was counted, this trie refuses all that follows; see the description of the
   * package.
   *
   * @return this trie
   * @throws dev.gyre.datasets.BadInputException if a file cannot be read, or is no text: a zip
   *     archive, UTF-16 with a byte-order mark, or truncated or corrupted gzip
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not the memory for its words
   * @throws dev.gyre.kernels.LaunchException if a device thread failed, or as a {@link
   *     dev.gyre.kernels.LaunchCancelledException} if the thread was interrupted
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = TEXTS)
  public WordTrie add(Path... files) {
    for (Path file : Objects.requireNonNull(files, "files")) {
      Objects.requireNonNull(file, "file");
    }
    add(TextSource.ofFiles(List.of(files)), ByteProgress.NONE);
    return this;
  }

  /**
   * Adds the words of a text of any length, in chunks that suit the launcher and are read ahead.
   * Where this throws after a part was counted, this trie refuses all that follows; see the
   * description of the package.
   *
   * @param progress told how many bytes are done
   * @return bytes read
   * @throws dev.gyre.datasets.BadInputException if the text cannot be read
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not the memory for its words
   * @throws dev.gyre.kernels.LaunchException if a device thread failed, or as a {@link
   *     dev.gyre.kernels.LaunchCancelledException} if the thread was interrupted
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = TEXTS)
  public long add(TextSource text, ByteProgress progress) {
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(progress, "progress");
    return texts.add(text, progress);
  }

  /**
   * Adds the words of a text as {@link #add(TextSource, ByteProgress)} does, in chunks of a given
   * size.
   *
   * @param chunkBytes size of a chunk; two are in memory at a time
   * @param progress told how many bytes are done
   * @return bytes read
   * @throws dev.gyre.datasets.BadInputException if the text cannot be read
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not the memory for its words
   * @throws dev.gyre.kernels.LaunchException if a device thread failed, or as a {@link
   *     dev.gyre.kernels.LaunchCancelledException} if the thread was interrupted
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = TEXTS)
  public long add(TextSource text, long chunkBytes, ByteProgress progress) {
    Objects.requireNonNull(text, "text");
    Objects.requireNonNull(progress, "progress");
    return texts.add(text, chunkBytes, progress);
  }

  /**
   * Adds the words of the first bytes of a memory. A word that begins or ends there begins or ends
   * with the text. Where this throws after a part was counted, this trie refuses all that follows;
   * see the description of the package.
   *
   * @param length bytes of text, from 0 to the size of the memory
   * @return this trie
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not the memory for its words
   * @throws dev.gyre.kernels.LaunchException if a device thread failed, or as a {@link
   *     dev.gyre.kernels.LaunchCancelledException} if the thread was interrupted
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = TEXTS)
  public WordTrie add(Memory text, long length) {
    Objects.requireNonNull(text, "text");
    texts.add(text, length);
    return this;
  }

  /**
   * Adds one word as if it had been found a number of times.
   *
   * @param word letters of the alphabet, upper and lower case the same
   * @param times 1 or more
   * @return this trie
   * @throws IllegalArgumentException if it is not one word, the whole of it, or not a positive
   *     number of times
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not the memory for it; it is not
   *     counted then
   * @throws StructureException if the trie would have more than 2^63 - 1 words; it is as it was
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

  /** {@link #count(byte[])} of a string. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = GROWTH)
  public long count(CharSequence word) {
    return words.count(Objects.requireNonNull(word, "word").toString());
  }

  /**
   * How often a word was found; 0 for what is not a word of the alphabet. The first questions go
   * along the letters of a word; once they have gone along as many as there is room for nodes, an
   * index of the words is kept, in at most 64 bytes of the heap for each; {@link #trim} gives them
   * back.
   *
   * @param word in UTF-8
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = GROWTH)
  public long count(byte[] word) {
    return words.count(Objects.requireNonNull(word, "word"));
  }

  /** Whether a word was found. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = GROWTH)
  public boolean contains(CharSequence word) {
    return count(word) > 0;
  }

  /** Number of distinct words. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = GROWTH)
  public long size() {
    return totals().distinct();
  }

  /** Number of words, each as often as it was found. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = GROWTH)
  public long total() {
    return totals().all();
  }

  private TrieSums.Totals totals() {
    return guard.read(on -> there.totals(on, guard.changes(), NO_PREFIX), sums::totals);
  }

  /**
   * Number of words that begin with a prefix, each as often as it was found. The first questions
   * after a change visit the nodes below the prefix; once they have visited as many as there are,
   * the numbers of all prefixes are kept, in 8 bytes of the heap for each node, for what is asked
   * until the next change; {@link #trim} gives them back.
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = GROWTH)
  public long total(CharSequence prefix) {
    byte[] bytes = utf8(prefix, "prefix");
    return guard.read(
        on -> there.totals(on, guard.changes(), bytes).map(TrieSums.Totals::all),
        () -> views.total(bytes, sums));
  }

  /**
   * Number of nodes, with the root. With ASCII letters that is one more than there are distinct
   * beginnings of words, and of those that were to be added when memory ended. Where nodes are
   * small there are more, by those between two letters.
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = GROWTH)
  public long nodes() {
    return guard.read(nodes::size);
  }

  /** Bytes that the trie takes off-heap, with what is kept for texts to come. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = GROWTH)
  public long byteSize() {
    return guard.read(() -> nodes.byteSize() + group.byteSize() + there.byteSize());
  }

  /**
   * Gives back memory that is kept for words to come, and on the heap what is kept of words that
   * came, by {@code add} and {@code count}; at most half of the rest is still unused.
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

  /**
   * Calls an action for every word, in byte order; see {@link #forEach(CharSequence, Consumer)}.
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = GROWTH)
  public void forEach(Consumer<? super WordCount> action) {
    forEach("", action);
  }

  /**
   * Calls an action for every word that begins with a prefix, in byte order, on the calling thread.
   * Nobody waits for the action, which may do anything with this trie and with others. Words that
   * are added or forgotten meanwhile are met or not, all others once; a count is one that the word
   * had since the call. There is an end also where the action adds words.
   *
   * @param prefix letters; where one is none of the alphabet, no word begins with it
   * @throws dev.gyre.atomics.ClosedException if this trie is closed before all words were found
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

  /** The longest word of this trie that a text begins with, if it begins with any. */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = GROWTH)
  public Optional<WordCount> longestPrefix(CharSequence text) {
    byte[] bytes = utf8(text, "text");
    return guard.read(() -> views.longestPrefix(bytes));
  }

  /**
   * The most frequent words, the most frequent first, equally frequent ones in byte order.
   *
   * @param limit how many at most
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = GROWTH)
  public List<WordCount> top(int limit) {
    return top("", limit);
  }

  /**
   * The most frequent words that begin with a prefix, in the order of {@link #top(int)}.
   *
   * @param limit how many at most
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = GROWTH)
  public List<WordCount> top(CharSequence prefix, int limit) {
    if (limit < 0) {
      throw new IllegalArgumentException("limit must not be negative: " + limit);
    }
    byte[] bytes = utf8(prefix, "prefix");
    return guard.read(
        on -> there.top(on, guard.changes(), bytes, limit), () -> views.top(bytes, limit));
  }

  /**
   * Adds the counts of another trie, as they are when this begins: all of them or, where this
   * throws, none.
   *
   * @return this trie
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not the memory for its words, a
   *     copy of it, and 4 bytes for each of its nodes
   * @throws StructureException if the alphabets differ, or the words of both are more than 2^63 -
   *     1; this trie is as it was
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = RUNNING)
  public WordTrie addAll(WordTrie other) {
    Objects.requireNonNull(other, "other");
    // A copy: no lock of one trie is held while that of another is waited for.
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
   * Forgets the words that were found less often than that, and gives back their memory.
   *
   * @return this trie
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not the memory for the others,
   *     which are copied; none is forgotten then
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
          nodes.become(kept);
          limit.recount();
          sums.trim();
          words.trim();
          return this;
        });
  }

  /**
   * Forgets all words.
   *
   * @return this trie
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not the memory for an empty trie;
   *     none is forgotten then
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = RUNNING)
  public WordTrie clear() {
    return guard.change(
        () -> {
          nodes.become(nodes.like(TrieNodes.INITIAL_CAPACITY));
          limit.recount();
          sums.trim();
          words.trim();
          return this;
        });
  }

  /**
   * Writes this trie to a file, which is replaced as a whole or not at all.
   *
   * @throws StructureException if it cannot be written; its cause is the {@link
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
   * Writes this trie to a stream, as the bytes that a file would have; {@link #load(MemorySegment)}
   * reads them. The stream is flushed, and not closed; nobody adds to this trie before it has taken
   * all, nor may the stream itself.
   *
   * @throws StructureException if the stream cannot be written to; its cause is the {@link
   *     java.io.IOException}, and a part may be written
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
   * Begins an operation on this trie and does not wait for it: {@code trie.async(t ->
   * t.add(file))}. What is begun so is done one after another, in the order of these calls,
   * whatever becomes of what was begun before; other operations run beside it as they do beside
   * any. Its text is in use until the stage has ended. It must not wait for what it begins so
   * itself.
   *
   * @return a stage that ends with what the operation returns, or throws
   */
  @Progress(value = ProgressClass.DEADLOCK_FREE, because = BEGINS)
  public <T> Stage<T> async(Function<? super WordTrie, ? extends T> operation) {
    return begun.begin(group.launcher(), this, operation);
  }

  @Internal
  @Override
  @Progress(value = ProgressClass.WAIT_FREE, because = "holds nothing yet")
  public Held<TrieRef> hold() {
    return new HeldTrie(nodes, guard, group, order);
  }

  /**
   * Copies all words to a new trie on another launcher, with the same settings. This one stays as
   * it is, and the caller closes both, and the launcher after the copy.
   *
   * @return the copy
   * @throws dev.gyre.atomics.ClosedException if this was closed, or the launcher
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not the memory for the copy
   * @throws dev.gyre.kernels.LaunchException if the nodes cannot be brought back from a device
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

  /** Frees the memory; further calls do nothing. */
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
