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
      table.giveBack(3, true);
      assertThat(table.taken()).isEqualTo(7);
      assertThatThrownBy(() -> table.giveBack(-2, true))
          .isInstanceOf(StructureException.class)
          .hasMessageContaining("2 keys");
      // They are counted all the same.
      assertThat(table.taken()).isEqualTo(9);
    }
  }
}
