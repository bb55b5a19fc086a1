package dev.gyre.bench.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The one-billion-row challenge: {@code gyre group} and other programs, as whole processes.
 *
 * <p>All print the line that the challenge asks for, and must print the same.
 *
 * @param file rows as {@code gyre measurements} writes them
 * @param rivals commands for {@code sh} by name, in which {@code {}} is the file
 */
record GroupPlan(Launching launching, Path file, Map<String, String> rivals) {

  static final String BENCHMARK = "group-text";

  private static final double LIMIT_SECONDS = 600;
  private static final double BYTES_PER_SECOND = 1e9;

  /** Forks of each program. */
  private static final int FORKS = 3;

  private static final int MOST_FORKS = 5;

  /** Fields of a line of Gyre's: the key and three aggregates. */
  private static final int FIELDS = 4;

  private static final List<String> OPTIONS =
      List.of(
          "--separator=;",
          "--quote=none",
          "--columns=station,temperature",
          "--by=station",
          "--agg=min(temperature),round(mean(temperature),1),max(temperature)");

  List<Job> jobs() throws IOException {
    long bytes = Files.size(file);
    AtomicReference<@Nullable String> first = new AtomicReference<>();
    List<Job.Case> cases = new ArrayList<>();
    List<String> ours =
        launching.gyre("group", Stream.concat(Stream.of("" + file), OPTIONS.stream()));
    cases.add(() -> fork("gyre-group", bytes, ours, first));
    rivals.forEach(
        (name, command) -> {
          List<String> theirs = List.of("sh", "-c", command.replace("{}", "'" + file + "'"));
          cases.add(() -> fork(name, bytes, theirs, first));
        });
    String title = String.format(Locale.ROOT, "jvm: groups of %,d bytes of rows", bytes);
    double seconds = bytes / BYTES_PER_SECOND * FORKS * cases.size();
    return List.of(new Job("jvm-group-" + bytes, title, cases, FORKS, MOST_FORKS, seconds));
  }

  private List<Row> fork(
      String name, long bytes, List<String> command, AtomicReference<@Nullable String> first)
      throws IOException {
    List<String> lines = new ArrayList<>();
    long begin = System.nanoTime();
    int code = Child.run(command, launching.root(), LIMIT_SECONDS, lines::add);
    double seconds = (System.nanoTime() - begin) / 1e9;
    String printed = challenge(lines);
    if (code != 0 || printed == null) {
      String why = "%s ended with %d: %s".formatted(name, code, ProgramCase.reason(lines));
      throw ProgramCase.failed(why, String.join(" ", command), lines);
    }
    Row row =
        Row.ofJvm(
                BENCHMARK, name, 0, bytes, Machine.cores(), "text=" + file.getFileName(), "bytes/s")
            .with(
                Map.of(
                    "seconds_median", seconds,
                    "seconds_min", seconds,
                    "seconds_max", seconds,
                    "throughput", bytes / seconds));
    String expected = Objects.requireNonNullElse(first.compareAndExchange(null, printed), printed);
    return List.of(printed.equals(expected) ? row : row.marked("disagrees"));
  }

  /** Returns the line that the challenge asks for, also of the groups that Gyre prints. */
  static @Nullable String challenge(List<String> lines) {
    TreeMap<String, String> groups = new TreeMap<>();
    boolean named = false;
    for (String line : lines) {
      if (line.startsWith("{")) {
        return line.strip();
      }
      String[] fields = line.split(";", -1);
      if (fields.length == FIELDS) {
        // The first line has the names of the columns.
        if (named) {
          groups.put(fields[0], "%s/%s/%s".formatted(fields[1], fields[2], fields[3]));
        }
        named = true;
      }
    }
    StringJoiner all = new StringJoiner(", ", "{", "}");
    groups.forEach((station, values) -> all.add(station + "=" + values));
    return groups.isEmpty() ? null : all.toString();
  }
}
