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
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Changes one place of a source at a time, compiles that source, and runs the tests that come by
 * the line: {@code Mutants CLASS-PATH WORK SEED COUNT SECONDS GROUP...}. A group is {@code
 * NAME=FOLDER,FOLDER:TEST,TEST}; its mutants are drawn by the seed from the lines that its tests
 * run, as many of each kind of change as there are. Prints a row of a table for each, and at the
 * end how many were seen.
 */
final class Mutants {

  /** What is changed, and into what; a null is a call that is left out. */
  private static final List<Map.Entry<String, String>> CHANGES =
      List.of(
          Map.entry(" < ", " <= "),
          Map.entry(" <= ", " < "),
          Map.entry(" > ", " >= "),
          Map.entry(" >= ", " > "),
          Map.entry(" == ", " != "),
          Map.entry(" != ", " == "),
          Map.entry(" + 1", ""),
          Map.entry(" - 1", ""),
          Map.entry(" + ", " - "),
          Map.entry(" & ", " | "),
          Map.entry(" | ", " & "),
          Map.entry(" && ", " || "),
          Map.entry(" || ", " && "),
          Map.entry(" ^ ", " & "),
          Map.entry(" << ", " >> "),
          Map.entry("(!", "("),
          Map.entry(" += ", " -= "),
          Map.entry("++;", ";"),
          Map.entry("storeRelease(", "storeRelaxed("),
          Map.entry("loadAcquire(", "loadRelaxed("),
          Map.entry("AcqRel(", "Relaxed("),
          Map.entry("fetchAddRelease(", "fetchAddRelaxed("),
          Map.entry("MapCodes.INSERTED", "MapCodes.PRESENT"),
          Map.entry("MapCodes.PRESENT", "MapCodes.INSERTED"),
          Map.entry("MapCodes.FULL", "MapCodes.STUCK"),
          Map.entry("? INSERTED", "? PRESENT"),
          Map.entry(": PRESENT", ": INSERTED"),
          Map.entry(" = FULL", " = PRESENT"),
          Map.entry("return true;", "return false;"),
          Map.entry("return false;", "return true;"));

  private static final String UNSEEN = "**not seen**";

  /** What FirstFailure ends with where no test ran. */
  private static final int NO_TEST = 2;

  private record Mutant(Path source, int line, String before, String after, String kind) {

    String place() {
      return source.getFileName() + ":" + (line + 1);
    }
  }

  /** What a test class takes, and which lines it runs. */
  private record Covered(String test, long millis, Set<String> lines) {}

  private final String classPath;
  private final Path work;
  private final long seconds;
  private final Coverage.Marks marks = new Coverage.Marks();

  private Mutants(String classPath, Path work, long seconds) {
    this.classPath = classPath;
    this.work = work;
    this.seconds = seconds;
  }

  public static void main(String[] args) throws Exception {
    Mutants mutants = new Mutants(args[0], Path.of(args[1]), Long.parseLong(args[4]));
    Path runner = Files.createDirectories(mutants.work.resolve("runner"));
    for (String source : List.of("FirstFailure", "Coverage")) {
      if (!mutants.compile(Path.of(".config/" + source + ".java"), runner)) {
        throw new IllegalStateException(source + " was not compiled: is JUnit on the class path?");
      }
    }
    System.out.println("| mutant | before | after | result |\n|---|---|---|---|");
    int seen = 0;
    int all = 0;
    for (int i = 5; i < args.length; i++) {
      String[] group = args[i].split("[=:]");
      mutants.requirePassed(group[2].split(","));
      List<Covered> covered = mutants.covered(group[1].split(","), group[2].split(","));
      List<Mutant> drawn =
          draw(group[1].split(","), covered, Long.parseLong(args[2]), Integer.parseInt(args[3]));
      for (Mutant mutant : drawn) {
        String[] tests =
            covered.stream()
                .filter(c -> c.lines.contains(mutant.place()))
                .map(Covered::test)
                .toArray(String[]::new);
        String result = mutants.run(mutant, tests);
        if (!result.equals("not Java")) {
          all++;
          seen += result.equals(UNSEEN) ? 0 : 1;
          System.out.printf(
              "| %s `%s` %d | `%s` | `%s` | %s |%n",
              group[0],
              mutant.source.getFileName(),
              mutant.line + 1,
              cell(mutant.before),
              cell(mutant.after),
              result);
        }
      }
    }
    System.out.printf("%n%d of %d mutants seen%n", seen, all);
  }

  private static String cell(String line) {
    return line.strip().replace("|", "\\|");
  }

  /** So many of the places of the sources that tests come by: in turns of each kind. */
  private static List<Mutant> draw(String[] folders, List<Covered> covered, long seed, int count)
      throws IOException {
    List<Mutant> all = new ArrayList<>();
    for (Path file : sources(folders, ".java")) {
      all.addAll(of(file));
    }
    all.removeIf(m -> covered.stream().noneMatch(c -> c.lines.contains(m.place())));
    Collections.shuffle(all, new Random(seed));
    Map<String, Integer> turns = new HashMap<>();
    Map<Mutant, Integer> turn = new HashMap<>();
    all.forEach(m -> turn.put(m, turns.merge(m.kind, 1, Integer::sum)));
    all.sort(Comparator.comparing(turn::get));
    return all.subList(0, Math.min(count, all.size()));
  }

  private static List<Path> sources(String[] folders, String ending) throws IOException {
    List<Path> all = new ArrayList<>();
    for (String folder : folders) {
      try (Stream<Path> files = Files.walk(Path.of(folder))) {
        files.filter(f -> f.toString().endsWith(ending)).sorted().forEach(all::add);
      }
    }
    return all;
  }

  /** Which lines of the sources each test runs, those that take least first. */
  private List<Covered> covered(String[] folders, String[] tests)
      throws IOException, InterruptedException {
    Path marked = work.resolve("overlay");
    clear(marked);
    Set<String> packages =
        sources(folders, ".java").stream()
            .map(f -> f.getParent().toString().replaceAll(".*/dev/gyre/", "dev/gyre/"))
            .collect(Collectors.toSet());
    for (String entry : classPath.split(File.pathSeparator)) {
      for (String each : packages) {
        Path folder = Path.of(entry, each);
        if (Files.isDirectory(folder) && !entry.contains("test")) {
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
    Path out = work.resolve("lines");
    List<String> command = java(marked, "Coverage");
    command.add(out.toString());
    command.addAll(List.of(tests));
    end(command, seconds * tests.length);
    Map<Integer, String> places = new HashMap<>();
    marks.numbers.forEach((place, number) -> places.put(number, place));
    List<Covered> covered = new ArrayList<>();
    for (String line : Files.readAllLines(out)) {
      String[] parts = line.split(" ");
      Set<String> lines =
          Arrays.stream(parts)
              .skip(2)
              .map(n -> places.get(Integer.valueOf(n)))
              .collect(Collectors.toSet());
      covered.add(new Covered(parts[0], Long.parseLong(parts[1]), lines));
    }
    covered.sort(Comparator.comparing(Covered::millis));
    return covered;
  }

  private static List<Mutant> of(Path source) throws IOException {
    List<Mutant> mutants = new ArrayList<>();
    List<String> lines = Files.readAllLines(source);
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      String code = line.strip();
      // Constants are compiled into those that use them.
      if (code.matches("(\\*|/|@|import |package |throw ).*")
          || code.contains("static final")
          || code.contains("\"")) {
        continue;
      }
      for (Map.Entry<String, String> change : CHANGES) {
        for (int at = line.indexOf(change.getKey());
            at >= 0;
            at = line.indexOf(change.getKey(), at + 1)) {
          String after =
              line.substring(0, at)
                  + change.getValue()
                  + line.substring(at + change.getKey().length());
          mutants.add(new Mutant(source, i, line, after, change.getKey()));
        }
      }
      if (code.matches("[\\w.]+\\(.*\\);")
          && !code.startsWith("super")
          && !code.startsWith("this(")) {
        mutants.add(new Mutant(source, i, line, ";", "call"));
      }
    }
    return mutants;
  }

  /** Tests that fail without a mutant would see each. */
  private void requirePassed(String[] tests) throws IOException, InterruptedException {
    Path none = work.resolve("overlay");
    clear(none);
    String result = tested(none, tests, seconds * tests.length);
    if (!result.equals(UNSEEN)) {
      throw new IllegalStateException("without a mutant: " + result + ", see " + work + "/log");
    }
  }

  private String run(Mutant mutant, String[] tests) throws IOException, InterruptedException {
    Path overlay = work.resolve("overlay");
    clear(overlay);
    List<String> lines = new ArrayList<>(Files.readAllLines(mutant.source));
    lines.set(mutant.line, mutant.after);
    Path changed = work.resolve(mutant.source.getFileName().toString());
    Files.write(changed, lines);
    boolean isJava = compile(changed, overlay);
    Files.delete(changed);
    return isJava ? tested(overlay, tests, seconds) : "not Java";
  }

  private boolean compile(Path source, Path to) {
    List<String> arguments = new ArrayList<>(List.of("-nowarn", "-proc:none", "-parameters", "-g"));
    arguments.addAll(List.of("-d", to.toString(), "-cp", classPath, source.toString()));
    OutputStream none = OutputStream.nullOutputStream();
    return ToolProvider.getSystemJavaCompiler()
            .run(null, none, none, arguments.toArray(String[]::new))
        == 0;
  }

  private List<String> java(Path overlay, String main) {
    String paths = overlay + File.pathSeparator + work.resolve("runner") + File.pathSeparator;
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx1g", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", paths + classPath, main));
    return command;
  }

  /** Its exit code, or empty where it took too long. */
  private OptionalInt end(List<String> command, long most)
      throws IOException, InterruptedException {
    Path log = work.resolve("log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (!process.waitFor(most, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      return OptionalInt.empty();
    }
    return OptionalInt.of(process.exitValue());
  }

  private String tested(Path overlay, String[] tests, long most)
      throws IOException, InterruptedException {
    List<String> command = java(overlay, "FirstFailure");
    command.addAll(List.of(tests));
    OptionalInt code = end(command, most);
    if (code.isEmpty()) {
      return "tests hang";
    }
    Path log = work.resolve("log");
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
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Collections.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
    Files.createDirectories(folder);
  }
}
