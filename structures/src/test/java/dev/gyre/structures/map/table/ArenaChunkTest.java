package dev.gyre.structures.map.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Words of an arena that are taken for several keys at a time. */
class ArenaChunkTest {

  private static TextTable table() {
    return TextTable.allocate(100, 0.5, 6_400, 42, null);
  }

  @Test
  void oneKeyTakesWhatItNeeds() {
    try (TextTable table = table();
        ArenaChunk chunk = new ArenaChunk(1)) {
      assertThat(chunk.take(table, 3)).isZero();
      assertThat(table.bump.get(0)).isEqualTo(3);
      assertThat(chunk.take(table, 5)).isEqualTo(3);
      assertThat(table.bump.get(0)).isEqualTo(8);
    }
  }

  @Test
  void keysOfOneChunkFollowEachOther() {
    try (TextTable table = table();
        ArenaChunk chunk = new ArenaChunk(100)) {
      assertThat(chunk.take(table, 3)).isZero();
      long taken = table.bump.get(0);
      assertThat(taken).isGreaterThan(10);
      assertThat(chunk.take(table, 4)).isEqualTo(3);
      chunk.giveBack(4);
      assertThat(chunk.take(table, 2)).isEqualTo(3);
      assertThat(table.bump.get(0)).isEqualTo(taken);
    }
  }

  @Test
  void whatIsLeftIsGivenBack() {
    try (TextTable table = table()) {
      try (ArenaChunk chunk = new ArenaChunk(100)) {
        assertThat(chunk.take(table, 3)).isZero();
      }
      assertThat(table.bump.get(0)).isEqualTo(3);
    }
  }

  @Test
  void whatIsLeftBeforeAnotherThreadsWordsIsAGap() {
    try (TextTable table = table()) {
      long next;
      try (ArenaChunk chunk = new ArenaChunk(100);
          ArenaChunk other = new ArenaChunk(1)) {
        assertThat(chunk.take(table, 3)).isZero();
        next = other.take(table, 2);
        assertThat(next).isGreaterThan(3);
      }
      assertThat(table.bump.get(0)).isEqualTo(next + 2);
      assertThat(table.hasGaps()).isTrue();
    }
  }

  @Test
  void wordsBehindTheEndOfTheArenaAreNotKept() {
    try (TextTable table = table()) {
      long words = table.arena.length();
      table.bump.set(0, words - 1);
      try (ArenaChunk chunk = new ArenaChunk(100)) {
        assertThat(chunk.take(table, 3)).isEqualTo(words - 1);
        chunk.giveBack(3);
      }
      assertThat(table.bump.get(0)).isEqualTo(words - 1);
    }
  }
}
