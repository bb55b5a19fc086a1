package dev.gyre.structures.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.MemoryLeft;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

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
          taken.add(Taken.of(blocks, 1L << random.nextInt(21), (byte) step));
        }
      }
    }
    assertThat(MemoryLeft.bytes()).isGreaterThanOrEqualTo(before);
  }

  @Test
  void aSmallBlockIsUsedAgain() {
    try (Blocks blocks = new Blocks()) {
      MemorySegment first = blocks.take(3000);
      blocks.give(first);
      assertThat(blocks.take(4000).address()).isEqualTo(first.address());
    }
  }
}
