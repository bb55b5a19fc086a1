package dev.gyre.bench.compare;

import dev.gyre.bench.compare.Plan.MissingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The rivals in C++ and CUDA C++, of {@code bench/rivals}: builds them, and plans their runs. */
final class NativePlan {

  private static final double BUILD_SECONDS = 300;
  private static final double LIMIT_SECONDS = 600;
  private static final String RANDOM = "random_access";
  private static final List<String> MAPS = List.of("talk_map", "packed_map");

  private static final String HOST_MAP = "host_map";

  private final Axes axes;
  private final Path root;
  private final Path rivals;
  private final SourceText text;

  NativePlan(Axes axes, Path root, SourceText text) {
    this.axes = axes;
    this.root = root;
    this.rivals = root.resolve("bench").resolve("rivals");
    this.text = text;
  }

  /** The jobs of {@code cpu} or {@code cuda}. */
  List<Job> jobs(String target) throws MissingException {
    boolean cuda = target.equals("cuda");
    List<String> programs = build(target, cuda);
    List<Job> jobs = new ArrayList<>();
    for (String program : programs) {
      if (program.equals("blog_trie")) {
        for (int repeat : axes.repeats()) {
          jobs.add(trie(target, repeat));
        }
      } else if (program.equals(HOST_MAP)) {
        for (int n : axes.sizes()) {
          jobs.add(hostMap(n, Axes.BASE_LOAD, axes.singles().contains(n)));
        }
        axes.loads().forEach(load -> jobs.add(hostMap(axes.base(), load, false)));
      } else {
        for (int n : cuda ? axes.kernelSizes(true) : axes.sizes()) {
          jobs.add(map(target, program, n));
        }
      }
    }
    return jobs;
  }

  private List<String> build(String target, boolean cuda) throws MissingException {
    List<String> names = new ArrayList<>(List.of("blog_trie"));
    if (cuda || !axes.quick()) {
      // What users would take is measured first.
      names.addAll(MAPS);
      names.add(RANDOM);
    }
    List<String> command = new ArrayList<>(List.of("make", "-s", "-j", "4", "-C", "" + rivals));
    String cuco = System.getenv().getOrDefault("CUCO", "");
    if (cuda) {
      require("no CUDA compiler: nvcc is not on the PATH", "nvcc", "--version");
      require("nvcc is there, but no NVIDIA device", "nvidia-smi", "-L");
      command.add("ARCH=native");
      if (!cuco.isEmpty()) {
        command.add("CUCO=" + cuco);
        names.add("cuco_map");
      }
    } else {
      require("no make on the PATH, so rivals in C++ cannot be built", "make", "--version");
      require("no C++ compiler: g++ is not on the PATH", "g++", "--version");
      names.add(HOST_MAP);
    }
    names.forEach(name -> command.add("build/%s/%s".formatted(target, name)));
    List<String> output = new ArrayList<>();
    int code = Child.run(command, root, BUILD_SECONDS, output::add);
    List<String> built = names.stream().filter(n -> Files.exists(program(target, n))).toList();
    if (code != 0 && built.isEmpty()) {
      throw new MissingException("make failed with %d: %s".formatted(code, lastOf(output)));
    }
    return built;
  }

  private static String lastOf(List<String> lines) {
    return lines.isEmpty() ? "no output" : lines.getLast();
  }

  private static void require(String otherwise, String... command) throws MissingException {
    if (Child.run(List.of(command), Path.of("."), BUILD_SECONDS, _ -> {}) != 0) {
      throw new MissingException(otherwise);
    }
  }

  private Path program(String target, String name) {
    return rivals.resolve("build").resolve(target).resolve(name);
  }

  private Job map(String target, String program, int n) {
    List<String> command = new ArrayList<>();
    command.add(program(target, program).toString());
    command.addAll(
        List.of("--n", "" + n, "--load", "" + Axes.BASE_LOAD, "--runs", "" + axes.runs()));
    if (target.equals("cpu")) {
      command.addAll(List.of("--threads", threads()));
    }
    return job(
        "%s-%s-%d".formatted(target, program, n),
        String.format(Locale.ROOT, "%s: %s, %,d ints", target, program, n),
        command,
        n > 1 << 20 ? 15 : 1,
        NativePlan::map);
  }

  /** Beside the JVM's rows of longs, whose parameters it has. */
  private Job hostMap(int n, double load, boolean singles) {
    String operations = singles ? "insert,find,put,get,mixed" : "insert,find";
    List<String> command = new ArrayList<>();
    command.add(program("cpu", HOST_MAP).toString());
    command.addAll(List.of("--n", "" + n, "--load", "" + load, "--runs", "" + axes.runs()));
    command.addAll(List.of("--ops", operations, "--threads", threads()));
    return job(
        "cpu-%s-%d-%s".formatted(HOST_MAP, n, load),
        String.format(Locale.ROOT, "cpu: %s, %,d longs, load factor %s", HOST_MAP, n, load),
        command,
        n > 1 << 20 ? 60 : 1,
        row -> row);
  }

  private Job trie(String target, int repeat) {
    List<String> command = new ArrayList<>();
    command.add(program(target, "blog_trie").toString());
    command.addAll(List.of("--runs", "" + axes.runs(), "--repeat", "" + repeat));
    if (target.equals("cpu")) {
      command.addAll(List.of("--threads", threads()));
    }
    command.add(text.fileWithoutEnd().toString());
    return job(
        "%s-blog_trie-%d".formatted(target, repeat),
        "%s: blog_trie, text %d times".formatted(target, repeat),
        command,
        repeat > 1 ? 40 : 2,
        row -> words(row, repeat));
  }

  /**
   * Returns the job of a program, which is run as often as forks of JMH are.
   *
   * @param seconds that a process takes
   */
  private Job job(
      String id, String title, List<String> command, double seconds, ProgramCase.Reader reader) {
    return new Job(
        id,
        title,
        List.of(new ProgramCase(command, root, LIMIT_SECONDS, reader)),
        axes.leastForks(),
        axes.leastForks() + 2,
        axes.leastForks() * seconds);
  }

  private String threads() {
    return axes.threads().stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  /** Rows of maps with the parameters that others have, too. */
  private static Row map(Row row) {
    boolean find = row.benchmark().startsWith("map-find");
    String hits = row.benchmark().endsWith("absent") ? " hits=0" : " hits=100";
    return row.named(
        find ? "map-find" : row.benchmark(),
        row.implementation(),
        "type=int keys=unique load=%s%s%s"
            .formatted(Axes.BASE_LOAD, find ? hits : "", kernel(row)));
  }

  private Row words(Row row, int repeat) {
    return row.named(
        "word-count",
        row.implementation(),
        "text=%s repeat=%d%s block=%s edges=%s"
            .formatted(
                text.name(),
                repeat,
                kernel(row),
                row.parameters().getOrDefault("block", "1"),
                row.param("edges")));
  }

  private static String kernel(Row row) {
    return row.target().equals("cuda") ? " state=warm time=kernel" : "";
  }
}
