package dev.gyre.structures.map.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.TextLayout;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.table.RowScratch;
import dev.gyre.structures.map.table.TextTable;
import dev.gyre.structures.map.work.Launches;
import dev.gyre.structures.map.work.TaskRange;
import dev.gyre.structures.map.work.Workers;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Text keys that meet a reserved slot are left to the launch after that. */
class TextDeferralTest {

  private static final long SEED = 3;
  private static final LaunchShape ALONE = LaunchShape.ofThreads(1);
  private static final List<String> KEYS = List.of("one", "two", "three", "a longer key");
  private static final TaskRange ALL = TaskRange.cut(0, KEYS.size(), KEYS.size()).getFirst();

  private final JvmLauncher launcher = JvmLauncher.ofWorkers(1);
  private final Workers workers = new Workers(launcher);
  private final TextTable table = TextTable.allocate(1000, 0.5, 1000, SEED, null, false);
  private final RowScratch scratch = new RowScratch(KEYS.size(), 1, 0, 1);
  private final TextKeys keys = TextKeys.of(KEYS);
  private final DeviceLongs counters = scratch.freshCounters(0);
  private final long slotOfOne = slotOfOne();

  /** Inserts the first key, sees where it went, and takes that back. */
  private long slotOfOne() {
    scratch.enter(ALL, null, null, BulkOptions.NONE);
    insert(new TaskRange(0, 1), 0).run(0, ALONE);
    long slot = 0;
    while (state(slot) == MapCodes.EMPTY) {
      slot++;
    }
    table.memoriesOfKeys().forEach(memory -> memory.segment().fill((byte) 0));
    table.setSize(0, 0);
    scratch.enter(ALL, null, null, BulkOptions.NONE);
    scratch.freshCounters(0);
    return slot;
  }

  private int state(long slot) {
    return table.states.get(TextLayout.stateAt(slot));
  }

  private void setState(long slot, int state) {
    table.states.set(TextLayout.stateAt(slot), state);
  }

  private Kernel insert(TaskRange task, int options) {
    int perKey = options | MapCodes.MASKED | MapCodes.OUTCOMES;
    return table
        .inserts(workers, Change.Policy.KEEP)
        .insert(keys.words(), scratch.range(keys, counters, task), MapCodes.KEEP, perKey, 0, 1);
  }

  @AfterEach
  void close() {
    launcher.close();
    keys.close();
    scratch.close();
    table.memories().forEach(Memory::close);
  }

  @Test
  void onlyThatKeyIsDoneAgain() {
    setState(slotOfOne, MapCodes.RESERVED);
    insert(ALL, 0).run(0, ALONE);
    assertThat(counters.get(MapCodes.STUCK)).isEqualTo(1);
    assertThat(counters.get(MapCodes.INSERTED)).isEqualTo(KEYS.size() - 1);
    assertThat(scratch.outcomes.get(0)).isEqualTo(MapCodes.STUCK);
    setState(slotOfOne, MapCodes.EMPTY);
    counters.set(MapCodes.STUCK, 0);
    insert(ALL, 0).run(0, ALONE);
    assertThat(counters.get(MapCodes.INSERTED)).as("not asked to").isEqualTo(KEYS.size() - 1);
    insert(ALL, MapCodes.AGAIN).run(0, ALONE);
    assertThat(counters.get(MapCodes.INSERTED)).isEqualTo(KEYS.size());
    assertThat(counters.get(MapCodes.PRESENT)).isZero();
    assertThat(counters.get(MapCodes.PENDING)).isZero();
  }

  @Test
  void launchesFollowUntilTheSlotIsPublished() {
    setState(slotOfOne, MapCodes.RESERVED);
    AtomicInteger launches = new AtomicInteger();
    try (JvmLauncher jvm = JvmLauncher.ofWorkers(1)) {
      new Launches(new Workers(jvm), false, true, true, 100)
          .run((options, _) -> publishing(launches, options), 0, ALL, counters);
      assertThat(launches).hasValue(5);
      assertThat(counters.get(MapCodes.STUCK)).isZero();
      assertThat(counters.get(MapCodes.INSERTED)).isEqualTo(KEYS.size());
    }
  }

  /** Whoever reserved the slot gives it back before the fifth launch. */
  private Kernel publishing(AtomicInteger launches, int options) {
    if (launches.incrementAndGet() == 5) {
      setState(slotOfOne, MapCodes.EMPTY);
    }
    return insert(ALL, options);
  }

  @Test
  void afterTheLimitItIsStuck() {
    setState(slotOfOne, MapCodes.RESERVED);
    AtomicInteger launches = new AtomicInteger();
    try (JvmLauncher jvm = JvmLauncher.ofWorkers(1)) {
      new Launches(new Workers(jvm), false, true, true, 4)
          .run((options, _) -> publishing(launches, options), 0, ALL, counters);
      assertThat(launches).hasValue(4);
      assertThat(counters.get(MapCodes.STUCK)).isEqualTo(1);
    }
  }

  @Test
  void aLaunchThatWaitsIsTheOnlyOne() {
    setState(slotOfOne, MapCodes.RESERVED);
    AtomicInteger launches = new AtomicInteger();
    try (JvmLauncher jvm = JvmLauncher.ofWorkers(1)) {
      new Launches(new Workers(jvm), false, false, true, 4)
          .run((options, _) -> publishing(launches, options), 0, ALL, counters);
    }
    assertThat(launches).hasValue(1);
    assertThat(counters.get(MapCodes.STUCK)).isEqualTo(1);
  }
}
