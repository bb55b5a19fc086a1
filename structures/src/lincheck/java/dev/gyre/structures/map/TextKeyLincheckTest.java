package dev.gyre.structures.map;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import java.util.OptionalLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** As {@link SingleKeyLincheckTest}, with text keys, beside growth of table and arena. */
@Param(name = "key", gen = IntGen.class, conf = "1:4")
@Param(name = "value", gen = IntGen.class, conf = "1:3")
public class TextKeyLincheckTest {

  private static final Launcher LAUNCHER = JvmLauncher.ofWorkers(1);

  /** Those of odd number are in the slot, the others in the arena. */
  private static final String[] KEYS = {
    "", "one", "a key of more than eight bytes", "three", "another key of more than eight bytes"
  };

  // One key fills the table, and one the arena: nearly every key that is new makes both grow.
  private final TextLongMap map =
      TextLongMap.builder().launcher(LAUNCHER).capacity(1).textBytes(8).seed(1).build();

  private static @Nullable Long boxed(OptionalLong value) {
    return value.isPresent() ? (Long) value.getAsLong() : null;
  }

  @Operation
  public @Nullable Long get(@Param(name = "key") int key) {
    return boxed(map.get(KEYS[key]));
  }

  @Operation
  public boolean containsKey(@Param(name = "key") int key) {
    return map.containsKey(KEYS[key]);
  }

  @Operation
  public @Nullable Long putIfAbsent(
      @Param(name = "key") int key, @Param(name = "value") int value) {
    return boxed(map.putIfAbsent(KEYS[key], value));
  }

  @Operation
  public long add(@Param(name = "key") int key, @Param(name = "value") int value) {
    return map.merge(KEYS[key], value, Apply.ADD);
  }

  @Operation
  public long max(@Param(name = "key") int key, @Param(name = "value") int value) {
    return map.merge(KEYS[key], value, Apply.MAX);
  }

  @Operation
  public void grow() {
    map.rehash(map.capacity() + 1);
  }

  @Operation
  public void clear() {
    map.clear();
  }

  @Test
  void isLinearizable() {
    new StressOptions()
        .iterations(Integer.getInteger("gyre.lincheck.iterations", 40))
        .invocationsPerIteration(500)
        .threads(3)
        .actorsPerThread(3)
        .sequentialSpecification(SingleKeyLincheckTest.Sequential.class)
        .check(getClass());
  }
}
