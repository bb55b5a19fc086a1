package dev.gyre.structures.trie;

import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.Memory;
import dev.gyre.datasets.BadInputException;
import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.TextChunk;
import dev.gyre.datasets.TextChunks;
import dev.gyre.datasets.TextSource;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.events.Span;
import dev.gyre.structures.TextCuts;
import dev.gyre.structures.Waiting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Adds texts to a trie.
 *
 * <p>The calling thread adds short texts and single words, beside others that do. All long texts go
 * one way, by {@link #launch}: a text in memory is added by the launcher, in pieces if it is on a
 * device, and by all launchers of a group. A text that is read comes as one chunk after another.
 */
final class TextIngest implements AutoCloseable {

  /** What came of adding beside others. */
  private enum Added {
    ALL,
    /** There were no nodes for all. */
    NOTHING,
    /** Nothing yet: that is for one who is alone. */
    ONLY_ALONE
  }

  private final TrieNodes nodes;
  private final TrieGuard guard;
  private final CountLimit limit;
  private final Launcher launcher;
  private final boolean defers;
  private final Waiting waiting;
  private final TrieBuild.Shapes shapes;
  private final Kept kept = new Kept();
  private final TrieScratch scratch = kept.scratch;

  /**
   * Texts for a trie.
   *
   * @param deviceThreads how many strips a long text is cut into, or device threads work on it; 0
   *     for what suits the launcher
   */
  TextIngest(
      TrieNodes nodes,
      TrieGuard guard,
      CountLimit limit,
      Launcher launcher,
      int deviceThreads,
      Waiting waiting) {
    this.nodes = nodes;
    this.guard = guard;
    this.limit = limit;
    this.launcher = launcher;
    this.shapes = new TrieBuild.Shapes(deviceThreads);
    this.waiting = waiting;
    this.defers = waiting.defers("WordTrie", launcher);
    kept.group = launcher.parts().size() > 1 ? new TrieGroup(nodes, launcher, waiting) : null;
  }

  Launcher launcher() {
    return launcher;
  }

  /** A trie of other nodes on another launcher, with the same settings. */
  WordTrie trieOf(TrieNodes others, Launcher on) {
    return new WordTrie(others, on, false, shapes.deviceThreads(), waiting);
  }

  /** Adds the words of a text in UTF-8. */
  void add(byte[] text) {
    if (text.length < TrieBuild.Shapes.MIN_STRIP_BYTES) {
      addHere(text);
    } else {
      launch(Text.of(MemorySegment.ofArray(text)), ByteProgress.NONE);
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
    if (length > 0) {
      launch(Text.of(text, length), ByteProgress.NONE);
    }
  }

  private void addHere(byte[] text) {
    addHere(0, CountLimit.mostWords(text.length), () -> TrieAdder.addText(nodes, text));
  }

  /** Adds a word, by its edges from the root, a number of times. */
  void add(byte[] path, long times) {
    addHere(times, times, () -> TrieAdder.addWord(nodes, path, times));
  }

  /**
   * Adds by the calling thread, again if there were no nodes and nothing was counted.
   *
   * @param given words that are taken from the limit; 0 for a text, which is not asked for its own
   * @param most how many words these are at most
   * @param adding adds if there are nodes for all
   */
  private void addHere(long given, long most, BooleanSupplier adding) {
    Added added = Added.NOTHING;
    while (added == Added.NOTHING) {
      long full = nodes.capacity();
      added = guard.add(() -> addBeside(given, adding));
      if (added == Added.ONLY_ALONE) {
        addAlone(most, adding);
      } else if (added == Added.NOTHING) {
        growFrom(full);
      }
    }
  }

  private Added addBeside(long given, BooleanSupplier adding) {
    if (given == 0 ? limit.isNear() : !limit.take(given)) {
      return Added.ONLY_ALONE;
    }
    boolean all = adding.getAsBoolean();
    if (!all && given > 0) {
      limit.giveBack(given);
    }
    return all ? Added.ALL : Added.NOTHING;
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
   * Adds the words of a text of any length: on a device, of one that is in memory or one file, from
   * there, else in chunks that suit the launcher.
   */
  long add(TextSource text, ByteProgress progress) {
    if (!isOnJvm() && text.byteSize() > TrieBuild.Shapes.MIN_STRIP_BYTES) {
      try (Arena arena = Arena.ofShared()) {
        Optional<MemorySegment> all = inMemory(text, arena);
        if (all.isPresent()) {
          launch(Text.of(all.get()), progress);
          return all.get().byteSize();
        }
      }
    }
    long each = isOnJvm() ? TextChunks.DEFAULT_CHUNK_BYTES : TrieBuild.Shapes.DEVICE_CHUNK_BYTES;
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
        launch(Text.of(chunk), ByteProgress.NONE);
        counted += chunk.sourceBytes();
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

  /**
   * A text in memory.
   *
   * @param memory where the text is, from the first byte on; null if that is no memory of ours
   * @param isChunk whether the launcher was told of it, and takes it as a whole
   */
  private record Text(MemorySegment bytes, @Nullable Memory memory, boolean isChunk) {

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

  /** Cuts a text into pieces, of which so many takers take one after another. */
  private TextCuts cut(Text text, long pieceBytes, int takers) {
    return new TextCuts(
        text.bytes(), text.memory(), pieceBytes, nodes.alphabet()::separates, takers);
  }

  /** What builds have counted of a text. */
  private static final class Counted {
    private boolean begun;
    private long bytes;

    synchronized void add(TrieBuild build) {
      begun |= build.hasBegun();
      bytes += build.counted();
    }
  }

  /** Has the launcher work on a text; what fails after that has begun leaves a part out. */
  private void launch(Text text, ByteProgress progress) {
    guard.launch(
        () -> {
          if (Thread.currentThread().isInterrupted()) {
            throw new LaunchCancelledException("BuildTrie", launcher.device(), null);
          }
          if (limit.isNear()) {
            nodes.bringHome();
            nodes.gather();
            nodes.hostChanges();
            limit.require(CountLimit.mostWords(text.length()));
          }
          Counted counted = new Counted();
          try {
            TrieGroup group = kept.group;
            if (group == null) {
              add(text, progress, counted);
            } else {
              addOnAll(group, text, counted);
            }
          } catch (RuntimeException | Error e) {
            if (counted.begun) {
              fail(e, counted.bytes, text.length());
            }
            throw e;
          } finally {
            scratch.dropLongText();
          }
          return this;
        });
  }

  private void add(Text text, ByteProgress progress, Counted counted) {
    TrieBuild build = new TrieBuild(launcher, nodes, letters(), scratch, defers);
    try {
      if (isOnJvm() || isOnePiece(text)) {
        Memory memory = text.memory() == null ? scratch.text(text.bytes()) : text.memory();
        if (!text.isChunk()) {
          launcher.hostWrote(memory);
        }
        build.add(memory, text.length(), shapes.shape(launcher, text.length()), () -> {});
      } else {
        addPieces(build, text, progress);
      }
    } finally {
      counted.add(build);
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

  private void addPieces(TrieBuild build, Text text, ByteProgress progress) {
    long length = text.length();
    boolean _ = nodes.expect(TrieBuild.expectedSteps(length));
    scratch
        .pieces()
        .forEach(
            cut(text, TrieBuild.Shapes.pieceBytes(length), 1),
            0,
            launcher,
            (piece, bytes, launched) -> {
              build.add(piece, bytes, shapes.shape(launcher, bytes), launched);
              progress.update(build.counted(), length);
            });
  }

  /** As many pieces as there are parts, at least, but of short texts. */
  private void addOnAll(TrieGroup all, Text text, Counted counted) {
    int parts = launcher.parts().size();
    long share = Math.ceilDiv(text.length(), parts);
    long pieceBytes =
        Math.clamp(
            share, TrieBuild.Shapes.MIN_STRIP_BYTES, TrieBuild.Shapes.pieceBytes(text.length()));
    all.add(cut(text, pieceBytes, parts), text.length(), letters(), shapes, counted::add);
  }

  private boolean isOnJvm() {
    return launcher.device().target() == Target.JVM;
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
