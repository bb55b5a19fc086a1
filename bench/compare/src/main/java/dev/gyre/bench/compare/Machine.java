package dev.gyre.bench.compare;

import static java.util.stream.Collectors.joining;

import dev.gyre.bench.map.Rival;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What this machine is, as far as results depend on it. */
record Machine(Path root) {

  private static final double SECONDS = 20;

  /** Cores that this process may use. */
  static int cores() {
    return Runtime.getRuntime().availableProcessors();
  }

  /** Memory of the machine, or of the container. */
  static long memoryBytes() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getTotalMemorySize()
        : Runtime.getRuntime().maxMemory();
  }

  /** All facts, by name. */
  Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("processor", processor());
    facts.put("cores", Integer.toString(cores()));
    facts.put("caches", caches());
    facts.put(
        "memory", String.format(Locale.ROOT, "%.0f GiB", memoryBytes() / (double) (1L << 30)));
    facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("java", Runtime.version() + ", " + System.getProperty("java.vendor"));
    facts.put(
        "gpu",
        first("nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader")
            .replace(", ", ", driver "));
    facts.put("c++", first("g++", "--version"));
    facts.put("cuda", output("nvcc", "--version").getLast());
    for (Rival rival : Rival.values()) {
      if (!List.of("gyre", "jdk").contains(rival.artifact())) {
        facts.put("rival." + rival.label(), version(rival.artifact()));
      }
    }
    facts.put("commit", commit());
    facts.put("date", java.time.LocalDate.now(java.time.ZoneOffset.UTC).toString());
    facts.values().removeIf(String::isEmpty);
    return facts;
  }

  /** Returns the name that the maker of the processor gives it, or its architecture. */
  static String processor() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/cpuinfo"))) {
        if (line.startsWith("model name")) {
          return line.substring(line.indexOf(':') + 1).strip().replace(',', ' ');
        }
      }
    } catch (IOException _) {
      // Not Linux: the architecture must do.
    }
    return System.getProperty("os.arch", "processor");
  }

  /** Returns a row of a run with the version of its implementation. */
  static Row versioned(Row row, RunFile run) {
    if (row.isOurs()) {
      return withVersion(row, row.param(Runner.BUILD).equals("old") ? "old" : run.fact("commit"));
    }
    if (row.benchmark().equals(GroupPlan.BENCHMARK)) {
      // A command, of which nothing is known.
      return row;
    }
    if (!row.target().equals("jvm")) {
      return withVersion(row, run.fact(row.target().equals("cpu") ? "c++" : row.target()));
    }
    String artifact =
        Stream.of(Rival.values())
            .filter(rival -> rival.label().equals(row.implementation()))
            .map(Rival::artifact)
            .findFirst()
            .orElse("jdk");
    return withVersion(row, version(artifact));
  }

  private static Row withVersion(Row row, String version) {
    return row.with(Map.of("version", version));
  }

  /**
   * Returns the version of a library, which the name of its jar on the class path says, or an empty
   * text.
   */
  static String version(String artifact) {
    if (artifact.equals("jdk")) {
      return Runtime.version().toString();
    }
    Pattern jar = Pattern.compile("(?:^|/)" + Pattern.quote(artifact) + "-([0-9][^/]*)\\.jar$");
    return Arrays.stream(System.getProperty("java.class.path", "").split(File.pathSeparator))
        .map(jar::matcher)
        .filter(Matcher::find)
        .map(found -> found.group(1))
        .findFirst()
        .orElse("");
  }

  /** The commit of the sources: given by who packed them, or asked of Git. */
  private String commit() {
    String given = System.getProperty("gyre.commit", "");
    return given.isEmpty()
        ? first("git", "describe", "--always", "--dirty", "--exclude", "*")
        : given;
  }

  /** Sizes of the caches that a core sees, the smallest first. */
  private String caches() {
    return output("lscpu", "--caches=name,one-size").stream()
        .skip(1)
        .map(line -> line.strip().replaceAll(" +", " "))
        .collect(joining(", "));
  }

  private String first(String... command) {
    return output(command).getFirst();
  }

  /** The lines that a program prints; an empty one if it is not there or fails. */
  private List<String> output(String... command) {
    List<String> lines = new ArrayList<>();
    int code = Child.run(List.of(command), root, SECONDS, lines::add);
    return code == 0 && !lines.isEmpty() ? lines : List.of("");
  }
}
