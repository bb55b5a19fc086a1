package dev.gyre.atomics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Surefire enables native access. */
class HugePagesTest {

  private static final long LARGE = 32L << 20;

  @BeforeAll
  static void onLinux() {
    assumeTrue(System.getProperty("os.name").equals("Linux"), "there are none elsewhere");
    HugePages.prepare();
  }

  @Test
  void aSmallBlockComesFromTheArena() {
    try (Arena arena = Arena.ofConfined()) {
      assertThat(HugePages.allocate(HugePages.MIN_BLOCK_BYTES - 1, arena)).isNull();
    }
  }

  @Test
  void aLargeBlockIsZeroAndAligned() {
    for (long bytes :
        new long[] {HugePages.MIN_BLOCK_BYTES, HugePages.MIN_BLOCK_BYTES + 1, LARGE - 3}) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment block = HugePages.allocate(bytes, arena);
        assertThat(block).isNotNull();
        assertThat(block.byteSize()).isEqualTo(bytes);
        assertThat(block.address() % (2L << 20)).isZero();
        try (Arena zeros = Arena.ofConfined()) {
          assertThat(block.mismatch(zeros.allocate(bytes))).isEqualTo(-1);
        }
        block.fill((byte) 7);
      }
    }
  }

  @Test
  void aBlockThatNobodyUsesTakesNoMemory() throws IOException {
    long before = resident();
    try (Memory memory = Memory.ofBytes(8 * LARGE)) {
      assertThat(resident() - before).isLessThan(2 * LARGE);
      memory.givePages(0, memory.byteSize());
      assertThat(resident() - before).isGreaterThan(6 * LARGE);
      assertThat(memory.segment().get(ValueLayout.JAVA_BYTE, 3 * LARGE)).isZero();
    }
    assertThat(resident() - before).isLessThan(2 * LARGE);
  }

  @Test
  void pagesAreGivenInParts() {
    try (Memory memory = Memory.ofBytes(LARGE)) {
      memory.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 5);
      memory.givePages(LARGE / 2, LARGE);
      memory.givePages(LARGE, LARGE);
      assertThat(memory.segment().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 5);
    }
  }

  /** Bytes of this process that are in memory. */
  private static long resident() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
        .findFirst()
        .orElseThrow();
  }
}
