package dev.gyre.structures.trie;

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
import dev.gyre.kernels.trie.select.NoteParents;
import dev.gyre.kernels.trie.select.Paths;
import dev.gyre.kernels.trie.select.Survey;
import dev.gyre.kernels.trie.select.SurveyWords;
import dev.gyre.structures.MemoryCache;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Queries that a device answers where the nodes of a trie are: how many words there are, and which
 * are the most frequent. To copy 10^7 nodes, which take 1.3 GB, to the host takes 25 to 50 ms; the
 * device reads them in a few milliseconds. Other queries copy the nodes.
 *
 * <p>There is no answer if it is better to copy the nodes: if many queries follow without a change
 * of the trie, if too many words are equally frequent, if words are very long, if the device has
 * not enough memory, or if the thread is interrupted. Memory for answers is kept.
 *
 * <p>Thread-safe: queries are answered one at a time. The nodes stay on the device meanwhile. Words
 * that are added between the launches of a query may or may not be included.
 */
final class DeviceQueries implements AutoCloseable {

  /** Approximate number of queries that take as long as to copy the nodes. */
  private static final int MOST_QUESTIONS = 32;

  /** Largest number of words that are copied in addition to the requested ones. */
  private static final long MOST_EQUALS = 1 << 14;

  /** Largest number of words in an array. */
  private static final long MOST_WORDS = 1 << 27;

  /**
   * Initial number of longs for the steps of a word; if they do not suffice, words are chosen
   * again.
   */
  private static final int LONGS_PER_WORD = 2;

  private static final int MOST_TRIES = 4;
  private static final int ZEROED_CELLS = Survey.TOO_LONG + 1 - Survey.CHOSEN;

  // Indexes of memories.
  private static final int PARENTS = 0;
  private static final int OUT = 1;
  private static final int SURVEY = 2;

  private final TrieNodes nodes;
  private final MemoryCache kept = new MemoryCache(SURVEY + 1);

  // Guarded by this.
  private long change = -1;
  private int questions;

  DeviceQueries(TrieNodes nodes) {
    this.nodes = nodes;
  }

  /**
   * Returns the number of words.
   *
   * @param on launcher whose device has the nodes
   * @param changes a number that differs after each change of the trie
   */
  Optional<TrieSums.Totals> totals(Launcher on, long changes) {
    return answer(
        on,
        changes,
        query ->
            Optional.of(
                new TrieSums.Totals(
                    query.surveyed(Survey.DISTINCT), query.surveyed(Survey.TOTAL))));
  }

  /** Returns the most frequent words, in the order of WordCount.BY_COUNT. */
  Optional<List<WordCount>> top(Launcher on, long changes, int limit) {
    return limit == 0 ? Optional.of(List.of()) : answer(on, changes, query -> query.top(limit));
  }

  private synchronized <T> Optional<T> answer(
      Launcher on, long changes, Function<Query, Optional<T>> question) {
    questions = changes == change ? questions + 1 : 0;
    change = changes;
    if (questions >= MOST_QUESTIONS || Thread.currentThread().isInterrupted()) {
      return Optional.empty();
    }
    try {
      return question.apply(new Query(on));
    } catch (LaunchCancelledException e) {
      if (!Thread.currentThread().isInterrupted()) {
        throw e;
      }
      // An interrupt, whose status is kept, does not end a query.
    } catch (MemoryExhaustedException e) {
      // The host may have enough memory.
    } catch (LaunchException e) {
      if (!(e.getCause() instanceof MemoryExhaustedException)) {
        throw e;
      }
    }
    return Optional.empty();
  }

  /** Returns the size of the memory that is kept for further queries, in bytes. */
  long byteSize() {
    return kept.byteSize();
  }

  /** Frees the memory that is kept for further queries. */
  synchronized void trim() {
    kept.drop();
  }

  @Override
  public synchronized void close() {
    kept.close();
  }

  /** Query: the words are surveyed first. */
  private final class Query {

    private final Launcher launcher;
    private final Memory survey;
    private final LaunchShape shape;

    Query(Launcher launcher) {
      this.launcher = launcher;
      this.shape = launcher.shapeFor(nodes.capacity());
      this.survey = kept.get(SURVEY, (long) Survey.LONGS * Long.BYTES);
      survey.segment().fill((byte) 0);
      launcher.hostWrote(survey);
      runTo(
          new SurveyWords(
              nodes.counts(), nodes.nodeShift(), nodes.capacity(), nodes.bump(), cells()));
    }

    private DeviceLongs cells() {
      return DeviceLongs.of(survey);
    }

    /** Runs a kernel, and reads the survey. */
    private void runTo(Kernel kernel) {
      launcher.runChain(List.of(new ChainLink(kernel, shape)), survey);
    }

    long surveyed(int cell) {
      return survey.segment().getAtIndex(ValueLayout.JAVA_LONG, cell);
    }

    Optional<List<WordCount>> top(int limit) {
      int bucket = Survey.BUCKETS;
      long words = 0;
      while (bucket > 1 && words < limit) {
        bucket--;
        words += surveyed(Survey.BUCKETS_FROM + bucket);
      }
      if (words == 0) {
        return Optional.of(List.of());
      }
      return words - limit > MOST_EQUALS
          ? Optional.empty()
          : choose(words, Survey.floor(bucket), limit);
    }

    /**
     * Returns the words that are frequent enough.
     *
     * @param words expected number of words
     */
    private Optional<List<WordCount>> choose(long words, long floor, int limit) {
      Memory parents = kept.get(PARENTS, nodes.capacity() * Integer.BYTES, launcher::clear);
      Paths paths = new Paths(nodes.edges(), nodes.nodeShift(), DeviceInts.of(parents));
      launcher.run(new NoteParents(paths, cells()), shape);
      long capacity = words;
      long longs = capacity * (2 + LONGS_PER_WORD);
      for (int tries = 0; tries < MOST_TRIES && capacity <= MOST_WORDS; tries++) {
        Memory out = kept.get(OUT, longs * Long.BYTES, launcher::clear);
        survey
            .segment()
            .asSlice((long) Survey.CHOSEN * Long.BYTES, ZEROED_CELLS * 8L)
            .fill((byte) 0);
        launcher.hostWrote(survey);
        runTo(
            new ChooseWords(
                paths,
                nodes.counts(),
                floor,
                DeviceLongs.of(out),
                Bytes.of(out),
                capacity,
                longs,
                cells()));
        if (surveyed(Survey.TOO_LONG) > 0) {
          return Optional.empty();
        }
        long chosen = surveyed(Survey.CHOSEN);
        long used = 2 * capacity + surveyed(Survey.STEP_LONGS);
        if (chosen <= capacity && used <= longs) {
          launcher.readBack(out.first(used * Long.BYTES));
          return Optional.of(first(out.segment(), (int) chosen, limit));
        }
        capacity = Math.max(capacity, chosen);
        longs = Math.max(longs, used);
      }
      return Optional.empty();
    }

    private List<WordCount> first(MemorySegment home, int chosen, int limit) {
      return IntStream.range(0, chosen)
          .mapToObj(word -> word(home, word))
          .sorted(WordCount.BY_COUNT)
          .limit(limit)
          .toList();
    }

    private WordCount word(MemorySegment home, long word) {
      long place = home.getAtIndex(ValueLayout.JAVA_LONG, 2 * word + 1);
      byte[] path = new byte[(int) place & ((1 << ChooseWords.DEPTH_BITS) - 1)];
      long from = (place >> ChooseWords.DEPTH_BITS) * Long.BYTES;
      MemorySegment.copy(home, ValueLayout.JAVA_BYTE, from, path, 0, path.length);
      return new WordCount(nodes.word(path), home.getAtIndex(ValueLayout.JAVA_LONG, 2 * word));
    }
  }
}
