package dev.gyre.kernels.map.exclusive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.DamagedTableException;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.IntSlots;
import dev.gyre.kernels.map.KeySlots;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Move;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.PackedSlots;
import dev.gyre.kernels.map.Removal;
import dev.gyre.kernels.map.SingleKeys;
import java.io.File;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Who owns the slots stays in the table, whose accesses nobody checks, whatever keys and hashes
 * are; behind each table is memory that must stay as it is.
 */
class ExclusiveInsertTest {

  private static final int SLOTS = 600;
  private static final int BEHIND = 64;

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
  }

  /** All keys begin at the last slot. */
  record Last() implements Hash {
    @Override
    public long hash(long key, long seed) {
      return -1;
    }
  }

  /** Keys become others while they are hashed, as if another thread wrote to their array. */
  record Meddling() implements Hash {
    private static long[] keys = {};

    @Override
    public long hash(long key, long seed) {
      keys[0] = 2;
      return Hashing.hash(key, seed);
    }
  }

  /** A memory, and how many of its bytes are the table's. */
  private record Part(Memory memory, long bytes) {}

  private final List<Part> parts = new ArrayList<>();

  private Memory memory(long count, int bytes) {
    Memory memory = Memory.addressable(count + BEHIND, bytes);
    parts.add(new Part(memory, count * bytes));
    return memory;
  }

  private DeviceInts ints(long count) {
    return DeviceInts.of(memory(count, Integer.BYTES));
  }

  private DeviceLongs longs(long count) {
    return DeviceLongs.of(memory(count, Long.BYTES));
  }

  private NumberTable table(Layout layout, Hash hash) {
    return switch (layout) {
      case LINE -> {
        Memory lines = memory((long) SLOTS * LongSlots.Line.SLOT_LONGS, Long.BYTES);
        yield new LongSlots.Line(
            DeviceInts.of(lines), DeviceLongs.of(lines), SLOTS, 1, hash, new Removal.Refused());
      }
      case REFERENCE ->
          new LongSlots.Reference(
              ints(SLOTS), longs(SLOTS), longs(SLOTS), SLOTS, 1, hash, new Removal.Refused());
      case INT_TO_LONG ->
          new LongSlots.IntKeyed(
              ints(SLOTS), ints(SLOTS), longs(SLOTS), SLOTS, 1, hash, new Removal.Refused());
      case LONG_TO_INT ->
          new LongSlots.IntValued(
              ints(SLOTS), longs(SLOTS), ints(SLOTS), SLOTS, 1, hash, new Removal.Refused());
      case INTS ->
          new IntSlots(
              ints(SLOTS), ints(SLOTS), ints(SLOTS), SLOTS, 1, hash, new Removal.Refused());
      case PACKED ->
          new PackedSlots(longs(PackedSlots.words(SLOTS)), SLOTS, 1, hash, new Removal.Refused());
      case SET_OF_LONGS ->
          new KeySlots.OfLongs(longs(SLOTS + 1L), SLOTS, 1, hash, new Removal.Refused());
      case SET_OF_INTS ->
          new KeySlots.OfInts(ints(SLOTS + 1L), SLOTS, 1, hash, new Removal.Refused());
    };
  }

  @AfterEach
  void free() {
    parts.forEach(part -> part.memory().close());
  }

  private void requireNothingBehind() {
    for (Part part : parts) {
      MemorySegment behind = part.memory().segment().asSlice(part.bytes());
      assertThat(behind.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
    }
  }

  private static MemorySegment column(Layout layout, long... numbers) {
    int[] narrow = new int[numbers.length];
    for (int i = 0; i < narrow.length; i++) {
      narrow[i] = (int) numbers[i];
    }
    return layout.hasLongs() ? MemorySegment.ofArray(numbers) : MemorySegment.ofArray(narrow);
  }

  private static long insert(NumberTable table, Layout layout, Change.Policy change, long... keys) {
    MemorySegment numbers = column(layout, keys);
    return ExclusiveOperations.insert(
        table, numbers, numbers, 0, keys.length, change, (_, _) -> {});
  }

  /**
   * All slots but one, of keys of which one is 0, and one has a slot of its own in some layouts.
   */
  private static long[] numbers(Layout layout) {
    long least = layout.key(Long.MAX_VALUE) < 0 ? Integer.MIN_VALUE : Long.MIN_VALUE;
    return Stream.concat(Stream.of(0L, least), new SplittableRandom(3).longs(2 * SLOTS).boxed())
        .mapToLong(layout::key)
        .distinct()
        .limit(SLOTS - 1)
        .toArray();
  }

  private void fill(Layout layout, Hash hash, Change.Policy change) {
    NumberTable table = table(layout, hash);
    long[] keys = numbers(layout);
    assertThat(insert(table, layout, change, keys)).isEqualTo(keys.length);
    assertThat(insert(table, layout, change, keys)).isZero();
    for (long key : keys) {
      assertThat(table.find(key).isFound()).isTrue();
    }
    requireNothingBehind();
  }

  @ParameterizedTest
  @EnumSource
  void searchesGoOnAtTheFirstSlotBehindTheLast(Layout layout) {
    fill(layout, new Last(), Change.Policy.KEEP);
    fill(layout, new Last(), Change.Policy.ASSIGN);
  }

  /** No insert writes that, but a file that was not made by us may hold it. */
  @ParameterizedTest
  @EnumSource(names = {"PACKED", "SET_OF_LONGS", "SET_OF_INTS"})
  void aSideSlotWithAnotherKeyIsNotPassedToWhatIsBehind(Layout layout) {
    for (Change.Policy change : List.of(Change.Policy.KEEP, Change.Policy.ASSIGN)) {
      NumberTable table = table(layout, new Last());
      MemorySegment words = parts.getLast().memory().segment();
      switch (layout) {
        case PACKED ->
            words.set(
                ValueLayout.JAVA_LONG, 8L * SLOTS, PackedSlots.word(PackedSlots.stored(7), 7));
        case SET_OF_LONGS -> words.set(ValueLayout.JAVA_LONG, 8L * SLOTS, 7);
        default -> words.set(ValueLayout.JAVA_INT, 4L * SLOTS, 7);
      }
      long aside = table instanceof KeySlots keys ? keys.side() : Integer.MIN_VALUE;
      assertThat(insert(table, layout, change, 1, aside, 2)).isPositive();
      requireNothingBehind();
    }
  }

  @ParameterizedTest
  @EnumSource
  void tablesThatAreLongerThanTheirMemoryAreRefused(Layout layout) {
    NumberTable table = table(layout, new Last());
    NumberTable longer = longer(table, 2L * (SLOTS + BEHIND));
    assertThatThrownBy(() -> insert(longer, layout, Change.Policy.KEEP, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    requireNothingBehind();
  }

  private static NumberTable longer(NumberTable table, long slots) {
    return switch (table) {
      case LongSlots.Line t ->
          new LongSlots.Line(t.states(), t.words(), slots, 1, t.hash(), new Removal.Refused());
      case LongSlots.Reference t ->
          new LongSlots.Reference(
              t.states(), t.keys(), t.values(), slots, 1, t.hash(), new Removal.Refused());
      case LongSlots.IntKeyed t ->
          new LongSlots.IntKeyed(t.states(), t.keys(), t.values(), slots, 1, t.hash(), t.removal());
      case LongSlots.IntValued t ->
          new LongSlots.IntValued(
              t.states(), t.keys(), t.values(), slots, 1, t.hash(), t.removal());
      case IntSlots t ->
          new IntSlots(t.states(), t.keys(), t.values(), slots, 1, t.hash(), new Removal.Refused());
      case PackedSlots t -> new PackedSlots(t.words(), slots, 1, t.hash(), new Removal.Refused());
      case KeySlots.OfLongs t ->
          new KeySlots.OfLongs(t.words(), slots, 1, t.hash(), new Removal.Refused());
      case KeySlots.OfInts t ->
          new KeySlots.OfInts(t.words(), slots, 1, t.hash(), new Removal.Refused());
      default -> throw new AssertionError(table);
    };
  }

  /**
   * A table without an EMPTY slot, which no insert leaves behind; searches in it end all the same.
   */
  @ParameterizedTest
  @EnumSource
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void searchesEndWhereNoSlotIsEmpty(Layout layout) {
    for (Hash hash :
        List.of(new Last(), layout.hasLongs() ? new Hashing.OfLongs() : new Hashing.OfInts())) {
      NumberTable table = table(layout, hash);
      long[] keys = LongStream.rangeClosed(1, SLOTS).toArray();
      assertThat(insert(table, layout, Change.Policy.KEEP, keys)).isEqualTo(SLOTS);
      assertThat(insert(table, layout, Change.Policy.ASSIGN, keys)).isZero();
      for (long absent : new long[] {0, -7}) {
        MemorySegment sought = column(layout, absent);
        for (Change.Policy change : List.of(Change.Policy.KEEP, Change.Policy.ASSIGN)) {
          assertThatThrownBy(() -> insert(table, layout, change, absent))
              .isInstanceOf(DamagedTableException.class);
        }
        for (MemorySegment found : Arrays.asList(null, column(layout, 0))) {
          assertThatThrownBy(() -> ExclusiveOperations.find(table, sought, found, 0, 1))
              .isInstanceOf(DamagedTableException.class);
        }
        for (KeyReader reader :
            List.of(KeyReader.of(table), new KeyReader.Checked(Shape.of(table)))) {
          assertThat(reader.find(absent)).isNegative();
          assertThat(findAll(reader, layout, false, absent)).isNotPositive();
          assertThat(findAll(reader, layout, true, absent)).isNotPositive();
        }
        SingleKeys.Place place = table.find(absent);
        assertThat(place.isFound()).isFalse();
        assertThat(table.insert(place, absent, 1, 1)).isEqualTo(SingleKeys.STUCK);
        move(layout, hash, table, absent);
      }
      assertThat(ExclusiveOperations.find(table, column(layout, keys), null, 0, SLOTS))
          .isEqualTo(SLOTS);
    }
    requireNothingBehind();
  }

  private static int findAll(KeyReader reader, Layout layout, boolean fetches, long key) {
    return layout.hasLongs()
        ? reader.findAll(new long[] {key}, fetches ? new long[1] : null, 0, 1)
        : reader.findAll(new int[] {(int) key}, fetches ? new int[1] : null, 0, 1);
  }

  private void move(Layout layout, Hash hash, NumberTable full, long key) {
    NumberTable old = table(layout, hash);
    assertThat(insert(old, layout, Change.Policy.KEEP, key)).isOne();
    try (Memory memory = Memory.ofLongs(MapCodes.COUNTERS)) {
      DeviceLongs counters = DeviceLongs.of(memory);
      new Move(old, full, counters, 0, SLOTS).run(0, LaunchShape.ofThreads(1));
      assertThat(counters.get(MapCodes.STUCK)).isOne();
    }
  }

  /** Where the host has addresses and no pages: keys would be gone without a word. */
  @Test
  void tablesThatOnlyADeviceReachesAreRefused() {
    Memory there = Memory.onDevice((SLOTS + 1L) * Long.BYTES);
    try {
      NumberTable table =
          new KeySlots.OfLongs(DeviceLongs.of(there), SLOTS, 1, new Last(), new Removal.Refused());
      assertThatThrownBy(() -> insert(table, Layout.SET_OF_LONGS, Change.Policy.KEEP, 1))
          .isInstanceOf(IllegalStateException.class);
    } finally {
      there.close();
    }
  }

  @Test
  void keysAreCopiedBeforeTheyAreHashed() {
    NumberTable table = table(Layout.REFERENCE, new Meddling());
    long[] keys = {1};
    Meddling.keys = keys;
    assertThat(insert(table, Layout.REFERENCE, Change.Policy.KEEP, keys)).isEqualTo(1);
    assertThat(keys).containsExactly(2);
    assertThat(table.find(1).isFound()).isTrue();
    assertThat(table.find(2).isFound()).isFalse();
  }

  /** In a process of its own, as native access is enabled here. */
  @Test
  void segmentsAreUsedWhereNativeAccessIsNotEnabled() throws Exception {
    String path =
        Stream.of(
                ExclusiveInsertTest.class,
                ExclusiveOperations.class,
                Memory.class,
                Test.class,
                EnumSource.class)
            .map(type -> type.getProtectionDomain().getCodeSource().getLocation().getPath())
            .distinct()
            .collect(Collectors.joining(File.pathSeparator));
    String all = path + File.pathSeparator + System.getProperty("java.class.path");
    Process java =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--illegal-native-access=deny",
                "-cp",
                all,
                WithoutAddresses.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      assertThat(java.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(java.exitValue()).isZero();
    } finally {
      java.destroyForcibly();
    }
  }

  static final class WithoutAddresses {
    private WithoutAddresses() {}

    public static void main(String[] arguments) {
      ExclusiveInsertTest test = new ExclusiveInsertTest();
      for (Layout layout : Layout.values()) {
        test.fill(layout, new Last(), Change.Policy.KEEP);
        test.fill(layout, new Last(), Change.Policy.ASSIGN);
      }
      test.free();
    }
  }
}
