package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.map.Hashing;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Where the regions end that workers own while they insert. */
class RegionBoundsTest {

  private static final int BITS = 5;
  private static final int REGIONS = 1 << BITS;
  private static final long SLOTS = 100_003;
  private static final int KEYS = 1 << 16;

  @Test
  void noHomeOfALongIsBehindTheRegionAfterItsOwn() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < KEYS; i++) {
      long key = random.nextLong();
      int region = Hashing.part(key, 1, BITS);
      assertThat(LongOrder.lastOfTwo(region, BITS, SLOTS))
          .isEqualTo(endOfTwo(region, Hashing.home(key, 1, SLOTS)));
    }
  }

  @Test
  void noHomeOfAnIntIsBehindTheRegionAfterItsOwn() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < KEYS; i++) {
      int key = random.nextInt();
      int region = Hashing.part(key, 1, BITS);
      assertThat(IntOrder.lastOfTwo(region, BITS, SLOTS))
          .isEqualTo(endOfTwo(region, Hashing.home(key, 1, SLOTS)));
    }
  }

  /** The slot before the first one of the region after the next, for a home in a region. */
  private static long endOfTwo(int region, long home) {
    assertThat(home).isBetween(region * SLOTS / REGIONS, (region + 1) * SLOTS / REGIONS);
    int after = (region + 2) % REGIONS;
    return after == 0 ? SLOTS - 1 : after * SLOTS / REGIONS - 1;
  }
}
