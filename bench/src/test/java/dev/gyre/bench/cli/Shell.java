package dev.gyre.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs lines of bash in a folder. */
final class Shell {

  /** What a line printed, and its exit code. */
  record Outcome(int code, List<String> out, List<String> err) {}

  private static final long MINUTES = 2;

  private final Path folder;
  private final Map<String, String> environment;

  Shell(Path folder, Map<String, String> environment) {
    this.folder = folder;
    this.environment = environment;
    assumeTrue(
        Files.isExecutable(Path.of("/bin/bash")) || Files.isExecutable(Path.of("/usr/bin/bash")),
        "no bash");
  }

  /** The folder of the sources, whether a test runs in it or in that of its module. */
  static Path root() {
    Path here = Path.of("").toAbsolutePath();
    while (!Files.exists(here.resolve("scripts/java.sh"))) {
      here = java.util.Objects.requireNonNull(here.getParent());
    }
    return here;
  }

  Outcome run(String line) throws IOException, InterruptedException {
    Path out = Files.createTempFile("shell", ".out");
    Path err = Files.createTempFile("shell", ".err");
    try {
      ProcessBuilder bash =
          new ProcessBuilder("bash", "-c", line)
              .directory(folder.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      bash.environment().keySet().removeIf(name -> name.startsWith("LC_") || name.equals("LANG"));
      bash.environment().remove("TORNADOVM_HOME");
      bash.environment().putAll(environment);
      Process process = bash.start();
      process.getOutputStream().close();
      assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).as(line).isTrue();
      return new Outcome(process.exitValue(), lines(out), lines(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1).lines().toList();
  }
}
