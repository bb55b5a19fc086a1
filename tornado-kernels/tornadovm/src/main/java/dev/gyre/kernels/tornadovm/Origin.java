package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.Handle;
import dev.gyre.atomics.tornadovm.Lowering;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.KernelClasses;
import dev.gyre.kernels.KernelTree;
import dev.gyre.kernels.LaunchShape;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.runtime.TornadoCoreRuntime;
import uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice;

/**
 * What the text of a kernel depends on besides the kernel: the device and its driver, TornadoVM,
 * the JVM and the settings of both, and our classes that create tasks and lower the shim.
 */
final class Origin {

  /** Classes whose whole package counts: the shim, its lowering, and tasks. */
  private static final List<Class<?>> WHOLE = List.of(Handle.class, Lowering.class, Origin.class);

  /** Single classes of the kernels module that create tasks. */
  private static final List<Class<?>> SINGLE =
      List.of(
          Kernel.class,
          LaunchShape.class,
          KernelTree.class,
          KernelTree.Branch.class,
          KernelTree.Leaf.class,
          KernelTree.Shared.class);

  // Guarded by the class.
  private static @Nullable Long own;

  private Origin() {}

  /** Returns the description for a device; empty if our own classes cannot be identified. */
  static String of(TornadoXPUDevice device, Lowering lowering) {
    try {
      return String.join(
          "\n", lowering.identity(), tornado(device), settings(), Long.toHexString(own()));
    } catch (IOException | URISyntaxException | IllegalArgumentException e) {
      return "";
    }
  }

  /**
   * Returns TornadoVM's version, runtime and driver files: another build may have the same version.
   */
  private static String tornado(TornadoXPUDevice device) throws IOException, URISyntaxException {
    ModuleDescriptor module = TornadoCoreRuntime.class.getModule().getDescriptor();
    StringBuilder all = new StringBuilder("TornadoVM ");
    all.append(module == null ? "" : module.rawVersion().orElse(""));
    for (Class<?> type : List.of(TornadoCoreRuntime.class, device.getClass())) {
      Path jar = source(type);
      all.append(' ')
          .append(jar.getFileName())
          .append(' ')
          .append(Files.size(jar))
          .append(' ')
          .append(Files.getLastModifiedTime(jar));
    }
    return all.append(" on ").append(System.getProperty("java.vm.version")).toString();
  }

  private static String settings() {
    return new TreeMap<>(System.getProperties())
        .entrySet().stream()
            .filter(e -> e.getKey() instanceof String name && isOfCompiler(name))
            .map(e -> e.getKey() + "=" + e.getValue())
            .collect(Collectors.joining(" "));
  }

  private static boolean isOfCompiler(String property) {
    return property.startsWith("tornado.") || property.contains("graal.");
  }

  private static synchronized long own() throws IOException, URISyntaxException {
    Long known = own;
    if (known == null) {
      known = ownNow();
      own = known;
    }
    return known;
  }

  private static long ownNow() throws IOException, URISyntaxException {
    StringBuilder prints = new StringBuilder();
    for (Class<?> type : WHOLE) {
      Path source = source(type);
      try (Stream<Path> files = Files.walk(source)) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          prints
              .append(source.relativize(file))
              .append(KernelClasses.fingerprint(Files.readAllBytes(file)));
        }
      }
    }
    for (Class<?> type : SINGLE) {
      prints.append(KernelClasses.fingerprint(type, type.getName()).orElseThrow());
    }
    return KernelClasses.fingerprint(prints.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the jar or folder of a class. */
  private static Path source(Class<?> type) throws URISyntaxException {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    if (source == null) {
      throw new IllegalArgumentException(type + " is from nowhere");
    }
    return Path.of(source.getLocation().toURI());
  }
}
