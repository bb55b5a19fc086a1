package dev.gyre.structures.map;

import java.util.Arrays;

/**
 * Applies many values to a map, from one thread, where keys come again soon: values of equal keys
 * are combined here first, and only what they amount to goes to the map, by the batch.
 *
 * <pre>{@code
 * try (var counts = new TextCombiner(map, Apply.ADD)) {
 *   for (...) {
 *     counts.add(text, from, to, 1);
 *   }
 * }
 * }</pre>
 *
 * <p>Short keys are looked for in a table of this thread's own, in one place each; a key that
 * another one drives out of its place goes to the map. So the words that make up most of a text
 * cost neither an atomic operation nor a miss of the cache. The map has all values after {@link
 * #flush} or {@link #close}. Any number of threads may do this to one map, each with a combiner of
 * its own; not thread-safe.
 */
public final class TextCombiner implements AutoCloseable {

  private static final int BATCH = 1 << 12;

  /** Longest key that has a place: one of two words. */
  private static final int MAX_LENGTH = 2 * Long.BYTES;

  private static final int PLACE_BITS = 13;

  // Longs of a place. All are 0 where there is no key.
  private static final int FIRST = 0;
  private static final int SECOND = 1;
  private static final int LENGTH_AND_ONE = 2;
  private static final int VALUE = 3;
  private static final int PLACE_LONGS = 4;

  private static final long FIRST_FACTOR = 0x9e3779b97f4a7c15L;
  private static final long SECOND_FACTOR = 0xd6e8feb86659fd93L;

  private final TextLongMap map;
  private final Apply apply;
  private final long[] places = new long[PLACE_LONGS << PLACE_BITS];
  private final TextKeys keys = new TextKeys();
  private final long[] values = new long[BATCH];
  private InsertCounts counts = new InsertCounts(0, 0, 0);

  /**
   * A combiner for a map, which stays the caller's to close.
   *
   * @param apply what is made of the value of a key and another one
   */
  public TextCombiner(TextLongMap map, Apply apply) {
    this.map = map;
    this.apply = apply;
  }

  /** {@link #add(byte[], int, int, long)} of a string, as UTF-8. */
  public void add(String key, long value) {
    byte[] bytes = TextBytes.of(key);
    add(bytes, 0, bytes.length, value);
  }

  /**
   * Applies a value to that of a key, now or later.
   *
   * @param to the first byte after the key
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not the memory for the map to
   *     grow; this key is not taken then, and what was added before is applied by a later call
   */
  public void add(byte[] key, int from, int to, long value) {
    int length = to - from;
    if (length > MAX_LENGTH || length < 0) {
      sendIfFull();
      keys.add(key, from, to);
      values[keys.count() - 1] = value;
      return;
    }
    boolean oneWord = length <= Long.BYTES;
    long first = oneWord ? TextBytes.lastWord(key, from, to) : TextBytes.word(key, from);
    long second = oneWord ? 0 : TextBytes.lastWord(key, from + Long.BYTES, to);
    long hash = (first * FIRST_FACTOR) ^ (second * SECOND_FACTOR);
    int place = PLACE_LONGS * (int) ((hash * FIRST_FACTOR) >>> (Long.SIZE - PLACE_BITS));
    if (places[place + FIRST] == first
        && places[place + SECOND] == second
        && places[place + LENGTH_AND_ONE] == length + 1L) {
      places[place + VALUE] = apply.result(places[place + VALUE], value);
      return;
    }
    driveOut(place);
    places[place + FIRST] = first;
    places[place + SECOND] = second;
    places[place + LENGTH_AND_ONE] = length + 1L;
    places[place + VALUE] = value;
  }

  /** Has the key of a place, if there is one, go to the map with the next batch. */
  private void driveOut(int place) {
    int length = (int) places[place + LENGTH_AND_ONE] - 1;
    if (length < 0) {
      return;
    }
    sendIfFull();
    keys.add(places[place + FIRST], places[place + SECOND], length);
    values[keys.count() - 1] = places[place + VALUE];
    places[place + LENGTH_AND_ONE] = 0;
  }

  private void sendIfFull() {
    if (keys.count() == BATCH) {
      send();
    }
  }

  private void send() {
    int count = keys.count();
    byte[] outcomes = new byte[count];
    boolean done = false;
    try {
      InsertCounts sent =
          map.insertOrApply(
              keys,
              Longs.of(Arrays.copyOf(values, count)),
              apply,
              BulkOptions.NONE.outcomes(outcomes));
      counts =
          new InsertCounts(
              counts.inserted() + sent.inserted(),
              counts.present() + sent.present(),
              counts.full() + sent.full());
      done = true;
    } finally {
      if (!done) {
        keepSkipped(outcomes);
      }
    }
    keys.clear();
  }

  /** Leaves in the batch what was not tried. */
  private void keepSkipped(byte[] outcomes) {
    byte[][] all = new byte[outcomes.length][];
    Arrays.setAll(all, keys::bytes);
    keys.clear();
    for (int i = 0; i < outcomes.length; i++) {
      if (outcomes[i] == Outcome.SKIPPED.code()) {
        values[keys.count()] = values[i];
        keys.add(all[i], 0, all[i].length);
      }
    }
  }

  /**
   * Applies all that was added.
   *
   * @return what became of the keys that went to the map since the last call; equal ones may have
   *     gone there more than once
   */
  public InsertCounts flush() {
    for (int place = 0; place < places.length; place += PLACE_LONGS) {
      driveOut(place);
    }
    send();
    InsertCounts all = counts;
    counts = new InsertCounts(0, 0, 0);
    return all;
  }

  /** Applies all that was added, and frees the memory; further calls do nothing. */
  @Override
  public void close() {
    if (!keys.isClosed()) {
      try {
        var _ = flush();
      } finally {
        keys.close();
      }
    }
  }
}
