package dev.gyre.structures.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.MemoryLeft;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlocksTest {

  private record Taken(MemorySegment block, byte fill) {

    static Taken of(Blocks blocks, long bytes, byte fill) {
      MemorySegment block = blocks.take(bytes);
      assertThat(block.byteSize()).isGreaterThanOrEqualTo(bytes);
      return new Taken(block.fill(fill), fill);
    }

    void giveTo(Blocks blocks) {
      for (long at = 0; at < block.byteSize(); at += 97) {
        assertThat(block.get(ValueLayout.JAVA_BYTE, at)).isEqualTo(fill);
      }
      blocks.give(block);
    }
  }

  @Test
  void blocksOfAnySizeDoNotOverlapAndAllAreFreed() {
    long before = MemoryLeft.bytes();
    SplittableRandom random = new SplittableRandom(1);
    List<Taken> taken = new ArrayList<>();
    try (Blocks blocks = new Blocks()) {
      for (int step = 0; step < 2_000; step++) {
        if (taken.size() > 40 || (!taken.isEmpty() && random.nextBoolean())) {
          taken.remove(random.nextInt(taken.size())).giveTo(blocks);
        } else {
          taken.add(Taken.of(blocks, 1L << random.nextInt(24), (byte) step));
        }
      }
    }
    assertThat(MemoryLeft.bytes()).isGreaterThanOrEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(longs = {3000, 3_000_000})
  void aBlockIsUsedAgain(long bytes) {
    try (Blocks blocks = new Blocks()) {
      MemorySegment first = blocks.take(bytes);
      blocks.give(first);
      assertThat(blocks.take(bytes + bytes / 4).address()).isEqualTo(first.address());
    }
  }

  @Test
  void theEndsOfManyMemoriesAreWholeBlocks() {
    try (Blocks blocks = new Blocks()) {
      for (int i = 0; i < 60; i++) {
        MemorySegment large = blocks.take(3 << 20);
        assertThat(large.byteSize()).isEqualTo(4 << 20);
        for (int small = 0; small < 30; small++) {
          assertThat(blocks.take(1).byteSize()).isEqualTo(1 << 10);
        }
      }
    }
  }

  @Test
  void aBlockNeedsNoMoreMemoryThanItsSize() {
    try (Blocks blocks = new Blocks()) {
      MemorySegment first = blocks.take(3 << 20);
      // As much as a memory that later blocks share would not fit.
      try (MemoryLeft _ = MemoryLeft.of((2 << 20) + (1 << 14))) {
        MemorySegment second = blocks.take((2 << 20) + 64);
        assertThat(second.byteSize()).isEqualTo((2 << 20) + 64);
        MemorySegment third = blocks.take(1 << 12);
        blocks.give(second);
        blocks.give(third);
      }
      blocks.give(first);
    }
  }

  @Test
  void theEndOfAMemoryIsUsed() {
    long before = MemoryLeft.bytes();
    try (Blocks blocks = new Blocks()) {
      MemorySegment small = blocks.take(1 << 10);
      MemorySegment large = blocks.take(1 << 21);
      long left = MemoryLeft.bytes();
      MemorySegment next = blocks.take(1 << 15);
      assertThat(MemoryLeft.bytes()).isEqualTo(left);
      assertThat(next.address() - small.address()).isBetween(1L << 10, 1L << 16);
      assertThat(large.byteSize()).isEqualTo(1 << 21);
    }
    assertThat(MemoryLeft.bytes()).isGreaterThanOrEqualTo(before);
  }
}
