package dev.gyre.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FuzzCommandTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    return Gyre.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
  }

  @Test
  void saysWhatItRan() {
    int code = run("fuzz", "--target=jvm", "--only=LongSet", "--programs=2", "--seed=3");
    assertThat(code).as("%s%s", out, err).isEqualTo(Gyre.OK);
    assertThat(out.toString())
        .matches("programs=2 operations=\\d+ failed=0 seed=3 target=jvm seconds=[0-9.]+\\R");
  }

  @Test
  void addsUpWhatItsProcessesRan() {
    int code =
        run("fuzz", "--target=jvm", "--only=Csv", "--programs=3", "--processes=2", "--seed=5");
    assertThat(code).as("%s%s", out, err).isEqualTo(Gyre.OK);
    assertThat(out.toString())
        .containsPattern(
            "(?m)^programs=6 operations=\\d+ failed=0 seed=5 target=jvm seconds=[0-9.]+$");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--only=Nothing",
        "--threads=-1",
        "--threads=0",
        "--seconds=0",
        "--programs=0",
        "--processes=0"
      })
  void badUsage(String option) {
    assertThat(run("fuzz", "--target=jvm", option)).isEqualTo(Gyre.BAD_USAGE);
    assertThat(err.toString()).contains(option.substring(0, option.indexOf('=')));
  }
}
