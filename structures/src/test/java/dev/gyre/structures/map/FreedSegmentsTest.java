package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.structures.trie.WordTrie;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A segment whose arena was closed is a wrong argument, wherever one is taken. */
class FreedSegmentsTest {

  private static final long BYTES = 64;

  private static MemorySegment freed() {
    try (Arena arena = Arena.ofShared()) {
      return arena.allocate(BYTES);
    }
  }

  private static void assertRefused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void whatReadsOneAtOnceRefusesIt() {
    MemorySegment freed = freed();
    assertRefused(() -> TextKeys.of(freed, 0, 8));
    assertRefused(() -> LongLongMap.load(freed));
    assertRefused(() -> WordTrie.load(freed));
    try (TextLongMap map = TextLongMap.create();
        TextCombiner combiner = new TextCombiner(map, Apply.ADD)) {
      assertRefused(() -> map.countWords(freed, Words.ASCII_LETTERS));
      assertRefused(() -> combiner.addWords(freed, 0, 8, Words.ASCII_LETTERS, 1));
      assertThat(map.size()).isZero();
    }
  }

  record Key(long first, long second) {}

  record Value(long sum, long count) {}

  @Test
  void anOperationRefusesOneThatIsClosedBefore() {
    Longs longs;
    Columns columns;
    BulkOptions masked;
    BulkOptions told;
    try (Arena arena = Arena.ofShared()) {
      MemorySegment segment = arena.allocate(BYTES);
      longs = Longs.of(segment);
      columns = Columns.of(Columns.ColumnType.LONG, segment);
      masked = BulkOptions.NONE.where(arena.allocate(8));
      told = BulkOptions.NONE.outcomes(arena.allocate(8));
    }
    Longs good = Longs.of(new long[8]);
    Columns two = columns.and(Columns.longs(new long[8]));
    try (LongLongMap map = LongLongMap.create();
        LongSet set = LongSet.create();
        var records = RecordMap.create(Key.class, Value.class)) {
      assertRefused(() -> map.insert(longs, good, BulkOptions.NONE));
      assertRefused(() -> map.insert(good, longs, BulkOptions.NONE));
      assertRefused(() -> map.find(longs, good, BulkOptions.NONE));
      assertRefused(() -> map.find(good, longs, BulkOptions.NONE));
      assertRefused(() -> map.insert(good, good, masked));
      assertRefused(() -> map.insert(good, good, told));
      assertRefused(() -> set.addAll(longs, BulkOptions.NONE));
      assertRefused(() -> records.insert(two, Columns.longs(new long[8], new long[8])));
      assertRefused(() -> records.insert(Columns.longs(new long[8], new long[8]), two));
      assertThat(map.size() + set.size() + records.size()).isZero();
    }
  }
}
