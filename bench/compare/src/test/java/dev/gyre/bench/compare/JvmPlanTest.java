package dev.gyre.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class JvmPlanTest {

  private static final long HEAP = 6144;

  private static List<Job> jobs(boolean quick) {
    Path text = Path.of("text");
    return new JvmPlan(
            new Axes(quick, 16),
            new Launching(Path.of(""), HEAP),
            new SourceText("text", text, text, 1, "sum"))
        .jobs();
  }

  private static List<String> maps(boolean quick, String part) {
    return jobs(quick).stream()
        .filter(job -> job.id().startsWith("maps-") && job.id().contains(part))
        .map(job -> String.join(" ", job.command()))
        .toList();
  }

  /** Maps for one thread are rivals whatever is varied. */
  @Test
  void everyJobOfMapsHasOneThreadAndAll() {
    for (boolean quick : new boolean[] {true, false}) {
      assertThat(maps(quick, ""))
          .isNotEmpty()
          .allMatch(command -> command.matches(".* threads=1,([0-9]+,)*16 .*"));
    }
  }

  @Test
  void absentKeysAndFullTablesAreVaried() {
    assertThat(maps(true, "find")).anyMatch(command -> command.contains(" hits=0 "));
    assertThat(maps(false, "find")).anyMatch(command -> command.contains(" hits=0 "));
    assertThat(maps(false, "load=0.9"))
        .hasSize(2)
        .allMatch(command -> command.contains(",FASTUTIL,AGRONA,HPPC "));
  }

  @Test
  void keysAreWorkedOnOneByOneWithinACacheAndOutside() {
    for (String operation : List.of("put", "get", "mixed")) {
      assertThat(maps(true, "-" + operation + "-")).hasSize(1);
      assertThat(maps(false, "-" + operation + "-"))
          .hasSize(2)
          .anyMatch(command -> command.contains(" n=65536 "))
          .anyMatch(command -> command.contains(" n=8388608 "));
    }
  }

  @Test
  void memoryOfSetsAndTextsIsMeasured() {
    assertThat(jobs(false).stream().map(Job::id))
        .contains(
            "memory-int-HPPC-of=map-room=grown",
            "memory-int-FASTUTIL-of=set-room=given",
            "memory-long-HPPC-of=set-room=grown",
            "memory-text-HASH_MAP-room=given",
            "memory-text-GYRE_TEXT_SET-room=grown");
  }

  /** A run that was interrupted goes on by the names of its jobs. */
  @Test
  void eachJobHasANameOfItsOwn() {
    assertThat(jobs(false).stream().map(Job::id)).doesNotHaveDuplicates();
    assertThat(jobs(true).stream().map(Job::id)).doesNotHaveDuplicates();
  }
}
