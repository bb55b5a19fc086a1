package dev.gyre.structures.map.region;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.KeySlots;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.PackedSlots;
import dev.gyre.kernels.map.region.RegionSlots;
import dev.gyre.structures.map.work.DeviceRates;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When it pays to insert by regions, by the rates of a device. */
class RegionWayTest {

  /** Nanoseconds at random within the caches, and far beyond them. */
  private static final double NEAR = 0.0125;

  private static final double FAR = 0.06;

  /** About those of an H200. */
  private static final DeviceRates GPU =
      new DeviceRates(0.00025, 10_000, List.of(NEAR, NEAR, NEAR, NEAR, 0.03, 0.05, FAR));

  private final Memory memory = Memory.ofLongs(64);

  @AfterEach
  void free() {
    memory.close();
  }

  private RegionWay way(boolean ofLongs) {
    DeviceLongs words = DeviceLongs.of(memory);
    return new RegionWay(
        ofLongs
            ? new RegionSlots.LongLines(new LongSlots.Line(DeviceInts.of(memory), words, 16, 1))
            : new RegionSlots.Packed(new PackedSlots(words, 16, 1)));
  }

  private boolean pays(
      DeviceRates rates, boolean ofLongs, int bits, double slotsPerKey, boolean isNew) {
    long keys = 1L << bits;
    long table = (long) (keys * slotsPerKey * (ofLongs ? 32 : 8));
    boolean fills = slotsPerKey < 4.0 / 3;
    RegionWay way = way(ofLongs);
    return way.regionNanos(rates, table, keys, isNew, fills)
        < way.singleNanos(rates, table, keys, fills);
  }

  /** Each of these was measured on an H200: docs/results/nvidia-h200. */
  @ParameterizedTest
  @CsvSource({
    "false, 26, 2, true, true",
    "false, 24, 2, true, true",
    "false, 20, 2, true, false",
    "false, 26, 1.1, true, true",
    "false, 24, 1.1, true, true",
    "false, 26, 2, false, true",
    "true, 26, 2, true, true",
    "true, 24, 2, true, true",
    "true, 20, 2, true, false",
  })
  void itPaysWhereItWasMeasuredTo(
      boolean ofLongs, int bits, double slotsPerKey, boolean isNew, boolean pays) {
    assertThat(pays(GPU, ofLongs, bits, slotsPerKey, isNew)).isEqualTo(pays);
  }

  @Test
  void fewKeysOfALargeTableGoOneByOne() {
    assertThat(pays(GPU, false, 22, 64, true)).isFalse();
    assertThat(pays(GPU, true, 22, 16, true)).isFalse();
    // All slots are read as well.
    assertThat(pays(GPU, true, 24, 3, true)).isTrue();
    assertThat(pays(GPU, true, 24, 3, false)).isFalse();
  }

  @Test
  void aTableWithinTheCachesIsReachedAtRandom() {
    long from = way(false).payFrom(GPU);
    assertThat(from).isBetween(1L << 25, 1L << 28);
    DeviceRates larger =
        new DeviceRates(0.00025, 10_000, List.of(NEAR, NEAR, NEAR, NEAR, NEAR, NEAR, FAR));
    assertThat(way(false).payFrom(larger)).isGreaterThan(from);
  }

  /** A table of keys alone has twice as many keys as one of as many bytes with values beside. */
  @Test
  void moreKeysInAsManyBytesPayEarlier() {
    RegionWay keys =
        new RegionWay(new RegionSlots.IntKeys(new KeySlots.OfInts(DeviceInts.of(memory), 16, 1)));
    long from = keys.payFrom(GPU);
    assertThat(from).isLessThan(way(false).payFrom(GPU));
    assertThat(way(true).payFrom(GPU)).isGreaterThan(way(false).payFrom(GPU));
    // As it is reckoned where keys are inserted.
    long half = from / Integer.BYTES / 2;
    assertThat(keys.regionNanos(GPU, from, half, true, false))
        .isLessThan(keys.singleNanos(GPU, from, half, false));
  }

  @Test
  void whereKernelsBeginSlowlyItPaysLater() {
    DeviceRates slow = new DeviceRates(GPU.byteNanos(), 100_000, GPU.swapNanos());
    assertThat(way(false).payFrom(slow)).isGreaterThan(2 * way(false).payFrom(GPU));
  }

  @Test
  void whereReachingAtRandomIsFastItNeverPays() {
    DeviceRates even = new DeviceRates(0.00025, 10_000, List.of(NEAR, NEAR));
    assertThat(way(false).payFrom(even)).isEqualTo(Long.MAX_VALUE);
    assertThat(pays(even, false, 26, 2, true)).isFalse();
  }

  @Test
  void aTableThatBecomesNearlyFullIsBuiltForLonger() {
    RegionWay ints = way(false);
    long keys = 1 << 24;
    long table = 9 * keys;
    double half = ints.regionNanos(GPU, table, keys, true, false);
    double placed = ints.regionNanos(GPU, table, keys, true, true);
    assertThat(placed).isGreaterThan(half);
    assertThat(ints.regionNanos(GPU, table, keys, false, true)).isGreaterThan(placed);
    assertThat(ints.singleNanos(GPU, table, keys, true))
        .isGreaterThan(ints.singleNanos(GPU, table, keys, false));
  }
}
