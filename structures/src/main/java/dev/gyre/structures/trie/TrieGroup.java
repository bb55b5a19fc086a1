package dev.gyre.structures.trie;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.GroupLaunchException;
import dev.gyre.kernels.Launcher;
import dev.gyre.structures.GroupWork;
import dev.gyre.structures.TextCuts;
import dev.gyre.structures.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The launchers of a group as they add long texts to one trie: each takes the next piece when it is
 * free, and counts its words in nodes of its own, those of the trie if it is the first. The others'
 * come to the trie's by {@link #gather}, before anybody reads.
 *
 * <p>For one thread at a time, which nobody reads or adds beside.
 */
final class TrieGroup implements AutoCloseable {

  /** What one launcher works with. */
  private record Part(
      Launcher launcher, TrieNodes nodes, TrieScratch scratch, boolean defers, boolean isFirst)
      implements AutoCloseable {

    @Override
    public void close() {
      try (scratch) {
        if (!isFirst) {
          nodes.close();
        }
      }
    }
  }

  private final Launcher group;
  private final List<Part> parts = new ArrayList<>();

  /**
   * A group, none of which has counted a word.
   *
   * @param nodes of the trie
   */
  TrieGroup(TrieNodes nodes, Launcher group, Waiting waiting) {
    this.group = group;
    long room = nodes.size() == 1 ? nodes.capacity() : TrieNodes.INITIAL_CAPACITY;
    for (Launcher launcher : group.parts()) {
      boolean first = parts.isEmpty();
      boolean defers = waiting.defers("WordTrie", launcher);
      TrieNodes own = first ? nodes : nodes.like(room);
      parts.add(new Part(launcher, own, new TrieScratch(), defers, first));
    }
  }

  /**
   * Adds the words of a text, of which each part takes pieces.
   *
   * @param ended given what each part has counted, at its end
   */
  void add(
      TextCuts cuts,
      long length,
      Memory letters,
      TrieBuild.Shapes shapes,
      Consumer<TrieBuild> ended) {
    parts.getFirst().nodes().countedApart(this);
    GroupWork.run("BuildTrie", group, i -> add(cuts, length, i, letters, shapes, ended));
  }

  private void add(
      TextCuts cuts,
      long length,
      int index,
      Memory letters,
      TrieBuild.Shapes shapes,
      Consumer<TrieBuild> ended) {
    Part part = parts.get(index);
    Launcher launcher = part.launcher();
    TrieBuild build = new TrieBuild(launcher, part.nodes(), letters, part.scratch(), part.defers());
    boolean all = false;
    try {
      boolean _ = part.nodes().expect(TrieBuild.expectedSteps(length));
      part.scratch()
          .pieces()
          .forEach(
              cuts,
              index,
              launcher,
              (piece, bytes, launched) ->
                  build.add(piece, bytes, shapes.shape(launcher, bytes), launched));
      all = true;
    } finally {
      ended.accept(build);
      if (!all) {
        // What others would still count is of no use.
        cuts.stop();
      }
    }
  }

  /**
   * Adds what the others have counted to the nodes of the trie, which the host has; nobody adds
   * beside this. Where it fails, others keep their words, and it may be tried again.
   */
  void gather() {
    TrieNodes all = parts.getFirst().nodes();
    for (int i = 1; i < parts.size(); i++) {
      TrieNodes others = parts.get(i).nodes();
      try {
        others.bringHome();
      } catch (RuntimeException e) {
        throw GroupLaunchException.of(e, group, i);
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
    close(parts);
  }

  private static void close(List<Part> parts) {
    if (!parts.isEmpty()) {
      try (Part _ = parts.getFirst()) {
        close(parts.subList(1, parts.size()));
      }
    }
  }
}
