package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.atomics.tornadovm.UncompilableKernelException;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.sync.stress.BlockKernels.ByBlocks;
import dev.gyre.kernels.sync.stress.BlockKernels.Divergent;
import dev.gyre.kernels.sync.stress.BlockKernels.Rotate;
import dev.gyre.kernels.sync.stress.BlockKernels.Turn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The barrier of a block on a device, also on one that runs its threads one after another. */
@ExtendWith(DeviceUnderTest.class)
class BlockBarrierOnDeviceTest {

  @ParameterizedTest
  @CsvSource({"1, 1", "5, 3", "300, 64", "40, 250"})
  void allSeeWhatTheirBlockWrote(int blocks, int blockSize) {
    LaunchShape shape = new LaunchShape(blocks, blockSize);
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory cells = Memory.ofInts(2L * shape.threads());
        Memory sums = Memory.ofInts(shape.threads())) {
      Rotate kernel = new Rotate(ThreadInts.of(cells), ThreadInts.of(sums), 10);
      launcher.run(kernel, shape);
      launcher.readBack(sums);
      for (int t = 0; t < shape.threads(); t++) {
        assertThat(kernel.sums().get(t)).isEqualTo(kernel.expected(t, shape));
      }
    }
  }

  @Test
  void aBarrierOnABranchOfWholeBlocksIsOne() {
    LaunchShape shape = new LaunchShape(7, 32);
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory cells = Memory.ofInts(shape.threads())) {
      ByBlocks kernel = new ByBlocks(ThreadInts.of(cells));
      launcher.run(kernel, shape);
      launcher.readBack(cells);
      assertThat(kernel.cells().get(200)).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "50, 4", "20, 65", "30, 250"})
  void eachBlockHasMemoryOfItsOwn(int blocks, int blockSize) {
    LaunchShape shape = new LaunchShape(blocks, blockSize);
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory turned = Memory.ofInts(shape.threads());
        Memory sums = Memory.ofLongs(4L * blocks)) {
      Turn kernel = Turn.of(blockSize, ThreadInts.of(turned), ThreadLongs.of(sums));
      launcher.run(kernel, shape);
      launcher.readBack(turned, sums);
      assertThat(kernel.isRight(shape)).isTrue();
    }
  }

  @Test
  void moreThanABlockCanShareIsRefused() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory turned = Memory.ofInts(1);
        Memory sums = Memory.ofLongs(4)) {
      Turn kernel = Turn.of(1 << 24, ThreadInts.of(turned), ThreadLongs.of(sums));
      assertThatThrownBy(() -> launcher.run(kernel, new LaunchShape(1, 1)))
          .isInstanceOf(LaunchException.class)
          .hasMessageContaining("its blocks share 67108896 bytes, and have");
    }
  }

  @Test
  void aBarrierThatSomeNeverComeToIsRefused() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory cells = Memory.ofInts(8)) {
      assertThatThrownBy(
              () -> launcher.run(new Divergent(ThreadInts.of(cells)), new LaunchShape(2, 4)))
          .isInstanceOf(LaunchException.class)
          .hasMessageContaining("Divergent")
          .hasMessageContaining("all threads must come by")
          .hasCauseInstanceOf(UncompilableKernelException.class);
    }
  }
}
