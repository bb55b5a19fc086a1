package dev.gyre.structures.trie;

import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.Memory;
import dev.gyre.datasets.BadInputException;
import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.TextChunk;
import dev.gyre.datasets.TextChunks;
import dev.gyre.datasets.TextSource;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.events.Span;
import dev.gyre.kernels.trie.KernelText;
import dev.gyre.structures.TextCuts;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.Waking;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Adds texts to a trie: short ones by the calling thread, long ones by a launcher's. */
final class TrieTexts implements AutoCloseable {

  /** A strip shorter than this does not pay for its device thread, in bytes. */
  private static final long MIN_STRIP_BYTES = 1 << 14;

  /** How long a worker takes for a byte, in nanoseconds, about. */
  private static final long NANOS_PER_BYTE = 3;

  /** Device threads of each unit of a device, which share its fast memory. */
  private static final long DEVICE_THREADS_PER_UNIT = 1 << 11;

  /** A thread of a device has so many chunks or more, so that all end at about the same time. */
  private static final long CHUNKS_PER_DEVICE_THREAD = 2;

  /** A device is kept busy with this much text at a time, in bytes. */
  private static final long DEVICE_CHUNK_BYTES = 1 << 26;

  /** The same of a text that is in memory: large for few launches, small for an early first one. */
  private static final long MIN_PIECE_BYTES = 1 << 24;

  /** A text of n bytes goes in pieces of so many times its square root, within those bounds. */
  private static final long PIECE_BYTES_PER_ROOT = 1 << 11;

  /** What came of adding beside others. */
  private enum Added {
    ALL,
    /** There were no nodes for all. */
    NOTHING,
    /** Nothing yet: that is for one who is alone. */
    ONLY_ALONE;

    static Added of(boolean all) {
      return all ? ALL : NOTHING;
    }
  }

  private final TrieNodes nodes;
  private final TrieGuard guard;
  private final TrieLimit limit;
  private final Launcher launcher;
  private final boolean defers;
  private final Waiting waiting;
  private final int deviceThreads;
  private final Kept kept = new Kept();
  private final TrieScratch scratch = kept.scratch;

  /**
   * Texts for a trie.
   *
   * @param deviceThreads how many strips a long text is cut into, or device threads work on it; 0
   *     for what suits the launcher
   */
  TrieTexts(
      TrieNodes nodes,
      TrieGuard guard,
      TrieLimit limit,
      Launcher launcher,
      int deviceThreads,
      Waiting waiting) {
    this.nodes = nodes;
    this.guard = guard;
    this.limit = limit;
    this.launcher = launcher;
    this.deviceThreads = deviceThreads;
    this.waiting = waiting;
    this.defers = waiting.defers("WordTrie", launcher);
    kept.group = launcher.parts().size() > 1 ? new TrieGroup(nodes, launcher, waiting) : null;
  }

  Launcher launcher() {
    return launcher;
  }

  /** A trie of other nodes on another launcher, with the same settings. */
  WordTrie trieOf(TrieNodes others, Launcher on) {
    return new WordTrie(others, on, false, deviceThreads, waiting);
  }

  /** Adds the words of a text in UTF-8. */
  void add(byte[] text) {
    if (text.length < MIN_STRIP_BYTES) {
      addHere(text);
    } else {
      MemorySegment all = MemorySegment.ofArray(text);
      launch(text.length, cutter(all), build -> addAll(build, scratch.text(all), text.length));
    }
  }

  private void addHere(byte[] text) {
    addHere(
        TrieLimit.mostWords(text.length),
        () -> limit.isNear() ? Added.ONLY_ALONE : Added.of(TrieAdder.addText(nodes, text)),
        () -> TrieAdder.addText(nodes, text));
  }

  /** Adds a word, by its edges from the root, a number of times. */
  void add(byte[] path, long times) {
    addHere(times, () -> addBeside(path, times), () -> TrieAdder.addWord(nodes, path, times));
  }

  private Added addBeside(byte[] path, long times) {
    if (!limit.take(times)) {
      return Added.ONLY_ALONE;
    }
    Added added = Added.of(TrieAdder.addWord(nodes, path, times));
    if (added != Added.ALL) {
      limit.giveBack(times);
    }
    return added;
  }

  /**
   * Adds by the calling thread, again where there was no room and nothing was counted.
   *
   * @param words how many these are at most
   * @param beside adds beside others
   * @param alone adds where nobody else does, if there are nodes for all
   */
  private void addHere(long words, Supplier<Added> beside, BooleanSupplier alone) {
    Added added = Added.NOTHING;
    while (added == Added.NOTHING) {
      long[] full = new long[1];
      added =
          guard.add(
              () -> {
                full[0] = nodes.capacity();
                return beside.get();
              });
      if (added == Added.ONLY_ALONE) {
        addAlone(words, alone);
      } else if (added == Added.NOTHING) {
        growFrom(full[0]);
      }
    }
  }

  /** Adds where the words that there are come near the limit. */
  private void addAlone(long words, BooleanSupplier adding) {
    guard.change(
        () -> {
          limit.require(words);
          while (!adding.getAsBoolean()) {
            nodes.grow();
          }
          return this;
        });
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

  /**
   * Adds the words of a text of any length, in chunks that suit the launcher; on a device, of one
   * in memory, or one file, in pieces from there.
   */
  long add(TextSource text, ByteProgress progress) {
    if (!isOnJvm(launcher) && text.byteSize() > MIN_STRIP_BYTES) {
      try (Arena arena = Arena.ofShared()) {
        Optional<MemorySegment> all = inMemory(text, arena);
        if (all.isPresent()) {
          add(all.get(), progress);
          return all.get().byteSize();
        }
      }
    }
    long each = isOnJvm(launcher) ? TextChunks.DEFAULT_CHUNK_BYTES : DEVICE_CHUNK_BYTES;
    return add(text, each * launcher.parts().size(), progress);
  }

  private Optional<MemorySegment> inMemory(TextSource text, Arena arena) {
    try {
      return text.inMemory(arena);
    } catch (BadInputException e) {
      if (e.getCause() instanceof ClosedByInterruptException) {
        throw new LaunchCancelledException("BuildTrie", launcher.device(), e);
      }
      throw e;
    }
  }

  /**
   * Adds the words of a text of any length; returns how many bytes it had. While a device works on
   * a chunk, the next one is read, and sent as soon as it has been.
   */
  long add(TextSource text, long chunkBytes, ByteProgress progress) {
    Consumer<Memory> whenRead = kept.group == null ? launcher::prefetch : _ -> {};
    long counted = 0;
    try (TextChunks chunks =
        TextChunks.open(text, chunkBytes, nodes.alphabet()::separates, progress, whenRead)) {
      for (TextChunk chunk = next(chunks); chunk != null; chunk = next(chunks)) {
        TextChunk now = chunk;
        launch(
            now.length(),
            cutter(now.memory(), now.length()),
            build -> build.add(now.memory(), now.length(), shape(launcher, now.length())));
        counted += now.sourceBytes();
      }
      return chunks.sourceBytesDone();
    } catch (RuntimeException | Error e) {
      if (counted > 0 || (e instanceof GyreException g && g.soFar(Long.class).isPresent())) {
        fail(e, counted, text.byteSize());
      }
      throw e;
    }
  }

  /**
   * Has the trie refuse all that follows, and an exception of ours say how much is known.
   *
   * @param bytes of the text that are known to be counted
   * @param all bytes that it has; negative if that is not known
   */
  private void fail(Throwable e, long bytes, long all) {
    guard.fail(e);
    if (e instanceof GyreException failure) {
      String whole = all < 0 ? "" : " of " + all;
      failure.tell(
          bytes,
          "%d%s bytes of the text are known to be counted; the rest may be counted or not"
              .formatted(bytes, whole));
    }
  }

  /** The next chunk; an interrupt of the wait for it is reported as that of a launch. */
  private @Nullable TextChunk next(TextChunks chunks) {
    Span span = Span.waiting();
    try {
      TextChunk chunk = chunks.next();
      span.ended("text that is read");
      return chunk;
    } catch (CancellationException e) {
      if (!(e.getCause() instanceof InterruptedException)) {
        // Thrown by a listener to the progress.
        throw e;
      }
      throw new LaunchCancelledException("BuildTrie", launcher.device(), e);
    }
  }

  private void add(MemorySegment text, ByteProgress progress) {
    long length = text.byteSize();
    Cutter cutter = cutter(text);
    launch(length, cutter, build -> addPieces(build, cutter, length, progress));
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
    if (length > 0) {
      launch(length, cutter(text, length), build -> addAll(build, text, length));
    }
  }

  private void addAll(TrieBuild build, Memory text, long length) {
    if (isOnJvm(launcher) || (length <= pieceBytes(length) && !launcher.copiesInPlace(text))) {
      launcher.hostWrote(text);
      build.add(text, length, shape(launcher, length));
    } else {
      addPieces(build, cutter(text, length), length, ByteProgress.NONE);
    }
  }

  private void addPieces(TrieBuild build, Cutter cutter, long length, ByteProgress progress) {
    boolean _ = nodes.expect(TrieBuild.expectedSteps(length));
    long[] done = new long[1];
    scratch
        .pieces()
        .forEach(
            cutter.cut(pieceBytes(length), 1),
            0,
            launcher,
            (piece, bytes, launched) -> {
              build.add(piece, bytes, shape(launcher, bytes), launched);
              done[0] += bytes;
              progress.update(done[0], length);
            });
  }

  /** A way to cut a text. */
  private interface Cutter {

    /**
     * Cuts it.
     *
     * @param most length of a piece, but for words that are longer
     * @param takers how many take pieces
     */
    TextCuts cut(long most, int takers);
  }

  private Cutter cutter(MemorySegment text) {
    return (most, takers) -> new TextCuts(text, most, nodes.alphabet()::separates, takers);
  }

  private Cutter cutter(Memory text, long length) {
    return (most, takers) -> new TextCuts(text, length, most, nodes.alphabet()::separates, takers);
  }

  private static long pieceBytes(long length) {
    return Math.clamp(
        (long) (PIECE_BYTES_PER_ROOT * Math.sqrt((double) length)),
        MIN_PIECE_BYTES,
        DEVICE_CHUNK_BYTES);
  }

  /** Has the launcher work on a text; what fails after that has begun leaves a part out. */
  private void launch(long length, Cutter cutter, Consumer<TrieBuild> work) {
    guard.launch(
        () -> {
          if (Thread.currentThread().isInterrupted()) {
            throw new LaunchCancelledException("BuildTrie", launcher.device(), null);
          }
          if (limit.isNear()) {
            nodes.bringHome();
            nodes.gather();
            nodes.hostChanges();
            limit.require(TrieLimit.mostWords(length));
          }
          AtomicBoolean begun = new AtomicBoolean();
          AtomicLong counted = new AtomicLong();
          try {
            TrieGroup group = kept.group;
            if (group == null) {
              launch(work, begun, counted);
            } else {
              launchOnAll(group, cutter, length, begun, counted);
            }
          } catch (RuntimeException | Error e) {
            if (begun.get()) {
              fail(e, counted.get(), length);
            }
            throw e;
          } finally {
            scratch.dropLongText();
          }
          return this;
        });
  }

  private void launch(Consumer<TrieBuild> work, AtomicBoolean begun, AtomicLong counted) {
    TrieBuild build = new TrieBuild(launcher, nodes, letters(), scratch, defers);
    try {
      work.accept(build);
    } finally {
      begun.set(build.hasBegun());
      counted.set(build.counted());
    }
  }

  /** As many pieces as there are parts, at least, but of short texts. */
  private void launchOnAll(
      TrieGroup all, Cutter cutter, long length, AtomicBoolean begun, AtomicLong counted) {
    int parts = launcher.parts().size();
    long share = Math.ceilDiv(length, parts);
    long pieceBytes = Math.clamp(share, MIN_STRIP_BYTES, pieceBytes(length));
    TextCuts cuts = cutter.cut(pieceBytes, parts);
    all.add(
        cuts,
        length,
        letters(),
        this::shape,
        bytes -> {
          begun.set(true);
          counted.addAndGet(bytes);
        });
  }

  private static boolean isOnJvm(Launcher used) {
    return used.device().target() == Target.JVM;
  }

  /** Bytes that are kept for further texts. */
  long byteSize() {
    TrieGroup all = kept.group;
    return scratch.byteSize() + (all == null ? 0 : all.byteSize());
  }

  /** Keeps nothing for further texts. */
  void trim() {
    scratch.drop();
    TrieGroup group = kept.group;
    if (group != null) {
      group.trim();
    }
  }

  private static boolean isFew(Launcher used, long length) {
    return length <= TrieBuild.MOST_HERE
        && !new Waking(used.device().units()).pays(length * NANOS_PER_BYTE, true);
  }

  private LaunchShape shape(Launcher used, long length) {
    if (isOnJvm(used)) {
      return deviceThreads > 0
          ? LaunchShape.ofThreads(deviceThreads)
          : used.shapeFor(isFew(used, length) ? 1 : Math.max(1, length / MIN_STRIP_BYTES));
    }
    long most = used.device().units() * DEVICE_THREADS_PER_UNIT;
    int threads =
        deviceThreads > 0
            ? deviceThreads
            : (int) Math.clamp(KernelText.chunks(length) / CHUNKS_PER_DEVICE_THREAD, 1, most);
    // Whole blocks: each thread of a block has its part of all slots that the block has.
    int block = used.shapeFor(Integer.MAX_VALUE).blockSize();
    return new LaunchShape(Math.ceilDiv(threads, block), block);
  }

  /** What says which bytes are letters; see {@link dev.gyre.kernels.trie.Alphabet#table}. */
  Memory letters() {
    Memory made = kept.letters;
    if (made == null) {
      made = nodes.alphabet().table();
      kept.letters = made;
    }
    return made;
  }

  /** What is closed with this, or after the trie was dropped; it does not refer to this. */
  Kept kept() {
    return kept;
  }

  @Override
  public void close() {
    kept.close();
  }

  /** What is kept for further texts. */
  static final class Kept implements AutoCloseable {
    private final TrieScratch scratch = new TrieScratch();

    /** What the parts of the launcher work with, if it is a group. */
    private @Nullable TrieGroup group;

    // Made with the first long text: guarded by being alone.
    private @Nullable Memory letters;

    @Override
    public void close() {
      try (var _ = letters;
          var _ = group) {
        scratch.close();
      }
    }
  }
}
