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
import dev.gyre.structures.OperationLock.Entry;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Additions of texts to a trie.
 *
 * <p>The calling thread adds short texts and single words, concurrently with other such threads.
 * All long texts go one way, through {@link #launch}: a {@link TrieGroup} adds a text in memory. A
 * text that is read arrives in chunks, one after another.
 */
final class TextIngest {

  /** Result of a concurrent addition. */
  private enum Added {
    ALL,
    /** The nodes did not suffice. */
    NOTHING,
    /** Nothing was added yet, because the addition needs exclusive access. */
    ONLY_ALONE
  }

  private final TrieNodes nodes;
  private final TrieLock guard;
  private final CountLimit limit;
  private final Launcher launcher;
  private final TrieGroup group;

  /** Creates the additions for a trie; a group adds the long texts. */
  TextIngest(TrieNodes nodes, TrieLock guard, CountLimit limit, TrieGroup group) {
    this.nodes = nodes;
    this.guard = guard;
    this.limit = limit;
    this.launcher = group.launcher();
    this.group = group;
  }

  /** Adds the words of a text in UTF-8. */
  void add(byte[] text) {
    if (text.length < TrieBuild.Shapes.MIN_STRIP_BYTES) {
      addHere(text);
    } else {
      launch(TrieGroup.Text.of(MemorySegment.ofArray(text)), ByteProgress.NONE);
    }
  }

  /** Adds the words of the first bytes of a memory. */
  void add(Memory text, long length) {
    if (length < 0 || length > text.byteSize()) {
      throw new IllegalArgumentException(
          "length must be from 0 to %d, the size of the memory, not %d"
              .formatted(text.byteSize(), length));
    }
    if (length > 0) {
      launch(TrieGroup.Text.of(text, length), ByteProgress.NONE);
    }
  }

  private void addHere(byte[] text) {
    addHere(0, CountLimit.mostWords(text.length), () -> TrieAdder.addText(nodes, text));
  }

  /** Adds a word, as edges from the root, a number of times. */
  void add(byte[] path, long times) {
    addHere(CountLimit.counted(times), times, () -> TrieAdder.addWord(nodes, path, times));
  }

  /**
   * Adds on the calling thread, and again if the nodes did not suffice and nothing was counted.
   *
   * @param given number of words that count toward the limit; 0 for a text, whose words do not
   * @param most largest number of words
   * @param adding adds the words if there are nodes for all
   */
  private void addHere(long given, long most, BooleanSupplier adding) {
    Added added = Added.NOTHING;
    while (added == Added.NOTHING) {
      long full = nodes.capacity();
      added = guard.add(() -> addConcurrently(given, adding));
      if (added == Added.ONLY_ALONE) {
        addAlone(most, adding);
      } else if (added == Added.NOTHING) {
        guard.growFrom(full);
      }
    }
  }

  private Added addConcurrently(long given, BooleanSupplier adding) {
    if (given == 0 ? limit.isNear() : !limit.take(given)) {
      return Added.ONLY_ALONE;
    }
    boolean all = adding.getAsBoolean();
    if (!all && given > 0) {
      limit.giveBack(given);
    }
    return all ? Added.ALL : Added.NOTHING;
  }

  /** Adds words when the number of words is near the limit. */
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

  /**
   * Adds the words of a text of any length: on a device, a text in memory or in one file is read in
   * place; otherwise in chunks that suit the launcher.
   */
  long add(TextSource text, ByteProgress progress) {
    if (!isOnJvm() && text.byteSize() > TrieBuild.Shapes.MIN_STRIP_BYTES) {
      try (Arena arena = Arena.ofShared()) {
        Optional<MemorySegment> all = inMemory(text, arena);
        if (all.isPresent()) {
          launch(TrieGroup.Text.of(all.get()), progress);
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
   * Adds the words of a text of any length; returns its number of bytes. While a device works on a
   * chunk, the next one is read, and then sent.
   */
  long add(TextSource text, long chunkBytes, ByteProgress progress) {
    Consumer<Memory> whenRead = group.isSeveral() ? _ -> {} : launcher::prefetch;
    long counted = 0;
    try (TextChunks chunks =
        TextChunks.open(text, chunkBytes, nodes.alphabet()::separates, progress, whenRead)) {
      for (TextChunk chunk = next(chunks); chunk != null; chunk = next(chunks)) {
        launch(TrieGroup.Text.of(chunk), ByteProgress.NONE);
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
   * Makes the trie refuse all later operations, and adds to an exception how much is known to be
   * counted.
   *
   * @param bytes number of bytes of the text that are known to be counted
   * @param all number of bytes of the text; negative if unknown
   */
  private void fail(Throwable e, long bytes, long all) {
    guard.fail(e);
    if (e instanceof GyreException failure) {
      String whole = all < 0 ? "" : " of " + all;
      failure.attach(
          bytes,
          "%d%s bytes of the text are known to be counted; the rest may be counted or not",
          bytes,
          whole);
    }
  }

  /**
   * Returns the next chunk; an interrupt of the wait for it is reported like an interrupt of a
   * launch.
   */
  private @Nullable TextChunk next(TextChunks chunks) {
    Span span = Span.waiting();
    try {
      TextChunk chunk = chunks.next();
      span.ended("text that is read");
      return chunk;
    } catch (CancellationException e) {
      if (!(e.getCause() instanceof InterruptedException)) {
        // A progress listener threw this.
        throw e;
      }
      throw new LaunchCancelledException("BuildTrie", launcher.device(), e);
    }
  }

  /** Launches the addition of a text. If it fails after it has begun, a part is missing. */
  private void launch(TrieGroup.Text text, ByteProgress progress) {
    try (Entry _ = guard.enter();
        TrieLock.Change _ = guard.changing()) {
      if (Thread.currentThread().isInterrupted()) {
        throw new LaunchCancelledException("BuildTrie", launcher.device(), null);
      }
      if (limit.isNear()) {
        nodes.bringHome();
        nodes.gather();
        nodes.hostChanges();
        limit.require(CountLimit.mostWords(text.length()));
      }
      TrieBuild.Counted counted = new TrieBuild.Counted();
      try {
        group.add(text, progress, counted);
      } catch (RuntimeException | Error e) {
        if (counted.begun) {
          fail(e, counted.bytes.get(), text.length());
        }
        throw e;
      }
    }
  }

  private boolean isOnJvm() {
    return launcher.device().target() == Target.JVM;
  }
}
