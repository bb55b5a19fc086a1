package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Memory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When the memories are freed in whose place there are others. */
class RetiredMemoriesTest {

  private final List<Memory> freed = new ArrayList<>();

  private Memory watched(long bytes) {
    Memory memory = Memory.ofBytes(bytes);
    memory.beforeFree(() -> freed.add(memory));
    return memory;
  }

  /** Threads that wait for the growth of a small structure would wait for that, too. */
  @Test
  void smallOnesAreFreedWhenTheStructureIsClosed() {
    Memory first = watched(100);
    Memory second = watched(1_000);
    try (RetiredMemories spent = new RetiredMemories()) {
      spent.freeLater(List.of(first));
      spent.freeLater(List.of(second));
      assertThat(freed).isEmpty();
    }
    assertThat(freed).containsExactlyInAnyOrder(first, second);
  }

  @Test
  void largeOnesAreFreedAtOnceWithAllThatAreKept() {
    Memory small = watched(100);
    Memory large = watched(2 << 20);
    try (RetiredMemories spent = new RetiredMemories()) {
      spent.freeLater(List.of(small));
      spent.freeLater(List.of(large));
      assertThat(freed).containsExactlyInAnyOrder(small, large);
    }
    assertThat(freed).hasSize(2);
  }

  @Test
  void manySmallOnesAreFreedNowAndThen() {
    try (RetiredMemories spent = new RetiredMemories()) {
      for (int i = 0; i < 100; i++) {
        spent.freeLater(List.of(watched(1 << 16)));
      }
      assertThat(freed).hasSizeGreaterThan(80);
    }
    assertThat(freed).hasSize(100);
  }

  /** A structure that is rebuilt in the same size uses them again. */
  @Test
  void keptOnesCanBeTakenBack() {
    Memory first = watched(100);
    Memory second = watched(1_000);
    Memory large = watched(2 << 20);
    try (RetiredMemories spent = new RetiredMemories()) {
      spent.freeLater(List.of(first, second));
      assertThat(spent.takeBack(List.of(first, large))).isFalse();
      assertThat(spent.takeBack(List.of(first))).isTrue();
      assertThat(spent.takeBack(List.of(first))).isFalse();
      spent.freeLater(List.of(large));
      assertThat(freed).containsExactlyInAnyOrder(second, large);
      assertThat(spent.takeBack(List.of(second))).isFalse();
    }
    assertThat(freed).hasSize(2);
    first.close();
  }
}
