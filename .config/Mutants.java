import java.io.File;
import java.io.IOException;
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
    System.out.println("| mutant | before | after | result |\n|---|---|---|---|");
    int seen = 0;
    int all = 0;
    for (int i = 5; i < args.length; i++) {
      String[] group = args[i].split("[=:]");
      List<Mutant> drawn =
          draw(group[1].split(","), Long.parseLong(args[2]), Integer.parseInt(args[3]));
      for (Mutant mutant : drawn) {
        String result = mutants.run(mutant, group[2].split(","));
        if (!result.equals("not Java")) {
          all++;
          seen += result.equals("**not seen**") ? 0 : 1;
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

  private String run(Mutant mutant, String[] tests) throws IOException, InterruptedException {
    Path overlay = work.resolve("overlay");
    clear(overlay);
    List<String> lines = new ArrayList<>(Files.readAllLines(mutant.source));
    lines.set(mutant.line, mutant.after);
    Path changed = work.resolve(mutant.source.getFileName().toString());
    Files.write(changed, lines);
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                java.io.OutputStream.nullOutputStream(),
                java.io.OutputStream.nullOutputStream(),
                "-nowarn",
                "-proc:none",
                "-parameters",
                "-g",
                "-d",
                overlay.toString(),
                "-cp",
                classPath,
                changed.toString());
    Files.delete(changed);
    if (compiled != 0) {
      return "not Java";
    }
    return tested(overlay, tests);
  }

  private String tested(Path overlay, String[] tests) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx1g",
            "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            overlay + File.pathSeparator + classPath,
            "org.junit.platform.console.ConsoleLauncher",
            "execute",
            "--fail-fast",
            "--disable-banner",
            "--details=tree",
            "--disable-ansi-colors",
            "--exclude-tag=device",
            "--config=junit.jupiter.execution.timeout.default=60s"));
    for (String test : tests) {
      command.addAll(List.of("-c", test));
    }
    Path log = work.resolve("log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      return "tests hang";
    }
    if (process.exitValue() == 0) {
      return "**not seen**";
    }
    return Files.readAllLines(log).stream()
        .filter(line -> line.contains("MethodSource [className"))
        .map(
            line ->
                line.replaceAll(
                    ".*className = '[\\w.]*\\.(\\w+)[^,]*, methodName = '(\\w+)'.*", "`$1.$2`"))
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
