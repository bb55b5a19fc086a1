package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.map.Change;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.access.LongAccess;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.store.LongStore;
import dev.gyre.structures.map.table.MapSettings;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/** The broken variant of {@link SingleKeyLincheckTest}: an addition is a load and a store. */
@Param(name = "key", gen = IntGen.class, conf = "1:2")
public class UnorderedLincheckTest {

  private static final JvmLauncher LAUNCHER = JvmLauncher.ofWorkers(1);

  private final LongStore store =
      new LongStore(
          "map",
          SavedMap.Kind.LONGS,
          new MapSettings(
              new MapSettings.Options(Layout.LINE, false, 0.5, Waiting.AUTO, 1, false),
              8,
              1,
              null,
              1,
              LAUNCHER,
              false,
              null,
              ""));
  private final LongAccess access = new LongAccess(store);

  @Operation
  public long add(@Param(name = "key") int key) {
    long before = access.get(key).orElse(0);
    var _ = access.change(key, before + 1, Change.Policy.ASSIGN);
    return before + 1;
  }

  /** The same, one after the other. */
  public static class Sequential {
    private final long[] counts = new long[3];

    public long add(int key) {
      return ++counts[key];
    }
  }

  @Test
  void isFoundToBeNotLinearizable() {
    assertThatThrownBy(
            () ->
                new StressOptions()
                    .iterations(50)
                    .invocationsPerIteration(2_000)
                    .threads(3)
                    .actorsPerThread(3)
                    .sequentialSpecification(Sequential.class)
                    .check(UnorderedLincheckTest.class))
        .hasMessageContaining("Invalid execution results");
  }
}
