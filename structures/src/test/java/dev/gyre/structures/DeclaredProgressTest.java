package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.progress.DeclaredProgress;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.LongLongMap;
import org.junit.jupiter.api.Test;

/** Every public operation of every structure declares its progress class. */
class DeclaredProgressTest {

  @Test
  void everyOperationDeclaresItsClass() {
    for (Class<?> structure : Structures.ALL) {
      assertThat(DeclaredProgress.undeclared(structure)).as(structure.getSimpleName()).isEmpty();
      assertThat(DeclaredProgress.of(structure)).isNotEmpty();
    }
  }

  @Test
  void mapsOfIntsAndOfLongsDeclareTheSame() {
    assertThat(DeclaredProgress.of(IntIntMap.class))
        .extracting(DeclaredProgress::operation, DeclaredProgress::progressClass)
        .isEqualTo(
            DeclaredProgress.of(LongLongMap.class).stream()
                .map(p -> org.assertj.core.groups.Tuple.tuple(p.operation(), p.progressClass()))
                .toList());
  }
}
