package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.map.Insert;
import dev.gyre.kernels.map.TextSlots;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.ForwardingLauncher;
import dev.gyre.structures.TargetUnderTest;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Threads of a device find no room for the text of a key that another one is about to insert. */
@ConformanceSuite
@Tag("race")
class ContendedCapacityTest {

  private static TextLongMap oneKey(Launcher launcher) {
    TargetUnderTest.assumeAlone();
    return TextLongMap.builder()
        .launcher(new DelayedInserts(launcher))
        .fixedCapacity(1)
        .textBytes(32)
        .build();
  }

  private static Launcher launcher() {
    Launcher device = TargetUnderTest.device();
    return device == null ? JvmLauncher.create() : device;
  }

  @Test
  void equalKeysAreNotFullWhereOneTakesTheLastRoom() {
    String key = "a key of twenty-four byte";
    List<String> keys = List.of(key, key, key);
    try (TextLongMap map = oneKey(launcher())) {
      InsertCounts counts = map.insertOrApply(keys, new long[] {1, 20, 300}, Apply.ADD);
      assertThat(counts).isEqualTo(new InsertCounts(1, 2, 0));
      assertThat(map.get(key)).hasValue(321);
    }
  }

  @Test
  void keysThatAreNotThereAreFull() {
    List<String> keys = List.of("a key of twenty-four byte", "another of twenty-four byte");
    try (TextLongMap map = oneKey(launcher())) {
      assertThat(map.insert(keys, new long[] {1, 2})).isEqualTo(new InsertCounts(1, 0, 1));
    }
  }

  /**
   * Does what a device may do: the thread of the first key takes the room that is left in the
   * arena, then all others look for room, then the first goes on.
   */
  private static final class DelayedInserts extends ForwardingLauncher {

    DelayedInserts(Launcher launcher) {
      super(
          launcher, launcher.device().target() == Target.JVM ? deviceOnJvm(1) : launcher.device());
    }

    @Override
    public LaunchShape shapeFor(long items) {
      return LaunchShape.ofThreads(1);
    }

    @Override
    public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
      if (!(kernel instanceof Insert insert && insert.table() instanceof TextSlots table)) {
        return launcher.start(kernel, shape, mode);
      }
      Memory bump = table.bump().memory();
      launcher.readBack(bump);
      long free = table.bump().get(0);
      table.bump().set(0, table.arenaWords());
      launcher.hostWrote(bump);
      launcher.run(part(insert, insert.from() + 1, insert.to()), shape);
      launcher.readBack(bump);
      table.bump().set(0, free);
      launcher.hostWrote(bump);
      return launcher.start(part(insert, insert.from(), insert.from() + 1), shape, mode);
    }

    private static Insert part(Insert whole, long from, long to) {
      return new Insert(
          whole.table(),
          whole.batch(),
          whole.counters(),
          from,
          to,
          whole.change(),
          whole.options(),
          whole.pollLimit());
    }

    /** The launcher is the suite's. */
    @Override
    public void close() {}
  }
}
