package dev.gyre.progress.litmus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.progress.litmus.LitmusResult.Verdict;
import dev.gyre.progress.litmus.LitmusTest.Expectation;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LitmusRunnerTest {

  @Tag("slow")
  @Test
  void everyTestRunsOnTheJvmAndNoneShowsWhatIsForbidden() {
    try (JvmLauncher launcher = JvmLauncher.create();
        LitmusRunner runner = new LitmusRunner(launcher)) {
      for (LitmusTest test : LitmusTest.all()) {
        LitmusResult result = runner.run(test, 0.02);
        assertThat(result.refusal()).isEmpty();
        assertThat(result.runs()).as(test.label()).isPositive();
        assertThat(result.verdict().failed()).as(test.label() + result.outcomes()).isFalse();
      }
    }
  }

  @Test
  void eachProgramHasATestAndAControl() {
    for (LitmusProgram program : LitmusProgram.values()) {
      assertThat(LitmusTest.all())
          .anyMatch(t -> t.program() == program && t.expectation() == Expectation.FORBIDDEN)
          .anyMatch(t -> t.program() == program && t.expectation() != Expectation.FORBIDDEN);
    }
  }

  @Test
  void oneForbiddenOutcomeFails() {
    Map<String, Long> outcomes = Map.of("1,1", 1_000_000L, "1,0", 1L);
    assertThat(result(Expectation.FORBIDDEN, outcomes).verdict()).isEqualTo(Verdict.FORBIDDEN_SEEN);
    assertThat(result(Expectation.MAY_SHOW, outcomes).verdict()).isEqualTo(Verdict.SEEN);
    assertThat(result(Expectation.MUST_SHOW, outcomes).verdict()).isEqualTo(Verdict.SEEN);
    Map<String, Long> good = Map.of("1,1", 1_000_000L);
    assertThat(result(Expectation.FORBIDDEN, good).verdict()).isEqualTo(Verdict.OK);
    assertThat(result(Expectation.MAY_SHOW, good).verdict()).isEqualTo(Verdict.NEVER_SEEN);
    assertThat(result(Expectation.MUST_SHOW, good).verdict()).isEqualTo(Verdict.CONTROL_FAILED);
    assertThat(Verdict.CONTROL_FAILED.failed()).isTrue();
    assertThat(Verdict.FORBIDDEN_SEEN.failed()).isTrue();
    assertThat(Verdict.NEVER_SEEN.failed()).isFalse();
  }

  private static LitmusResult result(Expectation expectation, Map<String, Long> outcomes) {
    LitmusTest test =
        new LitmusTest(
            LitmusProgram.MESSAGE_PASSING, LitmusScope.DEVICE, LitmusOrder.ACQ_REL, expectation);
    return new LitmusResult(test, outcomes, 1, Optional.empty());
  }

  @Test
  void publicationFailsWithTwoWinnersNoneOrNothingPublished() {
    assertThat(LitmusProgram.PUBLICATION.isWeak("1,1")).isTrue();
    assertThat(LitmusProgram.PUBLICATION.isWeak("2,2")).isTrue();
    assertThat(LitmusProgram.PUBLICATION.isWeak("1,0")).isTrue();
    assertThat(LitmusProgram.PUBLICATION.isWeak("0,1")).isTrue();
    assertThat(LitmusProgram.PUBLICATION.isWeak("1,2")).isFalse();
    assertThat(LitmusProgram.PUBLICATION.isWeak("3,1")).isFalse();
  }
}
