package dev.gyre.structures.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.MemoryLeft;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

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
}
