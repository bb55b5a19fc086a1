package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchShape;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Barriers where all threads of a block come by are compiled, and others are refused. */
@ExtendWith(DeviceUnderTest.class)
class UniformFlowTest {

  private static final int SIZE = 64;
  private static final LaunchShape SHAPE = new LaunchShape(2, SIZE);

  /** Each thread sums up some of the numbers to 1000, in turns of its own; then all together. */
  record Strides(SharedInts sums, ThreadInts told) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      int me = thread % shape.blockSize();
      int sum = 0;
      for (int i = me; i < 1000; i += shape.blockSize()) {
        sum += i;
      }
      sums.set(me, sum);
      Block.barrier();
      int all = 0;
      for (int i = 0; i < shape.blockSize(); i++) {
        all += sums.get(i);
      }
      told.set(thread, all);
    }
  }

  /** The same in a loop that turns as often for all, with a branch on which loops end elsewhere. */
  record Nested(SharedInts sums, ThreadInts told) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      int me = thread % shape.blockSize();
      sums.set(me, 0);
      for (int part = 0; part < 4; part++) {
        int sum = 0;
        for (int left = me; left > 0; left -= part + 1) {
          if ((left & 1) == 0) {
            sum += part;
          } else {
            sum -= left;
          }
        }
        int _ = sums.fetchAddRelaxed(me, sum);
        Block.barrier();
      }
      told.set(thread, sums.get((me + 1) % shape.blockSize()));
    }
  }

  @Test
  void threadsMeetAfterLoopsOfTheirOwn() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory told = Memory.ofInts(SHAPE.threads())) {
      ThreadInts of = ThreadInts.of(told);
      launcher.run(new Strides(SharedInts.of(SIZE), of), SHAPE);
      launcher.readBack(told);
      for (int t = 0; t < SHAPE.threads(); t++) {
        assertThat(of.get(t)).isEqualTo(999 * 1000 / 2);
      }
      launcher.run(new Nested(SharedInts.of(SIZE), of), SHAPE);
      launcher.readBack(told);
      try (JvmLauncher jvm = JvmLauncher.create();
          Memory expected = Memory.ofInts(SHAPE.threads())) {
        jvm.run(new Nested(SharedInts.of(SIZE), ThreadInts.of(expected)), SHAPE);
        assertThat(told.segment().mismatch(expected.segment())).isEqualTo(-1);
      }
    }
  }

  /** A barrier in a loop that threads leave one after another. */
  record InALoop(ThreadInts told) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < 100; i += 7) {
        told.set(thread, i);
        Block.barrier();
      }
    }
  }

  /** A barrier that depends on how often a thread's loop turned. */
  record ByTurns(ThreadInts told) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      int turns = 0;
      for (int i = thread; i < 100; i += 7) {
        turns++;
        told.set(thread, i);
      }
      if (turns == 3) {
        Block.barrier();
      }
    }
  }

  /** A barrier that depends on what comes after a number that differs. */
  record ByTheNext(ThreadInts told) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      int i = thread;
      int next = i;
      do {
        i = next;
        next = i + 3;
        told.set(thread, i);
      } while (told.get(thread + 1) > i);
      if (next == 65) {
        Block.barrier();
      }
    }
  }

  /** A barrier that depends on which way a thread came. */
  record ByTheWay(ThreadInts told) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      int way = 1;
      if (thread > 5) {
        told.set(thread, 7);
        way = told.get(0);
      }
      if (way == 1) {
        Block.barrier();
      }
    }
  }

  @Test
  void barriersThatSomeMayNotComeToAreRefused() {
    try (TornadoLauncher launcher = DeviceUnderTest.open();
        Memory told = Memory.ofInts(SHAPE.threads() + 1)) {
      ThreadInts of = ThreadInts.of(told);
      for (Kernel kernel :
          List.of(new InALoop(of), new ByTurns(of), new ByTheNext(of), new ByTheWay(of))) {
        assertThatThrownBy(() -> launcher.run(kernel, SHAPE))
            .as("%s", kernel)
            .isInstanceOf(LaunchException.class)
            .hasMessageContaining("all threads must call it");
      }
    }
  }
}
