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
import dev.gyre.structures.SpentMemories;
import dev.gyre.structures.StructureException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a trie: a pool of fixed capacity that is replaced by a larger one when it is full.
 *
 * <p>Nodes keep their numbers when the pool grows. Nodes are made and counted by any number of
 * threads, beside readers; growth by one thread beside readers, but not beside those. Readers keep
 * the old pool until the new one is there: they hold {@link #enterRead}, growth waits for them and
 * keeps them out only while it changes one for the other. One who looks up a word need not hold it;
 * see {@link TriePool}.
 */
final class TrieNodes implements AutoCloseable {

  /** Room at first, where nothing is said about it. */
  static final long INITIAL_CAPACITY = 1 << 10;

  /** From here on memory that nobody uses is worth more than the time to copy nodes: 128 MiB. */
  private static final long LARGE_CAPACITY = 1 << 20;

  private final Alphabet alphabet;
  private final NodeSize nodeSize;
  private final Memory bumpMemory;
  private final DeviceLongs bump;
  private final SpentMemories spent = new SpentMemories();
  private final OperationLock swap = new OperationLock("word trie");

  /** The launch that made nodes since the host last saw them, if one did; each is another one. */
  private final AtomicReference<@Nullable Away> away = new AtomicReference<>();

  /**
   * Brings words here that launchers have counted in nodes of their own; null if there are none.
   */
  private volatile @Nullable Runnable apart;

  /** How often nodes came to the host; changed while no reader holds {@link #enterRead}. */
  private volatile long arrivals;

  /** Whether the host changed something since a device last saw it. */
  private volatile boolean hostIsNewer;

  /** Replaced as a whole. */
  private volatile TriePool pool;

  /** A launch whose nodes are on its device; told from others by identity. */
  private static final class Away {
    final Launcher launcher;

    Away(Launcher launcher) {
      this.launcher = launcher;
    }
  }

  /** The root alone, and room for more nodes. */
  TrieNodes(Alphabet alphabet, NodeSize nodeSize, long initialCapacity) {
    this(alphabet, nodeSize, Memory.ofBytes(initialCapacity * nodeSize.bytes()), 1);
  }

  /** Nodes of a block of memory, which becomes theirs, and is closed where this fails. */
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

  /** The root alone, with nodes as large, for the same letters. */
  TrieNodes like(long initialCapacity) {
    return new TrieNodes(alphabet, nodeSize, initialCapacity);
  }

  /** What a launch that makes nodes is to see: all that the host changed. */
  void sendTo(Launcher launcher) {
    if (hostIsNewer) {
      launcher.hostWrote(pool.memory(), bumpMemory);
      if (size() == 1) {
        // No edge leads anywhere: a device need not be sent that.
        launcher.clear(pool.memory());
      }
      hostIsNewer = false;
    }
  }

  /** A launch made nodes, which stay where they are until the host wants to see them. */
  void madeOn(Launcher launcher) {
    if (launcher.device().target() != Target.JVM) {
      away.set(new Away(launcher));
    }
  }

  /** The host is going to change something, by other means than a launch, or has. */
  void hostChanges() {
    hostIsNewer = true;
  }

  /**
   * Brings nodes to the host that a launch made; readers are kept out meanwhile.
   *
   * @throws dev.gyre.kernels.LaunchException if they cannot be copied
   */
  void bringHome() {
    if (away.get() != null) {
      try (Entry _ = swap.enterExclusive()) {
        Away made = away.get();
        if (made != null) {
          bring(made);
        }
      }
    }
  }

  /** Others find them away until they are there; and after that, if a launch ended meanwhile. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // Inside the lock.
  private void bring(Away made) {
    made.launcher.readBack(pool.memory(), bumpMemory);
    arrivals++;
    boolean _ = away.compareAndSet(made, null);
  }

  /**
   * Launchers are about to count words in nodes of their own.
   *
   * @param gathering brings these words here
   */
  void countedApart(Runnable gathering) {
    apart = gathering;
  }

  /** Whether there are words in nodes of other launchers that these do not have. */
  boolean isApart() {
    return apart != null;
  }

  /** Brings words here that launchers have counted apart; the host has these nodes. */
  void gather() {
    Runnable gathering = apart;
    if (gathering != null) {
      gathering.run();
      apart = null;
    }
  }

  /** The pool once it has the root alone, and all others get their numbers anew. */
  TriePool emptied() {
    return TriePool.of(pool.memory(), nodeSize.layout(), new Object());
  }

  /**
   * The root alone again, with the same room; takes no memory, so that it cannot fail.
   *
   * @param empty {@link #emptied}
   */
  void forgetAll(TriePool empty) {
    made().fill((byte) 0);
    bump.set(0, 1);
    pool = empty;
    hostIsNewer = true;
  }

  /** Another number after nodes came to the host; the same while one holds {@link #enterRead}. */
  long arrivals() {
    return arrivals;
  }

  /** Where nodes are now. */
  TriePool pool() {
    return pool;
  }

  /** Whether the host has to fetch nodes before it can read them. */
  boolean isAway() {
    return away.get() != null;
  }

  /** The launcher whose device has the nodes, if one has; they stay there for a reader. */
  Optional<Launcher> onDevice() {
    return Optional.ofNullable(away.get()).map(made -> made.launcher);
  }

  /** Enters as a reader, for which nodes stay where they are. */
  Entry enterRead() {
    return swap.enterConcurrentRead();
  }

  /** The nodes that are made, as bytes. */
  MemorySegment made() {
    return pool.memory().segment().asSlice(0, size() * nodeSize.bytes());
  }

  /**
   * Has edges for which there was no room lead nowhere, as before; nobody may add meanwhile. For
   * readers they do so all the time.
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

  /** A copy, with room for no more. */
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

  /** The edges from the root to the node of a word or its beginning; none where it is neither. */
  Optional<byte[]> path(byte[] text) {
    return Steps.of(alphabet, text).map(nodeSize::edges);
  }

  /** The word that edges from the root lead to. */
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

  /** Number of nodes that there is room for. */
  long capacity() {
    return pool.capacity();
  }

  /** Number of nodes made, with the root. */
  long size() {
    // After an overflow, the allocator has counted nodes that there was no room for.
    return Math.min(bump.loadRelaxed(0), pool.capacity());
  }

  /** How often the word that ends in a node was found. */
  long count(int node) {
    return pool.count(node);
  }

  /** Sum of all counts; nobody changes one, and the host has all nodes. */
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
   * Makes room for so many steps, if there are none yet, and nothing was said about room.
   *
   * @return whether it did
   */
  boolean expect(long steps) {
    long expected = steps * nodeSize.edgesPerStep();
    boolean unsaid = capacity() == INITIAL_CAPACITY && expected > capacity();
    if (unsaid) {
      // Whether there are none is not known while they are away.
      bringHome();
    }
    boolean fresh = unsaid && size() == 1;
    if (fresh) {
      resize(expected);
    }
    return fresh;
  }

  /** Makes room for more nodes. Nothing is changed where that fails. */
  void grow() {
    if (capacity() == TrieLayout.MAX_NODES) {
      throw new StructureException(
          "word trie: more than " + TrieLayout.MAX_NODES + " nodes are needed; split the text");
    }
    resize(grown(capacity()));
  }

  /** Room after so much: twice as much; where it is large, half as much again. */
  static long grown(long capacity) {
    long more = capacity < LARGE_CAPACITY ? capacity : capacity / 2;
    return Math.min(capacity + more, TrieLayout.MAX_NODES);
  }

  /** Gives back room, so that at most half of it is unused. */
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

  /** Takes over the nodes of others, which are closed with that. */
  void become(TrieNodes others) {
    long made = others.size();
    become(others.pool, made);
    spent.free(List.of(others.bumpMemory));
  }

  private void become(TriePool next, long made) {
    try (Entry _ = swap.enterExclusive()) {
      TriePool last = pool;
      bump.set(0, made);
      pool = next;
      hostIsNewer = true;
      // After the change, so that a reader without a lock who finds it closed finds the next one.
      spent.free(List.of(last.memory()));
    }
  }

  /** Size of the pool, in bytes. */
  long byteSize() {
    return pool.memory().byteSize();
  }

  @Override
  public void close() {
    try (Entry _ = swap.enterExclusive();
        spent;
        Memory _ = bumpMemory;
        Memory _ = pool.memory()) {
      // A reader that enters now must not fetch them.
      away.set(null);
    }
  }
}
