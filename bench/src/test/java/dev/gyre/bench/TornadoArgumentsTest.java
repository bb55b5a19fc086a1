package dev.gyre.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code TornadoArguments} says of a folder that is no SDK for us. */
class TornadoArgumentsTest {

  private static final Path PROGRAM =
      Path.of(
              "..",
              "tornado-kernels/tornadovm/src/main/java/dev/gyre/kernels/tornadovm/TornadoArguments.java")
          .toAbsolutePath()
          .normalize();

  @TempDir Path sdk;

  /** The one line that is printed; the exit code is 2. */
  private String refusal() throws IOException, InterruptedException {
    Process check =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                PROGRAM.toString(),
                "check",
                sdk.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(check.waitFor()).as(said).isEqualTo(2);
    assertThat(said.lines()).hasSize(1);
    return said;
  }

  private void release(String version) throws IOException {
    Files.createDirectories(sdk.resolve("etc"));
    Files.writeString(sdk.resolve("etc/tornado.release"), "version=%s\n".formatted(version));
  }

  @Test
  void anotherVersionIsRefusedByBothVersions() throws IOException, InterruptedException {
    release("7.3.1-jdk22plus");
    assertThat(refusal()).contains("5.2").contains("7.3.1-jdk22plus").contains(sdk.toString());
  }

  @Test
  void anSdkForAnotherJdkIsRefusedByBoth() throws IOException, InterruptedException {
    release("5.2.0-jdk21");
    assertThat(refusal()).contains("JDK 21").contains("JDK " + Runtime.version().feature());
  }

  @Test
  void whatIsMissingIsNamed() throws IOException, InterruptedException {
    release("5.2.0-jdk" + Runtime.version().feature());
    assertThat(refusal()).contains("share/java/tornado is missing").contains("TORNADOVM_HOME");
  }
}
