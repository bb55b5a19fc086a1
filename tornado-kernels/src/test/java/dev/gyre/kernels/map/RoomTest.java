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
      return Room.take(counters, 0, 1);
    }
  }

  @Test
  void thereIsNoneOnceAllSlotsWereClaimed() {
    assertThat(take(1, 1)).isEqualTo(Room.TAKEN);
    assertThat(take(0, 0)).isEqualTo(Room.NONE);
    assertThat(take(0, 1)).as("another thread holds it").isEqualTo(Room.UNDECIDED);
  }

  /** Wherever the room is, and whoever gives it back. */
  @Test
  void roomOfAnotherStripeIsTakenToo() {
    try (Memory memory = Memory.ofLongs(MapCodes.STRIPED_COUNTERS)) {
      DeviceLongs counters = DeviceLongs.of(memory);
      int stripes = 4;
      long own = Room.stripe(6, stripes);
      long full = Room.stripe(5, stripes);
      counters.set(full + MapCodes.ROOM, 1);
      counters.set(full + MapCodes.UNCLAIMED, 1);
      assertThat(Room.take(counters, own, stripes)).isEqualTo(Room.TAKEN);
      assertThat(Room.take(counters, full, stripes)).isEqualTo(Room.UNDECIDED);
      Room.settle(counters, own, false);
      assertThat(Room.take(counters, full, stripes)).isEqualTo(Room.TAKEN);
      Room.settle(counters, own, true);
      assertThat(Room.take(counters, full, stripes)).isEqualTo(Room.NONE);
      assertThat(Room.take(counters, own, stripes)).isEqualTo(Room.NONE);
    }
  }
}
