package dev.gyre.structures.map.store;

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

  /** Slots at which two workers of one parity work, from the homes of their keys to their last. */
  private static int sharedSlots(int bits, int slots) {
    SplittableRandom random = new SplittableRandom(bits);
    int regions = 1 << bits;
    boolean[][] worksAt = new boolean[regions][slots];
    for (int i = 0; i < 64 * regions; i++) {
      long key = random.nextLong();
      int region = Hashing.part(key, 1, bits);
      int last = (int) LongOrder.lastOfTwo(region, bits, slots);
      int slot = (int) Hashing.home(key, 1, slots);
      worksAt[region][slot] = true;
      while (slot != last) {
        slot = slot + 1 == slots ? 0 : slot + 1;
        worksAt[region][slot] = true;
      }
    }
    int shared = 0;
    for (int parity = 0; parity < 2; parity++) {
      for (int slot = 0; slot < slots; slot++) {
        int workers = 0;
        for (int region = parity; region < regions; region += 2) {
          workers += worksAt[region][slot] ? 1 : 0;
        }
        shared += workers > 1 ? 1 : 0;
      }
    }
    return shared;
  }

  @Test
  void workersShareNoSlotOfATableThatHasRegions() {
    for (int bits = 1; bits <= 7; bits++) {
      for (int slots = 1 << bits; slots < 4 << bits; slots += 1 + slots / 16) {
        assertThat(LongOrder.hasRegions(slots, bits)).isTrue();
        assertThat(sharedSlots(bits, slots)).as("%d bits, %d slots", bits, slots).isZero();
      }
    }
  }

  @Test
  void aTableWithoutRegionsIsToldByThat() {
    for (int bits = 3; bits <= 7; bits++) {
      int fewer = (1 << (bits - 1)) - 1;
      assertThat(LongOrder.hasRegions((1 << bits) - 1, bits)).isFalse();
      assertThat(IntOrder.hasRegions(fewer, bits)).isFalse();
      assertThat(sharedSlots(bits, fewer)).isPositive();
    }
  }
}
