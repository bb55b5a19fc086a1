package dev.gyre.structures.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FuzzMainTest {

  private final StringWriter out = new StringWriter();

  private int run(String... arguments) throws IOException {
    return Fuzz.run(new PrintWriter(out, true), arguments);
  }

  @Test
  void saysWhatItRan() throws IOException {
    int code = run("--target=jvm", "--only=LongSet", "--programs=2", "--seed=3", "--threads=");
    assertThat(code).as("%s", out).isEqualTo(Fuzz.OK);
    assertThat(out.toString())
        .matches("programs=2 operations=\\d+ failed=0 seed=3 target=jvm seconds=[0-9.]+\\R");
  }

  @Test
  void endsAfterAsManyOperationsAsAsked() throws IOException {
    assertThat(run("--target=jvm", "--only=Csv", "--operations=500")).isEqualTo(Fuzz.OK);
    long operations =
        Long.parseLong(out.toString().replaceFirst("(?s).* operations=(\\d+) .*", "$1"));
    assertThat(operations).as("%s", out).isBetween(500L, 500_000L);
  }

  /** As on machines with devices: one program of each structure. */
  @Tag("slow")
  @Test
  void needsNoJUnit() throws Exception {
    String path =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(
                entry ->
                    !entry.matches(".*/(junit|assertj|opentest4j|apiguardian|byte-buddy)[^/]*"))
            .collect(Collectors.joining(File.pathSeparator));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                path,
                Fuzz.class.getName(),
                "--target=jvm",
                "--programs=1",
                "--seed=2")
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
    assertThat(process.waitFor()).as(said).isEqualTo(Fuzz.OK);
    assertThat(said).contains("programs=" + FuzzTargets.ALL.size() + " ").contains(" failed=0 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--only=Nothing",
        "--threads=-1",
        "--threads=0",
        "--seconds=0",
        "--seconds=soon",
        "--programs=0",
        "--operations=0",
        "--target=gpu",
        "--programmes=1"
      })
  void badUsage(String option) throws IOException {
    assertThat(run(option)).isEqualTo(Fuzz.BAD_USAGE);
    assertThat(out.toString()).contains(option.substring(0, option.indexOf('=')));
  }
}
