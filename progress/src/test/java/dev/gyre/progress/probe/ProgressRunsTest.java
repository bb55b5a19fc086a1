package dev.gyre.progress.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.Target;
import dev.gyre.progress.DeviceDescription;
import dev.gyre.progress.probe.ProgressResult.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ProgressRunsTest {

  private static final DeviceDescription JVM = DeviceDescription.of(Target.JVM);

  @Test
  void theJvmMakesProgressEverywhere() {
    List<ProgressResult> results =
        ProgressRuns.inChildren().run(JVM, List.of(ProgressTest.values()), _ -> {});
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

  @Tag("slow")
  @Test
  void aHangIsAResultAndTheTestsAfterItStillRun() {
    List<ProgressResult> results =
        ProgressRuns.inChildren(Duration.ofSeconds(5), HangingChild.class.getName())
            .run(
                JVM,
                List.of(
                    ProgressTest.LOCK_IN_WARP,
                    ProgressTest.LOCK_IN_BLOCK,
                    ProgressTest.LOCK_ACROSS_BLOCKS),
                _ -> {});
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
            .run(JVM, List.of(ProgressTest.LOCK_IN_WARP), _ -> {});
    assertThat(results.getFirst().outcome()).isEqualTo(Outcome.FAILED);
    assertThat(results.getFirst().detail()).contains("no luck");
  }

  /**
   * Goes on after a test only when its result has been listener: a folder of the parent's says so.
   */
  static final class PatientChild {
    private PatientChild() {}

    public static void main(String[] args) throws InterruptedException {
      Path folder = listener(ProcessHandle.current().parent().orElseThrow());
      for (int i = 1; i < args.length; i++) {
        System.out.println(ProgressChild.BEGIN + "\t" + args[i]);
        while (i > 1 && !Files.exists(folder.resolve(args[i - 1]))) {
          Thread.sleep(1);
        }
        System.out.println(ProgressChild.END + "\t" + args[i] + "\tENDED\t32\t0\t0.5\t");
      }
    }

    static Path listener(ProcessHandle parent) {
      return Path.of(System.getProperty("java.io.tmpdir"), "gyre-listener-" + parent.pid());
    }
  }

  @Test
  void eachResultIsToldBeforeTheNextTestEnds() throws IOException {
    Path folder = Files.createDirectories(PatientChild.listener(ProcessHandle.current()));
    List<ProgressTest> tests = List.of(ProgressTest.LOCK_IN_WARP, ProgressTest.LOCK_IN_BLOCK);
    try {
      List<ProgressResult> results =
          ProgressRuns.inChildren(Duration.ofSeconds(20), PatientChild.class.getName())
              .run(JVM, tests, r -> write(folder.resolve(r.test().name())));
      assertThat(results).hasSize(2).allMatch(ProgressResult::ended);
    } finally {
      for (ProgressTest test : tests) {
        Files.deleteIfExists(folder.resolve(test.name()));
      }
      Files.delete(folder);
    }
  }

  private static void write(Path file) {
    try {
      Files.createFile(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
