package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.tornadovm.DeviceFacts;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.LauncherProvider;
import dev.gyre.kernels.Target;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;

/**
 * Provider of TornadoVM's devices of one target.
 *
 * <p>No class of TornadoVM is loaded before the first call, because the JVM may run without it.
 */
abstract sealed class TornadoLauncherProvider implements LauncherProvider {

  /** TornadoVM's OpenCL devices. */
  public static final class OpenCl extends TornadoLauncherProvider {
    public OpenCl() {
      super(Target.OPENCL);
    }
  }

  /** TornadoVM's PTX devices. */
  public static final class Ptx extends TornadoLauncherProvider {
    public Ptx() {
      super(Target.PTX);
    }
  }

  /** TornadoVM's CUDA devices. */
  public static final class Cuda extends TornadoLauncherProvider {
    public Cuda() {
      super(Target.CUDA);
    }
  }

  private final Target target;
  private List<Device> devices = List.of();
  private String problem = "";
  private boolean asked;

  TornadoLauncherProvider(Target target) {
    this.target = target;
  }

  @Override
  public Target target() {
    return target;
  }

  @Override
  public synchronized List<Device> devices() {
    ask();
    return devices;
  }

  @Override
  public synchronized String problem() {
    ask();
    return problem;
  }

  private void ask() {
    if (asked) {
      return;
    }
    asked = true;
    try {
      devices =
          TornadoDevices.of(target).stream().map(d -> TornadoDevices.describe(target, d)).toList();
      if (devices.isEmpty()) {
        problem = "TornadoVM runs without its " + target.label() + " backend, or finds no device";
      }
    } catch (LinkageError | RuntimeException e) {
      String library = NativeLibrary.problem(target.label());
      problem =
          !hasTornado()
              ? "Java was started without TornadoVM"
              : library.isEmpty() ? "TornadoVM does not start: " + root(e) : library;
    }
  }

  private static boolean hasTornado() {
    try {
      Class<?> _ =
          Class.forName(
              "uk.ac.manchester.tornado.runtime.TornadoCoreRuntime",
              false,
              TornadoLauncherProvider.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static Throwable root(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  @Override
  public Map<String, String> facts(int index) {
    TornadoXPUDevice device = TornadoDevices.of(target).get(index);
    DeviceFacts declared = DeviceFacts.of(device);
    Map<String, String> facts = new HashMap<>();
    facts.put(KERNELS, KernelCache.describe());
    facts.put(KIND, device.getDeviceType().name().toLowerCase(Locale.ROOT));
    if (!declared.driver().isEmpty()) {
      facts.put(DRIVER, declared.driver());
    }
    if (!declared.computeCapability().isEmpty()) {
      facts.put(COMPUTE_CAPABILITY, declared.computeCapability());
    }
    return facts;
  }

  @Override
  public Launcher open(int index) {
    Device device = devices().get(index);
    return new TornadoLauncher(TornadoDevices.of(target).get(index), device);
  }
}
