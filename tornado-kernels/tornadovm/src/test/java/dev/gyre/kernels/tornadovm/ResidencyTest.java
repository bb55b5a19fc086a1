package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.gyre.atomics.BlockInts;
import dev.gyre.atomics.BlockLongs;
import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadDoubles;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.ResidencyException;
import dev.gyre.kernels.examples.BlockHistogram;
import dev.gyre.kernels.examples.LetterHistogram;
import dev.gyre.kernels.examples.Stencil;
import dev.gyre.kernels.sync.BlockBarrier;
import dev.gyre.kernels.sync.DeviceBarrier;
import dev.gyre.kernels.sync.SyncLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Grids whose threads meet run when all of them fit at once, and are refused when they do not. */
@ExtendWith(DeviceUnderTest.class)
class ResidencyTest {

  private static boolean cpu(TornadoLauncher launcher) {
    return launcher.shapeFor(1 << 20).blockSize() == 1;
  }

  /** Starts one step of the stencil on so many blocks, strided; what its first edge is then. */
  private static double step(TornadoLauncher launcher, int blocks, int blockSize) {
    LaunchShape shape = new LaunchShape(blocks, blockSize);
    long length = 2L * shape.threads();
    try (Memory barrier = Memory.ofInts(SyncLayout.WORDS);
        Memory cells = Memory.ofDoubles(2 * length);
        Memory edges = Memory.ofDoubles(length);
        Memory stuck = Memory.ofInts(1)) {
      DeviceBarrier.init(DeviceInts.of(barrier), 0, shape.threads());
      ThreadDoubles.of(cells).set(0, 7);
      Stencil kernel =
          new Stencil(
              DeviceInts.of(barrier),
              ThreadDoubles.of(cells),
              ThreadDoubles.of(edges),
              DeviceInts.of(stuck),
              length,
              1,
              cpu(launcher) ? 1 << 25 : 1 << 22);
      launcher.run(kernel, shape);
      launcher.readBack(edges, stuck);
      assertThat(ThreadInts.of(stuck).get(0)).isZero();
      return ThreadDoubles.of(edges).get(0);
    }
  }

  private static int blocks(TornadoLauncher launcher, int blockSize) {
    try (Memory memory = Memory.ofLongs(SyncLayout.WORDS)) {
      Stencil any =
          new Stencil(
              DeviceInts.of(memory),
              ThreadDoubles.of(memory),
              ThreadDoubles.of(memory),
              DeviceInts.of(memory),
              0,
              0,
              0);
      return launcher.blocksAtOnce(any, blockSize);
    }
  }

  @Test
  void theLargestResidentGridMeetsAtABarrierAndOneBlockMoreIsRefused() {
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      int blockSize = cpu(launcher) ? 1 : 128;
      int blocks = blocks(launcher, blockSize);
      System.out.printf(
          "%s: %d blocks of %d are resident at once%n", launcher.device(), blocks, blockSize);
      assertThat(blocks).isGreaterThanOrEqualTo(launcher.device().units());
      assertThat(step(launcher, blocks, blockSize)).isEqualTo(7);
      ResidencyException refusal =
          catchThrowableOfType(
              ResidencyException.class, () -> step(launcher, blocks + 1, blockSize));
      assertThat(refusal.shape()).isEqualTo(new LaunchShape(blocks + 1, blockSize));
      assertThat(refusal.largestBlocks()).isEqualTo(blocks);
      assertThat(refusal)
          .hasMessageContainingAll(
              "Stencil",
              launcher.device().name(),
              "%d blocks of %d must run at once".formatted(blocks + 1, blockSize),
              "are %d blocks of %d".formatted(blocks, blockSize));
      // The launcher is as good as before.
      assertThat(step(launcher, blocks, blockSize)).isEqualTo(7);
    }
  }

  @Test
  void whatIsRefusedHasNotBegun() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory words = Memory.ofInts(SyncLayout.WORDS);
        Memory longs = Memory.ofLongs(1 << 20)) {
      DeviceBarrier.init(DeviceInts.of(words), 0, 1 << 16);
      Stencil kernel =
          new Stencil(
              DeviceInts.of(words),
              ThreadDoubles.of(longs),
              ThreadDoubles.of(longs),
              DeviceInts.of(words),
              1 << 17,
              1,
              1);
      for (LaunchMode mode : LaunchMode.values()) {
        assertThatThrownBy(
                () -> launcher.start(kernel, LaunchShape.ofThreads(1 << 16), mode).join())
            .isInstanceOf(ResidencyException.class);
      }
      launcher.readBack(words);
      assertThat(ThreadInts.of(words).get(SyncLayout.MISSING)).isEqualTo(1 << 16);
    }
  }

  @Test
  void threadsOfABlockMeetWhereTheyRunAtOnce() {
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      // More blocks than fit: they need not meet each other.
      int blocks = 64 * launcher.device().units();
      assertThat(letters(launcher, blocks, 1)).isEqualTo(blocks);
      if (cpu(launcher)) {
        assertThatThrownBy(() -> letters(launcher, 4, 2))
            .isInstanceOf(ResidencyException.class)
            .hasMessageContainingAll("are 0 blocks of 2", "one after another");
      } else {
        assertThat(letters(launcher, blocks, 64)).isEqualTo(64L * blocks);
      }
    }
  }

  /** Counts as many bytes as there are threads, by block; how many zeros there are. */
  private static long letters(TornadoLauncher launcher, int blocks, int blockSize) {
    int length = blocks * blockSize;
    try (Memory text = Memory.ofBytes(length);
        Memory rows = Memory.ofLongs(256L * blocks);
        Memory barriers = Memory.ofInts((long) SyncLayout.WORDS * blocks);
        Memory bins = Memory.ofLongs(256);
        Memory stuck = Memory.ofInts(1)) {
      for (int b = 0; b < blocks; b++) {
        BlockBarrier.init(BlockInts.of(barriers), (long) b * SyncLayout.WORDS, blockSize);
      }
      launcher.run(
          new BlockHistogram(
              Bytes.of(text),
              length,
              BlockLongs.of(rows),
              BlockInts.of(barriers),
              DeviceLongs.of(bins),
              DeviceInts.of(stuck),
              blockSize,
              1 << 20),
          new LaunchShape(blocks, blockSize));
      launcher.readBack(bins, stuck);
      assertThat(ThreadInts.of(stuck).get(0)).isZero();
      return ThreadLongs.of(bins).get(0);
    }
  }

  @Test
  void kernelsWhoseThreadsDoNotMeetAreNotAsked() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory text = Memory.ofBytes(1 << 12);
        Memory bins = Memory.ofLongs(256)) {
      launcher.run(
          new LetterHistogram(Bytes.of(text), 1 << 12, DeviceLongs.of(bins)),
          LaunchShape.ofThreads(1 << 12));
      launcher.readBack(bins);
      assertThat(ThreadLongs.of(bins).get(0)).isEqualTo(1 << 12);
    }
  }
}
