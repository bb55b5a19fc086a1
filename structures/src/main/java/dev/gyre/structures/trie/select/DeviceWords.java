package dev.gyre.structures.trie.select;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.kernels.ChainLink;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.trie.select.ChooseWords;
import dev.gyre.kernels.trie.select.FindNode;
import dev.gyre.kernels.trie.select.NoteParents;
import dev.gyre.kernels.trie.select.Paths;
import dev.gyre.kernels.trie.select.Survey;
import dev.gyre.kernels.trie.select.SurveyWords;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Has a device answer how many words there are and which are the most frequent, where the nodes of
 * a trie are. For 10^7 nodes, of 1.3 GB, bringing them home takes 25 to 50 ms over the bus, and the
 * device reads them in a few milliseconds. Questions for all words have the nodes brought home: it
 * takes the host longer to make the words.
 *
 * <p>There is no answer if the nodes had better come home: if questions go on with no change to the
 * trie, if too many words are as frequent, if words are very long, and if the device has not the
 * memory or the thread is interrupted. Memory for answers is kept. Thread-safe: one question is
 * answered at a time. Words may be added between the launches of one question: they, and what they
 * count, are met or not.
 */
public final class DeviceWords implements AutoCloseable {

  /** How many words are found, and how often all of them. */
  public record Totals(long distinct, long all) {}

  /** About as many questions cost as much as to bring the nodes home. */
  private static final int MOST_QUESTIONS = 32;

  /** The most words that come home beside those that are asked for. */
  private static final long MOST_EQUALS = 1 << 14;

  /** The most words that arrays hold. */
  private static final long MOST_WORDS = 1 << 27;

  /** Longs of the steps of a word at first; where they do not do, words are chosen once more. */
  private static final int LONGS_PER_WORD = 2;

  private static final int MOST_TRIES = 4;
  private static final int ZEROED_CELLS = Survey.TOO_LONG + 1 - Survey.CHOSEN;
  private static final LaunchShape ONE = LaunchShape.ofThreads(1);

  // Guarded by this.
  private final KeptMemories kept = new KeptMemories();
  private long change = -1;
  private int questions;

  /**
   * How many words begin with a prefix.
   *
   * @param changes another number after each change of the trie
   * @param prefix the edges that lead to it
   */
  public Optional<Totals> totals(DeviceNodes nodes, long changes, byte[] prefix) {
    return answer(
        changes,
        () -> {
          Query query = new Query(nodes, prefix);
          return Optional.of(
              new Totals(query.surveyed(Survey.DISTINCT), query.surveyed(Survey.TOTAL)));
        });
  }

  /**
   * The most frequent words that begin with a prefix and, in no particular order, others that are
   * about as frequent as the last of them.
   *
   * @param limit how many are asked for
   */
  public Optional<ChosenWords> top(DeviceNodes nodes, long changes, byte[] prefix, long limit) {
    return answer(
        changes,
        () -> {
          Query query = new Query(nodes, prefix);
          int bucket = Survey.BUCKETS;
          long words = 0;
          while (bucket > 1 && words < limit) {
            bucket--;
            words += query.surveyed(Survey.BUCKETS_FROM + bucket);
          }
          return words - limit > MOST_EQUALS
              ? Optional.empty()
              : query.choose(words, Survey.floor(bucket));
        });
  }

  private synchronized <T> Optional<T> answer(long changes, Supplier<Optional<T>> question) {
    questions = changes == change ? questions + 1 : 0;
    change = changes;
    if (questions >= MOST_QUESTIONS || Thread.currentThread().isInterrupted()) {
      return Optional.empty();
    }
    try {
      return question.get();
    } catch (LaunchCancelledException e) {
      // By an interrupt, with which questions are answered all the same.
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (MemoryExhaustedException e) {
      return Optional.empty();
    } catch (LaunchException e) {
      if (e.getCause() instanceof MemoryExhaustedException) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Bytes that are kept for further questions. */
  public long byteSize() {
    return kept.byteSize();
  }

  /** Keeps nothing for further questions. */
  public synchronized void trim() {
    kept.drop();
  }

  @Override
  public synchronized void close() {
    kept.close();
  }

  /** One question: the words that begin with a prefix were surveyed, and marked. */
  private final class Query {

    private final DeviceNodes nodes;
    private final Launcher launcher;
    private final Paths paths;
    private final Memory survey;
    private final LaunchShape shape;

    Query(DeviceNodes nodes, byte[] prefix) {
      this.nodes = nodes;
      this.launcher = nodes.launcher();
      this.shape = launcher.shapeFor(nodes.capacity());
      Memory parents = kept.memory(0, nodes.capacity() * Integer.BYTES, launcher);
      this.paths = new Paths(nodes.edges(), nodes.nodeShift(), DeviceInts.of(parents));
      this.survey = kept.survey(Survey.LONGS, launcher);
      DeviceLongs cells = DeviceLongs.of(survey);
      if (prefix.length > 0) {
        run(new FindNode(paths, Bytes.of(kept.steps(prefix, launcher)), prefix.length, cells), ONE);
      }
      run(new NoteParents(paths, nodes.capacity(), nodes.bump(), cells), shape);
      launcher.runChain(
          List.of(new ChainLink(new SurveyWords(paths, nodes.counts(), cells), shape)), survey);
    }

    private void run(Kernel kernel, LaunchShape of) {
      launcher.run(kernel, of);
    }

    long surveyed(int cell) {
      return survey.segment().getAtIndex(ValueLayout.JAVA_LONG, cell);
    }

    /**
     * Words that are frequent enough.
     *
     * @param words how many there were
     */
    Optional<ChosenWords> choose(long words, long floor) {
      if (words == 0) {
        return Optional.of(ChosenWords.none());
      }
      long room = words;
      long longs = room * (2 + LONGS_PER_WORD);
      for (int tries = 0; tries < MOST_TRIES && room <= MOST_WORDS; tries++) {
        Memory out = kept.memory(1, longs * Long.BYTES, launcher);
        survey
            .segment()
            .asSlice((long) Survey.CHOSEN * Long.BYTES, ZEROED_CELLS * 8L)
            .fill((byte) 0);
        launcher.hostWrote(survey);
        ChooseWords kernel =
            new ChooseWords(
                paths,
                nodes.counts(),
                floor,
                DeviceLongs.of(out),
                Bytes.of(out),
                room,
                longs,
                DeviceLongs.of(survey));
        launcher.runChain(List.of(new ChainLink(kernel, shape)), survey);
        if (surveyed(Survey.TOO_LONG) > 0) {
          return Optional.empty();
        }
        long chosen = surveyed(Survey.CHOSEN);
        long steps = surveyed(Survey.STEP_LONGS);
        if (chosen <= room && 2 * room + steps <= longs) {
          return Optional.of(bring(out, (int) chosen, (int) room, (int) steps));
        }
        room = Math.max(room, chosen);
        longs = Math.max(longs, 2 * room + steps);
      }
      return Optional.empty();
    }

    private ChosenWords bring(Memory out, int chosen, int room, int steps) {
      long[] words = new long[2 * room];
      byte[] letters = new byte[steps * Long.BYTES];
      long first = words.length * (long) Long.BYTES;
      launcher.readBack(out.first(first + letters.length));
      MemorySegment home = out.segment();
      MemorySegment.copy(home, ValueLayout.JAVA_LONG, 0, words, 0, words.length);
      MemorySegment.copy(home, ValueLayout.JAVA_BYTE, first, letters, 0, letters.length);
      return new ChosenWords(chosen, words, letters);
    }
  }
}
