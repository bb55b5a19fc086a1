package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.BlockInts;
import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SharedDoubles;
import dev.gyre.atomics.SharedFloats;
import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.atomics.ThreadLongs;
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

  /** Threads of a block want the same elements of what they share, and change others. */
  record ContendInShared(
      SharedInts ints,
      SharedLongs longs,
      SharedFloats floats,
      SharedDoubles doubles,
      ThreadInts won,
      ThreadLongs told)
      implements Kernel {

    @Override
    public void run(int thread, LaunchShape shape) {
      int size = shape.blockSize();
      int block = thread / size;
      int mine = thread - block * size;
      if (mine < 4) {
        ints.set(mine, 0);
        longs.set(mine, 0);
        floats.set(mine, 0);
        doubles.set(mine, 0);
      }
      Block.barrier();
      int wins = 0;
      if (ints.compareAndSetAcqRel(0, 0, mine + 1)) {
        wins = 1;
      }
      if (longs.compareAndExchangeSeqCst(0, 0, mine + 1) == 0) {
        wins += 2;
      }
      if (floats.compareAndSetRelaxed(0, 0, mine + 1)) {
        wins += 4;
      }
      if (doubles.compareAndExchangeAcquire(0, 0, mine + 1) == 0) {
        wins += 8;
      }
      won.set(thread, wins);
      int _ = ints.fetchAddRelaxed(1, 1);
      int _ = ints.fetchXorSeqCst(2, mine);
      int _ = ints.fetchMaxAcqRel(3, mine);
      long _ = longs.fetchAddRelease(1, thread);
      long _ = longs.fetchMinAcquire(2, -mine);
      long _ = longs.fetchOrRelaxed(3, 1L << (mine & 63));
      float _ = floats.fetchAddAcqRel(1, mine);
      float _ = floats.fetchMinSeqCst(2, -mine);
      float _ = floats.fetchMaxRelaxed(3, mine * 0.5f);
      double _ = doubles.fetchAddRelaxed(1, mine);
      double _ = doubles.fetchMinRelease(2, -mine);
      double _ = doubles.fetchMaxAcquire(3, mine * 0.5);
      Block.barrier();
      if (mine < 4) {
        long at = 16L * block + mine;
        told.set(at, ints.get(mine));
        told.set(at + 4, longs.get(mine));
        told.set(at + 8, (long) (2 * floats.get(mine)));
        told.set(at + 12, (long) (2 * doubles.get(mine)));
      }
    }
  }

  @Test
  void noUpdateOfWhatABlockSharesIsLost() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory won = Memory.ofInts(SHAPE.threads());
        Memory told = Memory.ofLongs(16L * SHAPE.blocks())) {
      ContendInShared kernel =
          new ContendInShared(
              SharedInts.of(4),
              SharedLongs.of(4),
              SharedFloats.of(4),
              SharedDoubles.of(4),
              ThreadInts.of(won),
              ThreadLongs.of(told));
      launcher.run(kernel, SHAPE);
      launcher.readBack(won, told);
      int size = SHAPE.blockSize();
      for (int block = 0; block < SHAPE.blocks(); block++) {
        int[] winners = new int[4];
        long[] winner = new long[4];
        long threads = 0;
        for (int mine = 0; mine < size; mine++) {
          int wins = kernel.won().get((long) block * size + mine);
          for (int w = 0; w < 4; w++) {
            winners[w] += wins >> w & 1;
            winner[w] += (wins >> w & 1) * (mine + 1L);
          }
          threads += (long) block * size + mine;
        }
        assertThat(winners).as("winners of block %d", block).containsOnly(1);
        long sum = size * (size - 1L);
        long[] expected = {
          winner[0],
          size,
          0,
          size - 1,
          winner[1],
          threads,
          1 - size,
          -1,
          2 * winner[2],
          sum,
          2 - 2L * size,
          size - 1,
          2 * winner[3],
          sum,
          2 - 2L * size,
          size - 1
        };
        for (int i = 0; i < expected.length; i++) {
          assertThat(kernel.told().get(16L * block + i)).as("%d", i).isEqualTo(expected[i]);
        }
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
