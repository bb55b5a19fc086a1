package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.exclusive.KeyReader;
import java.util.OptionalLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * As {@link SingleKeyLincheckTest}, of updates by address in a map with room for many keys, which
 * threads take ahead; in the end all keys are counted, and no more.
 */
@Param(name = "key", gen = IntGen.class, conf = "1:4")
@Param(name = "value", gen = IntGen.class, conf = "1:3")
public class ReservedCapacityLincheckTest {

  private static final Launcher LAUNCHER = JvmLauncher.ofWorkers(1);

  /** So that a thread takes room for more than one key at a time. */
  private static final long CAPACITY = 128L * Runtime.getRuntime().availableProcessors();

  private final LongLongMap map =
      LongLongMap.builder().launcher(LAUNCHER).capacity(CAPACITY).seed(1).build();

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
  public long add(@Param(name = "key") int key, @Param(name = "value") int value) {
    return map.merge(key, value, Apply.ADD);
  }

  @Operation
  public long max(@Param(name = "key") int key, @Param(name = "value") int value) {
    return map.merge(key, value, Apply.MAX);
  }

  @Operation
  public void clear() {
    map.clear();
  }

  /** Nobody updates any more. */
  @Validate
  public void countsItsKeys() {
    long keys = 0;
    for (int key = 1; key <= 4; key++) {
      keys += map.containsKey(key) ? 1 : 0;
    }
    if (map.size() != keys) {
      throw new IllegalStateException(map.size() + " keys are counted, of " + keys);
    }
  }

  /** Else nothing here would be of what it is about. */
  @Test
  void updatesGoByAddress() {
    assertThat(map.store.reader()).isInstanceOf(KeyReader.Writer.class);
    assertThat(map.putIfAbsent(1, 1)).isEmpty();
    assertThat(map.size()).isEqualTo(1);
  }

  @Test
  void isLinearizable() {
    new StressOptions()
        .iterations(Integer.getInteger("gyre.lincheck.iterations", 20))
        .invocationsPerIteration(500)
        .threads(3)
        .actorsPerThread(3)
        .sequentialSpecification(SingleKeyLincheckTest.Sequential.class)
        .check(getClass());
  }
}
