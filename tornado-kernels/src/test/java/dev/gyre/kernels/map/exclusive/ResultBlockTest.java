package dev.gyre.kernels.map.exclusive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.map.MapCodes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultBlockTest {

  @Test
  void keysThatAreStuckAreCountedAndHandedBack() {
    List<Long> left = new ArrayList<>();
    ResultBlock block =
        new ResultBlock(
            0,
            20,
            false,
            (key, value) -> {
              left.add(key);
              left.add(value);
            });
    for (int at = 0; at < 20; at += 10) {
      block.keys = new long[10];
      block.values = new long[10];
      for (int i = 0; i < 10; i++) {
        block.keys[i] = (long) at + i;
        block.values[i] = -(long) at - i;
      }
      block.stuck = 2;
      block.codes[3] = MapCodes.STUCK;
      block.codes[7] = MapCodes.STUCK;
      block.end(at, 10, 5);
    }
    assertThat(block.firstAndStuck()).isEqualTo(4L << Integer.SIZE | 10);
    assertThat(left).containsExactly(3L, -3L, 7L, -7L, 13L, -13L, 17L, -17L);
  }
}
