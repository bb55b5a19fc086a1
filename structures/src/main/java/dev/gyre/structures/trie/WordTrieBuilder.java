package dev.gyre.structures.trie;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.structures.SavedFile;
import dev.gyre.structures.Waiting;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Settings for new word tries; each has a default.
 *
 * <pre>{@code
 * try (WordTrie trie = WordTrie.builder().alphabet(Alphabet.UNICODE_LETTERS).workers(4).build()) {
 *   trie.add(Path.of("book.txt"));
 * }
 * }</pre>
 *
 * <p>Each method sets one property and returns this builder. A builder may build any number of
 * tries. Not thread-safe.
 *
 * @since 0.1.0
 */
public final class WordTrieBuilder {

  private Alphabet alphabet = Alphabet.ASCII_LETTERS;
  private @Nullable NodeSize nodeSize;
  private @Nullable Launcher launcher;
  private Waiting waiting = Waiting.AUTO;
  private int workers = Runtime.getRuntime().availableProcessors();
  private int deviceThreads;
  private long initialNodes = TrieNodes.INITIAL_CAPACITY;

  WordTrieBuilder() {}

  /** Sets the letters of words; {@link Alphabet#ASCII_LETTERS} by default. */
  public WordTrieBuilder alphabet(Alphabet alphabet) {
    this.alphabet = Objects.requireNonNull(alphabet, "alphabet");
    return this;
  }

  /**
   * Sets the size of nodes. The default is {@link NodeSize#LARGE} or, for loaded words, the size in
   * the file.
   *
   * <p>Small nodes take about half the memory for the words of a language or for random words.
   * Lookups may be slower, or faster if memory is the bottleneck. Tries with different node sizes
   * can be merged.
   */
  public WordTrieBuilder nodeSize(NodeSize nodeSize) {
    this.nodeSize = Objects.requireNonNull(nodeSize, "nodeSize");
    return this;
  }

  /**
   * Sets the launcher that adds long texts. Replaces workers that were set before.
   *
   * <p>Several structures may share a launcher of any target. The caller closes it, after the trie.
   */
  public WordTrieBuilder launcher(Launcher launcher) {
    this.launcher = Objects.requireNonNull(launcher, "launcher");
    return this;
  }

  /**
   * Sets what device threads do if they need an edge whose node another thread is creating; {@link
   * Waiting#AUTO} by default.
   */
  public WordTrieBuilder waiting(Waiting waiting) {
    this.waiting = Objects.requireNonNull(waiting, "waiting");
    return this;
  }

  /**
   * Sets the number of JVM threads for a long text; the number of cores by default. Replaces a
   * launcher that was set before.
   *
   * @throws IllegalArgumentException if it is not from 1 to {@link JvmLauncher#MAX_WORKERS}
   */
  public WordTrieBuilder workers(int workers) {
    this.workers = JvmLauncher.requireWorkers(workers);
    this.launcher = null;
    return this;
  }

  /**
   * Sets the number of strips of a text, or of device threads that work on it, rounded up to whole
   * blocks. The default suits the launcher.
   *
   * @throws IllegalArgumentException if it is not from 1 to {@link WordTrie#MAX_DEVICE_THREADS}
   */
  public WordTrieBuilder deviceThreads(int deviceThreads) {
    if (deviceThreads < 1 || deviceThreads > WordTrie.MAX_DEVICE_THREADS) {
      throw new IllegalArgumentException(
          "device threads must be from 1 to %d, not %d"
              .formatted(WordTrie.MAX_DEVICE_THREADS, deviceThreads));
    }
    this.deviceThreads = deviceThreads;
    return this;
  }

  /**
   * Sets the initial capacity in nodes. The trie grows if it needs more.
   *
   * @throws IllegalArgumentException if it is less than 1, or more than the largest number of nodes
   */
  public WordTrieBuilder initialNodes(long initialNodes) {
    if (initialNodes < 1 || initialNodes > TrieLayout.MAX_NODES) {
      throw new IllegalArgumentException(
          "initial nodes must be from 1 to " + TrieLayout.MAX_NODES + ", not " + initialNodes);
    }
    this.initialNodes = initialNodes;
    return this;
  }

  /**
   * Builds an empty trie.
   *
   * @throws dev.gyre.progress.ProgressUnavailableException if {@link Waiting#BLOCKING} is set and
   *     the device does not guarantee parallel forward progress
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory for its nodes is not available
   * @throws dev.gyre.atomics.ClosedException if the launcher is closed
   */
  public WordTrie build() {
    NodeSize size = nodeSize == null ? NodeSize.LARGE : nodeSize;
    return around(new TrieNodes(alphabet, size, initialNodes));
  }

  /**
   * Loads a trie from a file that {@link WordTrie#save} wrote.
   *
   * <p>The file is read; later changes of the trie or of the file do not affect each other. This
   * builder must have the alphabet of the file. If it has another node size, the words are copied
   * to nodes of that size.
   *
   * @throws dev.gyre.datasets.BadInputException if the file cannot be read
   * @throws dev.gyre.structures.SavedFileException if the file is damaged, from a newer version, or
   *     for another alphabet
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory is not available
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted
   */
  public WordTrie load(Path file) {
    return load(TrieFile.FORMAT.open(Objects.requireNonNull(file, "file")));
  }

  /**
   * Loads a trie from the bytes that {@link WordTrie#save(java.io.OutputStream)} wrote, or of a
   * saved file, as {@link #load(Path)} does. The bytes are copied.
   *
   * @param saved exactly these bytes: {@code MemorySegment.ofArray(bytes)}, or {@code
   *     MemorySegment.ofBuffer(buffer)}
   * @throws dev.gyre.structures.SavedFileException if the bytes are damaged, from a newer version,
   *     or for another alphabet
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory is not available
   */
  public WordTrie load(MemorySegment saved) {
    return load(TrieFile.FORMAT.open(Objects.requireNonNull(saved, "saved")));
  }

  /**
   * Loads a trie from a stream of the bytes that {@link WordTrie#save(java.io.OutputStream)} wrote,
   * as {@link #load(Path)} does. Reads the stream to its end and does not close it.
   *
   * @throws dev.gyre.datasets.BadInputException if the stream cannot be read
   * @throws dev.gyre.structures.SavedFileException if the bytes are damaged, from a newer version,
   *     or for another alphabet
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory is not available
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted
   */
  public WordTrie load(InputStream in) {
    return load(TrieFile.FORMAT.open(Objects.requireNonNull(in, "in")));
  }

  /** Returns the loaded nodes, or a copy with the node size of this builder. */
  private WordTrie load(SavedFile.Content saved) {
    return around(sized(TrieFile.read(saved, alphabet)));
  }

  private TrieNodes sized(TrieNodes loaded) {
    if (nodeSize == null || nodeSize == loaded.nodeSize()) {
      return loaded;
    }
    try (loaded) {
      TrieNodes others = new TrieNodes(alphabet, nodeSize, TrieNodes.INITIAL_CAPACITY);
      try {
        TrieMerge.addAll(others, loaded);
        others.trim();
        return others;
      } catch (RuntimeException | Error e) {
        others.close();
        throw e;
      }
    }
  }

  private WordTrie around(TrieNodes nodes) {
    Launcher own = null;
    try {
      own = launcher == null ? JvmLauncher.ofWorkers(workers) : null;
      Launcher used = launcher == null ? Objects.requireNonNull(own) : launcher;
      used.requireOpen();
      return new WordTrie(nodes, used, own != null, deviceThreads, waiting);
    } catch (RuntimeException | Error e) {
      try (nodes;
          var _ = own) {
        throw e;
      }
    }
  }
}
