package dev.gyre.structures.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.MemoryLeft;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupingTest {

  private static KeyBlock keys(List<@Nullable String> texts) {
    KeyBlock block = new KeyBlock();
    block.read(new Batch(texts.size()).texts("k", texts).column("k"), 0, texts.size());
    return block;
  }

  private static String text(KeyBlock block, int row) {
    byte[] bytes =
        block.bytes.asSlice(block.offsets[row], block.lengths[row]).toArray(ValueLayout.JAVA_BYTE);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Test
  void textsBeyondFourGibibytesAreFound() {
    long before = 1L << 32;
    long capacity = before + (1 << 12);
    assumeThat(MemoryLeft.bytes()).isGreaterThan(2 * capacity);
    KeyBlock block = keys(List.of("a key of more than 16 bytes", "and another one, even longer"));
    try (KeyRows rows = KeyRows.of(Blocks.SINGLE, true, Seed.next(), 0)) {
      rows.grow(2, capacity, 1);
      // Pages that are not used take no memory.
      long _ = rows.newText(before);
      rows.add(block);
      KeyBlock read = rows.read(1, new KeyBlock());
      assertThat(text(read, 0)).isEqualTo("a key of more than 16 bytes");
      assertThat(text(read, 1)).isEqualTo("and another one, even longer");
      assertThat(rows.equal(rows.at(1), rows, rows.at(1))).isTrue();
    }
  }

  @Test
  void moreTextsThanPlacesAreRefused() {
    try (KeyRows rows = KeyRows.of(Blocks.SINGLE, true, Seed.next(), 0)) {
      assertThatThrownBy(() -> rows.grow(1, KeyRows.TEXT_LIMIT_BYTES, 1))
          .isInstanceOf(MemoryExhaustedException.class)
          .hasMessageContaining("" + KeyRows.TEXT_LIMIT_BYTES);
    }
  }

  @Test
  void longTextsAreInManyPartitions() {
    try (Grouping groups = new Grouping(true, false, StateRow.ofNothing())) {
      Grouping.Part part = groups.new Part();
      List<@Nullable String> texts =
          IntStream.range(0, 64)
              .<@Nullable String>mapToObj(i -> "%d".formatted(i).repeat(1 << 15))
              .toList();
      int _ = part.locate(keys(texts), true, new long[KeyBlock.ROWS]);
      part.flush();
      assertThat(groups.groups()).hasSizeGreaterThan(1);
    }
  }

  /** Texts of all lengths, each of which differs from others of its length in one byte. */
  @ParameterizedTest
  @ValueSource(ints = {1, 10, KeyBlock.ROWS})
  void textsThatDifferInOneByteAreDifferentGroups(int blockRows) {
    Random random = new Random(blockRows);
    List<@Nullable String> texts = new ArrayList<>();
    for (int length = 0; length <= 120; length++) {
      String text = "x".repeat(length);
      texts.add(text);
      for (int i = 0; i < length; i++) {
        texts.add(text.substring(0, i) + 'y' + text.substring(i + 1));
      }
    }
    try (Grouping groups = new Grouping(true, false, StateRow.ofNothing())) {
      Grouping.Part part = groups.new Part();
      for (int round = 0; round < 2; round++) {
        Collections.shuffle(texts, random);
        for (int i = 0; i < texts.size(); i += blockRows) {
          List<@Nullable String> block = texts.subList(i, Math.min(texts.size(), i + blockRows));
          int _ = part.locate(keys(block), false, new long[KeyBlock.ROWS]);
        }
      }
      List<@Nullable String> found = new ArrayList<>();
      KeyBlock read = new KeyBlock();
      for (long from = 1; from < part.groups().used(); from += read.count) {
        part.groups().read(from, read);
        IntStream.range(0, read.count).forEach(row -> found.add(text(read, row)));
      }
      assertThat(found).containsExactlyInAnyOrderElementsOf(texts);
    }
  }

  /** Texts with the same hash: what is in memory is changed, and the hash is not. */
  @Test
  void textsOfTheSameHashAreCompared() {
    Seed seed = Seed.next();
    for (int length = KeyRows.SHORT_BYTES + 1; length <= 120; length++) {
      KeyBlock keys = keys(List.of("x".repeat(length)));
      try (KeyRows rows = KeyRows.of(Blocks.SINGLE, true, seed, 0);
          KeyRows others = KeyRows.of(Blocks.SINGLE, true, seed, 0)) {
        rows.append(keys);
        others.append(keys);
        assertThat(rows.equal(rows.at(1), others, others.at(1))).isTrue();
        // The first bytes are in the header too, where they are compared.
        for (int at = KeyRows.SHORT_BYTES; at < length; at += Long.BYTES) {
          long word = others.textAt(others.usedText()) + at;
          others.set(word, others.word(word) + 1);
          assertThat(rows.equal(rows.at(1), others, others.at(1))).isFalse();
          others.set(word, others.word(word) - 1);
        }
      }
    }
  }

  /** The tables of a worker are in the caches of the core of the thread that used it. */
  @Test
  void threadsKeepTheirWorkers() throws InterruptedException {
    assumeThat(Runtime.getRuntime().availableProcessors()).isGreaterThan(1);
    Batch batch = new Batch(1).texts("k", List.of("key"));
    var count = new Plan.Aggregate(Plan.Aggregate.Kind.COUNT, null);
    try (Running running = new Running(Plan.of(List.of("k"), List.of(count), batch))) {
      List<Worker> ofThis = new ArrayList<>();
      List<Worker> ofOther = new ArrayList<>();
      running.with(ofThis::add);
      Thread other = new Thread(() -> running.with(ofOther::add));
      other.start();
      other.join();
      // The other thread was the last one to return a worker.
      running.with(ofThis::add);
      assertThat(ofThis).hasSize(2).containsOnly(ofThis.getFirst());
      assertThat(ofOther).hasSize(1).doesNotContainAnyElementsOf(ofThis);
    }
  }
}
