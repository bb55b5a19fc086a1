package dev.gyre.structures.trie;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.structures.Waiting;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What a trie is made with; all settings have defaults. */
public final class WordTrieBuilder {

  private Alphabet alphabet = Alphabet.ASCII_LETTERS;
  private @Nullable Launcher launcher;
  private Waiting waiting = Waiting.AUTO;
  private int workers;
  private int deviceThreads;
  private long initialNodes = TrieNodes.INITIAL_CAPACITY;

  WordTrieBuilder() {}

  /** What the letters of words are; by default {@link Alphabet#ASCII_LETTERS}. */
  public WordTrieBuilder alphabet(Alphabet alphabet) {
    this.alphabet = alphabet;
    return this;
  }

  /** Where to work; the caller closes it, after the trie. By default, a JVM launcher of its own. */
  public WordTrieBuilder launcher(Launcher launcher) {
    this.launcher = launcher;
    return this;
  }

  /**
   * What device threads do where they meet an edge whose node another one is making; {@link
   * Waiting#AUTO} unless set.
   */
  public WordTrieBuilder waiting(Waiting waiting) {
    this.waiting = waiting;
    return this;
  }

  /**
   * How many JVM threads work; by default, as many as there are cores. Of no effect with {@link
   * #launcher}.
   */
  public WordTrieBuilder workers(int workers) {
    if (workers < 1 || workers > JvmLauncher.MAX_WORKERS) {
      throw new IllegalArgumentException(
          "workers must be from 1 to " + JvmLauncher.MAX_WORKERS + ", not " + workers);
    }
    this.workers = workers;
    return this;
  }

  /** Into how many strips a text is cut; by default, what suits the launcher. */
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

  /** For how many nodes there is room at first, at least 1; more are found when needed. */
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
   */
  public WordTrie build() {
    return around(new TrieNodes(alphabet, initialNodes));
  }

  /**
   * Makes a trie with the words of a file that {@link WordTrie#save} wrote. The file is mapped, and
   * nobody may change it until the trie is closed; to replace it is no harm. Words that are added
   * do not reach it.
   *
   * @throws dev.gyre.datasets.BadInputException if the file cannot be read
   * @throws dev.gyre.structures.SavedFileException if it is damaged, of a newer version, or of
   *     another alphabet
   */
  public WordTrie load(Path file) {
    return around(TrieFile.load(file, alphabet));
  }

  private WordTrie around(TrieNodes nodes) {
    try {
      Launcher used = launcher != null ? launcher : newLauncher();
      return new WordTrie(nodes, used, launcher == null, deviceThreads, waiting);
    } catch (RuntimeException | Error e) {
      nodes.close();
      throw e;
    }
  }

  private Launcher newLauncher() {
    return workers == 0 ? JvmLauncher.create() : JvmLauncher.ofWorkers(workers);
  }
}
