package dev.gyre.structures.trie;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.UninterruptibleScope;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.events.Span;
import dev.gyre.kernels.trie.BlockWords;
import dev.gyre.kernels.trie.BuildTrie;
import dev.gyre.kernels.trie.KernelText;
import dev.gyre.kernels.trie.Letters;
import dev.gyre.kernels.trie.TrieEdges;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.kernels.trie.TrieWorkers;
import dev.gyre.structures.ParallelThreshold;
import dev.gyre.structures.StructureException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Addition of one text to a trie. It launches, grows the pool if it is full, and launches again
 * until all words are counted. If launches defer, a word that needs an edge which another thread
 * has claimed is left to the next launch.
 */
record TrieBuild(
    Launcher launcher,
    TrieNodes nodes,
    Memory letters,
    TrieScratch scratch,
    boolean defers,
    Counted counted) {

  /**
   * Largest number of bytes that one worker counts on the calling thread, where no interrupt ends
   * it.
   */
  static final long MOST_HERE = 1 << 20;

  /** Number of words for which device threads of a block have capacity in shared memory. */
  private static final int BLOCK_WORDS = 1 << 11;

  /** A text of n bytes is expected to need this many steps times the square root of n... */
  private static final int STEPS_PER_ROOT = 32;

  /** ... but no more than these, because it may repeat itself. */
  private static final long MOST_EXPECTED_STEPS = 1 << 17;

  /** What is known to be counted of a text, by the additions to all parts of a group. */
  static final class Counted {

    /** Whether words may be counted. */
    volatile boolean begun;

    /** Number of bytes all of whose words are counted. */
    final AtomicLong bytes = new AtomicLong();
  }

  /**
   * Adds all words of {@code text[0, length)}, which neither begins nor ends inside a word. If the
   * host wrote the text, the launcher knows.
   *
   * @param launched runs after a launch has been started
   */
  void add(Memory text, long length, LaunchShape shape, Runnable launched) {
    KernelText all = KernelText.of(text, length);
    Letters known = nodes.alphabet().letters(letters);
    DeviceLongs ended = DeviceLongs.of(scratch.ended());
    if (launcher.device().target() == Target.JVM) {
      int strips = shape.threads();
      int workers = Math.min(strips, launcher.device().units());
      TrieWorkers team = scratch.hire(workers, length, nodes.pool().numbering());
      TrieWorkers.Strips cut = team.new Strips(all, known, ended, strips);
      boolean reserved = nodes.expect(expectedSteps(length));
      boolean here = strips == 1 && length <= MOST_HERE;
      addAll(
          ended,
          strips,
          _ -> here ? runHere(cut.kernel(edges())) : start(cut.kernel(edges()), cut.shape()),
          launched);
      // Not after an exception: words that were met and not counted would be counted with the next
      // text.
      scratch.keep(team);
      if (reserved) {
        trim();
      }
    } else {
      // Growth takes longest on a device: each time, nodes are copied to the host and back.
      boolean _ = nodes.expect(expectedSteps(length));
      DeviceInts left = DeviceInts.of(scratch.left(KernelText.chunks(length)));
      BlockWords words = BlockWords.of(BLOCK_WORDS);
      addAll(
          ended,
          shape.blocks(),
          again -> start(new BuildTrie(all, known, edges(), words, left, again, ended), shape),
          launched);
    }
    long _ = counted.bytes.addAndGet(length);
  }

  /** Frees unused capacity of nodes, unless there is no memory for smaller ones. */
  private void trim() {
    try {
      nodes.trim();
    } catch (MemoryExhaustedException e) {
      // All words are counted: the capacity stays for later texts.
    }
  }

  private TrieEdges edges() {
    long pollLimit = defers ? 0 : launcher.device().target().pollLimit();
    return new TrieEdges(
        nodes.nodeSize().layout(),
        nodes.edges(),
        nodes.counts(),
        nodes.capacity(),
        nodes.bump(),
        pollLimit);
  }

  /** Returns the expected number of steps of a text. */
  static long expectedSteps(long length) {
    return Math.min(MOST_EXPECTED_STEPS, (long) (STEPS_PER_ROOT * Math.sqrt((double) length)));
  }

  /**
   * Launches until no words are left.
   *
   * @param parts number of strips or blocks of the text
   * @param starting starts a launch; its argument says whether the launch continues the text or
   *     begins it; returns an action that waits for its end
   */
  private void addAll(
      DeviceLongs ended, int parts, Function<Boolean, Runnable> starting, Runnable launched) {
    Memory outcomes = ended.memory();
    boolean done = false;
    for (long launches = 1; !done; launches++) {
      outcomes.segment().fill((byte) 0);
      launcher.hostWrote(outcomes);
      nodes.sendTo(launcher);
      Runnable join = starting.apply(launches > 1);
      try {
        launched.run();
      } finally {
        join.run();
      }
      nodes.madeOn(launcher);
      launcher.readBack(outcomes);
      long run = count(ended, TrieLayout.RUN);
      if (run != parts) {
        if (Thread.currentThread().isInterrupted()) {
          // Only if the calling thread works itself: a cancelled launch throws when it is joined.
          throw new LaunchCancelledException(
              "TrieWorkers", launcher.device(), new InterruptedException());
        }
        throw failed("%d of %d parts of the text were run".formatted(run, parts));
      }
      boolean full = count(ended, TrieLayout.FULL) > 0;
      boolean stuck = count(ended, TrieLayout.STUCK) > 0;
      done = !full && !stuck;
      if (stuck && (!defers || launches >= launcher.device().target().pollLimit())) {
        throw failed("a thread gave up waiting for a node that another thread had taken");
      }
      if (full) {
        nodes.bringHome();
        nodes.grow();
      }
    }
  }

  private Runnable start(Kernel kernel, LaunchShape shape) {
    Launch launch = launcher.start(kernel, shape, LaunchMode.STRIDED);
    counted.begun = true;
    return launch::join;
  }

  /** Returns an action that runs a kernel on the calling thread, which is faster than a launch. */
  private Runnable runHere(Kernel kernel) {
    launcher.requireOpen();
    counted.begun = true;
    return () -> {
      Span span = Span.kernel();
      try (UninterruptibleScope _ = UninterruptibleScope.begin()) {
        kernel.run(0, LaunchShape.ofThreads(1));
      }
      span.ran(kernel.name(), launcher.device().target().label(), 1, 0);
    };
  }

  /** Returns how many times the last launch had an outcome. */
  private static long count(DeviceLongs ended, long outcome) {
    long sum = 0;
    for (int stripe = 0; stripe < TrieLayout.ENDED_LONGS; stripe++) {
      sum += stripe % TrieLayout.ENDED_OUTCOMES == outcome ? ended.get(stripe) : 0;
    }
    return sum;
  }

  private StructureException failed(String what) {
    return new StructureException(
        "word trie, build on %s (%s): %s"
            .formatted(launcher.device().target().label(), launcher.device().name(), what));
  }

  /**
   * Lengths of the pieces of a text, and shapes of launches for one.
   *
   * @param deviceThreads number of strips of a long text, or of device threads for it; 0 for the
   *     number that suits the launcher
   */
  record Shapes(int deviceThreads) {

    /** Smallest strip that is worth a device thread, in bytes. */
    static final long MIN_STRIP_BYTES = 1 << 14;

    /** Amount of text that keeps a device busy, in bytes. */
    static final long DEVICE_CHUNK_BYTES = 1 << 26;

    /** Amount of text in memory: large for few launches, small for an early first one. */
    private static final long MIN_PIECE_BYTES = 1 << 24;

    /**
     * A piece of a text of n bytes has this many times the square root of n, within the bounds
     * above.
     */
    private static final long PIECE_BYTES_PER_ROOT = 1 << 11;

    /** Approximate time of a worker for a byte, in nanoseconds. */
    private static final long NANOS_PER_BYTE = 3;

    /** Number of device threads for each unit of a device, which share its fast memory. */
    private static final long DEVICE_THREADS_PER_UNIT = 1 << 11;

    /** Smallest number of chunks for each device thread, so that all end at about the same time. */
    private static final long CHUNKS_PER_DEVICE_THREAD = 2;

    /** Returns the length of the pieces of a text in memory. */
    static long pieceBytes(long length) {
      return Math.clamp(
          (long) (PIECE_BYTES_PER_ROOT * Math.sqrt((double) length)),
          MIN_PIECE_BYTES,
          DEVICE_CHUNK_BYTES);
    }

    /** Returns the shape of a launch for a number of bytes. */
    LaunchShape shape(Launcher used, long length) {
      if (used.device().target() == Target.JVM) {
        return deviceThreads > 0
            ? LaunchShape.ofThreads(deviceThreads)
            : used.shapeFor(isFew(used, length) ? 1 : Math.max(1, length / MIN_STRIP_BYTES));
      }
      long most = used.device().units() * DEVICE_THREADS_PER_UNIT;
      int threads =
          deviceThreads > 0
              ? deviceThreads
              : (int) Math.clamp(KernelText.chunks(length) / CHUNKS_PER_DEVICE_THREAD, 1, most);
      // Whole blocks: each thread of a block processes its part of all slots of the block.
      int block = used.shapeFor(Integer.MAX_VALUE).blockSize();
      return new LaunchShape(Math.ceilDiv(threads, block), block);
    }

    private static boolean isFew(Launcher used, long length) {
      return length <= MOST_HERE
          && !new ParallelThreshold(used.device().units()).pays(length * NANOS_PER_BYTE, true);
    }
  }
}
