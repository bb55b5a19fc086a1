package dev.gyre.bench.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.gyre.bench.map.Rival;
import dev.gyre.bench.map.RivalMap.KeyType;
import dev.gyre.bench.memory.MemoryBenchmark.Capacity;
import dev.gyre.bench.memory.MemoryBenchmark.Kind;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** All structures get the same keys: only then are their entries as many. */
class FilledTest {

  private static final int N = 10_000;

  private static MemoryBenchmark of(Kind kind, KeyType type, Rival rival, Capacity capacity) {
    MemoryBenchmark benchmark = new MemoryBenchmark();
    benchmark.kind = kind;
    benchmark.type = type;
    benchmark.rival = rival;
    benchmark.capacity = capacity;
    benchmark.n = N;
    return benchmark;
  }

  private static void fill(Kind kind, KeyType type) throws IOException {
    for (Capacity capacity : Capacity.values()) {
      for (Rival rival : kind.rivals(type)) {
        try (Filled filled = Filled.prepare(of(kind, type, rival, capacity), N).get()) {
          assertThat(filled.fill()).as("%s %s", type, rival).isEqualTo(N);
          assertThat(filled.bytesOutside() > 0).isEqualTo(rival.artifact().equals("gyre"));
        }
      }
    }
  }

  @Test
  void mapsAndSetsHaveAllKeys() throws IOException {
    for (KeyType type : KeyType.values()) {
      fill(Kind.MAP, type);
      fill(Kind.SET, type);
    }
  }

  @Test
  void textsHaveAllKeysThatDiffer() throws IOException {
    for (Rival rival : Kind.TEXTS.rivals(KeyType.LONG)) {
      try (Filled filled =
          Filled.prepare(of(Kind.TEXTS, KeyType.LONG, rival, Capacity.GROWN), N).get()) {
        // Short words repeat.
        assertThat(filled.fill()).as("%s", rival).isBetween(9 * N / 10L, (long) N);
      }
    }
  }

  @Test
  void rivalsOfAnotherKindAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> Filled.prepare(of(Kind.SET, KeyType.INT, Rival.AGRONA, Capacity.GROWN), N).get())
        .withMessageContaining("GYRE_SET");
  }
}
