package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryInUseException;
import dev.gyre.atomics.MemoryLeft;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Retrieve;
import dev.gyre.structures.ForwardingLauncher;
import dev.gyre.structures.map.table.LongScratch;
import dev.gyre.structures.map.table.RowScratch;
import dev.gyre.structures.map.work.ScratchBuffer;
import dev.gyre.structures.map.work.ScratchPool;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Memory that a device works on when a map wants to free it. */
class MemoryCacheTest {

  /** What keeps memories, and notes which are freed. */
  private static final class Devices {
    private final List<Memory> freed = new ArrayList<>();
    private boolean working = true;

    void use(Memory memory) {
      memory.beforeFree(
          () -> {
            if (working) {
              throw new MemoryInUseException("at work", null);
            }
            freed.add(memory);
          });
    }

    void watch(Memory memory) {
      memory.beforeFree(() -> freed.add(memory));
    }
  }

  @Test
  void aMapThatHasGrownIsGoodAndFreesTheRestWhenItIsClosed() {
    Devices devices = new Devices();
    LongLongMap map = LongLongMap.builder().capacity(4).build();
    Memory old = map.store.table().memories().getFirst();
    devices.use(old);
    for (long key = 0; key < 1_000; key++) {
      assertThat(map.putIfAbsent(key, key)).isEmpty();
    }
    assertThat(map.size()).isEqualTo(1_000);
    requireKept(devices, map::close, List.of(old));
  }

  @Test
  void aTextMapThatHasGrownIsGoodAndFreesTheRestWhenItIsClosed() {
    Devices devices = new Devices();
    TextLongMap map = TextLongMap.builder().capacity(4).build();
    List<Memory> old = map.store.table().memories();
    old.forEach(devices::use);
    for (int key = 0; key < 1_000; key++) {
      assertThat(map.putIfAbsent("a key of some length, number " + key, key)).isEmpty();
    }
    assertThat(map.size()).isEqualTo(1_000);
    requireKept(devices, map::close, old);
  }

  @Test
  void allThatCanBeFreedIsAndTheRestByAnotherClose() {
    Devices devices = new Devices();
    TextLongMap map = TextLongMap.builder().capacity(4).build();
    List<Memory> all = map.store.table().memories();
    devices.use(all.getFirst());
    all.stream().skip(1).forEach(devices::watch);
    assertThatThrownBy(map::close).isInstanceOf(MemoryInUseException.class);
    assertThat(devices.freed).hasSize(all.size() - 1);
    requireKept(devices, map::close, all);
  }

  /** Still works on what it copied entries to when they are there. */
  private static final class Copying extends ForwardingLauncher {
    private final Devices devices;
    private final List<Memory> all = new ArrayList<>();

    Copying(Devices devices) {
      super(JvmLauncher.ofWorkers(1), deviceOnJvm(1));
      this.devices = devices;
    }

    @Override
    public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
      Launch launch = super.start(kernel, shape, mode);
      if (kernel instanceof Retrieve retrieve) {
        Memory counters = retrieve.counters().memory();
        all.add(counters);
        devices.use(counters);
      }
      return launch;
    }
  }

  @Test
  void whatEntriesWereCopiedToIsFreedWhenTheMapIsClosed() {
    Devices devices = new Devices();
    try (Copying launcher = new Copying(devices)) {
      LongLongMap map = LongLongMap.builder().launcher(launcher).build();
      assertThat(map.insert(new long[] {3, 5}, new long[] {3, 5}).inserted()).isEqualTo(2);
      List<Long> walked = new ArrayList<>();
      map.forEach((key, _) -> walked.add(key));
      assertThat(walked).containsExactlyInAnyOrder(3L, 5L);
      assertThat(map.retrieveAll(new long[2], new long[2])).isEqualTo(2);
      assertThat(launcher.all).hasSize(2);
      requireKept(devices, map::close, launcher.all);
    }
  }

  @Test
  void scratchOfLongsThatIsInUseIsFreedWhenItIsClosed() {
    requireKept(new ScratchPool<>(LongScratch::new));
  }

  @Test
  void scratchOfTextsThatIsInUseIsFreedWhenItIsClosed() {
    requireKept(new ScratchPool<>((length, workers, _) -> new RowScratch(length, workers, 0, 1)));
  }

  /** To free memory is dear where there are many threads. */
  @Test
  void operationsOnListsUseTheSameScratchMemoryAgain() {
    try (TextLongMap map = TextLongMap.builder().capacity(1_000).build()) {
      // Few keys are inserted without any.
      assertThat(map.insert(List.of("whale", "sea"), new long[] {1, 2}).inserted()).isEqualTo(2);
      // A find uses two: both of them have held keys after the second one.
      assertThat(map.contains(List.of("whale", "sea")).found()).isEqualTo(2);
      assertThat(map.contains(List.of("whale", "ship")).found()).isEqualTo(1);
      try (MemoryLeft _ = MemoryLeft.of(0)) {
        assertThat(map.insert(List.of("ship", "crew"), new long[] {3, 4}).inserted()).isEqualTo(2);
        assertThat(map.contains(List.of("ship", "sail")).found()).isEqualTo(1);
        long[] found = new long[2];
        assertThat(map.find(List.of("sea", "crew"), found).found()).isEqualTo(2);
        assertThat(found).containsExactly(2, 4);
      }
    }
  }

  @Test
  void listsOfDifferentLengthsAndKeysUseOneAfterTheOther() {
    try (TextSet set = TextSet.create()) {
      for (int count : new int[] {1, 300, 0, 7, 5_000, 20, 4_096}) {
        List<String> keys =
            IntStream.range(0, count).mapToObj(i -> "äöü".repeat(i % 9) + count + "," + i).toList();
        assertThat(set.addAll(keys).inserted()).isEqualTo(count);
        assertThat(set.containsAll(keys).found()).isEqualTo(count);
      }
      assertThatThrownBy(() -> set.addAll(List.of("fine", "\ud800")))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(set.contains("fine")).isFalse();
      assertThat(set.addAll(List.of("fine")).inserted()).isEqualTo(1);
    }
  }

  private static <S extends ScratchBuffer> void requireKept(ScratchPool<S> stages) {
    Devices devices = new Devices();
    S stage = stages.borrow(8, 1);
    devices.use(stage.all().getFirst());
    stage.all().stream().skip(1).forEach(devices::watch);
    stages.giveBack(stage);
    stages.drop();
    // A larger one takes the place of one that is in use.
    S small = stages.borrow(8, 1);
    small.all().forEach(devices::use);
    stages.giveBack(small);
    S large = stages.borrow(1_000, 1);
    large.all().forEach(devices::watch);
    assertThatThrownBy(stages::close).isInstanceOf(MemoryInUseException.class);
    // The operation ends when its map was closed.
    assertThatThrownBy(() -> stages.giveBack(large)).isInstanceOf(MemoryInUseException.class);
    requireKept(
        devices,
        stages::close,
        Stream.of(stage, small, large).flatMap(s -> s.all().stream()).toList());
  }

  private static void requireKept(Devices devices, Runnable close, List<Memory> all) {
    assertThatThrownBy(close::run).isInstanceOf(MemoryInUseException.class);
    devices.working = false;
    close.run();
    close.run();
    assertThat(devices.freed).containsExactlyInAnyOrderElementsOf(all);
  }
}
