package dev.gyre.progress.litmus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.Target;
import dev.gyre.progress.DeviceDescription;
import dev.gyre.progress.litmus.ProgressResult.Outcome;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgressRunsTest {

  private static final DeviceDescription JVM = DeviceDescription.of(Target.JVM);

  @Test
  void theJvmMakesProgressEverywhere() {
    List<ProgressResult> results =
        ProgressRuns.inChildren().run(JVM, List.of(ProgressTest.values()));
    assertThat(results).extracting(ProgressResult::test).containsExactly(ProgressTest.values());
    assertThat(results).allMatch(ProgressResult::ended);
  }

  /** Hangs in one test, as a driver does whose kernel never ends. */
  static final class HangingChild {
    private HangingChild() {}

    public static void main(String[] args) throws InterruptedException {
      for (int i = 1; i < args.length; i++) {
        System.out.println(ProgressChild.BEGIN + "\t" + args[i]);
        if (args[i].equals(ProgressTest.LOCK_IN_BLOCK.name())) {
          Thread.sleep(Duration.ofHours(1));
        }
        System.out.println(ProgressChild.END + "\t" + args[i] + "\tENDED\t32\t0\t0.5\t");
      }
    }
  }

  @Test
  void aHangIsAResultAndTheTestsAfterItStillRun() {
    List<ProgressResult> results =
        ProgressRuns.inChildren(Duration.ofSeconds(5), HangingChild.class.getName())
            .run(
                JVM,
                List.of(
                    ProgressTest.LOCK_IN_WARP,
                    ProgressTest.LOCK_IN_BLOCK,
                    ProgressTest.LOCK_ACROSS_BLOCKS));
    assertThat(results)
        .extracting(ProgressResult::outcome)
        .containsExactly(Outcome.ENDED, Outcome.HUNG, Outcome.ENDED);
  }

  /** Dies, as a JVM does whose driver crashes. */
  static final class DyingChild {
    private DyingChild() {}

    public static void main(String[] args) {
      System.out.println("no luck");
    }
  }

  @Test
  void aDeadProcessIsAFailureWithItsLastWords() {
    List<ProgressResult> results =
        ProgressRuns.inChildren(Duration.ofSeconds(30), DyingChild.class.getName())
            .run(JVM, List.of(ProgressTest.LOCK_IN_WARP));
    assertThat(results.getFirst().outcome()).isEqualTo(Outcome.FAILED);
    assertThat(results.getFirst().detail()).contains("no luck");
  }
}
