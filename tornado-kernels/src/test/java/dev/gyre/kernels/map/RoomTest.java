package dev.gyre.kernels.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import org.junit.jupiter.api.Test;

/** Who finds no room is told so only when nobody can give any back. */
class RoomTest {

  private static int take(long room, long unclaimed) {
    try (Memory memory = Memory.ofLongs(MapCodes.STRIPED_COUNTERS)) {
      DeviceLongs counters = DeviceLongs.of(memory);
      counters.set(MapCodes.ROOM, room);
      counters.set(MapCodes.UNCLAIMED, unclaimed);
      return Room.take(counters, 3);
    }
  }

  @Test
  void thereIsNoneOnceAllSlotsWereClaimed() {
    assertThat(take(1, 1)).isEqualTo(Room.TAKEN);
    assertThat(take(0, 0)).isEqualTo(Room.NONE);
    assertThat(take(0, 1)).as("another thread holds it").isEqualTo(Room.UNDECIDED);
  }
}
