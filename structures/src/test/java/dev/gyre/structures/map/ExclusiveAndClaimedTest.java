package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.map.MapAdapter.Change;
import dev.gyre.structures.map.MapAdapter.Kind;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A worker of the JVM that owns slots, and one that claims them since another update is in the map,
 * do the same with the same keys: outcomes, values, counts and entries.
 */
class ExclusiveAndClaimedTest {

  private static final int ROUNDS = 30;

  /** What is seen of an operation. */
  private record Seen(List<Byte> outcomes, List<Long> found, Object counts) {}

  private static List<Kind> kinds() {
    return Kind.all().stream().filter(kind -> kind.threads() == 1).toList();
  }

  /** Does something while another update is in the map, so that nobody owns slots. */
  private static <T> T claimed(MapAdapter map, Supplier<T> operation) {
    try (Entry _ = map.map().store.lock().enterUpdate()) {
      return operation.get();
    }
  }

  /** One batch of keys, some of them equal, some of them special, some of them left out. */
  private static final class Batch {
    private final long[] keys;
    private final long[] values;
    private final boolean[] mask;
    private final Change change;
    private final boolean outcomes;
    private final boolean finds;

    Batch(SplittableRandom random, Kind kind, int most) {
      int length = random.nextInt(1, most);
      long[] special = {0, -1, 1, 2, kind.min(), kind.min() + 1, kind.max()};
      keys = new long[length];
      values = new long[length];
      mask = new boolean[length];
      for (int i = 0; i < length; i++) {
        keys[i] =
            random.nextInt(8) == 0
                ? special[random.nextInt(special.length)]
                : kind.key(random.nextInt(most) * 0x9e3779b97f4a7c15L);
        values[i] = kind.wrap(random.nextLong());
        mask[i] = random.nextInt(4) != 0;
      }
      Change[] changes = Change.values();
      change = changes[random.nextInt(changes.length)];
      outcomes = random.nextBoolean();
      finds = random.nextInt(3) == 0;
    }

    Seen on(MapAdapter map, boolean masked) {
      byte[] codes = new byte[keys.length];
      long[] found = new long[keys.length];
      BulkOptions options = masked ? BulkOptions.NONE.where(mask) : BulkOptions.NONE;
      BulkOptions all = outcomes ? options.outcomes(codes) : options;
      Object counts =
          finds
              ? map.find(keys, found, all)
              : map.insert(
                  keys, values.clone(), change, change == Change.FETCH ? found : null, all);
      return new Seen(bytes(codes), longs(found), counts);
    }

    private static List<Byte> bytes(byte[] codes) {
      Byte[] boxed = new Byte[codes.length];
      for (int i = 0; i < codes.length; i++) {
        boxed[i] = codes[i];
      }
      return List.of(boxed);
    }

    private static List<Long> longs(long[] values) {
      return Arrays.stream(values).boxed().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void giveOneResult(Kind kind) {
    SplittableRandom random = new SplittableRandom(20);
    for (int round = 0; round < ROUNDS; round++) {
      // Some larger than what an owner does at a time.
      int most = round % 10 == 0 ? 3000 : 60;
      try (MapAdapter owned = kind.build(3L * most, true, 0.9, round);
          MapAdapter claimed = kind.build(3L * most, true, 0.9, round)) {
        for (int operation = 0; operation < 6; operation++) {
          Batch batch = new Batch(random, kind, most);
          boolean masked = random.nextBoolean();
          Seen first = batch.on(owned, masked);
          Seen second = claimed(claimed, () -> batch.on(claimed, masked));
          assertThat(second).as("round %d, operation %d", round, operation).isEqualTo(first);
        }
        assertThat(claimed.entries()).as("round %d", round).isEqualTo(owned.entries());
        assertThat(claimed.walked()).as("round %d", round).isEqualTo(owned.entries());
      }
    }
  }

  @Test
  void allKindsOfASingleWorkerAreTested() {
    assertThat(kinds()).hasSizeGreaterThanOrEqualTo(5);
  }
}
