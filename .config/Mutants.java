import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Mutants of code that is specialised at run time, which PIT cannot change: changes one place of a
 * source at a time, compiles that source in front of the class path, and runs tests until one
 * fails, the shortest first. {@code Mutants CLASS-PATH WORK SEED COUNT SECONDS AT-ONCE GROUP...}: a
 * group is {@code NAME=FOLDER:TEST,TEST}, and the seed draws COUNT places of each. Prints a row of
 * a table for each mutant, and at the end, or if it is ended before, how many were seen.
 */
final class Mutants {

  private static final String UNSEEN = "**not seen**";

  /** What is changed, and into what; a call is left out. */
  private static final String[] CHANGES =
      """
       < : <= ~ <= : < ~ > : >= ~ >= : > ~ == : != ~ != : == ~ + 1:~ - 1:~
       + : - ~ & : | ~ | : & ~ && : || ~ || : && ~ ^ : & ~ << : >> ~ += : -= ~++;:;~(!:(~
      storeRelease(:storeRelaxed(~loadAcquire(:loadRelaxed(~AcqRel(:Relaxed(~
      fetchAddRelease(:fetchAddRelaxed(~? INSERTED:? PRESENT~return true;:return false;~
      return false;:return true;~MapCodes.INSERTED:MapCodes.PRESENT~
      MapCodes.PRESENT:MapCodes.INSERTED~MapCodes.FULL:MapCodes.STUCK~ = FULL: = PRESENT~
      """
          .split("~\\s*?\n|~");

  private record Mutant(String group, Path source, int line, String text, String after) {

    static List<Mutant> of(String group, Path source) throws IOException {
      List<String> lines = Files.readAllLines(source);
      List<Mutant> all = new ArrayList<>();
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i);
        String code = line.strip();
        // Constants are compiled into the classes that use them.
        if (code.matches("(\\*|/|@|import |package |throw ).*|.*(static final|\").*")) {
          continue;
        }
        for (String change : CHANGES) {
          String[] parts = change.split(":", -1);
          for (int at = line.indexOf(parts[0]); at >= 0; at = line.indexOf(parts[0], at + 1)) {
            String rest = line.substring(at + parts[0].length());
            String after = line.substring(0, at) + parts[1] + rest;
            all.add(new Mutant(group, source, i, line, after));
          }
        }
        if (code.matches("(?!super|this\\()[\\w.]+\\(.*\\);")) {
          all.add(new Mutant(group, source, i, line, ";"));
        }
      }
      return all;
    }

    String row(String result) {
      return "| %s `%s` %d | `%s` | `%s` | %s |"
          .formatted(group, source.getFileName(), line + 1, cell(text), cell(after), result);
    }

    private static String cell(String code) {
      return code.strip().replace("|", "\\|");
    }
  }

  private final String classPath;
  private final Path work;
  private final long seconds;
  private final ExecutorService threads;
  private final Map<String, Long> nanos = Collections.synchronizedMap(new HashMap<>());
  private final Map<String, Integer> counts = new HashMap<>();

  private Mutants(String... args) {
    classPath = args[0];
    work = Path.of(args[1]);
    seconds = Long.parseLong(args[4]);
    threads = Executors.newFixedThreadPool(Integer.parseInt(args[5]));
  }

  public static void main(String[] args) throws Exception {
    Mutants mutants = new Mutants(args);
    Map<String, List<String>> tests = new HashMap<>();
    List<Mutant> drawn = new ArrayList<>();
    Random random = new Random(Long.parseLong(args[2]));
    String only = ".*%s.*\\.java".formatted(System.getenv().getOrDefault("GYRE_SOURCES", ""));
    for (String group : List.of(args).subList(6, args.length)) {
      String[] parts = group.split("[=:]");
      tests.put(parts[0], List.of(parts[2].split(",")));
      try (Stream<Path> files = Files.walk(Path.of(parts[1]))) {
        List<Path> sources = files.filter(f -> ("" + f).matches(only)).sorted().toList();
        List<Mutant> all = new ArrayList<>();
        for (Path source : sources) {
          all.addAll(Mutant.of(parts[0], source));
        }
        Collections.shuffle(all, random);
        drawn.addAll(all.subList(0, Math.min(Integer.parseInt(args[3]), all.size())));
      }
    }
    // Of all groups, since this may be ended before all is done.
    Collections.shuffle(drawn, random);
    Runtime.getRuntime().addShutdownHook(new Thread(mutants::end));
    mutants.all(
        drawn.stream()
            .flatMap(m -> tests.get(m.group).stream())
            .distinct()
            .map(t -> () -> mutants.time(t)));
    System.out.println("| mutant | before | after | result |\n|---|---|---|---|");
    mutants.all(
        drawn.stream().map(m -> () -> mutants.tell(m, mutants.result(m, tests.get(m.group)))));
    System.exit(0);
  }

  /** Does all, several at once; fails with the first that fails. */
  private void all(Stream<Callable<?>> tasks) throws Exception {
    for (var each : tasks.map(threads::submit).toList()) {
      Object _ = each.get();
    }
  }

  /** Runs a test without a mutant. */
  private long time(String test) throws Exception {
    long start = System.nanoTime();
    Path own = Files.createTempDirectory(work, "test");
    if (!run(own, List.of(test)).equals(UNSEEN)) {
      throw new IllegalStateException(test + " fails without a mutant: see " + own);
    }
    return nanos.merge(test, System.nanoTime() - start, Long::sum);
  }

  private String result(Mutant mutant, List<String> tests) throws Exception {
    Path own = Files.createTempDirectory(work, "mutant");
    List<String> lines = new ArrayList<>(Files.readAllLines(mutant.source));
    lines.set(mutant.line, mutant.after);
    Path changed = Files.write(own.resolve(mutant.source.getFileName()), lines);
    OutputStream none = OutputStream.nullOutputStream();
    String[] compiled = {
      "-proc:none", "-parameters", "-d", "" + own, "-cp", classPath, "" + changed
    };
    return ToolProvider.getSystemJavaCompiler().run(null, none, none, compiled) != 0
        ? ""
        : run(own, tests.stream().sorted(Comparator.comparing(nanos::get)).toList());
  }

  /** Runs tests with classes in front of the class path; returns what sees the mutant. */
  private String run(Path overlay, List<String> tests) throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = new ArrayList<>(List.of(java, "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-Xmx1g", "-Xss4m", "-XX:+UseSerialGC", "-XX:ActiveProcessorCount=2"));
    String path = overlay + File.pathSeparator + System.getProperty("java.class.path");
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", path, "Mutants$FirstFailure"));
    command.addAll(tests);
    Path log = overlay.resolve("log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      return "tests hang";
    }
    return process.exitValue() == 0
        ? UNSEEN
        : Files.readAllLines(log).stream()
            .filter(line -> line.startsWith("FAILED "))
            .map(line -> line.replaceFirst("FAILED (.*)", "`$1`"))
            .findFirst()
            .orElse("the tests' process ended");
  }

  /** An empty result: the change is not Java. */
  private synchronized boolean tell(Mutant mutant, String result) {
    if (!result.isEmpty()) {
      System.out.println(mutant.row(result));
      String of = mutant.group + (result.equals(UNSEEN) ? ", not seen" : ", seen");
      int _ = counts.merge(of, 1, Integer::sum);
    }
    return result.isEmpty();
  }

  private synchronized void end() {
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    System.out.println("\n" + counts);
  }

  /** Runs test classes until one test fails, whose name it prints; then it ends with 1. */
  static final class FirstFailure implements TestExecutionListener {

    public static void main(String[] tests) {
      for (String test : tests) {
        LauncherFactory.create()
            .execute(
                LauncherDiscoveryRequestBuilder.request()
                    .selectors(selectClass(test))
                    .filters(TagFilter.excludeTags("device"))
                    .build(),
                new FirstFailure());
      }
      Runtime.getRuntime().halt(0);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      if (result.getStatus() == TestExecutionResult.Status.FAILED) {
        String name = test.getUniqueId().replaceAll(".*\\[class(-template)?:[a-zA-Z.]*\\.", "");
        System.out.println(
            "FAILED " + name.replaceAll("\\]/\\[[a-z-]*:", ".").replaceAll("[(\\]].*", ""));
        Runtime.getRuntime().halt(1);
      }
    }
  }
}
