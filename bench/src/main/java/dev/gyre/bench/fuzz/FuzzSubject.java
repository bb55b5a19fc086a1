package dev.gyre.bench.fuzz;

import java.io.IOException;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A structure, or a reader of files, with the operations that programs are made of. */
public interface FuzzSubject {

  /** As in {@code --only}. */
  String name();

  /** Each as often as it is to be drawn. */
  List<String> operations();

  /** A new one, empty, with a model beside it. */
  Run start(long seed, FuzzSetting setting) throws IOException;

  /** One structure and its model. */
  interface Run extends AutoCloseable {

    /**
     * Does it to both, and compares.
     *
     * @throws AssertionError if they differ
     */
    void step(FuzzStep step) throws IOException;

    @Override
    void close();
  }

  /** Fails unless what came is what the model says. */
  static void same(String what, @Nullable Object expected, Object actual) {
    if (!actual.equals(expected)) {
      throw new AssertionError(
          "%s: %s, not %s".formatted(what, shortened(actual), shortened(expected)));
    }
  }

  /** To a capacity that is refused where it is less than there are keys. */
  static void rehash(long capacity, int size, LongConsumer rehash) {
    try {
      rehash.accept(capacity);
      same("a capacity that is too small was taken", true, capacity >= size);
    } catch (IllegalArgumentException e) {
      same("refused: " + e.getMessage(), true, capacity < size);
    }
  }

  private static String shortened(@Nullable Object value) {
    String text = String.valueOf(value);
    return text.length() <= 400 ? text : text.substring(0, 400) + "...";
  }
}
