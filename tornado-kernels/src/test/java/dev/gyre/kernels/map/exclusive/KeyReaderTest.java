package dev.gyre.kernels.map.exclusive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.IntSlots;
import dev.gyre.kernels.map.KeySlots;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.PackedSlots;
import dev.gyre.kernels.map.Removal;
import dev.gyre.kernels.map.SingleKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several keys at a time are found as each by itself, by address and from segments. */
class KeyReaderTest {

  /** More keys than a block has, and most slots taken, so that searches go past the last one. */
  private static final int SLOTS = 1_000;

  private static final int KEYS = 900;

  enum Layout {
    LINE,
    REFERENCE,
    INT_TO_LONG,
    LONG_TO_INT,
    INTS,
    PACKED,
    SET_OF_LONGS,
    SET_OF_INTS;

    boolean hasLongs() {
      return this != INTS && this != PACKED && this != SET_OF_INTS;
    }

    long key(long number) {
      return hasLongs() && this != INT_TO_LONG ? number : (int) number;
    }

    boolean hasValues() {
      return this != SET_OF_LONGS && this != SET_OF_INTS;
    }
  }

  private final List<Memory> memories = new ArrayList<>();

  private Memory memory(long count, int bytes) {
    Memory memory = Memory.addressable(count, bytes);
    memories.add(memory);
    return memory;
  }

  private DeviceInts ints() {
    return DeviceInts.of(memory(SLOTS + 1, Integer.BYTES));
  }

  private DeviceLongs longs(long count) {
    return DeviceLongs.of(memory(count, Long.BYTES));
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
              ints(),
              longs(SLOTS),
              longs(SLOTS),
              SLOTS,
              1,
              new Hashing.OfLongs(),
              new Removal.Refused());
      case INT_TO_LONG ->
          new LongSlots.IntKeyed(
              ints(), ints(), longs(SLOTS), SLOTS, 1, new Hashing.OfLongs(), new Removal.Refused());
      case LONG_TO_INT ->
          new LongSlots.IntValued(
              ints(), longs(SLOTS), ints(), SLOTS, 1, new Hashing.OfLongs(), new Removal.Refused());
      case INTS ->
          new IntSlots(
              ints(), ints(), ints(), SLOTS, 1, new Hashing.OfInts(), new Removal.Refused());
      case PACKED ->
          new PackedSlots(
              longs(PackedSlots.words(SLOTS)),
              SLOTS,
              1,
              new Hashing.OfInts(),
              new Removal.Refused());
      case SET_OF_LONGS ->
          new KeySlots.OfLongs(
              longs(SLOTS + 1), SLOTS, 1, new Hashing.OfLongs(), new Removal.Refused());
      case SET_OF_INTS ->
          new KeySlots.OfInts(ints(), SLOTS, 1, new Hashing.OfInts(), new Removal.Refused());
    };
  }

  @AfterEach
  void free() {
    memories.forEach(Memory::close);
  }

  private static int[] narrow(long[] numbers) {
    return Arrays.stream(numbers).mapToInt(n -> (int) n).toArray();
  }

  /** Returns how many are found; values go to an array of longs in any case. */
  private static int findAll(KeyReader reader, Layout layout, long[] keys, long[] found) {
    if (layout.hasLongs()) {
      assertThat(reader.findAll(keys, null, 0, keys.length))
          .isEqualTo(reader.findAll(keys, found, 0, keys.length));
      return reader.findAll(keys, found, 0, keys.length);
    }
    int[] narrow = new int[keys.length];
    assertThat(reader.findAll(narrow(keys), null, 0, keys.length))
        .isEqualTo(reader.findAll(narrow(keys), narrow, 0, keys.length));
    for (int i = 0; i < keys.length; i++) {
      found[i] = narrow[i];
    }
    return reader.findAll(narrow(keys), narrow, 0, keys.length);
  }

  private static void insert(NumberTable table, long key, long value) {
    SingleKeys.Place place = table.find(key);
    assertThat(place.isFound()).isFalse();
    assertThat(table.insert(place, key, value, 100)).isEqualTo(SingleKeys.NONE);
  }

  /** Among them 0, and the numbers that have a slot of their own. */
  private static long[] numbers(Layout layout, int count) {
    LongStream random = new SplittableRandom(5).longs(2L * count);
    LongStream fixed =
        LongStream.of(
            0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE);
    return LongStream.concat(fixed, random).map(layout::key).distinct().limit(count).toArray();
  }

  @ParameterizedTest
  @EnumSource
  void severalKeysAreFoundAsEachIs(Layout layout) {
    NumberTable table = table(layout);
    long[] numbers = numbers(layout, 2 * KEYS);
    Map<Long, Long> model = new HashMap<>();
    List<KeyReader> readers = List.of(KeyReader.of(table), new KeyReader.Checked(Shape.of(table)));
    assertThat(readers.getFirst().isChecked()).isFalse();
    for (int size : new int[] {0, 3, KEYS / 2, KEYS}) {
      for (int i = model.size(); i < size; i++) {
        // Each second one of the numbers, so that 0 is there and 1 is not.
        long key = numbers[2 * i];
        long value = layout.hasValues() ? i * 7L - 100 : key;
        insert(table, key, value);
        model.put(key, value);
      }
      for (int count : new int[] {0, 1, 5, 16, 17, 256, 257, numbers.length}) {
        long[] keys = Arrays.copyOf(numbers, count);
        long[] expected = Arrays.stream(keys).map(key -> model.getOrDefault(key, 0L)).toArray();
        int hits = (int) Arrays.stream(keys).filter(model::containsKey).count();
        for (KeyReader reader : readers) {
          long[] found = new long[count];
          Arrays.fill(found, 99);
          assertThat(findAll(reader, layout, keys, found)).isEqualTo(hits);
          assertThat(found).isEqualTo(expected);
        }
      }
    }
  }

  /** One that is not published yet is neither found nor taken for absent, nor waited for long. */
  @ParameterizedTest
  @EnumSource(names = {"LINE", "REFERENCE", "INT_TO_LONG", "LONG_TO_INT", "INTS"})
  void aKeyThatIsBeingInsertedIsNotTold(Layout layout) {
    NumberTable table = table(layout);
    for (long key : new long[] {3, 0}) {
      long slot = ~KeyReader.of(table).find(key);
      assertThat(table.claimSeqCst(slot, MapCodes.RESERVED)).isEqualTo(MapCodes.EMPTY);
      long[] keys = {key + 1, key, key + 2};
      for (KeyReader reader :
          List.of(KeyReader.of(table), new KeyReader.Checked(Shape.of(table)))) {
        assertThat(findAll(reader, layout, keys, new long[3])).isEqualTo(-1);
      }
      // Before it is FILLED a slot has key and value, and in what order they came is not
      // stateOffset.
      ((StateReader) KeyReader.of(table)).write(slot, key, 11);
      assertThat(findAll(KeyReader.of(table), layout, keys, new long[3])).isEqualTo(-1);
      table.fillSeqCst(slot, key, 0, 11, 0);
      for (KeyReader reader :
          List.of(KeyReader.of(table), new KeyReader.Checked(Shape.of(table)))) {
        long[] found = new long[3];
        assertThat(findAll(reader, layout, keys, found)).isEqualTo(1);
        assertThat(found[1]).isEqualTo(11);
      }
    }
  }
}
