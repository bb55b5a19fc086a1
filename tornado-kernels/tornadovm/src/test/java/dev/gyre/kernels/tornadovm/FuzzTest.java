package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.LaunchException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Random programs give the same on the device as on the JVM.
 *
 * <p>{@code -Dgyre.fuzz.programs} says how many, {@code -Dgyre.fuzz.seed} where they begin. What
 * differs is shrunk and written to {@code -Dgyre.failures}; put it into the list {@code
 * fuzz-cases.txt} to have it run in every build.
 */
@ExtendWith(DeviceUnderTest.class)
class FuzzTest {

  private static final int SHRINK_TRIES = 80;

  @Test
  void randomProgramsAgree() throws IOException {
    long seed = Long.getLong("gyre.fuzz.seed", 1);
    int programs = Integer.getInteger("gyre.fuzz.programs", 25);
    int refused = FuzzRunner.refused();
    List<String> failures = new ArrayList<>();
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      for (int i = 0; i < programs; i++) {
        FuzzProgram program = FuzzProgram.random(seed + i);
        if (!FuzzRunner.difference(launcher, program.body()).isEmpty()) {
          FuzzProgram small =
              program.shrink(
                  p -> !FuzzRunner.difference(launcher, p.body()).isEmpty(), SHRINK_TRIES);
          String why = FuzzRunner.difference(launcher, small.body());
          failures.add("// seed %d: %s%n%s".formatted(seed + i, why, small.body()));
          save(seed + i, failures.getLast() + "\n" + text(launcher, small.body()));
        }
      }
    }
    assertThat(failures).isEmpty();
    // Most programs must run: else this tests nothing.
    int refusals = FuzzRunner.refused() - refused;
    System.out.println(programs + " random programs, of which refused as miscompiled: " + refusals);
    assertThat(refusals).isLessThanOrEqualTo(programs / 2);
  }

  /** What a program is compiled to, to be read where there is no such device. */
  private static String text(TornadoLauncher launcher, String body) {
    try {
      return FuzzRunner.source(launcher, body);
    } catch (LaunchException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static void save(long seed, String text) throws IOException {
    String folder = System.getProperty("gyre.failures");
    if (folder != null) {
      Files.writeString(
          Path.of(folder, "fuzz-%s-%d.txt".formatted(DeviceUnderTest.target().label(), seed)),
          text);
    }
  }

  /** Programs that once differed, separated by lines of dashes. */
  @Test
  void savedProgramsAgree() throws IOException {
    String cases;
    try (var in = FuzzTest.class.getResourceAsStream("fuzz-cases.txt")) {
      cases = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      for (String body : Pattern.compile("(?m)^-+$\\n").splitAsStream(cases).toList()) {
        assertThat(FuzzRunner.difference(launcher, body)).as(body).isEmpty();
      }
    }
  }

  @Test
  void everyShiftDistanceAgrees() {
    String body =
        """
        for (int s = -70; s <= 70; s++) {
        c = c * 31 + (a << s) + (a >> s) + Unsigned.shiftRight(a, s);
        d = d * 31 + (c << s) + (c >> s) + Unsigned.shiftRight(c, s);
        b = b * 31 + (int) d;
        }
        """;
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      assertThat(FuzzRunner.difference(launcher, body)).isEmpty();
    }
  }

  @Test
  void theRunnerSeesADifference() {
    // On the JVM the thread number is 0 throughout.
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      assertThat(FuzzRunner.difference(launcher, "a = Thread.currentThread() == null ? 1 : 0;"))
          .isNotEmpty();
    }
  }

  @Test
  void theRunnerSeesWarpsOfAnotherWidth() {
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      int width = FuzzRunner.width(launcher);
      for (String body :
          List.of("b = Lanes.index();", "c = Lanes.sumOfAll(c);", "g = Lanes.prefixSum(g);")) {
        assertThat(FuzzRunner.difference(launcher, body, width)).as(body).isEmpty();
        assertThat(FuzzRunner.difference(launcher, body, 2 * width)).as(body).isNotEmpty();
      }
    }
  }

  @Test
  void aThirdOfTheProgramsHasThreadsThatWorkTogether() {
    for (long seed = 0; seed < 24; seed++) {
      assertThat(FuzzSource.isTogether(FuzzProgram.random(seed).body()))
          .as("seed %d", seed)
          .isEqualTo(seed % 6 == 3 || seed % 6 == 5);
    }
  }

  @Test
  void fewProgramsHaveAllMeetings() {
    for (int seed : new int[] {1, 100, -50}) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < 6 * FuzzProgram.TURNS; i++) {
        text.append(FuzzProgram.random(seed + i).body());
      }
      for (String meeting :
          Stream.of(
                  FuzzMeetings.MEETINGS,
                  FuzzMeetings.MEETINGS_OF_FLOATS,
                  FuzzMeetings.MEETINGS_OF_CONDITIONS)
              .flatMap(List::stream)
              .filter(form -> !form.contains("%m"))
              .toList()) {
        assertThat(text).contains(meeting.split("%[a-z]", -1));
      }
    }
  }
}
