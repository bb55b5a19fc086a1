import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * Changes one place of a source at a time, compiles that source, and runs the tests that should see
 * it: {@code Mutants CLASS-PATH WORK SEED COUNT SECONDS GROUP...}. A group is {@code
 * NAME=FOLDER,FOLDER:TEST,TEST}; its mutants are drawn by the seed from all places of all its
 * sources. Prints a row of a table for each, and at the end how many were seen.
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
          Map.entry("return true;", "return false;"),
          Map.entry("return false;", "return true;"));

  private static final String UNSEEN = "**not seen**";

  /** What FirstFailure ends with where no test ran. */
  private static final int NO_TEST = 2;

  private record Mutant(Path source, int line, String before, String after) {}

  private final String classPath;
  private final Path work;
  private final long seconds;

  private Mutants(String classPath, Path work, long seconds) {
    this.classPath = classPath;
    this.work = work;
    this.seconds = seconds;
  }

  public static void main(String[] args) throws Exception {
    Mutants mutants = new Mutants(args[0], Path.of(args[1]), Long.parseLong(args[4]));
    Path runner = Files.createDirectories(mutants.work.resolve("runner"));
    if (!mutants.compile(Path.of(".config/FirstFailure.java"), runner)) {
      throw new IllegalStateException("FirstFailure was not compiled: is JUnit on the class path?");
    }
    System.out.println("| mutant | before | after | result |\n|---|---|---|---|");
    int seen = 0;
    int all = 0;
    for (int i = 5; i < args.length; i++) {
      String[] group = args[i].split("[=:]");
      mutants.requirePassed(group[2].split(","));
      List<Mutant> drawn =
          draw(group[1].split(","), Long.parseLong(args[2]), Integer.parseInt(args[3]));
      for (Mutant mutant : drawn) {
        String result = mutants.run(mutant, group[2].split(","));
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

  /** So many of all places of the sources. */
  private static List<Mutant> draw(String[] folders, long seed, int count) throws IOException {
    List<Mutant> all = new ArrayList<>();
    for (String folder : folders) {
      try (Stream<Path> files = Files.walk(Path.of(folder))) {
        for (Path file : files.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
          all.addAll(of(file));
        }
      }
    }
    Collections.shuffle(all, new Random(seed));
    return all.subList(0, Math.min(count, all.size()));
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
          mutants.add(new Mutant(source, i, line, after));
        }
      }
      if (code.matches("[\\w.]+\\(.*\\);")
          && !code.startsWith("super")
          && !code.startsWith("this(")) {
        mutants.add(new Mutant(source, i, line, ";"));
      }
    }
    return mutants;
  }

  /** Tests that fail without a mutant would see each. */
  private void requirePassed(String[] tests) throws IOException, InterruptedException {
    Path none = work.resolve("overlay");
    clear(none);
    String result = tested(none, tests);
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
    return isJava ? tested(overlay, tests) : "not Java";
  }

  private boolean compile(Path source, Path to) {
    List<String> arguments = new ArrayList<>(List.of("-nowarn", "-proc:none", "-parameters", "-g"));
    arguments.addAll(List.of("-d", to.toString(), "-cp", classPath, source.toString()));
    OutputStream none = OutputStream.nullOutputStream();
    return ToolProvider.getSystemJavaCompiler()
            .run(null, none, none, arguments.toArray(String[]::new))
        == 0;
  }

  private String tested(Path overlay, String[] tests) throws IOException, InterruptedException {
    String paths = overlay + File.pathSeparator + work.resolve("runner") + File.pathSeparator;
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx1g", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", paths + classPath, "FirstFailure"));
    command.addAll(List.of(tests));
    Path log = work.resolve("log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      return "tests hang";
    }
    if (process.exitValue() == NO_TEST) {
      throw new IllegalStateException("no test ran: " + Files.readString(log));
    }
    return process.exitValue() == 0
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
