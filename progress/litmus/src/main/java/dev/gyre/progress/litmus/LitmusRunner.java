package dev.gyre.progress.litmus;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.MemoryKindException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Runs litmus tests on a launcher. Rounds of launches vary the distance of threads and words, with
 * and without stress threads, until the time is up.
 */
public final class LitmusRunner implements AutoCloseable {

  /**
   * Longest time in seconds for a control that must show its outcome: on a busy machine, two
   * threads may share a core for long.
   */
  private static final double PATIENCE = 60;

  /** Smallest number of launches of a test: one for each placement of its threads. */
  private static final int MIN_ROUNDS = 8;

  private final Launcher launcher;
  private final LitmusPlaces places;
  private final Memory cells;
  private final Memory results;
  private final Memory meeting = Memory.ofLongs(1);
  private final Memory hostBins =
      Memory.ofLongs((long) LitmusCodes.BIN_ROWS * LitmusCodes.OUTCOMES);
  private final Memory bins = Memory.ofLongs((long) LitmusCodes.BIN_ROWS * LitmusCodes.OUTCOMES);
  private @Nullable HostAndDevice hostAndDevice;
  private long begun;

  /** Creates a runner with its own memory. The caller closes the launcher. */
  public LitmusRunner(Launcher launcher) {
    this.launcher = launcher;
    this.places = LitmusPlaces.of(launcher);
    this.cells = Memory.ofInts(LitmusCodes.scratch(places.instances()) + LitmusCodes.SCRATCH);
    this.results = Memory.ofInts(LitmusCodes.REGISTERS * places.instances());
  }

  /**
   * Runs a test. A control that must show its weak outcome runs until it does, up to {@value
   * #PATIENCE} seconds.
   *
   * @param seconds duration after the first launch, which compiles the test
   */
  public LitmusResult run(LitmusTest test, double seconds) {
    bins.segment().fill((byte) 0);
    hostBins.segment().fill((byte) 0);
    launcher.hostWrote(bins);
    long start = System.nanoTime();
    Optional<String> lack = places.lack(test);
    if (lack.isPresent()) {
      return new LitmusResult(test, Map.of(), 0, lack);
    }
    LitmusResult result = new LitmusResult(test, Map.of(), 0, Optional.empty());
    boolean more = true;
    for (int round = 0; more; round++) {
      try {
        if (test.scope() == LitmusScope.HOST) {
          hostAndDevice().round(test, round, hostBins);
        } else {
          round(test, round);
        }
      } catch (LaunchException | MemoryKindException e) {
        return new LitmusResult(
            test, Map.of(), secondsSince(start), Optional.of(String.valueOf(e.getMessage())));
      }
      result = new LitmusResult(test, outcomes(test), secondsSince(start), Optional.empty());
      if (round == 0) {
        start = System.nanoTime();
      }
      boolean waiting =
          test.expectation() == LitmusTest.Expectation.MUST_SHOW && result.weak() == 0;
      more =
          round + 1 < MIN_ROUNDS
              || result.seconds() < (waiting ? Math.max(PATIENCE, seconds) : seconds);
    }
    return result;
  }

  private void round(LitmusTest test, int round) {
    LitmusPlaces.Place place = places.place(test, round);
    Cells words = cells(test.scope(), place.pad());
    RunLitmus run =
        new RunLitmus(
            test.program().litmus(test.order()),
            test.order().order(),
            words,
            DeviceLongs.of(meeting),
            test.program().roles(),
            place.group(),
            place.testThreads(),
            place.chunks(),
            begun + place.testThreads(),
            place.meetPolls());
    launcher.start(run, place.shape(), places.mode()).join();
    begun += place.meetPolls() == 0 ? 0 : place.chunks() * place.testThreads();
    TallyLitmus tally =
        new TallyLitmus(
            cells(LitmusScope.DEVICE, place.pad()), DeviceLongs.of(bins), test.program().finals());
    LaunchShape all = launcher.shapeFor(places.instances());
    launcher.start(tally, all, LaunchMode.STRIDED).join();
  }

  private Cells cells(LitmusScope scope, int pad) {
    return new Cells(scope.words(cells), ThreadInts.of(results), places.instances(), pad);
  }

  private HostAndDevice hostAndDevice() {
    if (hostAndDevice == null) {
      hostAndDevice = new HostAndDevice(launcher);
    }
    return hostAndDevice;
  }

  private Map<String, Long> outcomes(LitmusTest test) {
    launcher.readBack(bins);
    ThreadLongs view = ThreadLongs.of(test.scope() == LitmusScope.HOST ? hostBins : bins);
    Map<String, Long> outcomes = new TreeMap<>();
    for (int bin = 0; bin < LitmusCodes.OUTCOMES; bin++) {
      long count = 0;
      for (int row = 0; row < LitmusCodes.BIN_ROWS; row++) {
        count += view.get((long) row * LitmusCodes.OUTCOMES + bin);
      }
      if (count > 0) {
        outcomes.merge(test.program().outcome(bin), count, Long::sum);
      }
    }
    return outcomes;
  }

  private static double secondsSince(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  @Override
  public void close() {
    cells.close();
    results.close();
    meeting.close();
    bins.close();
    hostBins.close();
    if (hostAndDevice != null) {
      hostAndDevice.close();
    }
  }
}
