package dev.gyre.structures.map.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Words of an arena that are taken for several keys at a time. */
class ArenaChunkTest {

  private static TextTable table() {
    return TextTable.allocate(100, 0.5, 6_400, 42, null, false);
  }

  @Test
  void keysOfOneChunkFollowEachOther() {
    try (TextTable table = table();
        ArenaChunk chunk = new ArenaChunk(table, 10)) {
      assertThat(chunk.isInside()).isTrue();
      assertThat(table.bump.get(0)).isEqualTo(10);
      assertThat(chunk.take(3)).isZero();
      assertThat(chunk.take(4)).isEqualTo(3);
      chunk.giveBack(4);
      assertThat(chunk.take(2)).isEqualTo(3);
    }
  }

  @Test
  void whatIsLeftIsGivenBack() {
    try (TextTable table = table()) {
      try (ArenaChunk chunk = new ArenaChunk(table, 10)) {
        assertThat(chunk.take(3)).isZero();
      }
      assertThat(table.bump.get(0)).isEqualTo(3);
    }
  }

  @Test
  void whatIsLeftBeforeAnotherThreadsWordsIsAGap() {
    try (TextTable table = table()) {
      try (ArenaChunk chunk = new ArenaChunk(table, 10)) {
        assertThat(chunk.take(3)).isZero();
        try (ArenaChunk other = new ArenaChunk(table, 2)) {
          assertThat(other.take(2)).isEqualTo(10);
        }
      }
      assertThat(table.bump.get(0)).isEqualTo(12);
    }
  }

  @Test
  void noWordsBehindTheEndOfTheArenaAreTaken() {
    try (TextTable table = table()) {
      long words = table.arena.length();
      table.bump.set(0, words - 2);
      try (ArenaChunk chunk = new ArenaChunk(table, 3)) {
        assertThat(chunk.isInside()).isFalse();
      }
      assertThat(table.bump.get(0)).isEqualTo(words - 2);
      try (ArenaChunk chunk = new ArenaChunk(table, 2)) {
        assertThat(chunk.isInside()).isTrue();
        assertThat(chunk.take(2)).isEqualTo(words - 2);
      }
      assertThat(table.bump.get(0)).isEqualTo(words);
    }
  }
}
