package dev.gyre.structures.map.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.map.Hashing;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Where the partitions end that workers own while they insert. */
class PartitionBoundsTest {

  private static final int BITS = 5;
  private static final int PARTITIONS = 1 << BITS;
  private static final long SLOTS = 100_003;
  private static final int KEYS = 1 << 16;

  @Test
  void noHomeOfALongIsBehindThePartitionAfterItsOwn() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < KEYS; i++) {
      long key = random.nextLong();
      int partition = Hashing.partition(key, 1, BITS);
      assertThat(LongOrder.lastOfTwo(partition, BITS, SLOTS))
          .isEqualTo(endOfTwo(partition, Hashing.home(key, 1, SLOTS)));
    }
  }

  @Test
  void noHomeOfAnIntIsBehindThePartitionAfterItsOwn() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < KEYS; i++) {
      int key = random.nextInt();
      int partition = Hashing.partition(key, 1, BITS);
      assertThat(IntOrder.lastOfTwo(partition, BITS, SLOTS))
          .isEqualTo(endOfTwo(partition, Hashing.home(key, 1, SLOTS)));
    }
  }

  /** The slot before the first one of the partition after the next, for a home in a partition. */
  private static long endOfTwo(int partition, long home) {
    assertThat(home)
        .isBetween(partition * SLOTS / PARTITIONS, (partition + 1) * SLOTS / PARTITIONS);
    int after = (partition + 2) % PARTITIONS;
    return after == 0 ? SLOTS - 1 : after * SLOTS / PARTITIONS - 1;
  }

  /** Slots at which two workers of one parity work, from the homes of their keys to their last. */
  private static int sharedSlots(int bits, int slots) {
    SplittableRandom random = new SplittableRandom(bits);
    int partitions = 1 << bits;
    boolean[][] worksAt = new boolean[partitions][slots];
    for (int i = 0; i < 64 * partitions; i++) {
      long key = random.nextLong();
      int partition = Hashing.partition(key, 1, bits);
      int last = (int) LongOrder.lastOfTwo(partition, bits, slots);
      int slot = (int) Hashing.home(key, 1, slots);
      worksAt[partition][slot] = true;
      while (slot != last) {
        slot = slot + 1 == slots ? 0 : slot + 1;
        worksAt[partition][slot] = true;
      }
    }
    int shared = 0;
    for (int parity = 0; parity < 2; parity++) {
      for (int slot = 0; slot < slots; slot++) {
        int workers = 0;
        for (int partition = parity; partition < partitions; partition += 2) {
          workers += worksAt[partition][slot] ? 1 : 0;
        }
        shared += workers > 1 ? 1 : 0;
      }
    }
    return shared;
  }

  @Test
  void workersShareNoSlotOfATableThatHasPartitions() {
    for (int bits = 1; bits <= 7; bits++) {
      for (int slots = 1 << bits; slots < 4 << bits; slots += 1 + slots / 16) {
        assertThat(LongOrder.hasPartitions(slots, bits)).isTrue();
        assertThat(sharedSlots(bits, slots)).as("%d bits, %d slots", bits, slots).isZero();
      }
    }
  }

  @Test
  void aTableWithoutPartitionsIsRecognised() {
    for (int bits = 3; bits <= 7; bits++) {
      int fewer = (1 << (bits - 1)) - 1;
      assertThat(LongOrder.hasPartitions((1 << bits) - 1, bits)).isFalse();
      assertThat(IntOrder.hasPartitions(fewer, bits)).isFalse();
      assertThat(sharedSlots(bits, fewer)).isPositive();
    }
  }
}
