package dev.gyre.structures.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.Memory;
import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.TextChunk;
import dev.gyre.datasets.TextChunks;
import dev.gyre.datasets.TextSource;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.structures.Waiting;
import java.lang.foreign.MemorySegment;

/** Adds texts to a trie: short ones by the calling thread, long ones by a launcher's. */
final class TrieTexts implements AutoCloseable {

  /** A strip shorter than this does not pay for its device thread, in bytes. */
  private static final long MIN_STRIP_BYTES = 1 << 14;

  /** The same on a device, whose threads are many. */
  private static final long MIN_DEVICE_STRIP_BYTES = 1 << 8;

  private final TrieNodes nodes;
  private final TrieGuard guard;
  private volatile Launcher launcher;
  private volatile boolean defers;
  private final Waiting waiting;
  private final int deviceThreads;
  private final Memory classTable;

  /**
   * Texts for a trie.
   *
   * @param deviceThreads how many strips a long text is cut into; 0 for what suits the launcher
   */
  TrieTexts(
      TrieNodes nodes, TrieGuard guard, Launcher launcher, int deviceThreads, Waiting waiting) {
    this.nodes = nodes;
    this.guard = guard;
    this.launcher = launcher;
    this.deviceThreads = deviceThreads;
    this.waiting = waiting;
    this.defers = waiting.defers("WordTrie", launcher);
    this.classTable = nodes.alphabet().classTable();
  }

  /** Has another launcher work from now on. */
  void runOn(Launcher other) {
    boolean deferring = waiting.defers("WordTrie", other);
    launcher = other;
    defers = deferring;
  }

  /** Adds the words of a text in UTF-8. */
  void add(byte[] text) {
    if (text.length < MIN_STRIP_BYTES) {
      addHere(text);
    } else {
      try (Memory memory = Memory.ofBytes(text.length)) {
        memory.segment().copyFrom(MemorySegment.ofArray(text));
        add(memory, text.length);
      }
    }
  }

  private void addHere(byte[] text) {
    int at = 0;
    while (at < text.length) {
      int from = at;
      long[] full = new long[1];
      at =
          guard.add(
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
    guard.change(
        () -> {
          if (nodes.capacity() == full) {
            nodes.grow();
          }
          return this;
        });
  }

  /** Adds the words of a text of any length; returns how many bytes it had. */
  long add(TextSource text, long chunkBytes, ByteProgress progress) {
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

  /** Adds the words of the first bytes of a memory. */
  void add(Memory text, long length) {
    if (length < 0 || length > text.byteSize()) {
      throw new IllegalArgumentException(
          "length must be from 0 to "
              + text.byteSize()
              + ", the size of the memory, not "
              + length);
    }
    guard.launch(
        () -> {
          if (length > 0) {
            try {
              new TrieBuild(launcher, nodes, Bytes.of(classTable), defers)
                  .add(text, length, shape(length));
            } catch (RuntimeException | Error e) {
              guard.fail(e);
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

  @Override
  public void close() {
    classTable.close();
  }
}
