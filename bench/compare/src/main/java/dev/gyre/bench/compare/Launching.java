package dev.gyre.bench.compare;

import dev.gyre.bench.cli.Gyre;
import dev.gyre.kernels.Target;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How measuring programs of this project are started: with the Java and the class path of this one.
 *
 * @param root the folder of the sources
 * @param old the class path of an older build to compare with, or empty
 */
record Launching(Path root, String old) {

  /** Where a build of this project has its jars. */
  private static final Path BUILT = Path.of("bench", "compare", "target");

  /** Megabytes of a heap that holds no data. */
  private static final long LEAST_HEAP = 64;

  /** Of the memory of the machine, for a heap at most. */
  private static final double MOST_HEAP = 0.5;

  /**
   * Returns the class path of an older build, in front of this one: the jars in a folder, or in a
   * checkout that has been built.
   */
  static String older(Path folder) throws IOException {
    Path built = folder.resolve(BUILT);
    List<Path> folders =
        Files.isDirectory(built) ? List.of(built, built.resolve("lib")) : List.of(folder);
    List<String> jars = new ArrayList<>();
    for (Path each : folders) {
      try (Stream<Path> files = Files.list(each)) {
        files.map(Path::toString).filter(f -> f.endsWith(".jar")).sorted().forEach(jars::add);
      }
    }
    if (jars.stream().noneMatch(jar -> jar.contains("gyre-"))) {
      throw new IOException(folder + " has no jar of Gyre, nor a build of it");
    }
    jars.add(System.getProperty("java.class.path"));
    return String.join(File.pathSeparator, jars);
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** Returns whether a heap of so many megabytes fits into the memory of the machine. */
  static boolean fits(long megabytes) {
    return megabytes <= MOST_HEAP * Machine.memoryBytes() / (1 << 20);
  }

  /**
   * Returns the megabytes of a heap for structures that need so many bytes: about twice what lives
   * in the largest of them, so that a steady part of the time goes to collections.
   */
  static long heapFor(long bytes) {
    return LEAST_HEAP + (bytes >> 20);
  }

  /**
   * Returns the arguments of a JVM whose heap is touched before anything is timed. Collections stop
   * all threads, so that they cannot use cores that a rival of one thread leaves free.
   */
  static List<String> heap(long megabytes) {
    return List.of(
        "-Xms" + megabytes + "m",
        "-Xmx" + megabytes + "m",
        "-XX:+AlwaysPreTouch",
        "-XX:+UseParallelGC",
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow");
  }

  /** Returns the file with Java's arguments for a target, or null if there is no SDK. */
  static @Nullable Path arguments(Target target) {
    String file = System.getProperty("gyre." + target.label() + ".arguments", "");
    return file.isEmpty() || !Files.isRegularFile(Path.of(file)) ? null : Path.of(file);
  }

  /** Returns the command that runs Gyre's command line on the JVM. */
  List<String> gyre(String command, Stream<String> arguments) {
    List<String> start =
        List.of(
            java(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            Gyre.class.getName(),
            command);
    return Stream.concat(start.stream(), arguments).toList();
  }

  /** Returns the command of a program that has a launcher for a device. */
  List<String> onDevice(
      Target target, Path argumentFile, String classPath, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>(List.of(java(), "@" + argumentFile, "-Xmx6g"));
    command.add("-Dtornado.device.memory=" + System.getProperty("gyre.device.memory", "16GB"));
    command.add("-Dgyre.target=" + target.label());
    command.add("-cp");
    command.add(
        Stream.of(System.getProperty("gyre.device.class.path", ""), classPath)
            .filter(path -> !path.isEmpty())
            .collect(Collectors.joining(File.pathSeparator)));
    command.add(main.getName());
    command.addAll(Arrays.asList(arguments));
    return command;
  }
}
