package dev.gyre.kernels.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.ThreadLongs;
import java.math.BigInteger;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Steps of the kernels that group rows of columns, one after another. */
final class GroupKeysTest {

  private static final long SEED = 99;

  private static NumberColumn column(Memory memory, long... numbers) {
    ThreadLongs longs = ThreadLongs.of(memory);
    for (int i = 0; i < numbers.length; i++) {
      longs.set(i, numbers[i]);
    }
    return new NumberColumn.Longs(longs);
  }

  @Test
  void slotsOfOneKeyAreClaimedOnce() {
    try (Memory keys = Memory.ofLongs(5);
        Memory table = Memory.ofLongs(3)) {
      GroupKeys of =
          new GroupKeys.One(column(keys, 7, 0, -1, 7, 8), DeviceLongs.of(table), 2, SEED);
      int first = of.find(0);
      assertThat(first).isBetween(0, 1);
      assertThat(of.find(1)).isEqualTo(2);
      assertThat(of.find(2)).isEqualTo(1 - first);
      assertThat(of.find(3)).isEqualTo(first);
      assertThat(of.find(4)).isEqualTo(GroupKeys.FULL);
    }
  }

  /** A row that meets a slot between its claim and its publication does not wait. */
  @Test
  void unpublishedKeysAreNotRead() {
    try (Memory firsts = Memory.ofLongs(3);
        Memory seconds = Memory.ofLongs(3);
        Memory table = Memory.ofLongs(GroupKeys.Two.SLOT_LONGS)) {
      DeviceLongs words = DeviceLongs.of(table);
      GroupKeys of =
          new GroupKeys.Two(
              column(firsts, 1, 1, 2), column(seconds, 5, 5, 5), words, 1, SEED, 3, 5);
      assertThat(of.find(0)).isEqualTo(0);
      assertThat(of.find(1)).isEqualTo(0);
      words.set(0, words.get(0) - 1);
      assertThat(of.find(1)).isEqualTo(GroupKeys.UNPUBLISHED);
      assertThat(of.find(2)).isEqualTo(GroupKeys.FULL);
      words.set(0, words.get(0) + 1);
      assertThat(of.find(1)).isEqualTo(0);
    }
  }

  /** Keys with the hash of a published slot are compared with it. */
  @Test
  void keysOfOneHashAreApart() {
    try (Memory firsts = Memory.ofLongs(2);
        Memory seconds = Memory.ofLongs(2);
        Memory table = Memory.ofLongs(2 * GroupKeys.Two.SLOT_LONGS)) {
      // With multipliers of 0, all hashes are 0.
      GroupKeys of =
          new GroupKeys.Two(
              column(firsts, 1, 2), column(seconds, 2, 1), DeviceLongs.of(table), 2, SEED, 0, 0);
      assertThat(of.find(0)).isEqualTo(0);
      assertThat(of.find(1)).isEqualTo(1);
      assertThat(of.find(0)).isEqualTo(0);
    }
  }

  /** Returns a column of longs of which some are null. */
  private static NumberColumn column(Memory memory, Memory bits, long valid, long... numbers) {
    ThreadLongs.of(bits).set(0, valid << 60);
    ThreadLongs.of(bits).set(1, valid >>> 4);
    return new NumberColumn.Nullable(
        column(memory, numbers), new Validity(ThreadLongs.of(bits), 60));
  }

  /** A null is another key than 0, whatever its number is; validity goes on in the next word. */
  @Test
  void nullIsNoNumber() {
    try (Memory keys = Memory.ofLongs(6);
        Memory others = Memory.ofLongs(6);
        Memory bits = Memory.ofLongs(2);
        Memory otherBits = Memory.ofLongs(2);
        Memory table = Memory.ofLongs(12)) {
      NumberColumn first = column(keys, bits, 0b10110L, 7, 7, 0, -1, 7, 9);
      GroupKeys one = new GroupKeys.One(first, DeviceLongs.of(table), 2, SEED);
      int seven = one.find(1);
      assertThat(seven).isBetween(0, 1);
      assertThat(one.find(4)).isEqualTo(seven);
      assertThat(one.find(2)).isEqualTo(2);
      for (int row : new int[] {0, 3, 5}) {
        assertThat(one.find(row)).isEqualTo(3);
      }
      table.segment().fill((byte) 0);
      // Of (null, 0), (7, 0), (0, null), (null, null), (7, null) and (null, 0).
      NumberColumn second = column(others, otherBits, 0b100011L, 0, 0, 5, 6, 7, 0);
      GroupKeys two = new GroupKeys.Two(first, second, DeviceLongs.of(table), 4, SEED, 0, 0);
      assertThat(IntStream.range(0, 4).map(two::find)).containsExactly(0, 1, 2, 3);
      assertThat(two.find(5)).isEqualTo(0);
      assertThat(two.find(4)).isEqualTo(GroupKeys.FULL);
    }
  }

  /** Sums of a block, and of a group, are exact for all longs. */
  @Test
  void sumsOfLongsCarry() {
    Random random = new Random(1);
    long[] special = {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 31, -(1L << 31), 1L << 32};
    for (int round = 0; round < 200; round++) {
      long[] values =
          random
              .ints(1 + random.nextInt(20), 0, 16)
              .mapToLong(i -> i < special.length ? special[i] : random.nextLong())
              .toArray();
      BigInteger sum =
          LongStream.of(values).mapToObj(BigInteger::valueOf).reduce(BigInteger::add).orElseThrow();
      try (Memory ints = Memory.ofInts(3);
          Memory longs = Memory.ofLongs(2L * GroupStates.words(1))) {
        GroupStates states = new GroupStates(DeviceLongs.of(longs), 1);
        states.clear(0, 1, 2);
        BlockSums sums = new BlockSums.OfLongs(SharedInts.of(3).in(ints), 1);
        for (long value : values) {
          sums.add(0, value);
          states.add(1, 0, value);
        }
        sums.flush(0, states, 0, 0);
        assertThat(sum(states, 0)).isEqualTo(sum);
        assertThat(sum(states, 1)).isEqualTo(sum);
        assertThat(states.word(1, 0, GroupStates.MAX))
            .isEqualTo(LongStream.of(values).max().orElseThrow());
        assertThat(~states.word(1, 0, GroupStates.MIN))
            .isEqualTo(LongStream.of(values).min().orElseThrow());
      }
    }
  }

  private static BigInteger sum(GroupStates states, int group) {
    BigInteger high = BigInteger.valueOf(states.word(group, 0, GroupStates.HIGH));
    return high.shiftLeft(Integer.SIZE)
        .add(BigInteger.valueOf(states.word(group, 0, GroupStates.LOW)));
  }
}
