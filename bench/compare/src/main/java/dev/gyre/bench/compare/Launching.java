package dev.gyre.bench.compare;

import dev.gyre.kernels.Target;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How measuring programs of this project are started: with the Java and the class path of this one.
 *
 * @param root the folder of the sources
 * @param heapMegabytes of each Java program
 */
record Launching(Path root, long heapMegabytes) {

  private static final long LEAST_HEAP = 512;
  private static final long MOST_HEAP = 6144;

  /** A third of the memory for a program that measures, within limits. */
  static Launching of(Path root) {
    long third = Machine.memoryBytes() / 3 / (1 << 20);
    return new Launching(root, Math.clamp(third, LEAST_HEAP, MOST_HEAP));
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** A program on the JVM. */
  List<String> onJvm(Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(java());
    // Without concurrent collections that would run beside another rival's turn.
    command.add("-XX:+UseParallelGC");
    command.add("-Xms" + heapMegabytes + "m");
    command.add("-Xmx" + heapMegabytes + "m");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(Arrays.asList(arguments));
    return command;
  }

  /** A program on the JVM whose heap becomes no larger than need be. */
  List<String> withSmallHeap(Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(java());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-Xms16m",
            "-Xmn8m",
            "-Xmx" + heapMegabytes + "m",
            "-XX:MinHeapFreeRatio=1",
            "-XX:MaxHeapFreeRatio=2",
            "-XX:-ShrinkHeapInSteps",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-cp",
            System.getProperty("java.class.path"),
            main.getName()));
    command.addAll(Arrays.asList(arguments));
    return command;
  }

  /** The file with Java's arguments for a target on a device, or null where there is no SDK. */
  static @Nullable Path arguments(Target target) {
    String file = System.getProperty("gyre." + target.label() + ".arguments", "");
    return file.isEmpty() || !Files.isRegularFile(Path.of(file)) ? null : Path.of(file);
  }

  /** A program with a launcher for a device. */
  List<String> onDevice(Target target, Path argumentFile, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(java());
    command.add("@" + argumentFile);
    command.add("-Xmx" + heapMegabytes + "m");
    command.add("-Dtornado.device.memory=" + System.getProperty("gyre.device.memory", "16GB"));
    command.add("-Dgyre.target=" + target.label());
    command.add("-cp");
    String more = System.getProperty("gyre.device.class.path", "");
    command.add(
        (more.isEmpty() ? "" : more + File.pathSeparator) + System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(Arrays.asList(arguments));
    return command;
  }
}
