package dev.gyre.progress.litmus;

import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import java.util.Optional;

/**
 * Placement of the threads and words of a litmus test on a device, per round.
 *
 * @param launcher the device
 * @param instances instances per launch
 * @param blockSize threads per block: 1 if the threads of a block run one after another
 * @param mode how test kernels are launched
 */
record LitmusPlaces(Launcher launcher, long instances, int blockSize, LaunchMode mode) {

  private static final int WARP = 32;
  private static final int BLOCKS_PER_UNIT = 2;
  private static final int GPU_CHUNKS = 8;
  private static final int CHUNK = 64;
  private static final int FEW_POLLS = 100;
  private static final int JVM_MEET_POLLS = 20_000;
  private static final int DEVICE_MEET_POLLS = 4_000;

  /**
   * The threads and words of one launch.
   *
   * @param shape the launch's shape
   * @param testThreads how many of its threads run instances; the others stress the memory
   * @param group neighbours with the same role
   * @param chunks how often threads meet
   * @param pad ints from one instance's word to the next one's
   * @param meetPolls polls for which threads wait for each other; 0 for no wait
   */
  record Place(
      LaunchShape shape, int testThreads, int group, long chunks, int pad, long meetPolls) {

    Place withoutMeeting() {
      return new Place(shape, testThreads, group, chunks, pad, 0);
    }
  }

  static LitmusPlaces of(Launcher launcher) {
    int blockSize = launcher.shapeFor(1 << 20).blockSize();
    boolean jvm = launcher.device().target() == Target.JVM;
    return new LitmusPlaces(
        launcher,
        blockSize > 1 ? 1 << 17 : 1 << 12,
        blockSize,
        jvm ? LaunchMode.CONCURRENT : LaunchMode.STRIDED);
  }

  /** Returns why a control cannot show its outcome, if its threads do not run at the same time. */
  Optional<String> lack(LitmusTest test) {
    int roles = test.program().roles();
    int units = launcher.device().units();
    boolean apart = mode != LaunchMode.CONCURRENT && blockSize == 1;
    boolean must = test.expectation() == LitmusTest.Expectation.MUST_SHOW;
    return must && apart && roles > units
        ? Optional.of("its %d threads do not run at once on %d units".formatted(roles, units))
        : Optional.empty();
  }

  Place place(LitmusTest test, int round) {
    Place place = anyPlace(test, round);
    // Rare, and not helped by meeting: many more launches in the same time.
    return test.scope() == LitmusScope.UNMATCHED ? place.withoutMeeting() : place;
  }

  private Place anyPlace(LitmusTest test, int round) {
    int pad =
        (round & 2) == 0 ? LitmusCodes.MAX_PAD / 2 : (round & 4) == 0 ? 1 : LitmusCodes.MAX_PAD;
    boolean stressed = (round & 1) == 1;
    return blockSize > 1 ? onGpu(test, round, pad, stressed) : onCores(test, pad, stressed);
  }

  private Place onGpu(LitmusTest test, int round, int pad, boolean stressed) {
    int roles = test.program().roles();
    int blocks = Math.max(1, launcher.device().units() * BLOCKS_PER_UNIT / roles) * roles;
    int testBlocks = stressed ? Math.max(roles, blocks / 2 / roles * roles) : blocks;
    // Partners far apart; for block scope, and now and then for others, within a block or a warp.
    boolean near = test.withinBlock() || (round & 7) == 7;
    int size = near ? blockSize / (WARP * roles) * (WARP * roles) : blockSize;
    int group = near ? ((round & 8) == 0 ? WARP : 1) : blockSize;
    return new Place(
        new LaunchShape(blocks, size),
        testBlocks * size,
        group,
        (round & 1) == 0 ? 1 : GPU_CHUNKS,
        pad,
        DEVICE_MEET_POLLS);
  }

  private Place onCores(LitmusTest test, int pad, boolean stressed) {
    int roles = test.program().roles();
    int units = launcher.device().units();
    if (mode == LaunchMode.CONCURRENT) {
      long chunks = instances / CHUNK;
      // If not all threads can run at the same time, waiting for all is pointless.
      long polls = roles <= units ? JVM_MEET_POLLS : FEW_POLLS;
      int stress = stressed && units > roles ? units - roles : 0;
      return new Place(LaunchShape.ofThreads(roles + stress), roles, 1, chunks, pad, polls);
    }
    if (test.withinBlock()) {
      int blocks = Math.max(1, units);
      return new Place(new LaunchShape(blocks, roles), blocks * roles, 1, 1, pad, 0);
    }
    long polls = roles <= units ? DEVICE_MEET_POLLS : 0;
    return new Place(LaunchShape.ofThreads(roles), roles, 1, instances / CHUNK, pad, polls);
  }
}
