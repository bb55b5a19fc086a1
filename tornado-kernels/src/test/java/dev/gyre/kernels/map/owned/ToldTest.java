package dev.gyre.kernels.map.owned;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.map.MapCodes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ToldTest {

  @Test
  void keysThatAreStuckAreCountedAndHandedBack() {
    List<Long> left = new ArrayList<>();
    Told told =
        new Told(
            0,
            20,
            false,
            (key, value) -> {
              left.add(key);
              left.add(value);
            });
    for (int at = 0; at < 20; at += 10) {
      told.keys = new long[10];
      told.values = new long[10];
      for (int i = 0; i < 10; i++) {
        told.keys[i] = (long) at + i;
        told.values[i] = -(long) at - i;
      }
      told.stuck = 2;
      told.codes[3] = MapCodes.STUCK;
      told.codes[7] = MapCodes.STUCK;
      told.end(at, 10, 5);
    }
    assertThat(told.firstAndStuck()).isEqualTo(4L << Integer.SIZE | 10);
    assertThat(left).containsExactly(3L, -3L, 7L, -7L, 13L, -13L, 17L, -17L);
  }
}
