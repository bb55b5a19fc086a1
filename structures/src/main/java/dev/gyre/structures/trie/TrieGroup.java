package dev.gyre.structures.trie;

import dev.gyre.atomics.Memory;
import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.TextChunk;
import dev.gyre.kernels.GroupLaunchException;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import dev.gyre.structures.GroupWork;
import dev.gyre.structures.TextCuts;
import dev.gyre.structures.Waiting;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Launchers that add long texts to one trie: one launcher, or all of a group. Each launcher of a
 * group takes the next piece when it is free. The first counts words in the trie's nodes, each
 * other launcher in separate nodes. These words are added to the trie's nodes before a reader uses
 * them.
 *
 * <p>Not thread-safe: one thread at a time, while no other thread reads or adds.
 */
final class TrieGroup implements AutoCloseable {

  /** Launcher with its nodes and scratch memory. */
  private record Part(
      Launcher launcher, TrieNodes nodes, TrieScratch scratch, boolean defers, boolean isFirst)
      implements AutoCloseable {

    boolean isOnJvm() {
      return launcher.device().target() == Target.JVM;
    }

    @Override
    public void close() {
      try (scratch) {
        if (!isFirst) {
          nodes.close();
        }
      }
    }
  }

  /**
   * Text in memory.
   *
   * @param memory memory of the text, from its first byte on; null if there is only a segment
   * @param isChunk whether the launcher knows of the text, and takes it as a whole
   */
  record Text(MemorySegment bytes, @Nullable Memory memory, boolean isChunk) {

    static Text of(MemorySegment text) {
      return new Text(text, null, false);
    }

    static Text of(Memory text, long length) {
      return new Text(text.segment().asSlice(0, length), text, false);
    }

    static Text of(TextChunk chunk) {
      Memory memory = chunk.memory();
      return new Text(memory.segment().asSlice(0, chunk.length()), memory, true);
    }

    long length() {
      return bytes.byteSize();
    }
  }

  private final Launcher launcher;
  private final TrieBuild.Shapes shapes;
  private final List<Part> parts = new ArrayList<>();

  // Allocated with the first long text.
  private @Nullable Memory letters;

  /**
   * Creates a group that has counted no words.
   *
   * @param nodes nodes of the trie
   */
  TrieGroup(TrieNodes nodes, Launcher launcher, TrieBuild.Shapes shapes, Waiting waiting) {
    this.launcher = launcher;
    this.shapes = shapes;
    long capacity = nodes.size() == 1 ? nodes.capacity() : TrieNodes.INITIAL_CAPACITY;
    try {
      for (Launcher each : launcher.parts()) {
        boolean first = parts.isEmpty();
        boolean defers = waiting.defers("WordTrie", each);
        TrieNodes own = first ? nodes : nodes.like(capacity);
        parts.add(new Part(each, own, new TrieScratch(), defers, first));
      }
    } catch (RuntimeException | Error e) {
      close(parts);
      throw e;
    }
  }

  /** Returns the launcher, or the group. */
  Launcher launcher() {
    return launcher;
  }

  /** Returns whether there are several launchers. */
  boolean isSeveral() {
    return parts.size() > 1;
  }

  /** Adds the words of a text: as a whole if a single launcher takes it so, otherwise in pieces. */
  void add(Text text, ByteProgress progress, TrieBuild.Counted counted) {
    Part first = parts.getFirst();
    if (isSeveral()) {
      first.nodes.countedApart(this::gather);
      TextCuts cuts = cut(text);
      // Allocated by one thread.
      Memory _ = letters();
      GroupWork.run(
          "BuildTrie", launcher, i -> addPieces(text, cuts, i, ByteProgress.NONE, counted));
    } else if (first.isOnJvm() || isOnePiece(text)) {
      addWhole(text, first, counted);
    } else {
      addPieces(text, cut(text), 0, progress, counted);
    }
  }

  /**
   * Returns whether a device takes a text as a whole: it is a chunk, or short and sent by the
   * launch.
   */
  private boolean isOnePiece(Text text) {
    Memory memory = text.memory();
    return text.isChunk()
        || (memory != null
            && text.length() <= TrieBuild.Shapes.pieceBytes(text.length())
            && !launcher.copiesInPlace(memory));
  }

  /** Cuts a text into at least as many pieces as there are launchers, unless it is short. */
  private TextCuts cut(Text text) {
    long pieceBytes =
        Math.clamp(
            Math.ceilDiv(text.length(), parts.size()),
            TrieBuild.Shapes.MIN_STRIP_BYTES,
            TrieBuild.Shapes.pieceBytes(text.length()));
    TrieNodes nodes = parts.getFirst().nodes;
    return new TextCuts(
        text.bytes(), text.memory(), pieceBytes, nodes.alphabet()::separates, parts.size());
  }

  private TrieBuild build(Part part, TrieBuild.Counted counted) {
    return new TrieBuild(part.launcher, part.nodes, letters(), part.scratch, part.defers, counted);
  }

  private void addWhole(Text text, Part part, TrieBuild.Counted counted) {
    TrieBuild build = build(part, counted);
    try {
      Memory memory = text.memory() == null ? part.scratch.text(text.bytes()) : text.memory();
      if (!text.isChunk()) {
        launcher.hostWrote(memory);
      }
      build.add(memory, text.length(), shapes.shape(launcher, text.length()), () -> {});
    } finally {
      part.scratch.dropLongText();
    }
  }

  private void addPieces(
      Text text, TextCuts cuts, int index, ByteProgress progress, TrieBuild.Counted counted) {
    Part part = parts.get(index);
    TrieBuild build = build(part, counted);
    long length = text.length();
    boolean all = false;
    try {
      boolean _ = part.nodes.expect(TrieBuild.expectedSteps(length));
      part.scratch
          .pieces()
          .forEach(
              cuts,
              index,
              part.launcher,
              (piece, bytes, launched) -> {
                build.add(piece, bytes, shapes.shape(part.launcher, bytes), launched);
                progress.update(counted.bytes.get(), length);
              });
      all = true;
    } finally {
      if (!all) {
        // More counts of other launchers would be useless.
        cuts.stop();
      }
    }
  }

  /**
   * Returns the table of the bytes that are letters; see {@link
   * dev.gyre.kernels.trie.Alphabet#table}.
   */
  Memory letters() {
    Memory made = letters;
    if (made == null) {
      made = parts.getFirst().nodes.alphabet().table();
      letters = made;
    }
    return made;
  }

  /**
   * Adds the counts of the other launchers to the nodes of the trie, which the host has. No other
   * additions run. If this fails, the others keep their words, and the caller may repeat it.
   */
  private void gather() {
    TrieNodes all = parts.getFirst().nodes();
    for (int i = 1; i < parts.size(); i++) {
      TrieNodes others = parts.get(i).nodes();
      try {
        others.bringHome();
      } catch (RuntimeException e) {
        throw GroupLaunchException.of(e, launcher, i);
      }
      if (others.size() > 1) {
        TriePool empty = others.emptied();
        TrieMerge.addAll(all, others);
        others.forgetAll(empty);
      }
    }
  }

  /** Returns the size of the memory that is kept for further texts, in bytes. Thread-safe. */
  long byteSize() {
    long bytes = 0;
    for (Part part : parts) {
      bytes += part.scratch().byteSize() + (part.isFirst() ? 0 : part.nodes().byteSize());
    }
    return bytes;
  }

  /** Frees the memory that is kept for further texts. */
  void trim() {
    for (Part part : parts) {
      part.scratch().drop();
      if (!part.isFirst()) {
        part.nodes().become(part.nodes().like(TrieNodes.INITIAL_CAPACITY));
      }
    }
  }

  /** Frees all memory. The counts of other launchers were added to the trie, or are not needed. */
  @Override
  public void close() {
    try (var _ = letters) {
      close(parts);
    }
  }

  private static void close(List<Part> parts) {
    if (!parts.isEmpty()) {
      try (Part _ = parts.getFirst()) {
        close(parts.subList(1, parts.size()));
      }
    }
  }
}
