package dev.gyre.structures.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.structures.Checks;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class FuzzerTest {

  private static final int PROGRAMS = 3;

  @TempDir private Path folder;

  static Stream<FuzzTarget> targets() {
    return FuzzTargets.ALL.stream();
  }

  @ParameterizedTest
  @MethodSource("targets")
  void agreesWithItsModel(FuzzTarget target) {
    String waking = System.getProperty("gyre.waking");
    Fuzzer fuzzer = new Fuzzer(new FuzzSetting(2, null, folder));
    for (long seed = 0; seed < PROGRAMS; seed++) {
      FuzzProgram program = Fuzzer.program(target, seed);
      Throwable failure = fuzzer.failure(target, program);
      assertThat(failure).as("%s", failure == null ? "" : fuzzer.shrink(target, program)).isNull();
    }
    assertThat(System.getProperty("gyre.waking")).as("what other tests set").isEqualTo(waking);
  }

  /** Each operation comes by, in a few hundred programs. */
  @ParameterizedTest
  @MethodSource("targets")
  void drawsEveryOperation(FuzzTarget target) {
    Set<String> drawn = new HashSet<>();
    for (long seed = 0; seed < 300; seed++) {
      Fuzzer.program(target, seed).steps().forEach(step -> drawn.add(step.operation()));
    }
    assertThat(drawn).isEqualTo(Set.copyOf(target.operations()));
    assertThat(Fuzzer.program(target, 7).toString())
        .isEqualTo(Fuzzer.program(target, 7).toString());
  }

  /**
   * A set that forgets key 3 where it has key 5, and does not know.
   *
   * @param asked whether it is seen by an operation, or only where all is compared
   */
  private record Forgetful(boolean asked) implements FuzzTarget {

    @Override
    public String name() {
      return "forgetful";
    }

    @Override
    public List<String> operations() {
      return List.of("add", "look");
    }

    @Override
    public Run start(long seed, FuzzSetting setting) {
      Set<Long> model = new HashSet<>();
      return new Run() {
        @Override
        public void step(FuzzStep step) {
          if (step.operation().equals("add")) {
            Arrays.stream(step.keys()).forEach(model::add);
          } else if (asked) {
            look();
          }
        }

        private void look() {
          if (model.contains(5L)) {
            Checks.same("key 3", model.contains(3L), false);
          }
        }

        @Override
        public void compare() {
          if (!asked) {
            look();
          }
        }

        @Override
        public void close() {
          // Nothing is kept.
        }
      };
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void makesAProgramThatFailsSmall(boolean asked) {
    Fuzzer fuzzer = new Fuzzer(new FuzzSetting(1, null, folder));
    FuzzTarget forgetful = new Forgetful(asked);
    FuzzProgram failing =
        Stream.iterate(0L, seed -> seed + 1)
            .limit(10_000)
            .map(seed -> Fuzzer.program(forgetful, seed))
            .filter(program -> fuzzer.failure(forgetful, program) != null)
            .findFirst()
            .orElseThrow();
    FuzzProgram smallest = fuzzer.shrink(forgetful, failing);
    assertThat(fuzzer.failure(forgetful, smallest)).hasMessage("key 3: false, not true");
    assertThat(smallest.steps()).hasSizeBetween(asked ? 2 : 1, asked ? 3 : 2);
    assertThat(smallest.steps().stream().flatMapToLong(s -> Arrays.stream(s.keys())))
        .containsExactlyInAnyOrder(3L, 5L);
    assertThat(smallest.steps().getLast().keys().length == 0).isEqualTo(asked);
  }
}
