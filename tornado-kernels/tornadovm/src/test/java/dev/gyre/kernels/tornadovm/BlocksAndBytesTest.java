package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.BlockInts;
import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Atomicity of block scope among the threads of many blocks, and bytes of every value. */
@ExtendWith(DeviceUnderTest.class)
class BlocksAndBytesTest {

  private static final LaunchShape SHAPE = new LaunchShape(1 << 10, 1 << 8);

  /** Threads of a block share words that no other block touches. */
  record ContendInBlocks(BlockInts words, ThreadInts won) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      contend(thread, thread / shape.blockSize(), words, won);
    }

    static void contend(int thread, int block, BlockInts words, ThreadInts won) {
      long first = 4L * block;
      int win = 0;
      if (words.compareAndSetAcqRel(first, 0, thread + 1)) {
        win = 1;
      }
      won.set(thread, win);
      int _ = words.fetchAddRelaxed(first + 1, 1);
      int _ = words.fetchMaxAcqRel(first + 2, thread);
      int _ = words.fetchXorSeqCst(first + 3, thread);
    }
  }

  @Test
  void oneThreadOfEachBlockWinsAndNoUpdateIsLost() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory words = Memory.ofInts(4L * SHAPE.blocks());
        Memory won = Memory.ofInts(SHAPE.threads())) {
      ContendInBlocks kernel = new ContendInBlocks(BlockInts.of(words), ThreadInts.of(won));
      launcher.run(kernel, SHAPE);
      launcher.readBack(words, won);
      for (int block = 0; block < SHAPE.blocks(); block++) {
        int from = block * SHAPE.blockSize();
        int winners = 0;
        int winner = 0;
        for (int t = from; t < from + SHAPE.blockSize(); t++) {
          winners += kernel.won().get(t);
          winner = kernel.won().get(t) == 1 ? t : winner;
        }
        assertThat(winners).as("winners of block %d", block).isEqualTo(1);
        assertThat(kernel.words().get(4L * block)).isEqualTo(winner + 1);
        assertThat(kernel.words().get(4L * block + 1)).isEqualTo(SHAPE.blockSize());
        assertThat(kernel.words().get(4L * block + 2)).isEqualTo(from + SHAPE.blockSize() - 1);
        assertThat(kernel.words().get(4L * block + 3)).isZero();
      }
    }
  }

  /** Writes bytes in reverse order, and what each is as a number. */
  record Reverse(Bytes from, Bytes to, ThreadInts numbers, long length) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      reverse(thread, shape.threads(), from, to, numbers, length);
    }

    static void reverse(
        int thread, int threads, Bytes from, Bytes to, ThreadInts numbers, long length) {
      for (long i = thread; i < length; i += threads) {
        byte b = from.get(i);
        to.set(length - 1 - i, b);
        numbers.set(i, b);
      }
    }
  }

  @Test
  void bytesAreReadWithTheirSignAndWrittenAlone() {
    byte[] bytes = new byte[100_003];
    new Random(3).nextBytes(bytes);
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory from = Memory.ofBytes(bytes.length);
        Memory to = Memory.ofBytes(bytes.length);
        Memory numbers = Memory.ofInts(bytes.length)) {
      from.segment().asByteBuffer().put(bytes);
      Reverse kernel =
          new Reverse(Bytes.of(from), Bytes.of(to), ThreadInts.of(numbers), bytes.length);
      launcher.run(kernel, launcher.shapeFor(bytes.length));
      launcher.readBack(to, numbers);
      for (int i = 0; i < bytes.length; i++) {
        assertThat(kernel.to().get(bytes.length - 1L - i)).isEqualTo(bytes[i]);
        assertThat(kernel.numbers().get(i)).isEqualTo(bytes[i]);
      }
    }
  }
}
