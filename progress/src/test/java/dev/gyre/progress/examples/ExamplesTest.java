package dev.gyre.progress.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SystemInts;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

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
}
