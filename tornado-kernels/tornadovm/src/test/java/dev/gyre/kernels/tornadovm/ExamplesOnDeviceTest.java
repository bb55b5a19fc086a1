package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.gyre.atomics.BlockInts;
import dev.gyre.atomics.BlockLongs;
import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SystemInts;
import dev.gyre.atomics.ThreadDoubles;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.atomics.tornadovm.UnsupportedByDeviceException;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.examples.BlockHistogram;
import dev.gyre.kernels.examples.Increment;
import dev.gyre.kernels.examples.LetterHistogram;
import dev.gyre.kernels.examples.OverlappedStencil;
import dev.gyre.kernels.examples.Signal;
import dev.gyre.kernels.examples.Stencil;
import dev.gyre.kernels.sync.BlockBarrier;
import dev.gyre.kernels.sync.DeviceBarrier;
import dev.gyre.kernels.sync.SyncLayout;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The talk's examples on the device: increment, signal, histograms, and the stencil with 10,000
 * barrier phases.
 */
@ExtendWith(DeviceUnderTest.class)
class ExamplesOnDeviceTest {

  private static final int BYTES = 100_003;

  @Test
  void histogramsCountEveryByte() {
    byte[] bytes = new byte[BYTES];
    new SplittableRandom(8).nextBytes(bytes);
    long[] expected = new long[256];
    for (byte b : bytes) {
      expected[b & 0xff]++;
    }
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory text = Memory.ofBytes(BYTES);
        Memory bins = Memory.ofLongs(256);
        Memory others = Memory.ofLongs(256);
        Memory stuck = Memory.ofInts(1)) {
      text.segment().copyFrom(MemorySegment.ofArray(bytes));
      LaunchShape shape = launcher.shapeFor(BYTES);
      launcher.run(new LetterHistogram(Bytes.of(text), BYTES, DeviceLongs.of(bins)), shape);
      try (Memory rows = Memory.ofLongs(256L * shape.blocks());
          Memory barriers = Memory.ofInts((long) SyncLayout.WORDS * shape.blocks())) {
        for (int b = 0; b < shape.blocks(); b++) {
          BlockBarrier.init(BlockInts.of(barriers), (long) b * SyncLayout.WORDS, shape.blockSize());
        }
        launcher.run(
            new BlockHistogram(
                Bytes.of(text),
                BYTES,
                BlockLongs.of(rows),
                BlockInts.of(barriers),
                DeviceLongs.of(others),
                DeviceInts.of(stuck),
                shape.blockSize(),
                1 << 20),
            shape);
      }
      launcher.readBack(bins, others, stuck);
      assertThat(ThreadInts.of(stuck).get(0)).isZero();
      for (int b = 0; b < 256; b++) {
        assertThat(ThreadLongs.of(bins).get(b)).isEqualTo(expected[b]);
        assertThat(ThreadLongs.of(others).get(b)).isEqualTo(expected[b]);
      }
    }
  }

  /** Runs a kernel of system scope, where the device has that; elsewhere it is refused. */
  private static void run(TornadoLauncher launcher, Kernel kernel, LaunchShape shape) {
    try {
      launcher.start(kernel, shape, LaunchMode.CONCURRENT).join();
    } catch (LaunchException e) {
      assertThat(e).hasCauseInstanceOf(UnsupportedByDeviceException.class);
      assertThat(e).hasMessageContaining("SystemInts.");
      abort(e.getMessage());
    }
  }

  @Test
  void allThreadsIncrementOneCounter() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory counter = Memory.ofInts(1)) {
      LaunchShape shape = LaunchShape.ofThreads(launcher.device().units());
      run(launcher, new Increment(SystemInts.of(counter)), shape);
      launcher.readBack(counter);
      assertThat(ThreadInts.of(counter).get(0)).isEqualTo(shape.threads());
    }
  }

  @Test
  void whoeverSeesTheSignalSeesTheMessage() {
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      boolean cores = launcher.shapeFor(1 << 20).blockSize() == 1;
      for (int message = 1; message <= 100; message++) {
        try (Memory flag = Memory.ofInts(1);
            Memory data = Memory.ofInts(1);
            Memory read = Memory.ofInts(2)) {
          Signal kernel =
              new Signal(
                  SystemInts.of(flag),
                  ThreadInts.of(data),
                  DeviceInts.of(read),
                  message,
                  limit(cores));
          run(launcher, kernel, LaunchShape.ofThreads(2));
          launcher.readBack(read);
          assertThat(ThreadInts.of(read).get(1)).as("the flag was seen").isEqualTo(1);
          assertThat(ThreadInts.of(read).get(0)).isEqualTo(message);
        }
      }
    }
  }

  @Test
  void theStencilGoesThroughTenThousandPhases() {
    int steps = 5_000;
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      boolean cores = launcher.shapeFor(1 << 20).blockSize() == 1;
      LaunchShape shape = new LaunchShape(launcher.device().units(), cores ? 1 : 32);
      int length = 3 * shape.threads();
      try (Memory barrier = Memory.ofInts(SyncLayout.WORDS);
          Memory cells = Memory.ofDoubles(2L * length);
          Memory edges = Memory.ofDoubles(2L * shape.threads());
          Memory stuck = Memory.ofInts(1)) {
        DeviceBarrier.init(DeviceInts.of(barrier), 0, shape.threads());
        double[] row = fill(cells, length);
        Stencil kernel =
            new Stencil(
                DeviceInts.of(barrier),
                ThreadDoubles.of(cells),
                ThreadDoubles.of(edges),
                DeviceInts.of(stuck),
                length,
                steps,
                limit(cores));
        launcher.start(kernel, shape, LaunchMode.CONCURRENT).join();
        launcher.readBack(cells, stuck);
        assertThat(ThreadInts.of(stuck).get(0)).isZero();
        assertThat(row(kernel.cells(), length)).isEqualTo(solved(row, steps));
      }
    }
  }

  @Test
  void theOverlappedStencilIsThatOfOneThread() {
    int steps = 5_001;
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      boolean cores = launcher.shapeFor(1 << 20).blockSize() == 1;
      LaunchShape shape = new LaunchShape(launcher.device().units(), cores ? 1 : 32);
      int piece = 3;
      int length = piece * shape.threads();
      try (Memory barrier = Memory.ofInts(SyncLayout.WORDS);
          Memory cells = Memory.ofDoubles(length);
          Memory edges = Memory.ofDoubles(4L * shape.threads());
          Memory stuck = Memory.ofInts(1)) {
        DeviceBarrier.init(DeviceInts.of(barrier), 0, shape.threads());
        double[] row = fill(cells, length);
        OverlappedStencil kernel =
            new OverlappedStencil(
                DeviceInts.of(barrier),
                ThreadDoubles.of(cells),
                ThreadDoubles.of(edges),
                OverlappedStencil.localOf(shape.blockSize(), piece),
                DeviceInts.of(stuck),
                piece,
                steps,
                limit(cores));
        launcher.start(kernel, shape, LaunchMode.CONCURRENT).join();
        launcher.readBack(cells, stuck);
        assertThat(ThreadInts.of(stuck).get(0)).isZero();
        assertThat(row(kernel.cells(), length)).isEqualTo(solved(row, steps));
      }
    }
  }

  /** A core that polls may wait for one that does not run. */
  private static long limit(boolean cores) {
    return cores ? 1 << 25 : 1 << 22;
  }

  private static double[] fill(Memory cells, int length) {
    double[] row = new SplittableRandom(3).doubles(length, 0, 1 << 20).toArray();
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
}
