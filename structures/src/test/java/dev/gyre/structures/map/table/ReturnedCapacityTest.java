package dev.gyre.structures.map.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.structures.StructureException;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.file.SavedMap;
import org.junit.jupiter.api.Test;

class ReturnedCapacityTest {

  @Test
  void moreKeysThanCapacityWasTakenForAreAnError() {
    try (LongTable table =
        LongTables.allocate(SavedMap.Kind.LONGS, Layout.REFERENCE, 100, 0.5, 1, null)) {
      assertThat(table.take(10)).isTrue();
      table.inserted(7, 10, true);
      assertThat(table.size()).isEqualTo(7);
      assertThat(table.taken()).isEqualTo(7);
      assertThat(table.take(3)).isTrue();
      assertThatThrownBy(() -> table.inserted(5, 3, true))
          .isInstanceOf(StructureException.class)
          .hasMessageContaining("2 keys");
      // They are counted all the same.
      assertThat(table.size()).isEqualTo(12);
      assertThat(table.taken()).isEqualTo(12);
    }
  }
}
