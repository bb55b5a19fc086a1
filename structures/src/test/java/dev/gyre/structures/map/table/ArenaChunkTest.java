package dev.gyre.structures.map.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Words of an arena that are taken for several keys at a time. */
class ArenaChunkTest {

  private static TextTable table() {
    return TextTable.allocate(100, 0.5, 64_000, 42, null, false);
  }

  @Test
  void keysOfOneChunkFollowEachOther() {
    try (TextTable table = table();
        ArenaChunk chunk = new ArenaChunk(table, null, 10)) {
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
      try (ArenaChunk chunk = new ArenaChunk(table, null, 10)) {
        assertThat(chunk.take(3)).isZero();
      }
      assertThat(table.bump.get(0)).isEqualTo(3);
    }
  }

  @Test
  void whatIsLeftBeforeAnotherThreadsWordsIsAGap() {
    try (TextTable table = table()) {
      try (ArenaChunk chunk = new ArenaChunk(table, null, 10)) {
        assertThat(chunk.take(3)).isZero();
        try (ArenaChunk other = new ArenaChunk(table, null, 2)) {
          assertThat(other.take(2)).isEqualTo(10);
        }
      }
      assertThat(table.bump.get(0)).isEqualTo(12);
    }
  }

  /** Threads seldom change the counter that they share, and their texts are seldom neighbours. */
  @Test
  void aStripeTakesWordsForSeveralChunks() {
    OperationLock lock = new OperationLock("map");
    try (TextTable table = table();
        Entry mine = lock.enterSingle()) {
      assertThat(taken(table, mine, 3)).isZero();
      assertThat(table.bump.get(0)).isEqualTo(table.stripeWords);
      assertThat(taken(table, null, 3)).isEqualTo(table.stripeWords);
      assertThat(taken(table, mine, 4)).isEqualTo(3);
      long bump = table.bump.get(0);
      // So many that the rest of the stripe's words would be large: they are taken for this chunk.
      assertThat(taken(table, mine, table.stripeWords)).isEqualTo(bump);
      assertThat(taken(table, mine, 1)).isEqualTo(7);
    }
  }

  @Test
  void whatIsLeftIsGivenBackToTheStripe() {
    OperationLock lock = new OperationLock("map");
    try (TextTable table = table();
        Entry mine = lock.enterSingle()) {
      try (ArenaChunk chunk = new ArenaChunk(table, mine, 10)) {
        assertThat(chunk.take(3)).isZero();
      }
      assertThat(taken(table, mine, 2)).isEqualTo(3);
    }
  }

  @Test
  void wordsOfAnotherTableAreNotUsed() {
    OperationLock lock = new OperationLock("map");
    try (TextTable table = table();
        TextTable other = table();
        Entry mine = lock.enterSingle()) {
      assertThat(taken(table, mine, 3)).isZero();
      assertThat(taken(other, mine, 2)).isZero();
      assertThat(other.bump.get(0)).isEqualTo(other.stripeWords);
      assertThat(taken(table, mine, 3)).isEqualTo(table.stripeWords);
      // The same memory, but not the same table.
      table.bump.set(0, 0);
      assertThat(taken(table.emptied(1), mine, 3)).isZero();
    }
  }

  @Test
  void theLastWordsAreTakenEvenIfTheyAreFewerThanAStripeTakes() {
    OperationLock lock = new OperationLock("map");
    try (TextTable table = table();
        Entry mine = lock.enterSingle()) {
      long words = table.arena.length();
      table.bump.set(0, words - 5);
      assertThat(taken(table, mine, 3)).isEqualTo(words - 5);
      assertThat(table.bump.get(0)).isEqualTo(words - 2);
      assertThat(taken(table, mine, 2)).isEqualTo(words - 2);
      assertThat(taken(table, mine, 1)).isEqualTo(-1);
    }
  }

  /** Takes all words of a chunk; returns the first one, or -1 if there are too few. */
  private static long taken(TextTable table, @Nullable Entry entry, long words) {
    try (ArenaChunk chunk = new ArenaChunk(table, entry, words)) {
      return chunk.isInside() ? chunk.take((int) words) : -1;
    }
  }

  @Test
  void noWordsBehindTheEndOfTheArenaAreTaken() {
    try (TextTable table = table()) {
      long words = table.arena.length();
      table.bump.set(0, words - 2);
      try (ArenaChunk chunk = new ArenaChunk(table, null, 3)) {
        assertThat(chunk.isInside()).isFalse();
      }
      assertThat(table.bump.get(0)).isEqualTo(words - 2);
      try (ArenaChunk chunk = new ArenaChunk(table, null, 2)) {
        assertThat(chunk.isInside()).isTrue();
        assertThat(chunk.take(2)).isEqualTo(words - 2);
      }
      assertThat(table.bump.get(0)).isEqualTo(words);
    }
  }

  /** Both threads may see enough words, and both take them. */
  @Test
  @Tag("race")
  void wordsThatAreTooFewAreGivenBack() throws InterruptedException {
    int rounds = 200_000;
    try (TextTable table = table()) {
      long free = table.arena.length() - 4;
      AtomicInteger done = new AtomicInteger();
      Thread other =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int round = 1; round <= rounds; round++) {
                      awaitCount(done, 3 * round - 2);
                      long _ = table.takeWords(3);
                      done.incrementAndGet();
                    }
                  });
      long wrong = 0;
      for (int round = 1; round <= rounds; round++) {
        table.bump.set(0, free);
        done.incrementAndGet();
        long _ = table.takeWords(3);
        done.incrementAndGet();
        awaitCount(done, 3 * round);
        wrong += table.bump.get(0) == free + 3 ? 0 : 1;
      }
      other.join();
      assertThat(wrong).isZero();
    }
  }

  private static void awaitCount(AtomicInteger counter, int least) {
    while (counter.get() < least) {
      Thread.onSpinWait();
    }
  }

  /** A nested operation has no stripe, or another one. */
  @Test
  void anOperationWithinAnotherTakesOtherWords() {
    OperationLock lock = new OperationLock("map");
    try (TextTable table = table();
        Entry stripe = lock.enterSingle();
        ArenaChunk chunk = new ArenaChunk(table, stripe, 5);
        Entry nested = lock.enterSingle()) {
      assertThat(chunk.take(2)).isZero();
      assertThat(taken(table, nested, 5)).isEqualTo(table.stripeWords);
      assertThat(chunk.take(3)).isEqualTo(2);
    }
  }

  @Test
  void theWordsThatStripesHaveLeftAreThoseOfOneTable() {
    OperationLock lock = new OperationLock("map");
    try (TextTable table = table();
        TextTable other = table();
        Entry mine = lock.enterSingle()) {
      assertThat(taken(table, mine, 3)).isZero();
      assertThat(ArenaChunk.left(table, lock.stripes())).isEqualTo(table.stripeWords - 3);
      assertThat(ArenaChunk.left(other, lock.stripes())).isZero();
    }
  }
}
