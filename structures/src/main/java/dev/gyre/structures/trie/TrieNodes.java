package dev.gyre.structures.trie;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.events.Span;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.kernels.trie.TrieEdges;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.RetiredMemories;
import dev.gyre.structures.StructureException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Nodes of a trie: a pool of fixed capacity, which is replaced by a larger one when it is full.
 *
 * <h2>Protocol</h2>
 *
 * <ul>
 *   <li>Nodes keep their numbers when the pool grows.
 *   <li>Any number of threads make and count nodes, concurrently with readers.
 *   <li>One thread grows the pool, concurrently with readers, while no thread makes or counts
 *       nodes.
 *   <li>Readers hold {@link #enterRead} and use the old pool until the new one is complete. Growth
 *       excludes readers only while it replaces one by the other.
 *   <li>A lookup of a word need not hold it; see {@link TriePool}.
 * </ul>
 */
final class TrieNodes implements AutoCloseable {

  /** Initial capacity, unless one is set. */
  static final long INITIAL_CAPACITY = 1 << 10;

  /** Capacity up to which growth costs more than unused memory: at most 1 MiB. */
  private static final long SMALL_CAPACITY = 1 << 13;

  /** Capacity from which unused memory costs more than the time to copy nodes: 128 MiB. */
  private static final long LARGE_CAPACITY = 1 << 20;

  private final Alphabet alphabet;
  private final NodeSize nodeSize;
  private final Memory bumpMemory;
  private final DeviceLongs bump;
  private final RetiredMemories spent = new RetiredMemories();
  private final OperationLock swap = new OperationLock("word trie");

  /**
   * Launch that made nodes since the host last saw them, or null; a different object for each
   * launch.
   */
  private final AtomicReference<@Nullable OnDevice> away = new AtomicReference<>();

  /** Adds words that launchers have counted in separate nodes; null if there are none. */
  private volatile @Nullable Runnable apart;

  /**
   * Number of times that nodes were copied to the host. It changes while no reader holds {@link
   * #enterRead}.
   */
  private volatile long arrivals;

  /** Whether the host made a change since a device last saw the nodes. */
  private volatile boolean hostIsNewer;

  /** Replaced as a whole. */
  private volatile TriePool pool;

  /** Launch whose nodes are on its device; compared by identity. */
  private static final class OnDevice {
    final Launcher launcher;

    OnDevice(Launcher launcher) {
      this.launcher = launcher;
    }
  }

  /** Creates nodes with only the root, and capacity for more. */
  TrieNodes(Alphabet alphabet, NodeSize nodeSize, long initialCapacity) {
    this(alphabet, nodeSize, Memory.ofBytes(initialCapacity * nodeSize.bytes()), 1);
  }

  /**
   * Creates nodes from a block of memory, which they take over, and which is closed if this fails.
   */
  TrieNodes(Alphabet alphabet, NodeSize nodeSize, Memory full) {
    this(alphabet, nodeSize, full, full.byteSize() / nodeSize.bytes());
  }

  private TrieNodes(Alphabet alphabet, NodeSize nodeSize, Memory memory, long made) {
    this.alphabet = alphabet;
    this.nodeSize = nodeSize;
    this.pool = TriePool.of(memory, nodeSize.layout(), new Object());
    try {
      TrieAdder.prepare();
      this.bumpMemory = Memory.ofLongs(1);
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
    this.bump = DeviceLongs.of(bumpMemory);
    bump.set(0, made);
  }

  /** Returns new nodes with only the root, of the same size and for the same letters. */
  TrieNodes like(long initialCapacity) {
    return new TrieNodes(alphabet, nodeSize, initialCapacity);
  }

  /** Makes all changes of the host visible to a launch that makes nodes. */
  void sendTo(Launcher launcher) {
    if (hostIsNewer) {
      launcher.hostWrote(pool.memory(), bumpMemory);
      if (size() == 1) {
        // No edge leads anywhere: the device can clear its memory without a copy.
        launcher.clear(pool.memory());
      }
      hostIsNewer = false;
    }
  }

  /** Notes that a launch made nodes, which stay on its device until the host needs them. */
  void madeOn(Launcher launcher) {
    if (launcher.device().target() != Target.JVM) {
      away.set(new OnDevice(launcher));
    }
  }

  /** Notes that the host changes nodes without a launch. */
  void hostChanges() {
    // Stored once: threads that add words share the cache line.
    if (!hostIsNewer) {
      hostIsNewer = true;
    }
  }

  /**
   * Copies nodes that a launch made to the host; readers are excluded meanwhile.
   *
   * @throws dev.gyre.kernels.LaunchException if they cannot be copied
   */
  void bringHome() {
    if (away.get() != null) {
      try (Entry _ = swap.enterExclusive()) {
        OnDevice made = away.get();
        if (made != null) {
          bring(made);
        }
      }
    }
  }

  /**
   * Copies nodes of a launch. Other threads see them as away until they are copied, and afterwards
   * if another launch has ended meanwhile.
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // Inside the lock.
  private void bring(OnDevice made) {
    made.launcher.readBack(pool.memory(), bumpMemory);
    arrivals++;
    boolean _ = away.compareAndSet(made, null);
  }

  /**
   * Notes that launchers will count words in separate nodes.
   *
   * @param gathering adds these words here
   */
  void countedApart(Runnable gathering) {
    apart = gathering;
  }

  /** Returns whether launchers have words in separate nodes that are not yet here. */
  boolean isApart() {
    return apart != null;
  }

  /** Adds words that launchers have counted in separate nodes; the host has the nodes here. */
  void gather() {
    Runnable gathering = apart;
    if (gathering != null) {
      gathering.run();
      apart = null;
    }
  }

  /** Returns the pool for {@link #forgetAll}, in which all nodes but the root get new numbers. */
  TriePool emptied() {
    return TriePool.of(pool.memory(), nodeSize.layout(), new Object());
  }

  /**
   * Removes all nodes but the root, and keeps the capacity. It allocates no memory, so that it
   * cannot fail.
   *
   * @param empty {@link #emptied}
   */
  void forgetAll(TriePool empty) {
    made().fill((byte) 0);
    bump.set(0, 1);
    pool = empty;
    hostIsNewer = true;
  }

  /**
   * Returns a number that differs after nodes were copied to the host; constant while the caller
   * holds {@link #enterRead}.
   */
  long arrivals() {
    return arrivals;
  }

  /** Returns the present pool. */
  TriePool pool() {
    return pool;
  }

  /** Returns whether the host must copy nodes before it can read them. */
  boolean isOnDevice() {
    return away.get() != null;
  }

  /** Returns the launcher whose device has the nodes, if any; they stay there for a reader. */
  Optional<Launcher> onDevice() {
    return Optional.ofNullable(away.get()).map(made -> made.launcher);
  }

  /** Enters as a reader, for which the pool is not replaced. */
  Entry enterRead() {
    return swap.enterConcurrentRead();
  }

  /** Returns the nodes that are made, as bytes. */
  MemorySegment made() {
    return pool.memory().segment().asSlice(0, size() * nodeSize.bytes());
  }

  /**
   * Empties edges for whose nodes there was no capacity. No words may be added meanwhile. Readers
   * always see such edges as empty.
   */
  void forgetOverflows() {
    MemorySegment made = made();
    long nodeBytes = nodeSize.bytes();
    for (long node = 0; node < made.byteSize(); node += nodeBytes) {
      for (long edge = node; edge < node + nodeBytes - Long.BYTES; edge += Integer.BYTES) {
        if (made.get(ValueLayout.JAVA_INT, edge) < 0) {
          made.set(ValueLayout.JAVA_INT, edge, TrieEdges.EMPTY);
        }
      }
    }
  }

  /** Returns a copy without further capacity. */
  TrieNodes copy() {
    MemorySegment made = made();
    Memory copied = Memory.ofBytes(made.byteSize());
    copied.segment().copyFrom(made);
    return new TrieNodes(alphabet, nodeSize, copied);
  }

  Alphabet alphabet() {
    return alphabet;
  }

  NodeSize nodeSize() {
    return nodeSize;
  }

  int nodeShift() {
    return nodeSize.layout().shift();
  }

  /**
   * Returns the edges from the root to the node of a word or of a prefix; empty if the text is
   * neither.
   */
  Optional<byte[]> path(byte[] text) {
    return Steps.of(alphabet, text).map(nodeSize::edges);
  }

  /** Returns the word to which edges from the root lead. */
  String word(byte[] path) {
    return Steps.word(alphabet, nodeSize.steps(path));
  }

  DeviceInts edges() {
    return pool.edges();
  }

  DeviceLongs counts() {
    return pool.counts();
  }

  DeviceLongs bump() {
    return bump;
  }

  /** Returns the capacity in nodes. */
  long capacity() {
    return pool.capacity();
  }

  /** Returns the number of nodes, including the root. */
  long size() {
    // After an overflow, the allocator has counted nodes for which there was no capacity.
    return Math.min(bump.loadRelaxed(0), pool.capacity());
  }

  /** Returns the count of the word that ends in a node. */
  long count(int node) {
    return pool.count(node);
  }

  /** Returns the sum of all counts. No count changes meanwhile, and the host has all nodes. */
  long total() {
    TriePool all = pool;
    long made = size();
    long sum = 0;
    for (long node = 1; node < made; node++) {
      sum += all.count((int) node);
    }
    return sum;
  }

  /**
   * Makes capacity for a number of steps, if there are no steps yet and no capacity was set.
   *
   * @return whether it made some
   */
  boolean expect(long steps) {
    long expected = steps * nodeSize.edgesPerStep();
    boolean unsaid = capacity() == INITIAL_CAPACITY && expected > capacity();
    if (unsaid) {
      // It is unknown whether there are nodes while they are away.
      bringHome();
    }
    boolean fresh = unsaid && size() == 1;
    if (fresh) {
      resize(expected);
    }
    return fresh;
  }

  /** Makes capacity for more nodes; without an effect if it fails. */
  void grow() {
    grow(1);
  }

  /** Makes capacity for a number of nodes, at least; without an effect if it fails. */
  void grow(long more) {
    if (capacity() == TrieLayout.MAX_NODES) {
      throw new StructureException(
          "word trie: more than " + TrieLayout.MAX_NODES + " nodes are needed; split the text");
    }
    resize(Math.min(Math.max(grown(capacity()), capacity() + more), TrieLayout.MAX_NODES));
  }

  /** Returns the next capacity: 4, 2 or 1.5 times as much if it is small, medium or large. */
  static long grown(long capacity) {
    long more =
        capacity < SMALL_CAPACITY
            ? 3 * capacity
            : capacity < LARGE_CAPACITY ? capacity : capacity / 2;
    return Math.min(capacity + more, TrieLayout.MAX_NODES);
  }

  /** Frees unused capacity, so that at most half is unused. */
  void trim() {
    if (capacity() > 2 * size()) {
      resize(size());
    }
  }

  private void resize(long newCapacity) {
    Span span = Span.growth();
    long nodeBytes = nodeSize.bytes();
    long size = size();
    Memory larger = Memory.ofBytes(newCapacity * nodeBytes);
    MemorySegment.copy(pool.memory().segment(), 0, larger.segment(), 0, size * nodeBytes);
    become(TriePool.of(larger, nodeSize.layout(), pool.numbering()), size);
    span.moved("word trie", larger.byteSize());
  }

  /** Takes over the nodes of another object, which is closed. */
  void become(TrieNodes others) {
    long made = others.size();
    become(others.pool, made);
    try (RetiredMemories _ = others.spent) {
      spent.free(List.of(others.bumpMemory));
    }
  }

  private void become(TriePool next, long made) {
    try (Entry _ = swap.enterExclusive()) {
      TriePool last = pool;
      bump.set(0, made);
      pool = next;
      hostIsNewer = true;
      // After the change, so that a reader without a lock that finds the pool closed finds the next
      // one.
      spent.freeLater(List.of(last.memory()));
    }
  }

  /** Returns the size of the pool in bytes. */
  long byteSize() {
    return pool.memory().byteSize();
  }

  @Override
  public void close() {
    try (Entry _ = swap.enterExclusive();
        spent;
        Memory _ = bumpMemory;
        Memory _ = pool.memory()) {
      // A reader that enters now must not copy them.
      away.set(null);
    }
  }
}
