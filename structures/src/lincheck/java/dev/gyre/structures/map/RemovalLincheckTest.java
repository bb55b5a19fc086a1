package dev.gyre.structures.map;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * As {@link SingleKeyLincheckTest}, for maps from which keys are removed beside lookups, inserts,
 * updates, growth and rebuilds.
 */
class RemovalLincheckTest {

  private static final Launcher LAUNCHER = JvmLauncher.ofWorkers(1);

  /** What Lincheck calls. */
  @Param(name = "key", gen = IntGen.class, conf = "0:2")
  @Param(name = "value", gen = IntGen.class, conf = "1:3")
  public abstract static class Subject {

    // Few keys fill it: many keys that are new make it grow, or rebuild it.
    private final MapAdapter map;

    Subject(TableType<?, ? extends MapAdapter> type, Layout layout) {
      map =
          type.build(
              builder -> builder.launcher(LAUNCHER).layout(layout).capacity(2).seed(1).removable());
    }

    private static @Nullable Long boxed(OptionalLong value) {
      return value.isPresent() ? (Long) value.getAsLong() : null;
    }

    @Operation
    public @Nullable Long get(@Param(name = "key") int key) {
      return boxed(map.get(key));
    }

    @Operation
    public @Nullable Long putIfAbsent(
        @Param(name = "key") int key, @Param(name = "value") int value) {
      return boxed(map.putIfAbsent(key, value));
    }

    @Operation
    public @Nullable Long put(@Param(name = "key") int key, @Param(name = "value") int value) {
      return boxed(map.put(key, value));
    }

    @Operation
    public long add(@Param(name = "key") int key, @Param(name = "value") int value) {
      return map.merge(key, value, Apply.ADD);
    }

    @Operation
    public @Nullable Long remove(@Param(name = "key") int key) {
      return boxed(map.remove(key));
    }

    @Operation
    public boolean removeValue(@Param(name = "key") int key, @Param(name = "value") int value) {
      return map.remove(key, value);
    }

    @Operation
    public void grow() {
      map.rehash(map.capacity() + 1);
    }
  }

  /** Slots with a state. */
  public static class Lines extends Subject {
    public Lines() {
      super(LongMapAdapter.TYPE, Layout.LINE);
    }
  }

  /** Slots of one word. */
  public static class Packed extends Subject {
    public Packed() {
      super(IntMapAdapter.TYPE, Layout.PACKED);
    }
  }

  /** Texts. */
  public static class OfTexts extends Subject {
    public OfTexts() {
      super(TextMapAdapter.TYPE, Layout.LINE);
    }
  }

  /** Records in rows. */
  public static class OfRecords extends Subject {
    public OfRecords() {
      super(RecordMapAdapter.type(RecordNumbers.all().get(1)), Layout.REFERENCE);
    }
  }

  /** The same, by a map of the library. */
  public static class Sequential {
    private final Map<Integer, Long> map = new HashMap<>();

    public @Nullable Long get(int key) {
      return map.get(key);
    }

    public @Nullable Long putIfAbsent(int key, int value) {
      return map.putIfAbsent(key, (long) value);
    }

    public @Nullable Long put(int key, int value) {
      return map.put(key, (long) value);
    }

    public long add(int key, int value) {
      return map.merge(key, (long) value, Long::sum);
    }

    public @Nullable Long remove(int key) {
      return map.remove(key);
    }

    public boolean removeValue(int key, int value) {
      return map.remove(key, (long) value);
    }

    public void grow() {}
  }

  static Stream<Class<?>> subjects() {
    return Stream.of(Lines.class, Packed.class, OfTexts.class, OfRecords.class);
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void removalIsLinearizable(Class<?> subject) {
    new StressOptions()
        .iterations(Integer.getInteger("gyre.lincheck.iterations", 40))
        .invocationsPerIteration(500)
        .threads(3)
        .actorsPerThread(3)
        .sequentialSpecification(Sequential.class)
        .check(subject);
  }
}
