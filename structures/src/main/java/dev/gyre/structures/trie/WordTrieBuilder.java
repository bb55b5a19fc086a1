package dev.gyre.structures.trie;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.structures.Waiting;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a trie is made with; all settings have defaults. Each method sets one thing and returns this
 * builder, which may build any number of tries.
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

  /** What the letters of words are; {@link Alphabet#ASCII_LETTERS} unless set. */
  public WordTrieBuilder alphabet(Alphabet alphabet) {
    this.alphabet = Objects.requireNonNull(alphabet, "alphabet");
    return this;
  }

  /**
   * How large nodes are; unless set, {@link NodeSize#LARGE} or, of words that are loaded, as they
   * were saved. Small ones take about half the memory for the words of a language, or for random
   * ones; to find words among them may take longer, or less time, where memory is what is waited
   * for. Nothing else differs: tries with nodes of different sizes are merged as others are.
   */
  public WordTrieBuilder nodeSize(NodeSize nodeSize) {
    this.nodeSize = Objects.requireNonNull(nodeSize, "nodeSize");
    return this;
  }

  /**
   * Adds long texts with a launcher that others may use too, of any target; the caller closes it,
   * after the trie. Takes the place of workers that were asked for before.
   */
  public WordTrieBuilder launcher(Launcher launcher) {
    this.launcher = Objects.requireNonNull(launcher, "launcher");
    return this;
  }

  /**
   * What device threads do where they meet an edge whose node another one is making; {@link
   * Waiting#AUTO} unless set.
   */
  public WordTrieBuilder waiting(Waiting waiting) {
    this.waiting = Objects.requireNonNull(waiting, "waiting");
    return this;
  }

  /**
   * Number of JVM threads that work on a long text; as many as there are cores unless set. Takes
   * the place of a launcher that was given before.
   *
   * @throws IllegalArgumentException if it is not from 1 to {@link JvmLauncher#MAX_WORKERS}
   */
  public WordTrieBuilder workers(int workers) {
    if (workers < 1 || workers > JvmLauncher.MAX_WORKERS) {
      throw new IllegalArgumentException(
          "workers must be from 1 to " + JvmLauncher.MAX_WORKERS + ", not " + workers);
    }
    this.workers = workers;
    this.launcher = null;
    return this;
  }

  /**
   * Into how many strips a text is cut, or how many threads of a device work on it, rounded up to
   * whole blocks; what suits the launcher unless set.
   *
   * @throws IllegalArgumentException if it is not from 1 to {@link WordTrie#MAX_DEVICE_THREADS}
   */
  public WordTrieBuilder deviceThreads(int deviceThreads) {
    if (deviceThreads < 1 || deviceThreads > WordTrie.MAX_DEVICE_THREADS) {
      throw new IllegalArgumentException(
          "device threads must be from 1 to "
              + WordTrie.MAX_DEVICE_THREADS
              + ", not "
              + deviceThreads);
    }
    this.deviceThreads = deviceThreads;
    return this;
  }

  /**
   * For how many nodes, of whichever size, there is room at first; more are found when needed.
   *
   * @throws IllegalArgumentException if it is less than 1, or more than there can be
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
   * Makes the trie.
   *
   * @throws dev.gyre.progress.ProgressUnavailableException if it is to be BLOCKING on a device
   *     whose threads may not go on while others wait for them
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not the memory for its nodes
   * @throws dev.gyre.atomics.ClosedException if the launcher was closed
   */
  public WordTrie build() {
    NodeSize size = nodeSize == null ? NodeSize.LARGE : nodeSize;
    return around(new TrieNodes(alphabet, size, initialNodes));
  }

  /**
   * Makes a trie with the words of a file that {@link WordTrie#save} wrote. The file is read, and
   * what becomes of it later does not matter to the trie, nor do words that are added to the trie
   * reach it. The alphabet is that of this builder, and must be that of the file. Where this
   * builder was told another size of nodes than those of the file have, its words go to such.
   *
   * @throws dev.gyre.datasets.BadInputException if the file cannot be read
   * @throws dev.gyre.structures.SavedFileException if it is damaged, of a newer version, or of
   *     another alphabet
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not as much memory
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted
   */
  public WordTrie load(Path file) {
    return around(sized(TrieFile.load(Objects.requireNonNull(file, "file"), alphabet)));
  }

  /**
   * Makes a trie of what {@link WordTrie#save(java.io.OutputStream)} wrote, or what is in a file,
   * as {@link #load(Path)} does; the bytes are copied.
   *
   * @param saved all of the bytes, and no more: {@code MemorySegment.ofArray(bytes)}, or {@code
   *     MemorySegment.ofBuffer(buffer)}
   * @throws dev.gyre.structures.SavedFileException if they are damaged, of a newer version, or of
   *     another alphabet
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not as much memory
   */
  public WordTrie load(MemorySegment saved) {
    return around(sized(TrieFile.load(Objects.requireNonNull(saved, "saved"), alphabet)));
  }

  /** Nodes that were loaded, or others of their words where those are to have another size. */
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
