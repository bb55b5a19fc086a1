import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Changes one place of a source at a time, compiles that source, and runs the tests that come by
 * the line: {@code Mutants CLASS-PATH WORK SEED COUNT SECONDS AT-ONCE GROUP...}, so many at once. A
 * group is {@code NAME=FOLDER,FOLDER:TEST,TEST}; its mutants are drawn by the seed from the lines
 * that its tests run, as many of each kind of change as there are. Prints a row of a table for each
 * as soon as it is known, and at the end, or where it is ended before, how many were seen.
 */
final class Mutants {

  private static final String UNSEEN = "**not seen**";
  private static final String NOT_JAVA = "not Java";

  /** What FirstFailure ends with where no test ran. */
  private static final int NO_TEST = 2;

  /** How much longer tests may take than without a mutant: so many times, and seconds. */
  private static final long SLOWER = 4;

  private static final long START_SECONDS = 30;

  private static final Pattern ONLY =
      Pattern.compile(System.getenv().getOrDefault("GYRE_SOURCES", ""));

  /** Where mutants are drawn from, and what is to see them. */
  private record Group(String name, List<Path> sources, List<String> tests) {

    static Group of(String text) throws IOException {
      String[] parts = text.split("[=:]");
      List<Path> sources = new ArrayList<>();
      for (String folder : parts[1].split(",")) {
        try (Stream<Path> files = Files.walk(Path.of(folder))) {
          files
              .filter(f -> f.toString().endsWith(".java") && ONLY.matcher(f.toString()).find())
              .sorted()
              .forEach(sources::add);
        }
      }
      return new Group(parts[0], sources, List.of(parts[2].split(",")));
    }
  }

  /** What a test class takes, and which lines it runs. */
  private record Covered(String test, long millis, Set<String> lines) {}

  private static final class Count {
    int all;
    int seen;
    int notJava;

    @Override
    public String toString() {
      String of = seen + " of " + all + " seen";
      return notJava == 0 ? of : of + ", " + notJava + " that are not Java";
    }
  }

  private final String classPath;
  private final Path work;
  private final long seconds;
  private final ExecutorService threads;
  private final Coverage.Marks marks = new Coverage.Marks();
  private final Map<String, Count> counts = new LinkedHashMap<>();
  private boolean ended;

  private Mutants(String classPath, Path work, long seconds, int atOnce) {
    this.classPath = classPath;
    this.work = work;
    this.seconds = seconds;
    this.threads = Executors.newFixedThreadPool(atOnce, Thread.ofPlatform().daemon().factory());
  }

  public static void main(String[] args) throws Exception {
    Mutants mutants =
        new Mutants(args[0], Path.of(args[1]), Long.parseLong(args[4]), Integer.parseInt(args[5]));
    List<Group> groups = new ArrayList<>();
    for (String group : Arrays.asList(args).subList(6, args.length)) {
      groups.add(Group.of(group));
    }
    groups.removeIf(group -> group.sources.isEmpty());
    Runtime.getRuntime().addShutdownHook(new Thread(mutants::end));
    mutants.run(groups, Long.parseLong(args[2]), Integer.parseInt(args[3]));
    System.exit(0);
  }

  private void run(List<Group> groups, long seed, int count)
      throws IOException, InterruptedException {
    Path runner = Files.createDirectories(work.resolve("runner"));
    Path noted = Path.of(".config/Lines.java");
    if (!compile(List.of(noted), Files.createDirectories(work.resolve("lines")))
        || !compile(
            List.of(Path.of(".config/FirstFailure.java"), Path.of(".config/Coverage.java"), noted),
            runner)) {
      throw new IllegalStateException("Coverage was not compiled: is JUnit on the class path?");
    }
    List<Covered> covered = covered(groups);
    System.out.println("| mutant | before | after | result |\n|---|---|---|---|");
    List<Mutant> drawn = new ArrayList<>();
    Map<Mutant, Integer> turn = new HashMap<>();
    for (Group group : groups) {
      counts.put(group.name, new Count());
      Set<String> lines =
          covered.stream()
              .filter(c -> group.tests.contains(c.test))
              .flatMap(c -> c.lines.stream())
              .collect(Collectors.toSet());
      List<Mutant> of = Mutant.draw(group.name, group.sources, lines::contains, seed, count);
      of.forEach(m -> turn.put(m, turn.size()));
      drawn.addAll(of);
    }
    // Of all groups, where it is cut off.
    drawn.sort(Comparator.comparing(m -> turn.get(m) % count));
    Map<String, Group> byName =
        groups.stream().collect(Collectors.toMap(Group::name, group -> group));
    all(
        drawn.stream()
            .map(
                mutant ->
                    (Callable<String>)
                        () -> {
                          List<Covered> by =
                              covered.stream()
                                  .filter(c -> byName.get(mutant.group()).tests.contains(c.test))
                                  .filter(c -> c.lines.contains(mutant.place()))
                                  .toList();
                          String result = result(mutant, turn.get(mutant), by);
                          tell(mutant, result);
                          return result;
                        })
            .toList());
  }

  /** Fails with the first that fails. */
  private <T> List<T> all(List<Callable<T>> calls) throws InterruptedException {
    List<T> results = new ArrayList<>();
    try {
      for (Future<T> each : threads.invokeAll(calls)) {
        results.add(each.get());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
    return results;
  }

  private synchronized void tell(Mutant mutant, String result) {
    Count count = counts.get(mutant.group());
    if (ended) {
      return;
    }
    if (result.equals(NOT_JAVA)) {
      count.notJava++;
    } else {
      count.all++;
      count.seen += result.equals(UNSEEN) ? 0 : 1;
      System.out.println(mutant.row(result));
      System.out.flush();
    }
  }

  /** In the end, or where this is ended: no tests go on, and there is a last line. */
  private synchronized void end() {
    ended = true;
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    System.out.println();
    System.out.println(
        counts.entrySet().stream()
            .map(count -> count.getKey() + ": " + count.getValue())
            .collect(Collectors.joining("; ")));
    System.out.flush();
  }

  /** Which lines of the sources each test runs, those that take least first; all must pass. */
  private List<Covered> covered(List<Group> groups) throws IOException, InterruptedException {
    Path marked = marked(groups);
    Map<Integer, String> places = new HashMap<>();
    marks.numbers.forEach((place, number) -> places.put(number, place));
    List<Covered> covered =
        new ArrayList<>(
            all(
                groups.stream()
                    .flatMap(group -> group.tests.stream())
                    .distinct()
                    .map(test -> (Callable<Covered>) () -> covered(test, marked, places))
                    .toList()));
    covered.sort(Comparator.comparing(Covered::millis));
    return covered;
  }

  private Path marked(List<Group> groups) throws IOException {
    Path marked = work.resolve("marked");
    clear(marked);
    Set<String> packages = new HashSet<>();
    for (Group group : groups) {
      for (Path source : group.sources) {
        packages.add(source.getParent().toString().replaceAll(".*/dev/gyre/", "dev/gyre/"));
      }
    }
    for (String entry : classPath.split(File.pathSeparator)) {
      for (String each : packages) {
        Path folder = Path.of(entry, each);
        if (Files.isDirectory(folder) && !entry.endsWith("test-classes")) {
          Files.createDirectories(marked.resolve(each));
          try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
              Path to = marked.resolve(each).resolve(file.getFileName().toString());
              Files.write(to, marks.mark(Files.readAllBytes(file)));
            }
          }
        }
      }
    }
    return marked;
  }

  private Covered covered(String test, Path marked, Map<Integer, String> places)
      throws IOException, InterruptedException {
    Path out = work.resolve(test + ".lines");
    Path log = work.resolve(test + ".log");
    OptionalInt code = end(java(marked, "Coverage", List.of(out.toString(), test)), log, seconds);
    if (code.isEmpty() || code.getAsInt() != 0) {
      throw new IllegalStateException(test + " without a mutant: see " + log);
    }
    String[] parts = Files.readString(out).strip().split(" ");
    Set<String> lines =
        Arrays.stream(parts)
            .skip(1)
            .map(n -> places.get(Integer.valueOf(n)))
            .collect(Collectors.toSet());
    return new Covered(test, Long.parseLong(parts[0]), lines);
  }

  private String result(Mutant mutant, int number, List<Covered> tests)
      throws IOException, InterruptedException {
    Path own = work.resolve("mutant-" + number);
    Path overlay = own.resolve("classes");
    clear(overlay);
    Path changed = own.resolve(mutant.source().getFileName().toString());
    Files.write(changed, mutant.changed());
    String result =
        compile(List.of(changed), overlay) ? tested(overlay, own.resolve("log"), tests) : NOT_JAVA;
    if (!result.equals(UNSEEN)) {
      remove(own);
    }
    return result;
  }

  private boolean compile(List<Path> sources, Path to) {
    List<String> arguments = new ArrayList<>(List.of("-nowarn", "-proc:none", "-parameters", "-g"));
    arguments.addAll(List.of("-d", to.toString(), "-cp", classPath));
    sources.forEach(source -> arguments.add(source.toString()));
    OutputStream none = OutputStream.nullOutputStream();
    return ToolProvider.getSystemJavaCompiler()
            .run(null, none, none, arguments.toArray(String[]::new))
        == 0;
  }

  /** Like a machine of two cores. */
  private List<String> java(Path overlay, String main, List<String> arguments) {
    String paths = overlay + File.pathSeparator + work.resolve("runner") + File.pathSeparator;
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx1g", "-Xss4m", "-XX:+UseSerialGC"));
    command.add("-XX:ActiveProcessorCount=2");
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"));
    command.add("-Xbootclasspath/a:" + work.resolve("lines"));
    command.addAll(List.of("-cp", paths + classPath, main));
    command.addAll(arguments);
    return command;
  }

  /** Its exit code, or empty where it took too long. */
  private static OptionalInt end(List<String> command, Path log, long most)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (!process.waitFor(most, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      return OptionalInt.empty();
    }
    return OptionalInt.of(process.exitValue());
  }

  private String tested(Path overlay, Path log, List<Covered> tests)
      throws IOException, InterruptedException {
    long millis = tests.stream().mapToLong(Covered::millis).sum();
    List<String> names = tests.stream().map(Covered::test).toList();
    long most = Math.min(seconds, START_SECONDS + SLOWER * millis / 1000);
    OptionalInt code = end(java(overlay, "FirstFailure", names), log, most);
    if (code.isEmpty()) {
      return "tests hang";
    }
    if (code.getAsInt() == NO_TEST) {
      throw new IllegalStateException("no test ran: " + Files.readString(log));
    }
    return code.getAsInt() == 0
        ? UNSEEN
        : Files.readAllLines(log).stream()
            .filter(line -> line.startsWith("FAILED "))
            .map(line -> "`" + line.substring("FAILED ".length()) + "`")
            .findFirst()
            .orElse("the tests' process ended");
  }

  private static void clear(Path folder) throws IOException {
    remove(folder);
    Files.createDirectories(folder);
  }

  private static void remove(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Collections.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
