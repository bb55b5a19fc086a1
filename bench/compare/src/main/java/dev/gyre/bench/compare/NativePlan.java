package dev.gyre.bench.compare;

import static java.util.stream.Collectors.joining;

import dev.gyre.bench.compare.Plan.MissingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The rivals in C++ and CUDA C++, of {@code bench/rivals}: builds them, and plans their runs. */
record NativePlan(Axes axes, Path root, SourceText text) {

  private static final double BUILD_SECONDS = 300;
  private static final double LIMIT_SECONDS = 600;
  private static final String HOST_MAP = "host_map";

  /** The jobs of {@code cpu} or {@code cuda}. */
  List<Job> jobs(String target) {
    boolean cuda = target.equals("cuda");
    List<Job> jobs = new ArrayList<>();
    for (String program : build(target, cuda)) {
      if (program.equals("blog_trie")) {
        for (int repeat : axes.repeats()) {
          String title = "text %d times".formatted(repeat);
          List<String> text = List.of("--repeat", "" + repeat, "" + this.text.fileWithoutEnd());
          double seconds = repeat > 1 ? 40 : 2;
          jobs.add(job(target, program, "" + repeat, title, text, seconds, r -> words(r, repeat)));
        }
      } else if (program.equals(HOST_MAP)) {
        for (int n : axes.sizes()) {
          jobs.add(hostMap(n, Axes.BASE_LOAD, axes.singles().contains(n)));
        }
        axes.loads().forEach(load -> jobs.add(hostMap(axes.base(), load, false)));
      } else {
        for (int n : cuda ? axes.kernelSizes(true) : axes.sizes()) {
          String title = String.format(Locale.ROOT, "%,d ints", n);
          List<String> options = List.of("--n", "" + n, "--load", "" + Axes.BASE_LOAD);
          double seconds = n > 1 << 20 ? 15 : 1;
          jobs.add(job(target, program, "" + n, title, options, seconds, NativePlan::map));
        }
      }
    }
    return jobs;
  }

  /** Plans rows to compare with the JVM's rows of longs, with the same parameters. */
  private Job hostMap(int n, double load, boolean singles) {
    String operations = singles ? "insert,find,put,get,mixed" : "insert,find";
    String title = String.format(Locale.ROOT, "%,d longs, load factor %s", n, load);
    List<String> options = List.of("--n", "" + n, "--load", "" + load, "--ops", operations);
    double seconds = n > 1 << 20 ? 60 : 1;
    return job("cpu", HOST_MAP, n + "-" + load, title, options, seconds, row -> row);
  }

  /**
   * Returns the job of a program, which is run as often as forks of JMH are.
   *
   * @param seconds that a process takes
   */
  private Job job(
      String target,
      String program,
      String variation,
      String title,
      List<String> options,
      double seconds,
      Function<Row, @Nullable Row> reader) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("" + program(target, program), "--runs", "" + axes.runs()));
    if (target.equals("cpu")) {
      String threads = axes.threads().stream().map(String::valueOf).collect(joining(","));
      command.addAll(List.of("--threads", threads));
    }
    command.addAll(options);
    int forks = axes.leastForks();
    return new Job(
        "%s-%s-%s".formatted(target, program, variation),
        "%s: %s, %s".formatted(target, program, title),
        List.of(new ProgramCase(command, root, LIMIT_SECONDS, reader)),
        forks,
        forks + 2,
        forks * seconds);
  }

  private List<String> build(String target, boolean cuda) {
    List<String> names = new ArrayList<>(List.of("blog_trie"));
    if (cuda || !axes.quick()) {
      // What users would take is measured first.
      names.addAll(List.of("talk_map", "packed_map", "random_access"));
    }
    List<String> command = new ArrayList<>(List.of("make", "-s", "-j", "4", "-C", "" + rivals()));
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
      String last = output.isEmpty() ? "no output" : output.getLast();
      throw new MissingException("make failed with %d: %s".formatted(code, last));
    }
    return built;
  }

  private static void require(String otherwise, String... command) {
    if (Child.run(List.of(command), Path.of("."), BUILD_SECONDS, _ -> {}) != 0) {
      throw new MissingException(otherwise);
    }
  }

  private Path rivals() {
    return root.resolve("bench").resolve("rivals");
  }

  private Path program(String target, String name) {
    return rivals().resolve("build").resolve(target).resolve(name);
  }

  /** Rows of maps with the parameters that others have, too. */
  private static Row map(Row row) {
    boolean find = row.benchmark().startsWith("map-find");
    String hits = !find ? "" : row.benchmark().endsWith("absent") ? " hits=0" : " hits=100";
    String params = "type=int keys=unique load=" + Axes.BASE_LOAD + hits + kernel(row);
    return row.with(Map.of("benchmark", find ? "map-find" : row.benchmark(), "params", params));
  }

  private Row words(Row row, int repeat) {
    String block = row.parameters().getOrDefault("block", "1");
    String text = "text=%s repeat=%d%s".formatted(this.text.name(), repeat, kernel(row));
    String params = "%s block=%s edges=%s".formatted(text, block, row.param("edges"));
    return row.with(Map.of("benchmark", "word-count", "params", params));
  }

  private static String kernel(Row row) {
    return row.target().equals("cuda") ? " state=warm time=kernel" : "";
  }
}
