package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What an operation writes lies over exactly the keys or exactly the values that it reads, or apart
 * from them; anything else is refused before anything is read or written.
 */
class OverlapTest {

  private static void assertRefused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("would overwrite");
  }

  private static long[] keys(int count) {
    return LongStream.rangeClosed(1, count).toArray();
  }

  private static long[] values(int count) {
    return LongStream.rangeClosed(1, count).map(i -> -i).toArray();
  }

  private static LongLongMap filled(int count) {
    LongLongMap map = LongLongMap.builder().capacity(count).loadFactor(1).workers(2).build();
    assertThat(map.insert(keys(count), values(count)).inserted()).isEqualTo(count);
    return map;
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 1_000, 12_000, 100_000})
  void valuesMayTakeThePlaceOfTheKeys(int count) {
    try (LongLongMap map = filled(count)) {
      long[] both = keys(count);
      assertThat(map.find(both, both)).isEqualTo(new FindCounts(count, 0));
      assertThat(both).isEqualTo(values(count));
      MemorySegment segment = Arena.ofAuto().allocate(8L * count, 8);
      MemorySegment.copy(keys(count), 0, segment, ValueLayout.JAVA_LONG, 0, count);
      assertThat(map.find(Longs.of(segment), Longs.of(segment), BulkOptions.NONE).found())
          .isEqualTo(count);
      assertThat(segment.toArray(ValueLayout.JAVA_LONG)).isEqualTo(values(count));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {5, 1_000, 12_000, 100_000})
  void whatIsInsertedAndFoundMayTakeThePlaceOfKeysOrValues(int count) {
    try (LongLongMap map = filled(count)) {
      long[] overKeys = keys(count);
      assertThat(map.insertAndFind(overKeys, new long[count], overKeys).present()).isEqualTo(count);
      assertThat(overKeys).isEqualTo(values(count));
      long[] overValues = new long[count];
      assertThat(map.insertAndFind(keys(count), overValues, overValues).present()).isEqualTo(count);
      assertThat(overValues).isEqualTo(values(count));
    }
    try (IntIntMap map = IntIntMap.builder().capacity(count).workers(2).build()) {
      int[] keys = IntStream.rangeClosed(1, count).toArray();
      int[] overKeys = keys.clone();
      assertThat(map.insertAndFind(overKeys, new int[count], overKeys).inserted()).isEqualTo(count);
      assertThat(overKeys).containsOnly(0);
      assertThat(map.find(keys, keys).found()).isEqualTo(count);
      assertThat(keys).containsOnly(0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 12_000})
  void valuesAreNotWrittenOverSomeOfTheKeysOrValues(int shift) {
    int count = 12_288;
    try (LongLongMap map = filled(count)) {
      long[] array = keys(count + shift);
      MemorySegment heap = MemorySegment.ofArray(array);
      MemorySegment off = Arena.ofAuto().allocate(8L * (count + shift), 8);
      MemorySegment _ = off.copyFrom(heap);
      for (MemorySegment all : List.of(heap, off)) {
        Longs first = Longs.of(all.asSlice(0, 8L * count));
        Longs second = Longs.of(all.asSlice(8L * shift, 8L * count));
        Longs apart = Longs.of(new long[count]);
        assertRefused(() -> map.find(first, second, BulkOptions.NONE));
        assertRefused(() -> map.find(second, first, BulkOptions.NONE));
        assertRefused(() -> map.insertAndFind(first, apart, second, BulkOptions.NONE));
        assertRefused(() -> map.insertAndFind(apart, first, second, BulkOptions.NONE));
        // Of an unaligned part.
        Longs odd = Longs.of(all.asSlice(4, 8L * count));
        assertRefused(() -> map.find(first, odd, BulkOptions.NONE));
      }
      // A whole array, and a part of it in a segment.
      long[] whole = keys(count + shift);
      Longs part = Longs.of(MemorySegment.ofArray(whole).asSlice(0, 8L * count));
      assertRefused(
          () ->
              map.find(
                  Longs.of(MemorySegment.ofArray(whole).asSlice(8L * shift)),
                  part,
                  BulkOptions.NONE));
      assertThat(array).isEqualTo(keys(count + shift));
      assertThat(map.size()).isEqualTo(count);
      assertThat(map.find(keys(count), new long[count]).found()).isEqualTo(count);
    }
  }

  @Test
  void intsAreNotWrittenOverSomeOfTheKeys() {
    try (IntIntMap map = IntIntMap.create()) {
      MemorySegment all = MemorySegment.ofArray(new int[101]);
      Ints first = Ints.of(all.asSlice(0, 400));
      Ints second = Ints.of(all.asSlice(4, 400));
      assertRefused(() -> map.find(first, second, BulkOptions.NONE));
      assertRefused(
          () -> map.insertAndFind(first, Ints.of(new int[100]), second, BulkOptions.NONE));
    }
  }

  /** Outcomes are bytes, so that they are never exactly the keys. */
  @Test
  void outcomesAreNotWrittenOverWhatIsRead() {
    try (LongLongMap map = LongLongMap.create();
        LongSet set = LongSet.create()) {
      MemorySegment all = MemorySegment.ofArray(new long[8]);
      Longs keys = Longs.of(all);
      Longs apart = Longs.of(new long[8]);
      BulkOptions told = BulkOptions.NONE.outcomes(all.asSlice(0, 8));
      BulkOptions masked = BulkOptions.NONE.where(all.asSlice(0, 8));
      assertRefused(() -> map.insert(keys, apart, told));
      assertRefused(() -> map.insert(apart, keys, told));
      assertRefused(() -> map.contains(keys, told));
      assertRefused(() -> map.find(apart, keys, told));
      assertRefused(() -> map.find(apart, keys, masked));
      assertRefused(() -> set.addAll(keys, told));
      assertRefused(() -> set.containsAll(keys, told));
      // What is only read may overlap.
      assertThat(map.insert(keys, keys, masked)).isEqualTo(new InsertCounts(0, 0, 0));
    }
  }

  record Key(long first, int second) {}

  record Value(long first, long second) {}

  @Test
  void columnsOfRecordsAreWrittenOverWholeOnesOnly() {
    int count = 300;
    try (var map = RecordMap.builder(RecordSchema.of(Key.class, Value.class)).build()) {
      long[] longs = keys(count);
      int[] ints = IntStream.range(0, count).toArray();
      Columns keys = Columns.longs(longs).and(Columns.ints(ints));
      assertThat(map.insert(keys, Columns.longs(values(count), values(count))).inserted())
          .isEqualTo(count);
      // Over the first column of the keys.
      assertThat(map.find(keys, Columns.longs(longs, new long[count])).found()).isEqualTo(count);
      assertThat(longs).isEqualTo(values(count));

      MemorySegment all = MemorySegment.ofArray(keys(count + 1));
      Columns first = Columns.of(Columns.ColumnType.LONG, all.asSlice(0, 8L * count));
      Columns second = Columns.of(Columns.ColumnType.LONG, all.asSlice(8, 8L * count));
      Columns apart = Columns.longs(new long[count]);
      Columns shifted = first.and(Columns.ints(ints));
      assertRefused(() -> map.find(shifted, apart.and(second)));
      assertRefused(
          () ->
              map.insertAndFind(
                  Columns.longs(keys(count)).and(Columns.ints(ints)),
                  first.and(apart),
                  Columns.longs(new long[count]).and(second),
                  BulkOptions.NONE));
      assertRefused(
          () ->
              map.insert(
                  shifted, first.and(apart), BulkOptions.NONE.outcomes(all.asSlice(0, count))));
    }
  }

  @Test
  void valuesOfTextsAreWrittenOverWholeOnesOnly() {
    int count = 100;
    try (TextLongMap map = TextLongMap.create();
        TextKeys keys = new TextKeys()) {
      for (int i = 0; i < count; i++) {
        keys.add("key " + i);
      }
      long[] values = values(count);
      assertThat(
              map.insertAndFind(keys, Longs.of(values), Longs.of(values), BulkOptions.NONE)
                  .inserted())
          .isEqualTo(count);
      assertThat(values).isEqualTo(values(count));
      MemorySegment all = MemorySegment.ofArray(new long[count + 1]);
      Longs first = Longs.of(all.asSlice(0, 8L * count));
      Longs second = Longs.of(all.asSlice(8, 8L * count));
      assertRefused(() -> map.insertAndFind(keys, first, second, BulkOptions.NONE));
      assertRefused(() -> map.find(keys, first, BulkOptions.NONE.outcomes(all.asSlice(0, count))));
    }
  }

  @Test
  void columnsOfDifferentTypesMustNotOverlapAtAll() {
    MemorySegment memory = Arena.ofAuto().allocate(64, 8);
    Ints ints = Ints.of(memory.asSlice(0, 32));
    Longs longs = Longs.of(memory);
    try (IntLongMap intLongs = IntLongMap.create();
        LongIntMap longInts = LongIntMap.create()) {
      assertThatThrownBy(() -> intLongs.find(ints, longs, BulkOptions.NONE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("keys");
      assertThatThrownBy(() -> longInts.find(longs, ints, BulkOptions.NONE))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
