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
 * The launchers that add long texts to one trie: one, or all of a group. Each launcher of a group
 * takes the next piece when it is free, and counts its words in nodes of its own, those of the trie
 * if it is the first. The words of the others are brought to the trie's nodes before a reader looks
 * at them.
 *
 * <p>For one thread at a time, while no other reads or adds.
 */
final class TrieGroup implements AutoCloseable {

  /** What one launcher works with. */
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
   * A text in memory.
   *
   * @param memory where the text is, from the first byte on; null if that is no memory of ours
   * @param isChunk whether the launcher was told of it, and takes it as a whole
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

  /** What is known to be counted of a text. */
  static final class Counted {
    private boolean begun;
    private long bytes;

    private synchronized void add(TrieBuild build) {
      begun |= build.hasBegun();
      bytes += build.counted();
    }

    /** Whether words may be counted. */
    boolean hasBegun() {
      return begun;
    }

    /** Bytes all of whose words are counted. */
    long bytes() {
      return bytes;
    }
  }

  private final Launcher launcher;
  private final TrieBuild.Shapes shapes;
  private final List<Part> parts = new ArrayList<>();

  // Made with the first long text.
  private @Nullable Memory letters;

  /**
   * Launchers none of which has counted a word.
   *
   * @param nodes of the trie
   */
  TrieGroup(TrieNodes nodes, Launcher launcher, TrieBuild.Shapes shapes, Waiting waiting) {
    this.launcher = launcher;
    this.shapes = shapes;
    long room = nodes.size() == 1 ? nodes.capacity() : TrieNodes.INITIAL_CAPACITY;
    for (Launcher each : launcher.parts()) {
      boolean first = parts.isEmpty();
      boolean defers = waiting.defers("WordTrie", each);
      TrieNodes own = first ? nodes : nodes.like(room);
      parts.add(new Part(each, own, new TrieScratch(), defers, first));
    }
  }

  /** The launcher, or the group. */
  Launcher launcher() {
    return launcher;
  }

  /** Whether there are several launchers. */
  boolean isSeveral() {
    return parts.size() > 1;
  }

  /** Adds the words of a text: as a whole if one launcher takes it so, else in pieces. */
  void add(Text text, ByteProgress progress, Counted counted) {
    Part first = parts.getFirst();
    if (isSeveral()) {
      first.nodes.countedApart(this::gather);
      TextCuts cuts = cut(text);
      // Made by one thread.
      Memory _ = letters();
      GroupWork.run(
          "BuildTrie", launcher, i -> addPieces(text, cuts, i, ByteProgress.NONE, counted));
    } else if (first.isOnJvm() || isOnePiece(text)) {
      addWhole(text, first, counted);
    } else {
      addPieces(text, cut(text), 0, progress, counted);
    }
  }

  /** Whether a device takes a text as a whole: it is a chunk, or short and sent by the launch. */
  private boolean isOnePiece(Text text) {
    Memory memory = text.memory();
    return text.isChunk()
        || (memory != null
            && text.length() <= TrieBuild.Shapes.pieceBytes(text.length())
            && !launcher.copiesInPlace(memory));
  }

  /** Cuts a text into as many pieces as there are launchers, at least, unless it is short. */
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

  private TrieBuild build(Part part) {
    return new TrieBuild(part.launcher, part.nodes, letters(), part.scratch, part.defers);
  }

  private void addWhole(Text text, Part part, Counted counted) {
    TrieBuild build = build(part);
    try {
      Memory memory = text.memory() == null ? part.scratch.text(text.bytes()) : text.memory();
      if (!text.isChunk()) {
        launcher.hostWrote(memory);
      }
      build.add(memory, text.length(), shapes.shape(launcher, text.length()), () -> {});
    } finally {
      counted.add(build);
      part.scratch.dropLongText();
    }
  }

  private void addPieces(
      Text text, TextCuts cuts, int index, ByteProgress progress, Counted counted) {
    Part part = parts.get(index);
    TrieBuild build = build(part);
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
                progress.update(build.counted(), length);
              });
      all = true;
    } finally {
      counted.add(build);
      if (!all) {
        // What others would still count is of no use.
        cuts.stop();
      }
    }
  }

  /** What says which bytes are letters; see {@link dev.gyre.kernels.trie.Alphabet#table}. */
  Memory letters() {
    Memory made = letters;
    if (made == null) {
      made = parts.getFirst().nodes.alphabet().table();
      letters = made;
    }
    return made;
  }

  /**
   * Adds what the others have counted to the nodes of the trie, which the host has; nobody adds
   * beside this. Where it fails, others keep their words, and it may be tried again.
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

  /** Bytes that are kept for further texts; any thread may ask. */
  long byteSize() {
    long bytes = 0;
    for (Part part : parts) {
      bytes += part.scratch().byteSize() + (part.isFirst() ? 0 : part.nodes().byteSize());
    }
    return bytes;
  }

  /** Keeps nothing for further texts. */
  void trim() {
    for (Part part : parts) {
      part.scratch().drop();
      if (!part.isFirst()) {
        part.nodes().become(part.nodes().like(TrieNodes.INITIAL_CAPACITY));
      }
    }
  }

  /** Keeps nothing any more; what others counted was gathered, or is not wanted. */
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
