package dev.gyre.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class JvmPlanTest {

  private static List<Job> jobs(boolean quick, boolean pairs) {
    Path text = Path.of("text");
    return new JvmPlan(
            new Axes(quick, pairs, 16),
            new Launching(Path.of(""), "old.jar"),
            new SourceText("text", text, text, 1, "sum"))
        .jobs();
  }

  private static List<JmhCase> cases(boolean quick, boolean pairs, String id) {
    return jobs(quick, pairs).stream()
        .filter(job -> job.id().matches(id))
        .flatMap(job -> job.cases().stream())
        .map(JmhCase.class::cast)
        .toList();
  }

  /** Maps for one thread are rivals whatever is varied. */
  @Test
  void everyJobOfMapsHasOneThreadAndAll() {
    for (boolean quick : new boolean[] {true, false}) {
      for (Job job : jobs(quick, false)) {
        boolean singly = job.id().matches(".*-(put|get|mixed)-.*");
        if (job.id().startsWith("maps-") && !job.id().contains("load") && !singly) {
          assertThat(cases(quick, false, java.util.regex.Pattern.quote(job.id())))
              .extracting(each -> each.params().getOrDefault("threads", ""))
              .contains("1", "16");
        }
      }
    }
  }

  @Test
  void absentKeysAndFullTablesAreVaried() {
    assertThat(cases(false, false, "maps-long-find-.*hits=0")).isNotEmpty();
    assertThat(cases(false, false, "maps-long-find-.*load=0.9"))
        .extracting(each -> each.params().getOrDefault("rival", ""))
        .contains("FASTUTIL", "AGRONA", "HPPC")
        .doesNotContain("ECLIPSE");
  }

  @Test
  void heapsAreTouchedAndOfOneSize() {
    for (JmhCase each : cases(false, false, "maps-.*|words-.*")) {
      assertThat(each.jvmArguments()).contains("-XX:+AlwaysPreTouch");
      assertThat(each.jvmArguments().getFirst().replace("-Xms", "-Xmx"))
          .isEqualTo(each.jvmArguments().get(1));
    }
  }

  @Test
  void memoryOfSetsAndTextsIsMeasured() {
    assertThat(jobs(false, false).stream().map(Job::id))
        .contains(
            "memory-map-of-int-grown",
            "memory-set-of-long-given",
            "memory-texts-of-texts-grown",
            "memory-words-of-words-grown");
  }

  @Test
  void threeRivalsAreMeasuredOnceMoreAlone() {
    for (boolean quick : new boolean[] {true, false}) {
      List<JmhCase> cases = cases(quick, false, "control");
      assertThat(cases)
          .extracting(each -> each.params().getOrDefault("rival", ""))
          .containsExactlyInAnyOrder("HPPC", "HPPC", "CONCURRENT_HASH_MAP");
      // As JMH alone does it, in a heap of the same size.
      assertThat(cases)
          .allMatch(each -> each.iterationMillis() == 0)
          .allMatch(each -> each.jvmArguments().contains("-XX:+AlwaysPreTouch"));
    }
  }

  @Test
  void anOldBuildTakesTurnsWithTheNewOne() {
    List<JmhCase> cases = cases(false, true, "maps-long-insert-65536-");
    assertThat(cases)
        .isNotEmpty()
        .allMatch(each -> each.params().getOrDefault("rival", "").startsWith("GYRE"));
    assertThat(cases.stream().filter(each -> each.classPath().equals("old.jar")))
        .hasSize(cases.size() / 2);
    assertThat(jobs(false, true)).allMatch(job -> job.leastForks() >= 10);
  }

  /** A run that was interrupted goes on by the names of its jobs. */
  @Test
  void eachJobHasANameOfItsOwn() {
    for (boolean quick : new boolean[] {true, false}) {
      assertThat(jobs(quick, false).stream().map(Job::id)).doesNotHaveDuplicates();
    }
  }

  /** On two cores, what must be measured leaves time for C++. */
  @Test
  void quickIsExpectedToEndInTime() {
    Axes axes = new Axes(true, false, 2);
    Path text = Path.of("text");
    double seconds =
        new JvmPlan(
                axes,
                new Launching(Path.of(""), ""),
                new SourceText("text", text, text, 2 << 20, "sum"))
            .jobs().stream().mapToDouble(Job::seconds).sum();
    assertThat(seconds).isLessThan(axes.budgetSeconds() - 10);
  }
}
