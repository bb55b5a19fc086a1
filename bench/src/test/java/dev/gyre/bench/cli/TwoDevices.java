package dev.gyre.bench.cli;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.LauncherProvider;
import dev.gyre.kernels.Target;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Two devices that share the memory of the JVM, and have it do their work. */
public final class TwoDevices implements LauncherProvider {

  /** Numbers of the devices that were opened; commands open them on the thread that runs them. */
  private static final ThreadLocal<List<Integer>> OPENED = ThreadLocal.withInitial(ArrayList::new);

  /** Runs something where these devices, and no others, are on the class path. */
  static <T> T with(Path folder, Supplier<T> run) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    OPENED.get().clear();
    try {
      Path services = Files.createDirectories(folder.resolve("META-INF/services"));
      Files.writeString(
          services.resolve(LauncherProvider.class.getName()), TwoDevices.class.getName());
      URL[] urls = {folder.toUri().toURL()};
      try (URLClassLoader loader = new URLClassLoader(urls, before)) {
        thread.setContextClassLoader(loader);
        return run.get();
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Numbers of the devices that were opened since {@link #with} began. */
  static List<Integer> opened() {
    return List.copyOf(OPENED.get());
  }

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
  public Map<String, String> facts(int index) {
    // What it gives is declared so, and need not be measured.
    return Map.of(COMPUTE_CAPABILITY, "9.0");
  }

  @Override
  public Launcher open(int index) {
    OPENED.get().add(index);
    return new OnJvm(devices().get(index), JvmLauncher.ofWorkers(index + 1));
  }

  private record OnJvm(Device device, JvmLauncher jvm) implements Launcher {

    @Override
    public LaunchShape shapeFor(long items) {
      return jvm.shapeFor(items);
    }

    @Override
    public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
      return jvm.start(kernel, shape, mode);
    }

    @Override
    public void clear(Memory... memories) {
      for (Memory memory : memories) {
        memory.segment().fill((byte) 0);
      }
    }

    @Override
    public void close() {
      jvm.close();
    }
  }
}
