package dev.gyre.structures.trie;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.structures.StructureException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a trie: a pool of fixed capacity that is replaced by a larger one when it is full.
 *
 * <p>Nodes keep their numbers when the pool grows. Not thread-safe; a launch may use the pool while
 * nobody grows it.
 */
final class TrieNodes implements AutoCloseable {

  private final Alphabet alphabet;
  private final int nodeShift;
  private final Memory bumpMemory = Memory.ofLongs(1);
  private final DeviceLongs bump = DeviceLongs.of(bumpMemory);
  private Memory memory;
  private DeviceInts edges;
  private DeviceLongs counts;
  private long capacity;

  /** Where the nodes were last worked on, if anywhere. */
  private volatile @Nullable Launcher writer;

  TrieNodes(Alphabet alphabet, long initialCapacity) {
    this.alphabet = alphabet;
    this.nodeShift = alphabet.nodeShift();
    this.capacity = initialCapacity;
    this.memory = Memory.ofBytes(initialCapacity * TrieLayout.nodeBytes(nodeShift));
    this.edges = DeviceInts.of(memory);
    this.counts = DeviceLongs.of(memory);
    bump.set(0, 1);
  }

  /** Has a launcher's device work on the nodes, as they are now. */
  @SuppressWarnings("ReferenceEquality") // launchers have no other
  void lend(Launcher launcher) {
    Launcher before = writer;
    if (before != launcher) {
      toHost();
      launcher.hostWrote(memory, bumpMemory);
      writer = launcher;
    }
  }

  /** Brings the nodes here, if a device has them. */
  synchronized void toHost() {
    Launcher launcher = writer;
    if (launcher != null) {
      launcher.readBack(memory, bumpMemory);
    }
  }

  Alphabet alphabet() {
    return alphabet;
  }

  int nodeShift() {
    return nodeShift;
  }

  DeviceInts edges() {
    return edges;
  }

  DeviceLongs counts() {
    return counts;
  }

  DeviceLongs bump() {
    return bump;
  }

  /** Number of nodes that there is room for. */
  long capacity() {
    return capacity;
  }

  /** Number of nodes made, with the root; as of {@link #toHost}. */
  long size() {
    // After an overflow, the allocator has counted nodes that there was no room for.
    return Math.min(bump.get(0), capacity);
  }

  /** The child along an edge, or 0 if there is none. */
  int child(int node, int letter) {
    return Math.max(0, edges.loadAcquire(TrieLayout.edge(node, nodeShift, letter)));
  }

  /** How often the word that ends in a node was found. */
  long count(int node) {
    return counts.loadRelaxed(TrieLayout.count(node, nodeShift));
  }

  /** Makes room for twice as many nodes. Nothing is changed where that fails. */
  void grow() {
    if (capacity == TrieLayout.MAX_NODES) {
      throw new StructureException(
          "word trie: more than " + TrieLayout.MAX_NODES + " nodes are needed; split the text");
    }
    resize(Math.min(2 * capacity, TrieLayout.MAX_NODES));
  }

  /** Gives back room, so that at most half of it is unused. */
  void trim() {
    if (capacity > 2 * size()) {
      resize(size());
    }
  }

  private void resize(long newCapacity) {
    toHost();
    long nodeBytes = TrieLayout.nodeBytes(nodeShift);
    long size = size();
    Memory larger = Memory.ofBytes(newCapacity * nodeBytes);
    MemorySegment.copy(memory.segment(), 0, larger.segment(), 0, size * nodeBytes);
    memory.close();
    memory = larger;
    edges = DeviceInts.of(larger);
    counts = DeviceLongs.of(larger);
    bump.set(0, size);
    capacity = newCapacity;
    Launcher launcher = writer;
    if (launcher != null) {
      launcher.hostWrote(memory, bumpMemory);
    }
  }

  /** Size of the pool, in bytes. */
  long byteSize() {
    return memory.byteSize();
  }

  @Override
  public void close() {
    memory.close();
    bumpMemory.close();
  }
}
