package dev.gyre.kernels.map.exclusive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.IntSlots;
import dev.gyre.kernels.map.KeySlots;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.PackedSlots;
import dev.gyre.kernels.map.Removal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Single keys that are inserted and changed by address, in each layout that has it. */
class KeyWriterTest {

  private static final int SLOTS = 16;

  enum Layout {
    LINE,
    REFERENCE,
    INT_TO_LONG,
    LONG_TO_INT,
    INTS,
    PACKED
  }

  private final List<Memory> memories = new ArrayList<>();

  private Memory memory(long count, int bytes) {
    Memory memory = Memory.addressable(count, bytes);
    memories.add(memory);
    return memory;
  }

  private DeviceInts ints() {
    return DeviceInts.of(memory(SLOTS, Integer.BYTES));
  }

  private DeviceLongs longs() {
    return DeviceLongs.of(memory(SLOTS, Long.BYTES));
  }

  private NumberTable table(Layout layout) {
    return switch (layout) {
      case LINE -> {
        Memory lines = memory((long) SLOTS * LongSlots.Line.SLOT_LONGS, Long.BYTES);
        yield new LongSlots.Line(
            DeviceInts.of(lines),
            DeviceLongs.of(lines),
            SLOTS,
            1,
            new Hashing.OfLongs(),
            new Removal.Refused());
      }
      case REFERENCE ->
          new LongSlots.Reference(
              ints(), longs(), longs(), SLOTS, 1, new Hashing.OfLongs(), new Removal.Refused());
      case INT_TO_LONG ->
          new LongSlots.IntKeyed(
              ints(), ints(), longs(), SLOTS, 1, new Hashing.OfLongs(), new Removal.Refused());
      case LONG_TO_INT ->
          new LongSlots.IntValued(
              ints(), longs(), ints(), SLOTS, 1, new Hashing.OfLongs(), new Removal.Refused());
      case INTS ->
          new IntSlots(
              ints(), ints(), ints(), SLOTS, 1, new Hashing.OfInts(), new Removal.Refused());
      case PACKED ->
          new PackedSlots(
              DeviceLongs.of(memory(SLOTS + 1, Long.BYTES)),
              SLOTS,
              1,
              new Hashing.OfInts(),
              new Removal.Refused());
    };
  }

  @AfterEach
  void free() {
    memories.forEach(Memory::close);
  }

  /** Key 0 is there by its state alone. */
  @ParameterizedTest
  @EnumSource
  void keysThatAreInsertedAreThereForAllWays(Layout layout) {
    NumberTable table = table(layout);
    KeyReader.Writer writer = (KeyReader.Writer) KeyReader.of(table);
    for (long key = -5; key < 5; key++) {
      long slot = writer.find(key);
      assertThat(slot).isNegative();
      assertThat(writer.insert(~slot, key, 10 * key)).isTrue();
      assertThat(writer.insert(~slot, key, 0)).as("twice").isFalse();
    }
    for (long key = -5; key < 5; key++) {
      long slot = writer.find(key);
      assertThat(slot).isEqualTo(table.find(key).slot()).isNotNegative();
      assertThat(writer.value(slot)).isEqualTo(10 * key);
      assertThat(table.isSound(slot)).isTrue();
    }
    assertThat(writer.find(5)).isNegative();
  }

  @ParameterizedTest
  @EnumSource
  void eachPolicyDoesWhatItSays(Layout layout) {
    KeyReader.Writer writer = (KeyReader.Writer) KeyReader.of(table(layout));
    long slot = ~writer.find(3);
    assertThat(writer.insert(slot, 3, 12)).isTrue();
    assertThat(writer.update(slot, 99, MapCodes.KEEP)).isEqualTo(12);
    long value = 12;
    for (int policy :
        new int[] {
          MapCodes.ADD,
          MapCodes.MIN,
          MapCodes.MAX,
          MapCodes.AND,
          MapCodes.OR,
          MapCodes.XOR,
          MapCodes.ASSIGN
        }) {
      for (long operand : new long[] {-7, 5, 20}) {
        assertThat(writer.update(slot, operand, policy)).as("policy %d", policy).isEqualTo(value);
        value = Change.applied(value, operand, policy);
      }
    }
    assertThat(writer.value(slot)).isEqualTo(value);
  }

  /** The thread that claimed it may be about to insert the same key. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "PACKED")
  void aSlotThatAnotherThreadHasIsLeftAlone(Layout layout) {
    NumberTable table = table(layout);
    KeyReader.Writer writer = (KeyReader.Writer) KeyReader.of(table);
    long slot = ~writer.find(3);
    assertThat(table.claimSeqCst(slot, MapCodes.RESERVED)).isEqualTo(MapCodes.EMPTY);
    assertThat(writer.insert(slot, 3, 12)).isFalse();
    assertThat(table.loadSeqCst(slot)).isEqualTo(MapCodes.RESERVED);
    // An insert begins there, since it may become the key's.
    assertThat(writer.find(3)).isEqualTo(~slot);
    // A slot may have its key and value before it is FILLED.
    ((StateReader) writer).write(slot, 3, 11);
    assertThat(writer.find(3)).isEqualTo(~slot);
    table.fillSeqCst(slot, 3, 0, 11, 0);
    assertThat(writer.find(3)).isEqualTo(slot);
    assertThat(writer.insert(slot, 3, 12)).isFalse();
    assertThat(writer.value(slot)).isEqualTo(11);
  }

  /** The least number has a slot of its own, and nothing else is ever there. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void keysAloneAreThereForAllWays(boolean ofInts) {
    NumberTable table =
        ofInts
            ? new KeySlots.OfInts(
                DeviceInts.of(memory(SLOTS + 1, Integer.BYTES)),
                SLOTS,
                1,
                new Hashing.OfInts(),
                new Removal.Refused())
            : new KeySlots.OfLongs(
                DeviceLongs.of(memory(SLOTS + 1, Long.BYTES)),
                SLOTS,
                1,
                new Hashing.OfLongs(),
                new Removal.Refused());
    long least = ofInts ? Integer.MIN_VALUE : Long.MIN_VALUE;
    KeyReader reader = KeyReader.of(table);
    KeyReader.Writer writer = (KeyReader.Writer) reader;
    long[] keys = {least, least + 1, -1, 0, 1, 2, ofInts ? Integer.MAX_VALUE : Long.MAX_VALUE};
    for (long key : keys) {
      long slot = writer.find(key);
      assertThat(slot).isNegative();
      assertThat(new KeyReader.Checked(Shape.of(table)).find(key)).isEqualTo(slot);
      assertThat(writer.insert(~slot, key, key)).isTrue();
      assertThat(writer.insert(~slot, key, key)).as("twice").isFalse();
    }
    for (long key : keys) {
      long slot = writer.find(key);
      assertThat(slot).isEqualTo(table.find(key).slot()).isNotNegative();
      assertThat(new KeyReader.Checked(Shape.of(table)).find(key)).isEqualTo(slot);
      assertThat(slot == SLOTS).isEqualTo(key == least);
      assertThat(reader.value(slot))
          .isEqualTo(new KeyReader.Checked(Shape.of(table)).value(slot))
          .isEqualTo(key);
      assertThat(table.key(slot)).isEqualTo(table.value(slot)).isEqualTo(key);
      assertThat(writer.update(slot, 7, MapCodes.KEEP)).isEqualTo(key);
      assertThat(table.isSound(slot)).isTrue();
    }
    assertThat(writer.find(5)).isNegative();
  }

  /** Of updates that several threads make by compare-and-exchange none is lost. */
  @ParameterizedTest
  @EnumSource
  void noUpdateOfSeveralThreadsIsLost(Layout layout) {
    KeyReader.Writer writer = (KeyReader.Writer) KeyReader.of(table(layout));
    long slot = ~writer.find(3);
    assertThat(writer.insert(slot, 3, 0)).isTrue();
    List<Thread> threads =
        IntStream.range(0, 2)
            .mapToObj(
                thread ->
                    Thread.ofPlatform()
                        .start(
                            () -> {
                              for (int i = 0; i < 20_000; i++) {
                                long _ = writer.update(slot, 1, MapCodes.ADD);
                                long _ = writer.update(slot, 1L << (20 + thread), MapCodes.XOR);
                              }
                            }))
            .toList();
    for (Thread thread : threads) {
      assertThat(joined(thread)).isTrue();
    }
    assertThat(writer.value(slot)).isEqualTo(40_000);
  }

  private static boolean joined(Thread thread) {
    try {
      return thread.join(java.time.Duration.ofSeconds(60));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
