package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.IntLines;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.NumberCode;
import org.junit.jupiter.api.Test;

/** What a walk takes a slot of two words for, in whatever order its words are seen. */
class IntLineStateTest {

  private static final long WORD = (7L << Integer.SIZE) + MapCodes.FILLED;

  @Test
  void aSlotIsFilledWhereBothWordsAreSeen() {
    try (Memory memory = Memory.ofLongs(2)) {
      DeviceLongs words = DeviceLongs.of(memory);
      NumberCode table = new IntLines(words, 1, 1);
      assertThat(table.state(0)).isEqualTo(MapCodes.EMPTY);
      // The value alone, as bulk inserts do not order it after the key: it is no key 0.
      words.set(1, WORD);
      assertThat(table.state(0)).isEqualTo(MapCodes.RESERVED);
      words.set(0, WORD);
      assertThat(table.state(0)).isEqualTo(MapCodes.FILLED);
      words.set(1, 0);
      assertThat(table.state(0)).isEqualTo(MapCodes.RESERVED);
    }
  }
}
