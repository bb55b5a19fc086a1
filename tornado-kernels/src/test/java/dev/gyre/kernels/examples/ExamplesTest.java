package dev.gyre.kernels.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.BlockInts;
import dev.gyre.atomics.BlockLongs;
import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SystemInts;
import dev.gyre.atomics.ThreadDoubles;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.sync.BlockBarrier;
import dev.gyre.kernels.sync.DeviceBarrier;
import dev.gyre.kernels.sync.SyncLayout;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExamplesTest {

  @Test
  void theReaderSeesWhatWasWrittenBeforeTheSignal() {
    try (JvmLauncher launcher = JvmLauncher.create()) {
      for (int value = 1; value <= 200; value++) {
        try (Memory flag = Memory.ofInts(1);
            Memory data = Memory.ofInts(1);
            Memory read = Memory.ofInts(2)) {
          Signal signal =
              new Signal(
                  SystemInts.of(flag), ThreadInts.of(data), DeviceInts.of(read), value, 1 << 20);
          launcher.start(signal, LaunchShape.ofThreads(2), LaunchMode.CONCURRENT).join();
          assertThat(signal.read().get(1)).isEqualTo(1);
          assertThat(signal.read().get(0)).isEqualTo(value);
        }
      }
    }
  }

  @Test
  void noIncrementIsLost() {
    try (JvmLauncher launcher = JvmLauncher.create();
        Memory memory = Memory.ofInts(1)) {
      Increment increment = new Increment(SystemInts.of(memory));
      launcher.run(increment, LaunchShape.ofThreads(100_000));
      increment.run(0, LaunchShape.ofThreads(1)); // the host, by the same line
      assertThat(increment.counter().loadRelaxed(0)).isEqualTo(100_001);
    }
  }

  @Test
  void histogramCountsEveryByte() {
    byte[] text = new byte[100_003];
    new SplittableRandom(8).nextBytes(text);
    long[] expected = new long[256];
    for (byte b : text) {
      expected[b & 0xff]++;
    }
    try (JvmLauncher launcher = JvmLauncher.create();
        Memory memory = Memory.ofBytes(text.length);
        Memory bins = Memory.ofLongs(256)) {
      memory.segment().copyFrom(java.lang.foreign.MemorySegment.ofArray(text));
      LetterHistogram kernel =
          new LetterHistogram(Bytes.of(memory), text.length, DeviceLongs.of(bins));
      launcher.run(kernel, LaunchShape.ofThreads(64));
      for (int b = 0; b < 256; b++) {
        assertThat(kernel.bins().get(b)).isEqualTo(expected[b]);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void theStencilIsThatOfOneThread(int threads) {
    int length = 24;
    int steps = 200;
    try (JvmLauncher launcher = JvmLauncher.create();
        Memory barrier = Memory.ofInts(SyncLayout.WORDS);
        Memory cells = Memory.ofDoubles(2L * length);
        Memory edges = Memory.ofDoubles(2L * threads);
        Memory stuck = Memory.ofInts(1)) {
      double[] row = fill(cells, length);
      DeviceBarrier.init(DeviceInts.of(barrier), 0, threads);
      Stencil kernel =
          new Stencil(
              DeviceInts.of(barrier),
              ThreadDoubles.of(cells),
              ThreadDoubles.of(edges),
              DeviceInts.of(stuck),
              length,
              steps,
              1 << 20);
      launcher.start(kernel, LaunchShape.ofThreads(threads), LaunchMode.CONCURRENT).join();
      assertThat(kernel.stuck().get(0)).isZero();
      assertThat(row(kernel.cells(), length)).isEqualTo(solved(row, steps));
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "1, 3", "2, 2"})
  void theOverlappedStencilIsThatOfOneThread(int blocks, int blockSize) {
    LaunchShape shape = new LaunchShape(blocks, blockSize);
    int length = 24;
    int steps = 201;
    int piece = length / shape.threads();
    try (JvmLauncher launcher = JvmLauncher.create();
        Memory barrier = Memory.ofInts(SyncLayout.WORDS);
        Memory cells = Memory.ofDoubles(length);
        Memory edges = Memory.ofDoubles(4L * shape.threads());
        Memory stuck = Memory.ofInts(1)) {
      double[] row = fill(cells, length);
      DeviceBarrier.init(DeviceInts.of(barrier), 0, shape.threads());
      OverlappedStencil kernel =
          new OverlappedStencil(
              DeviceInts.of(barrier),
              ThreadDoubles.of(cells),
              ThreadDoubles.of(edges),
              OverlappedStencil.localOf(blockSize, piece),
              DeviceInts.of(stuck),
              piece,
              steps,
              1 << 20);
      launcher.start(kernel, shape, LaunchMode.CONCURRENT).join();
      assertThat(kernel.stuck().get(0)).isZero();
      assertThat(row(kernel.cells(), length)).isEqualTo(solved(row, steps));
    }
  }

  private static double[] fill(Memory cells, int length) {
    double[] row = new SplittableRandom(length).doubles(length, -1e6, 1e6).toArray();
    for (int i = 0; i < length; i++) {
      ThreadDoubles.of(cells).set(i, row[i]);
    }
    return row;
  }

  private static double[] row(ThreadDoubles cells, int length) {
    return IntStream.range(0, length).mapToDouble(cells::get).toArray();
  }

  private static double[] solved(double[] row, int steps) {
    double[] now = row;
    for (int step = 0; step < steps; step++) {
      double[] before = now;
      now = now.clone();
      for (int i = 1; i < row.length - 1; i++) {
        now[i] = Stencil.next(before[i - 1], before[i], before[i + 1]);
      }
    }
    return now;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void blocksAggregateFirst(int blockSize) {
    byte[] text = new byte[50_001];
    new SplittableRandom(9).nextBytes(text);
    int blocks = 3;
    try (JvmLauncher launcher = JvmLauncher.create();
        Memory memory = Memory.ofBytes(text.length);
        Memory rows = Memory.ofLongs(256L * blocks);
        Memory barriers = Memory.ofInts((long) SyncLayout.WORDS * blocks);
        Memory bins = Memory.ofLongs(256);
        Memory stuck = Memory.ofInts(1)) {
      memory.segment().copyFrom(java.lang.foreign.MemorySegment.ofArray(text));
      for (int b = 0; b < blocks; b++) {
        BlockBarrier.init(BlockInts.of(barriers), (long) b * SyncLayout.WORDS, blockSize);
      }
      BlockHistogram kernel =
          new BlockHistogram(
              Bytes.of(memory),
              text.length,
              BlockLongs.of(rows),
              BlockInts.of(barriers),
              DeviceLongs.of(bins),
              DeviceInts.of(stuck),
              blockSize,
              1 << 20);
      launcher.start(kernel, new LaunchShape(blocks, blockSize), LaunchMode.CONCURRENT).join();
      long[] expected = new long[256];
      for (byte b : text) {
        expected[b & 0xff]++;
      }
      assertThat(kernel.stuck().get(0)).isZero();
      for (int b = 0; b < 256; b++) {
        assertThat(kernel.bins().get(b)).isEqualTo(expected[b]);
      }
    }
  }

  @Test
  void hostAndKernelSignalBothWays() {
    int rounds = 100;
    try (JvmLauncher launcher = JvmLauncher.ofWorkers(1);
        Memory memory = Memory.ofInts(HostSignal.INTS)) {
      SystemInts flags = SystemInts.of(memory);
      ThreadInts data = ThreadInts.of(memory);
      long polls = Target.JVM.pollLimit();
      Launch launch =
          launcher.start(
              new HostSignal(flags, data, rounds, polls),
              LaunchShape.ofThreads(1),
              LaunchMode.CONCURRENT);
      for (int round = 0; round < rounds; round++) {
        assertThat(HostSignal.ask(flags, data, round, round - 7, polls))
            .isEqualTo(HostSignal.answer(round - 7));
      }
      launch.join();
      // Nobody answers any more.
      assertThat(HostSignal.ask(flags, data, rounds, 5, 3)).isEqualTo(5);
    }
  }
}
