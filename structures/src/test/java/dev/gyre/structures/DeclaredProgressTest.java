package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.progress.DeclaredProgress;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.trie.WordTrie;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every public operation of every structure declares its progress class. */
class DeclaredProgressTest {

  @Test
  void everyOperationDeclaresItsClass() {
    for (Class<?> structure :
        List.of(WordTrie.class, IntIntMap.class, LongLongMap.class, TextLongMap.class)) {
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
