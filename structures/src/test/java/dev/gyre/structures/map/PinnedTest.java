package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.MemoryKind;
import dev.gyre.kernels.MemoryKindException;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.TargetUnderTest;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys and values in pinned memory: small tables use them there, larger ones from copies. */
@ConformanceSuite
class PinnedTest {

  private static final String COPIES = "gyre.partition.from";

  private static final int KEYS = 300_000;

  private static final int ABSENT = 1_000;

  private final Launcher launcher = launcher();
  private final List<Memory> memories = new ArrayList<>();

  private static Launcher launcher() {
    Launcher device = TargetUnderTest.device();
    return device == null ? JvmLauncher.ofWorkers(2) : device;
  }

  @AfterEach
  void free() {
    System.clearProperty(COPIES);
    memories.forEach(Memory::close);
    if (TargetUnderTest.device() == null) {
      launcher.close();
    }
  }

  private MemorySegment pinned(long bytes) {
    try {
      Memory memory = launcher.memory(MemoryKind.PINNED, bytes);
      memories.add(memory);
      return memory.segment();
    } catch (MemoryKindException e) {
      return abort(e.getMessage());
    }
  }

  private Memory last() {
    return memories.getLast();
  }

  @ParameterizedTest
  @CsvSource({"PACKED,false", "PACKED,true", "REFERENCE,false", "REFERENCE,true"})
  void intsAreInsertedAndFound(Layout layout, boolean copies) {
    copies(copies);
    MemorySegment keys = pinned(KEYS * 4L);
    Ints all = Ints.of(last(), KEYS);
    MemorySegment values = pinned(KEYS * 4L);
    Ints given = Ints.of(last(), KEYS);
    MemorySegment back = pinned(KEYS * 4L);
    Ints found = Ints.of(last(), KEYS);
    for (int i = 0; i < KEYS; i++) {
      keys.setAtIndex(ValueLayout.JAVA_INT, i, 7 * i);
      values.setAtIndex(ValueLayout.JAVA_INT, i, i + 1);
    }
    try (IntIntMap map = IntIntMap.builder().layout(layout).launcher(launcher).build()) {
      assertThat(map.insert(all, given, BulkOptions.NONE)).isEqualTo(new InsertCounts(KEYS, 0, 0));
      assertThat(map.insert(all, given, BulkOptions.NONE)).isEqualTo(new InsertCounts(0, KEYS, 0));
      assertThat(map.insertOrApply(all, given, Apply.ADD, BulkOptions.NONE).present())
          .isEqualTo(KEYS);
      for (int i = 0; i < ABSENT; i++) {
        keys.setAtIndex(ValueLayout.JAVA_INT, i, 7 * i + 1);
      }
      FindCounts expected = new FindCounts(KEYS - ABSENT, ABSENT);
      back.fill((byte) 1);
      assertThat(map.find(all, found, BulkOptions.NONE)).isEqualTo(expected);
      assertThat(map.contains(all, BulkOptions.NONE)).isEqualTo(expected);
      assertThat(map.size()).isEqualTo(KEYS);
    }
    for (int i = 0; i < KEYS; i++) {
      int expected = i < ABSENT ? 0 : 2 * (i + 1);
      assertThat(back.getAtIndex(ValueLayout.JAVA_INT, i)).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @CsvSource({"LINE,false", "REFERENCE,false", "REFERENCE,true"})
  void longsAreFoundWhereTheirKeysWere(Layout layout, boolean copies) {
    copies(copies);
    MemorySegment keys = pinned(KEYS * 8L);
    Longs all = Longs.of(last(), KEYS);
    for (int i = 0; i < KEYS; i++) {
      keys.setAtIndex(ValueLayout.JAVA_LONG, i, (long) i << 33);
    }
    try (LongLongMap map =
        LongLongMap.builder().layout(layout).fixedCapacity(KEYS).launcher(launcher).build()) {
      assertThat(map.insert(all, all, BulkOptions.NONE)).isEqualTo(new InsertCounts(KEYS, 0, 0));
      for (int i = 0; i < ABSENT; i++) {
        keys.setAtIndex(ValueLayout.JAVA_LONG, i, i + 1L);
      }
      assertThat(map.find(all, all, BulkOptions.NONE))
          .isEqualTo(new FindCounts(KEYS - ABSENT, ABSENT));
      assertThat(map.contains(Longs.onDevice(last(), KEYS), BulkOptions.NONE))
          .isEqualTo(new FindCounts(KEYS, 0));
    }
    for (int i = 0; i < KEYS; i++) {
      long expected = i < ABSENT ? 0 : (long) i << 33;
      assertThat(keys.getAtIndex(ValueLayout.JAVA_LONG, i)).isEqualTo(expected);
    }
  }

  /** Has a small table be treated as a large one, to which keys are copied. */
  private static void copies(boolean copies) {
    if (copies) {
      System.setProperty(COPIES, "1");
    }
  }
}
