package dev.gyre.bench.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.gyre.bench.map.MapRival;
import dev.gyre.bench.map.MapRival.KeyType;
import dev.gyre.bench.memory.MemoryBenchmark.Capacity;
import dev.gyre.bench.memory.MemoryBenchmark.Kind;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** All structures get the same keys: only then are their entries as many. */
class FilledTest {

  private static final int N = 10_000;

  private static MemoryBenchmark of(Kind kind, KeyType type, String rival, Capacity capacity) {
    MemoryBenchmark benchmark = new MemoryBenchmark();
    benchmark.kind = kind;
    benchmark.type = type;
    benchmark.rival = rival;
    benchmark.capacity = capacity;
    benchmark.n = N;
    return benchmark;
  }

  private static void fill(Kind kind, KeyType type, List<String> rivals) throws IOException {
    for (Capacity capacity : Capacity.values()) {
      for (String rival : rivals) {
        try (Filled filled = Filled.prepare(of(kind, type, rival, capacity), N).get()) {
          assertThat(filled.fill()).as("%s %s", type, rival).isEqualTo(N);
          assertThat(filled.bytesOutside() > 0).isEqualTo(rival.startsWith("GYRE"));
        }
      }
    }
  }

  @Test
  void mapsAndSetsHaveAllKeys() throws IOException {
    for (KeyType type : KeyType.values()) {
      fill(Kind.MAP, type, MapRival.of(type).stream().map(MapRival::name).toList());
      fill(Kind.SET, type, MemoryBenchmark.SETS);
    }
  }

  @Test
  void textsHaveAllKeysThatDiffer() throws IOException {
    for (String rival : MemoryBenchmark.TEXTS) {
      try (Filled filled =
          Filled.prepare(of(Kind.TEXTS, KeyType.LONG, rival, Capacity.GROWN), N).get()) {
        // Short words repeat.
        assertThat(filled.fill()).as(rival).isBetween(9 * N / 10L, (long) N);
      }
    }
  }

  @Test
  void namesThatThereAreNotAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> Filled.prepare(of(Kind.SET, KeyType.INT, "TREE", Capacity.GROWN), N).get())
        .withMessageContaining("GYRE_SET");
  }
}
