package dev.gyre.structures.map;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Operations on single keys, with growth beside them, are linearizable: Lincheck runs random ones
 * in threads, and looks for an order of them in which a map of the library gives the same results.
 */
@Param(name = "key", gen = IntGen.class, conf = "1:4")
@Param(name = "value", gen = IntGen.class, conf = "1:3")
public class SingleKeyLincheckTest {

  private static final Launcher LAUNCHER = JvmLauncher.ofWorkers(1);

  // One key fills it: nearly every key that is new makes it grow.
  private final LongLongMap map =
      LongLongMap.builder().launcher(LAUNCHER).capacity(1).seed(1).build();

  private static @Nullable Long boxed(OptionalLong value) {
    return value.isPresent() ? (Long) value.getAsLong() : null;
  }

  @Operation
  public @Nullable Long get(@Param(name = "key") int key) {
    return boxed(map.get(key));
  }

  @Operation
  public boolean containsKey(@Param(name = "key") int key) {
    return map.containsKey(key);
  }

  @Operation
  public @Nullable Long putIfAbsent(
      @Param(name = "key") int key, @Param(name = "value") int value) {
    return boxed(map.putIfAbsent(key, value));
  }

  @Operation
  public long add(@Param(name = "key") int key, @Param(name = "value") int value) {
    return map.merge(key, value, Apply.ADD);
  }

  @Operation
  public long max(@Param(name = "key") int key, @Param(name = "value") int value) {
    return map.merge(key, value, Apply.MAX);
  }

  @Operation
  public void grow() {
    // Room for all keys, also of inserts that come first.
    map.rehash(map.capacity() + 16);
  }

  @Operation
  public void clear() {
    map.clear();
  }

  /** The same, by a map of the library. */
  public static class Sequential {
    private final Map<Integer, Long> map = new HashMap<>();

    public @Nullable Long get(int key) {
      return map.get(key);
    }

    public boolean containsKey(int key) {
      return map.containsKey(key);
    }

    public @Nullable Long putIfAbsent(int key, int value) {
      return map.putIfAbsent(key, (long) value);
    }

    public long add(int key, int value) {
      return map.merge(key, (long) value, Long::sum);
    }

    public long max(int key, int value) {
      return map.merge(key, (long) value, Math::max);
    }

    public void grow() {}

    public void clear() {
      map.clear();
    }
  }

  @Test
  void isLinearizable() {
    new StressOptions()
        .iterations(Integer.getInteger("gyre.lincheck.iterations", 40))
        .invocationsPerIteration(500)
        .threads(3)
        .actorsPerThread(3)
        .sequentialSpecification(Sequential.class)
        .check(getClass());
  }
}
