package dev.gyre.structures.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.SettingException;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.LauncherProvider;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.TargetUnavailableException;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.resource.ResourceInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which device a task works on, by what Spark gives it. */
class WorkplaceTest {

  @TempDir private Path folder;

  /** Devices whose launchers are of the JVM, and have one worker more than their number says. */
  public abstract static class Devices implements LauncherProvider {

    private final Target target;
    private final List<String> kinds;

    Devices(Target target, String... kinds) {
      this.target = target;
      this.kinds = List.of(kinds);
    }

    @Override
    public Target target() {
      return target;
    }

    @Override
    public List<Device> devices() {
      return kinds.stream().map(kind -> new Device(target, kind, 1)).toList();
    }

    @Override
    public String problem() {
      return "";
    }

    @Override
    public Map<String, String> facts(int index) {
      return Map.of(KIND, kinds.get(index));
    }

    @Override
    public Launcher open(int index) {
      return JvmLauncher.ofWorkers(index + 1);
    }
  }

  /** Two GPUs, and what is none. */
  public static final class Gpus extends Devices {
    public Gpus() {
      super(Target.PTX, GPU, GPU, "cpu");
    }
  }

  /** A processor. */
  public static final class Cpu extends Devices {
    public Cpu() {
      super(Target.OPENCL, "cpu");
    }
  }

  @AfterEach
  void clear() {
    System.clearProperty(Workplace.TARGET_PROPERTY);
  }

  /** What Spark tells a task of its GPUs. */
  private static Map<String, ResourceInformation> gpus(String... addresses) {
    return Map.of("gpu", new ResourceInformation("gpu", addresses));
  }

  private static int workers(Map<String, ResourceInformation> resources) {
    try (Launcher launcher = Workplace.open(resources)) {
      return launcher.device().units();
    }
  }

  /** {@link #workers} of a task that is given a GPU, where providers are on the class path. */
  private int workers(String address, Class<?>... providers) throws IOException {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.write(
        services.resolve(LauncherProvider.class.getName()),
        List.of(providers).stream().map(Class::getName).toList());
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    URL[] urls = {folder.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(urls, before)) {
      thread.setContextClassLoader(loader);
      return workers(gpus(address));
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void withoutAGpuATaskWorksWithItsOwnThread() {
    System.setProperty(Workplace.TARGET_PROPERTY, "ptx");
    assertThat(workers(Map.of())).isEqualTo(1);
    assertThat(workers(gpus())).isEqualTo(1);
    assertThat(workers(Map.of("fpga", new ResourceInformation("fpga", new String[] {"0"}))))
        .isEqualTo(1);
  }

  @Test
  void theAddressIsTheNumberOfADevice() throws IOException {
    assertThat(workers("0", Gpus.class)).isEqualTo(1);
    assertThat(workers("1", Gpus.class)).isEqualTo(2);
    assertThat(workers("1", Cpu.class, Gpus.class)).isEqualTo(2);
  }

  @Test
  void aGpuThatNothingCanUseIsNotReplacedByTheJvm() {
    assertThatThrownBy(() -> workers(gpus("0")))
        .isInstanceOf(GyreException.class)
        .hasMessageStartingWith("Spark gives this task GPU '0', but no GPU can be used")
        .hasMessageContaining("docs/tornadovm.md");
    assertThatThrownBy(() -> workers("0", Cpu.class))
        .isInstanceOf(GyreException.class)
        .hasMessageContaining("opencl: cpu is no GPU");
  }

  @Test
  void anAddressThatIsNoNumberIsRefused() {
    for (String address : List.of("GPU-8932f937", "", " 0", "0.5", "99999999999")) {
      assertThatThrownBy(() -> workers(address, Gpus.class))
          .isInstanceOf(GyreException.class)
          .hasMessageStartingWith("Spark gives this task GPU '%s', but", address)
          .hasMessageContaining("discovery script");
    }
  }

  @Test
  void aDeviceThatIsNotThereIsRefused() {
    for (String address : List.of("3", "-1")) {
      assertThatThrownBy(() -> workers(address, Gpus.class))
          .isInstanceOf(GyreException.class)
          .hasCauseInstanceOf(TargetUnavailableException.class)
          .hasMessage(
              "Spark gives this task GPU '%s', but target ptx has no device %s; it has those from 0"
                  + " to 2",
              address, address);
    }
  }

  @Test
  void aDeviceThatIsNoGpuIsTakenOnlyWhereItsTargetIsNamed() throws IOException {
    assertThatThrownBy(() -> workers("2", Gpus.class))
        .isInstanceOf(GyreException.class)
        .hasMessageContaining("device 2 of target ptx is a cpu; -Dgyre.spark.target=ptx takes it");
    System.setProperty(Workplace.TARGET_PROPERTY, "ptx");
    assertThat(workers("2", Gpus.class)).isEqualTo(3);
    System.setProperty(Workplace.TARGET_PROPERTY, "opencl");
    assertThat(workers("0", Cpu.class, Gpus.class)).isEqualTo(1);
  }

  @Test
  void aTargetThatIsNamedMustBeThere() {
    System.setProperty(Workplace.TARGET_PROPERTY, "cuda");
    assertThatThrownBy(() -> workers("0", Gpus.class))
        .isInstanceOf(GyreException.class)
        .hasMessageStartingWith("Spark gives this task GPU '0', but target cuda cannot be used");
    for (String label : List.of("jvm", "gpu")) {
      System.setProperty(Workplace.TARGET_PROPERTY, label);
      assertThatThrownBy(() -> workers("0", Gpus.class))
          .isInstanceOf(SettingException.class)
          .hasMessageStartingWith("-Dgyre.spark.target=" + label);
    }
  }
}
