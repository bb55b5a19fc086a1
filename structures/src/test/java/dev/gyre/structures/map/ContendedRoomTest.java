package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.Device;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.map.TextSlots;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Threads of a device find no room for the text of a key that another one is about to insert. */
class ContendedRoomTest {

  @Test
  void equalKeysAreNotFullWhereOneTakesTheLastRoom() {
    String key = "a key of twenty-four byte";
    List<String> keys = List.of(key, key, key);
    try (JvmLauncher jvm = JvmLauncher.create();
        TextLongMap map =
            TextLongMap.builder()
                .launcher(new HeldRoom(jvm))
                .fixedCapacity(1)
                .textBytes(32)
                .build()) {
      InsertCounts counts = map.insertOrApply(keys, new long[] {1, 20, 300}, Apply.ADD);
      assertThat(counts).isEqualTo(new InsertCounts(1, 2, 0));
      assertThat(map.get(key)).hasValue(321);
    }
  }

  @Test
  void keysThatAreNotThereAreFull() {
    List<String> keys = List.of("a key of twenty-four byte", "another of twenty-four byte");
    try (JvmLauncher jvm = JvmLauncher.create();
        TextLongMap map =
            TextLongMap.builder()
                .launcher(new HeldRoom(jvm))
                .fixedCapacity(1)
                .textBytes(32)
                .build()) {
      assertThat(map.insert(keys, new long[] {1, 2})).isEqualTo(new InsertCounts(1, 0, 1));
    }
  }

  /**
   * Does as a device may: the thread of the first key takes the room that is left in the arena,
   * then all others look for room, then the first goes on.
   */
  private record HeldRoom(Launcher jvm) implements Launcher {

    @Override
    public Device device() {
      return new Device(Target.OPENCL, "threads one by one", 1);
    }

    @Override
    public LaunchShape shapeFor(long items) {
      return LaunchShape.ofThreads(1);
    }

    @Override
    public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
      return jvm.start(
          kernel instanceof TextSlots.Insert insert ? (_, _) -> run(insert) : kernel, shape, mode);
    }

    private static void run(TextSlots.Insert insert) {
      long free = insert.bump().get(0);
      insert.bump().set(0, insert.arenaWords());
      part(insert, insert.from() + 1, insert.to());
      insert.bump().set(0, free);
      part(insert, insert.from(), insert.from() + 1);
    }

    private static void part(TextSlots.Insert whole, long from, long to) {
      TextSlots.insert(
          0,
          1,
          whole.states(),
          whole.table(),
          whole.slots(),
          whole.seed(),
          whole.arena(),
          whole.arenaWords(),
          whole.bump(),
          whole.chunk(),
          whole.inWords(),
          whole.inPlaces(),
          whole.inValues(),
          whole.outcomes(),
          whole.counters(),
          from,
          to,
          whole.policy(),
          whole.options(),
          whole.pollLimit());
    }

    @Override
    public void close() {}
  }
}
