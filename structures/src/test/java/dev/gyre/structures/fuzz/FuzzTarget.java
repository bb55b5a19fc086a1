package dev.gyre.structures.fuzz;

import dev.gyre.structures.Checks;
import dev.gyre.structures.map.TableAdapter;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongConsumer;

/** A structure, or a reader of files, with the operations that programs are made of. */
public interface FuzzTarget {

  /** In place of the value of a key that is met twice. */
  long TWICE = 0x7171_7171_7171_7171L;

  /** As in {@code --only}. */
  String name();

  /** The words of a text. */
  static List<String> words(String text) {
    return List.of(text.strip().split("\\s+"));
  }

  /** Each as often as it is to be drawn. */
  List<String> operations();

  /** How many keys a step of it has at most. */
  default int mostKeys() {
    return 4_000;
  }

  /** A new one, empty, with a model beside it. */
  Run start(long seed, FuzzSetting setting) throws IOException;

  /** One structure and its model. */
  interface Run extends AutoCloseable {

    /**
     * Does it to both, and compares what it answers.
     *
     * @throws AssertionError if they differ
     */
    void step(FuzzStep step) throws IOException;

    /**
     * Compares all that is in both.
     *
     * @throws AssertionError if they differ
     */
    default void compare() {
      // Where nothing is kept, answers are all there is.
    }

    @Override
    void close();
  }

  /** Fails unless both have the same entries, and names one that differs. */
  static <K, V> void sameEntries(String what, Map<K, V> expected, Map<K, V> actual) {
    if (!actual.equals(expected)) {
      Set<K> keys = new HashSet<>(expected.keySet());
      keys.addAll(actual.keySet());
      K key =
          keys.stream()
              .filter(k -> !Objects.equals(expected.get(k), actual.get(k)))
              .findFirst()
              .orElseThrow();
      throw new AssertionError(
          "%s: %d entries, not %d; of %s %s, not %s"
              .formatted(
                  what, actual.size(), expected.size(), key, actual.get(key), expected.get(key)));
    }
  }

  /** Fails unless there is capacity for all keys. */
  static void room(TableAdapter table) {
    long capacity = table.capacity();
    Checks.same("room for all", true, capacity > 0 && capacity >= table.size());
    Checks.same("bytes", true, table.byteSize() > 0);
  }

  /** To a capacity that is refused where it is less than there are keys. */
  static void rehash(long capacity, int size, LongConsumer rehash) {
    try {
      rehash.accept(capacity);
      Checks.same("a capacity that is too small was taken", true, capacity >= size);
    } catch (IllegalArgumentException e) {
      Checks.same("refused: " + e.getMessage(), true, capacity < size);
    }
  }
}
