package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.region.RegionSlots;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.TargetUnderTest;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.RegionInsertTest.Noting;
import dev.gyre.structures.map.RegionInsertTest.OnePart;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables that become larger, or smaller, by regions that blocks build. */
@ConformanceSuite
class RegionRehashTest {

  private static final String FROM = "gyre.regions.from";

  private final JvmLauncher jvm = JvmLauncher.ofWorkers(2);
  private final List<String> kernels = new ArrayList<>();

  @BeforeEach
  void always() {
    System.setProperty(FROM, "1");
  }

  @AfterEach
  void asBefore() {
    System.clearProperty(FROM);
    jvm.close();
  }

  private <M> MapBuilder<M> on(MapBuilder<M> maps) {
    Launcher device = TargetUnderTest.device();
    // Of the JVM it is known that its threads go on, which slots of lines need.
    return maps.launcher(
            device == null ? new Noting(jvm, kernels, new AtomicReference<>("none")) : device)
        .waiting(device == null ? Waiting.BLOCKING : Waiting.AUTO)
        .seed(7);
  }

  /** On the JVM it is known which kernels moved the entries. */
  private void requireMoves(String... names) {
    if (TargetUnderTest.device() == null) {
      assertThat(kernels.stream().filter(k -> k.startsWith("Move"))).containsExactly(names);
    }
    kernels.clear();
  }

  private static Map<Long, Long> contents(LongLongMap map) {
    Map<Long, Long> all = new TreeMap<>();
    map.forEach((key, value) -> assertThat(all.put(key, value)).isNull());
    assertThat(map.size()).isEqualTo(all.size());
    long[] keys = all.keySet().stream().mapToLong(k -> k).toArray();
    assertThat(map.contains(keys).found()).isEqualTo(keys.length);
    return all;
  }

  private static Map<Long, Long> contents(IntIntMap map) {
    Map<Long, Long> all = new TreeMap<>();
    map.forEach((key, value) -> assertThat(all.put((long) key, (long) value)).isNull());
    assertThat(map.size()).isEqualTo(all.size());
    int[] keys = all.keySet().stream().mapToInt(Long::intValue).toArray();
    assertThat(map.contains(keys).found()).isEqualTo(keys.length);
    return all;
  }

  /** Those that are special first. */
  private static long[] keys(int count) {
    long[] keys = new SplittableRandom(31).longs(count).toArray();
    keys[0] = 0;
    keys[1] = RegionSlots.LongLines.TAKEN;
    keys[2] = -1;
    keys[3] = Long.MIN_VALUE;
    return keys;
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 1.0})
  void longs(double load) {
    long[] keys = keys(3_000);
    try (LongLongMap map =
        on(LongLongMap.builder()).layout(Layout.LINE).loadFactor(load).capacity(3_100).build()) {
      assertThat(map.insert(keys, keys).inserted()).isEqualTo(3_000);
      Map<Long, Long> before = contents(map);
      for (int capacity : new int[] {10_000, 3_000}) {
        map.rehash(capacity);
        requireMoves("MoveRegions");
        assertThat(contents(map)).isEqualTo(before);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"PACKED", "LINE"})
  void ints(Layout layout) {
    int[] keys = LongStream.of(keys(5_000)).mapToInt(k -> (int) k).distinct().toArray();
    keys[3] = Integer.MIN_VALUE;
    keys[4] = Integer.MAX_VALUE;
    try (IntIntMap map = on(IntIntMap.builder()).layout(layout).capacity(5_000).build()) {
      assertThat(map.insert(keys, keys).inserted()).isEqualTo(keys.length);
      Map<Long, Long> before = contents(map);
      for (int capacity : new int[] {20_000, 5_000}) {
        map.rehash(capacity);
        requireMoves("MoveRegions");
        assertThat(contents(map)).isEqualTo(before);
      }
    }
  }

  @Test
  void aMapThatGrowsAndHasNoEntriesYet() {
    long[] keys = keys(5_000);
    try (LongLongMap map = on(LongLongMap.builder()).layout(Layout.LINE).capacity(100).build()) {
      map.rehash(200);
      requireMoves("MoveRegions");
      assertThat(map.insert(keys, keys).inserted()).isEqualTo(5_000);
      assertThat(contents(map)).hasSize(5_000);
    }
  }

  /** More find no slot in their regions than are expected, or entries are far behind those. */
  @ParameterizedTest
  @CsvSource({"9000, 20000", "20000, 36000"})
  void keysOfOnePartGoOneByOneInTheEnd(int count, int capacity) {
    int[] keys = LongStream.range(0, count).mapToInt(k -> (int) k).toArray();
    try (IntIntMap map = on(IntIntMap.builder()).hash(new OnePart()).capacity(capacity).build()) {
      assertThat(map.insert(keys, keys).inserted()).isEqualTo(count);
      Map<Long, Long> before = contents(map);
      map.rehash(capacity + 1_000);
      requireMoves("MoveRegions", "MoveNumbers");
      assertThat(contents(map)).isEqualTo(before);
    }
  }
}
