package dev.gyre.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LaunchersTest {

  @TempDir private Path folder;

  /** Two devices, of which a launcher has as many workers as its number says, and one. */
  public static final class TwoDevices implements LauncherProvider {

    @Override
    public Target target() {
      return Target.OPENCL;
    }

    @Override
    public List<Device> devices() {
      return List.of(new Device(target(), "first", 1), new Device(target(), "second", 2));
    }

    @Override
    public String problem() {
      return "";
    }

    @Override
    public Launcher open(int index) {
      return JvmLauncher.ofWorkers(index + 1);
    }
  }

  /** A GPU. */
  public abstract static class Gpu implements LauncherProvider {

    @Override
    public List<Device> devices() {
      return List.of(new Device(target(), "GPU of " + target().label(), 1));
    }

    @Override
    public String problem() {
      return "";
    }

    @Override
    public Map<String, String> facts(int index) {
      return Map.of(KIND, GPU);
    }

    @Override
    public Launcher open(int index) {
      throw new AssertionError("nobody opens it");
    }
  }

  /** By PTX. */
  public static final class PtxGpu extends Gpu {
    @Override
    public Target target() {
      return Target.PTX;
    }
  }

  /** By CUDA. */
  public static final class CudaGpu extends Gpu {
    @Override
    public Target target() {
      return Target.CUDA;
    }
  }

  /** By OpenCL. */
  public static final class OpenClGpu extends Gpu {
    @Override
    public Target target() {
      return Target.OPENCL;
    }
  }

  /** Cannot be made. */
  public static final class Unmade implements LauncherProvider {

    public Unmade() {
      throw new IllegalStateException("no driver of mine");
    }

    @Override
    public Target target() {
      return Target.PTX;
    }

    @Override
    public List<Device> devices() {
      return List.of();
    }

    @Override
    public String problem() {
      return "";
    }

    @Override
    public Launcher open(int index) {
      throw new IndexOutOfBoundsException(index);
    }
  }

  /** Breaks its promise. */
  public static final class Throwing implements LauncherProvider {

    @Override
    public Target target() {
      return Target.PTX;
    }

    @Override
    public List<Device> devices() {
      throw new UnsatisfiedLinkError("no library of mine");
    }

    @Override
    public String problem() {
      return "";
    }

    @Override
    public Launcher open(int index) {
      throw new IndexOutOfBoundsException(index);
    }
  }

  private <T> T with(String providers, Callable<T> asked) throws Exception {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.writeString(services.resolve(LauncherProvider.class.getName()), providers);
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    URL[] urls = {folder.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(urls, before)) {
      thread.setContextClassLoader(loader);
      return asked.call();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static int workersOf(int index) {
    try (Launcher launcher = Launchers.open(Target.OPENCL, index)) {
      return launcher.device().units();
    }
  }

  @Test
  void anyDeviceOfATargetIsOpenedByItsNumber() throws Exception {
    String two = TwoDevices.class.getName();
    assertThat(with(two, () -> workersOf(0))).isEqualTo(1);
    assertThat(with(two, () -> workersOf(1))).isEqualTo(2);
    assertThat(with(two, () -> Launchers.find(Target.OPENCL)).devices())
        .extracting(Device::name)
        .containsExactly("first", "second");
  }

  @Test
  void allDevicesOfATargetAreOneGroup() throws Exception {
    String two = TwoDevices.class.getName();
    List<Integer> workers =
        with(
            two,
            () -> {
              try (Launcher all = Launchers.openAll(Target.OPENCL)) {
                return all.parts().stream().map(part -> part.device().units()).toList();
              }
            });
    assertThat(workers).containsExactly(1, 2);
    try (Launcher jvm = Launchers.openAll(Target.JVM)) {
      assertThat(jvm.parts()).containsExactly(jvm);
    }
    assertThatThrownBy(() -> Launchers.openAll(Target.PTX))
        .isInstanceOf(TargetUnavailableException.class);
  }

  @Test
  void aNumberThatIsNotThereIsRefused() {
    String two = TwoDevices.class.getName();
    for (int index : new int[] {-1, 2, Integer.MAX_VALUE}) {
      assertThatThrownBy(() -> with(two, () -> workersOf(index)))
          .isInstanceOf(TargetUnavailableException.class)
          .hasMessage("target opencl has no device %d; it has those from 0 to 1", index);
    }
    assertThatThrownBy(() -> Launchers.open(Target.JVM, 1))
        .isInstanceOf(TargetUnavailableException.class)
        .hasMessageContaining("target jvm has no device 1");
    assertThatThrownBy(() -> Launchers.open(Target.PTX, 1))
        .isInstanceOf(TargetUnavailableException.class)
        .hasMessageStartingWith("target ptx cannot be used");
  }

  @Test
  void whatIsWrongWithAProviderIsTheProblem() throws Exception {
    assertProblem("dev.gyre.kernels.NotThere", "NotThere");
    assertProblem(Unmade.class.getName(), "Unmade");
    assertProblem(Throwing.class.getName(), "no library of mine");
    assertProblem("no class name", "Illegal configuration-file syntax");
  }

  private void assertProblem(String providers, String problem) throws Exception {
    List<Launchers.Found> all = with(providers, Launchers::all);
    assertThat(all).extracting(Launchers.Found::target).containsExactly(Target.values());
    assertThat(all.getFirst().devices()).hasSize(1);
    Launchers.Found ptx = all.get(List.of(Target.values()).indexOf(Target.PTX));
    assertThat(ptx.devices()).isEmpty();
    assertThat(ptx.problem()).contains(problem);
    assertThat(with(providers, Launchers::auto).target()).isEqualTo(Target.JVM);
    assertThatThrownBy(() -> with(providers, () -> Launchers.open(Target.PTX)))
        .isInstanceOf(TargetUnavailableException.class)
        .hasMessageContaining(problem);
  }

  @Test
  void aBrokenProviderDoesNotHideAnother() throws Exception {
    String both = Unmade.class.getName() + "\ndev.gyre.None\n" + TwoDevices.class.getName();
    assertThat(with(both, () -> workersOf(1))).isEqualTo(2);
  }

  @Test
  void theFastestOfSeveralGpusIsChosen() throws Exception {
    String openCl = OpenClGpu.class.getName();
    String ptx = PtxGpu.class.getName() + "\n" + openCl;
    String all = ptx + "\n" + CudaGpu.class.getName();
    assertThat(with(openCl, Launchers::auto))
        .isEqualTo(new Launchers.Choice(Target.OPENCL, "GPU of opencl"));
    assertThat(with(ptx, Launchers::auto))
        .isEqualTo(new Launchers.Choice(Target.PTX, "GPU of ptx"));
    assertThat(with(all, Launchers::auto))
        .isEqualTo(new Launchers.Choice(Target.CUDA, "GPU of cuda"));
  }

  @Test
  void aDevicePaysFromTheSameAmountOfTextAndOfKeys() throws Exception {
    String gpu = PtxGpu.class.getName();
    for (Launchers.Work work : Launchers.Work.values()) {
      assertThat(with(gpu, () -> Launchers.autoFor(work, 1 << 26)).target()).isEqualTo(Target.PTX);
      assertThat(with(gpu, () -> Launchers.autoFor(work, (1 << 26) - 1)))
          .isEqualTo(
              new Launchers.Choice(
                  Target.JVM,
                  "67,108,863 "
                      + work.unit()
                      + " are less than the 67,108,864 from which a device pays"));
      assertThatThrownBy(() -> Launchers.autoFor(work, -1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("work is 0 " + work.unit() + " or more, not -1");
    }
  }
}
