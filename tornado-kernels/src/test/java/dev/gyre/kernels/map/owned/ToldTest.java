package dev.gyre.kernels.map.owned;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.map.MapCodes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ToldTest {

  @Test
  void keysThatAreStuckAreCountedAndNamed() {
    List<Integer> named = new ArrayList<>();
    Told told = new Told(0, 20, false, named::add);
    for (int at = 0; at < 20; at += 10) {
      told.stuck = 2;
      told.codes[3] = MapCodes.STUCK;
      told.codes[7] = MapCodes.STUCK;
      told.end(at, 10, 5);
    }
    assertThat(told.firstAndStuck()).isEqualTo(4L << Integer.SIZE | 10);
    assertThat(named).containsExactly(3, 7, 13, 17);
  }
}
