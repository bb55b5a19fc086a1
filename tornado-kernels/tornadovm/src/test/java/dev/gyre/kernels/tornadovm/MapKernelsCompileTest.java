package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.map.Batch;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Find;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.Insert;
import dev.gyre.kernels.map.IntSlots;
import dev.gyre.kernels.map.KeySlots;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Move;
import dev.gyre.kernels.map.Numbers;
import dev.gyre.kernels.map.PackedSlots;
import dev.gyre.kernels.map.Removal;
import dev.gyre.kernels.map.Retrieve;
import dev.gyre.kernels.map.Slots;
import dev.gyre.kernels.map.TextRule;
import dev.gyre.kernels.map.TextSlots;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every kernel of the maps compiles for the device; what they do is tested with the maps. */
@ExtendWith(DeviceUnderTest.class)
class MapKernelsCompileTest {

  /** A layout, and the type of what a batch has for keys and values. */
  @SuppressWarnings("ImmutableEnumChecker") // Functions without state.
  enum Layout {
    LONG_REFERENCE(
        m ->
            new LongSlots.Reference(
                DeviceInts.of(m),
                DeviceLongs.of(m),
                DeviceLongs.of(m),
                1,
                1,
                new Hashing.OfLongs(),
                new Removal.Refused()),
        MapKernelsCompileTest::longs),
    LONG_LINE(
        m ->
            new LongSlots.Line(
                DeviceInts.of(m),
                DeviceLongs.of(m),
                1,
                1,
                new Hashing.OfLongs(),
                new Removal.Refused()),
        MapKernelsCompileTest::longs),
    INT_REFERENCE(
        m ->
            new IntSlots(
                DeviceInts.of(m),
                DeviceInts.of(m),
                DeviceInts.of(m),
                1,
                1,
                new Hashing.OfInts(),
                new Removal.Refused()),
        MapKernelsCompileTest::ints),
    INT_TO_LONG(
        m ->
            new LongSlots.IntKeyed(
                DeviceInts.of(m),
                DeviceInts.of(m),
                DeviceLongs.of(m),
                1,
                1,
                new Hashing.OfLongs(),
                new Removal.Refused()),
        MapKernelsCompileTest::longs),
    LONG_TO_INT(
        m ->
            new LongSlots.IntValued(
                DeviceInts.of(m),
                DeviceLongs.of(m),
                DeviceInts.of(m),
                1,
                1,
                new Hashing.OfLongs(),
                new Removal.Refused()),
        MapKernelsCompileTest::longs),
    PACKED(
        m -> new PackedSlots(DeviceLongs.of(m), 1, 1, new Hashing.OfInts(), new Removal.Refused()),
        MapKernelsCompileTest::ints),
    INT_KEYS(
        m ->
            new KeySlots.OfInts(
                DeviceInts.of(m), 1, 1, new Hashing.OfInts(), new Removal.Refused()),
        MapKernelsCompileTest::ints),
    LONG_KEYS(
        m ->
            new KeySlots.OfLongs(
                DeviceLongs.of(m), 1, 1, new Hashing.OfLongs(), new Removal.Refused()),
        MapKernelsCompileTest::longs),
    TEXT(MapKernelsCompileTest::texts, MapKernelsCompileTest::longs);

    private final Function<Memory, Slots> slots;
    private final Function<Memory, Numbers> numbers;

    Layout(Function<Memory, Slots> slots, Function<Memory, Numbers> numbers) {
      this.slots = slots;
      this.numbers = numbers;
    }
  }

  private static Numbers longs(Memory memory) {
    return Numbers.of(DeviceLongs.of(memory));
  }

  private static Numbers ints(Memory memory) {
    return Numbers.of(DeviceInts.of(memory));
  }

  private static TextSlots texts(Memory memory) {
    DeviceLongs row = DeviceLongs.of(memory);
    return new TextSlots(
        DeviceInts.of(memory),
        row,
        1,
        1,
        TextRule.of(null, 1),
        row,
        1,
        row,
        1,
        row,
        new Removal.Refused());
  }

  private static final int QUIET_VALUES = MapCodes.STRIPED + MapCodes.VALUES + MapCodes.QUIESCENT;

  @ParameterizedTest
  @EnumSource
  void compiles(Layout layout) {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory memory = Memory.ofLongs(8)) {
      Slots table = layout.slots.apply(memory);
      Numbers row = layout.numbers.apply(memory);
      Batch batch = new Batch(row, row, Bytes.of(memory));
      DeviceLongs counters = DeviceLongs.of(memory);
      for (Kernel kernel :
          new Kernel[] {
            new Insert(table, batch, counters, 0, 1, new Change.Policy(MapCodes.KEEP), 0, 1),
            new Insert(
                table,
                batch,
                counters,
                0,
                1,
                new Change.Policy(MapCodes.KEEP),
                MapCodes.STRIPED,
                1),
            new Find(table, batch, counters, 0, 1, 0, 1),
            new Find(table, batch, counters, 0, 1, MapCodes.STRIPED + MapCodes.VALUES, 1),
            new Find(table, batch, counters, 0, 1, QUIET_VALUES, 1),
            new Retrieve(table, row, row, counters, 0, 1)
          }) {
        assertThat(launcher.source(kernel)).isNotEmpty();
      }
    }
  }

  /** Its number of words is the only maximum that the kernel takes. */
  @Test
  void theLengthOfATextIsReckonedWithOncePerKeyAndNotAtEachSlot() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory memory = Memory.ofLongs(8)) {
      DeviceLongs row = DeviceLongs.of(memory);
      Batch batch = new Batch(Numbers.of(row), Numbers.of(row), Bytes.of(memory));
      Kernel find = new Find(texts(memory), batch, row, 0, 1, QUIET_VALUES, 1);
      assertThat(launcher.source(find)).containsOnlyOnce("max");
    }
  }

  @ParameterizedTest
  @EnumSource
  void movingCompiles(Layout layout) {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory memory = Memory.ofLongs(8)) {
      Slots table = layout.slots.apply(memory);
      DeviceLongs longs = DeviceLongs.of(memory);
      Kernel kernel =
          table instanceof TextSlots texts
              ? texts.move(longs, longs, longs, longs, 0, 1)
              : new Move(table, table, DeviceLongs.of(memory), 0, 1);
      assertThat(launcher.source(kernel)).as("%s", layout).isNotEmpty();
    }
  }
}
