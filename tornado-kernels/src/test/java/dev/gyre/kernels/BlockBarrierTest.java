package dev.gyre.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DivergentBarrierException;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.sync.stress.BlockKernels.ByBlocks;
import dev.gyre.kernels.sync.stress.BlockKernels.Divergent;
import dev.gyre.kernels.sync.stress.BlockKernels.Rotate;
import dev.gyre.kernels.sync.stress.BlockKernels.Turn;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The barrier of a block on the JVM, with fewer workers than a block has threads. */
@Timeout(60)
class BlockBarrierTest {

  @ParameterizedTest
  @CsvSource({
    "1, 1, STRIDED",
    "3, 1, STRIDED",
    "1, 2, STRIDED",
    "5, 3, STRIDED",
    "4, 64, STRIDED",
    "3, 7, CONCURRENT",
    "200, 2, STRIDED"
  })
  @Tag("slow")
  void allSeeWhatTheirBlockWrote(int blocks, int blockSize, LaunchMode mode) {
    LaunchShape shape = new LaunchShape(blocks, blockSize);
    for (int workers = 1; workers <= 3; workers++) {
      try (JvmLauncher launcher = JvmLauncher.ofWorkers(workers);
          Memory cells = Memory.ofInts(2L * shape.threads());
          Memory sums = Memory.ofInts(shape.threads())) {
        Rotate kernel = new Rotate(ThreadInts.of(cells), ThreadInts.of(sums), 10);
        launcher.start(kernel, shape, mode).join();
        for (int t = 0; t < shape.threads(); t++) {
          assertThat(kernel.sums().get(t)).isEqualTo(kernel.expected(t, shape));
        }
      }
    }
  }

  @Test
  void aBarrierOnABranchOfWholeBlocksIsOne() {
    LaunchShape shape = new LaunchShape(7, 4);
    try (JvmLauncher launcher = JvmLauncher.ofWorkers(2);
        Memory cells = Memory.ofInts(shape.threads())) {
      ByBlocks kernel = new ByBlocks(ThreadInts.of(cells));
      launcher.run(kernel, shape);
      assertThat(kernel.cells().get(27)).isEqualTo(27);
    }
  }

  @ParameterizedTest
  @CsvSource({"STRIDED", "CONCURRENT"})
  void aBarrierThatSomeNeverComeToFailsTheLaunch(LaunchMode mode) {
    LaunchShape shape = new LaunchShape(3, 8);
    try (JvmLauncher launcher = JvmLauncher.ofWorkers(2);
        Memory cells = Memory.ofInts(shape.threads())) {
      Launch launch = launcher.start(new Divergent(ThreadInts.of(cells)), shape, mode);
      assertThatThrownBy(launch::join)
          .isInstanceOf(LaunchException.class)
          .hasMessageContaining("Divergent")
          .hasCauseInstanceOf(DivergentBarrierException.class);
    }
  }

  @Test
  void whoComesToABarrierWhenAnotherHasEndedIsTold() {
    JvmBlocks.Group block =
        Objects.requireNonNull(new JvmBlocks((_, _) -> {}, new LaunchShape(1, 2)).begin(0));
    block.end();
    assertThatThrownBy(block::arrive).isInstanceOf(DivergentBarrierException.class);
  }

  @Test
  void anInterruptOfWhoCallsCancelsThoughItWaitsAtTheBarrier() {
    Thread caller = Thread.currentThread();
    try (JvmLauncher launcher = JvmLauncher.ofWorkers(2);
        Memory cells = Memory.ofInts(1)) {
      DeviceInts never = DeviceInts.of(cells);
      Kernel kernel =
          (_, _) -> {
            if (!Thread.currentThread().equals(caller)) {
              caller.interrupt();
              int _ = never.waitWhileEqualAcquire(0, 0, Long.MAX_VALUE);
            }
            Block.barrier();
          };
      assertThatThrownBy(() -> launcher.run(kernel, new LaunchShape(1, 2)))
          .isInstanceOf(LaunchCancelledException.class)
          .hasCauseInstanceOf(InterruptedException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void aThreadThatFailsEndsTheWaitOfTheOthers() {
    LaunchShape shape = new LaunchShape(2, 8);
    try (JvmLauncher launcher = JvmLauncher.ofWorkers(2)) {
      Kernel kernel =
          (thread, _) -> {
            if (thread == 5) {
              throw new IllegalStateException("the fifth");
            }
            Block.barrier();
          };
      assertThatThrownBy(() -> launcher.run(kernel, shape))
          .isInstanceOf(LaunchException.class)
          .hasMessageContaining("the fifth");
    }
  }

  @Test
  void aWaitThatAnInterruptOfItsOwnEndsFailsTheLaunch() {
    try (JvmLauncher launcher = JvmLauncher.ofWorkers(2);
        Memory cells = Memory.ofInts(1)) {
      DeviceInts never = DeviceInts.of(cells);
      Kernel kernel =
          (thread, _) -> {
            if (thread == 0) {
              Thread.currentThread().interrupt();
              Block.barrier();
            }
            int _ = never.waitWhileEqualAcquire(0, 0, 1 << 14);
          };
      Launch launch = launcher.start(kernel, new LaunchShape(1, 2), LaunchMode.STRIDED);
      assertThatThrownBy(launch::join).hasMessageContaining("StoppedException");
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "50, 4", "3, 65"})
  void eachBlockHasMemoryOfItsOwn(int blocks, int blockSize) {
    LaunchShape shape = new LaunchShape(blocks, blockSize);
    try (JvmLauncher launcher = JvmLauncher.ofWorkers(2);
        Memory turned = Memory.ofInts(shape.threads());
        Memory sums = Memory.ofLongs(4L * blocks)) {
      Turn kernel = Turn.of(blockSize, ThreadInts.of(turned), ThreadLongs.of(sums));
      launcher.run(kernel, shape);
      assertThat(kernel.isRight(shape)).isTrue();
      assertThatThrownBy(() -> kernel.ints().get(0))
          .as("there is none outside of a launch")
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void aBlockHasTheMemoryOfOneThatHasEnded() {
    try (Memory turned = Memory.ofInts(3);
        Memory sums = Memory.ofLongs(12)) {
      Kernel kernel = Turn.of(1, ThreadInts.of(turned), ThreadLongs.of(sums));
      JvmBlocks blocks = new JvmBlocks(kernel, LaunchShape.ofThreads(3));
      JvmBlocks.Group ended = Objects.requireNonNull(blocks.begin(0));
      JvmBlocks.Group beside = Objects.requireNonNull(blocks.begin(1));
      ended.end();
      JvmBlocks.Group after = Objects.requireNonNull(blocks.begin(2));
      assertThat(after.kernel()).isSameAs(ended.kernel()).isNotSameAs(beside.kernel());
      blocks.close();
    }
  }

  @Test
  void howMuchIsSharedIsPartOfTheTree() {
    try (Memory turned = Memory.ofInts(1);
        Memory sums = Memory.ofLongs(4)) {
      ThreadInts ints = ThreadInts.of(turned);
      ThreadLongs longs = ThreadLongs.of(sums);
      KernelTree tree = KernelTree.of(Turn.of(64, ints, longs));
      assertThat(tree.root()).isEqualTo(KernelTree.of(Turn.of(64, ints, longs)).root());
      assertThat(tree.root()).isNotEqualTo(KernelTree.of(Turn.of(65, ints, longs)).root());
      assertThat(tree.root().sharedBytes()).isEqualTo(264 + 8 + 8 + 8);
      assertThat(tree.memories()).containsExactly(turned, sums);
    }
  }

  @Test
  void outsideOfALaunchAThreadIsAlone() {
    Block.barrier();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }
}
