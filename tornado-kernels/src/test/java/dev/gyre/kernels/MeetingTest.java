package dev.gyre.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.gyre.atomics.BlockInts;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.sync.BlockBarrier;
import dev.gyre.kernels.sync.DeviceBarrier;
import dev.gyre.kernels.sync.DeviceLatch;
import dev.gyre.kernels.sync.SyncLayout;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that meet on the JVM have threads of their own, or are refused; they do not hang. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class MeetingTest {

  private static final int WORKERS = 2;

  private static Kernel meeting(DeviceInts words, int threads) {
    DeviceBarrier.init(words, 0, threads);
    return (_, _) -> DeviceBarrier.arriveAndWait(words, 0, Long.MAX_VALUE);
  }

  private static Kernel meetingByBlock(Memory memory, LaunchShape shape) {
    BlockInts words = BlockInts.of(memory);
    for (int b = 0; b < shape.blocks(); b++) {
      BlockBarrier.init(words, (long) b * SyncLayout.WORDS, shape.blockSize());
    }
    return (thread, _) ->
        BlockBarrier.arriveAndWait(
            words, (long) (thread / shape.blockSize()) * SyncLayout.WORDS, Long.MAX_VALUE);
  }

  @Test
  void aGridOfMoreThreadsThanWorkersIsRefusedUnlessItIsConcurrent() {
    try (JvmLauncher launcher = JvmLauncher.ofWorkers(WORKERS);
        Memory memory = Memory.ofInts(SyncLayout.WORDS)) {
      DeviceInts words = DeviceInts.of(memory);
      launcher.run(meeting(words, WORKERS), LaunchShape.ofThreads(WORKERS));
      LaunchShape shape = LaunchShape.ofThreads(WORKERS + 1);
      ResidencyException refusal =
          catchThrowableOfType(
              ResidencyException.class, () -> launcher.run(meeting(words, shape.threads()), shape));
      assertThat(refusal.shape()).isEqualTo(shape);
      assertThat(refusal.largestBlocks()).isEqualTo(WORKERS);
      assertThat(refusal)
          .hasMessageContainingAll("jvm", "3 blocks of 1", "2 blocks of 1", "CONCURRENT");
      launcher.start(meeting(words, 50), new LaunchShape(10, 5), LaunchMode.CONCURRENT).join();
    }
  }

  @Test
  void aLatchIsAMeetingAlsoWhereItIsOpen() {
    try (JvmLauncher launcher = JvmLauncher.ofWorkers(WORKERS);
        Memory memory = Memory.ofInts(SyncLayout.WORDS)) {
      DeviceInts words = DeviceInts.of(memory);
      assertThatThrownBy(
              () ->
                  launcher.run(
                      (_, _) -> DeviceLatch.await(words, 0, Long.MAX_VALUE),
                      LaunchShape.ofThreads(9)))
          .isInstanceOf(ResidencyException.class);
    }
  }

  @Test
  void blocksMeetOneAfterAnotherWhereTheirThreadsFit() {
    try (JvmLauncher launcher = JvmLauncher.ofWorkers(WORKERS);
        Memory memory = Memory.ofInts(100L * SyncLayout.WORDS)) {
      LaunchShape fits = new LaunchShape(100, WORKERS);
      launcher.run(meetingByBlock(memory, fits), fits);
      LaunchShape tooLarge = new LaunchShape(4, WORKERS + 1);
      assertThatThrownBy(() -> launcher.run(meetingByBlock(memory, tooLarge), tooLarge))
          .isInstanceOf(ResidencyException.class)
          .hasMessageContaining("0 blocks of 3");
    }
  }

  @Test
  void aGridLargerThanTheJvmHasThreadsForIsRefusedBeforeTheLaunch() {
    try (JvmLauncher launcher = JvmLauncher.create()) {
      AtomicInteger begun = new AtomicInteger();
      Kernel kernel = (_, _) -> begun.incrementAndGet();
      LaunchShape shape = new LaunchShape(launcher.blocksAtOnce(kernel, 64) + 1, 64);
      assertThatThrownBy(() -> launcher.start(kernel, shape, LaunchMode.CONCURRENT))
          .isInstanceOf(ResidencyException.class)
          .hasMessageContainingAll("257 blocks of 64", "256 blocks of 64");
      assertThat(begun).hasValue(0);
    }
  }
}
