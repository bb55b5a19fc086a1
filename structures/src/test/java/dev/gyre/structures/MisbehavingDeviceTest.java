package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Devices that do not end, have no memory left, or are lost in the middle of a call: errors of
 * ours, from then on, and host data as before. In processes of their own, whose devices nobody
 * needs.
 */
@ConformanceSuite
class MisbehavingDeviceTest {

  private static final Target TARGET = Target.ofLabel(System.getProperty("gyre.target", "jvm"));

  @TempDir private Path folder;

  @BeforeEach
  void hasADevice() {
    TargetUnderTest.assumeAlone();
    assumeTrue(TARGET != Target.JVM, "the JVM's threads are no device that can be lost");
  }

  private Process start(String how, Path own, String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> !argument.startsWith("-agentlib"))
            .toList());
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(Misbehaving.class.getName(), how, own.toString()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve(own.getFileName() + ".log").toFile())
        .start();
  }

  private void end(Process process, Path own) throws Exception {
    boolean ended = process.waitFor(4, TimeUnit.MINUTES);
    process.destroyForcibly().waitFor();
    String said = Files.readString(folder.resolve(own.getFileName() + ".log"));
    assertThat(ended).as("it ended: %s", said).isTrue();
    assertThat(said).endsWith("all is told\n");
    assertThat(process.exitValue()).as(said).isZero();
  }

  /**
   * CUDA and PTX: the context is lost. OpenCL's threads of this processor would end the process.
   */
  @Test
  void aDeviceThatIsLostInTheMiddleOfACall() throws Exception {
    boolean gpu = Launchers.find(TARGET).devices().getFirst().name().contains("NVIDIA");
    assumeTrue(gpu, "a stray store ends the process where the device is this processor");
    Path own = Files.createDirectory(folder.resolve("stray"));
    end(start("stray", own), own);
  }

  /** In two processes on one device at the same time. */
  @Test
  void aKernelThatDoesNotEndAndADeviceWithoutMemoryLeft() throws Exception {
    Path one = Files.createDirectory(folder.resolve("one"));
    Path other = Files.createDirectory(folder.resolve("other"));
    Process first = start("hang", one, "-Dgyre.launch.timeout=15");
    Process second = start("full", other, "-Dtornado.device.memory=64MB");
    end(first, one);
    end(second, other);
  }
}
