package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.atomics.tornadovm.UncompilableKernelException;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.sync.stress.BlockKernels.ByBlocks;
import dev.gyre.kernels.sync.stress.BlockKernels.Divergent;
import dev.gyre.kernels.sync.stress.BlockKernels.Rotate;
import dev.gyre.kernels.sync.stress.BlockKernels.Turn;
import java.util.regex.Pattern;
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

  /** Threads write to the first and the last of what they share, and tell what others wrote. */
  record Ends(SharedLongs all, ThreadLongs told, long length) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      int size = shape.blockSize();
      int mine = thread % size;
      all.set(mine, thread);
      all.set(length - 1 - mine, -thread);
      Block.barrier();
      told.set(thread, all.get(size - 1 - mine) * 1000 - all.get(length - size + mine));
    }

    static Ends of(int length, Memory told) {
      return new Ends(SharedLongs.of(length), ThreadLongs.of(told), length);
    }
  }

  @Test
  void aBlockCanShareAsMuchAsTheDeviceDeclares() {
    LaunchShape shape = new LaunchShape(20, 32);
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory told = Memory.ofLongs(shape.threads())) {
      int most = Math.toIntExact(launcher.sharedBytes() / Long.BYTES);
      assertThat(launcher.sharedBytes())
          .as("OpenCL promises 32 KiB")
          .isGreaterThanOrEqualTo(32 << 10);
      Ends kernel = Ends.of(most, told);
      launcher.run(kernel, shape);
      launcher.readBack(told);
      for (int t = 0; t < shape.threads(); t++) {
        int first = t / 32 * 32;
        int other = first + 31 - t % 32;
        assertThat(kernel.told().get(t)).isEqualTo(other * 1000L + other);
      }
      assertThatThrownBy(() -> launcher.run(Ends.of(most + 1, told), shape))
          .isInstanceOf(LaunchException.class)
          .hasMessageContaining("its blocks share %d bytes".formatted(8L * most + 8));
    }
  }

  @Test
  void whatABlockSharesIsDeclaredOnce() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory turned = Memory.ofInts(64);
        Memory sums = Memory.ofLongs(4)) {
      Turn kernel = Turn.of(64, ThreadInts.of(turned), ThreadLongs.of(sums));
      // Of 65 ints, and of one long, float and double; in bytes, or in longs.
      String declared =
          switch (DeviceUnderTest.target()) {
            case PTX -> "\\.shared \\.align 8 \\.b8 gyre_s(\\d)\\[(260|8|4|8)\\];";
            case CUDA -> "__shared__ long long gyre_s(\\d)\\[(33|1|1|1)\\];";
            default -> "__local long gyre_s(\\d)\\[(33|1|1|1)\\];";
          };
      assertThat(Pattern.compile(declared).matcher(launcher.source(kernel)).results())
          .extracting(found -> found.group(1))
          .containsExactlyInAnyOrder("0", "1", "2", "3");
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
          .hasMessageContaining("all threads must call it")
          .hasCauseInstanceOf(UncompilableKernelException.class);
    }
  }
}
