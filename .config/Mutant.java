import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;

/**
 * One changed line of a source.
 *
 * @param kind what is changed; as many of each kind are drawn as there are
 */
record Mutant(String group, Path source, int line, String before, String after, String kind) {

  /** What is changed, and into what; a call is left out. */
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

  /** As {@link Coverage} names lines. */
  String place() {
    return source.getFileName() + ":" + (line + 1);
  }

  /** The source with the change. */
  List<String> changed() throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(source));
    lines.set(line, after);
    return lines;
  }

  /** A row of the table. */
  String row(String result) {
    return "| %s `%s` %d | `%s` | `%s` | %s |"
        .formatted(group, source.getFileName(), line + 1, cell(before), cell(after), result);
  }

  private static String cell(String line) {
    return line.strip().replace("|", "\\|");
  }

  /** So many of the places of the sources that a test comes by: in turns of each kind. */
  static List<Mutant> draw(
      String group, List<Path> sources, Predicate<String> isCovered, long seed, int count)
      throws IOException {
    List<Mutant> all = new ArrayList<>();
    for (Path source : sources) {
      all.addAll(of(group, source));
    }
    all.removeIf(m -> !isCovered.test(m.place()));
    Collections.shuffle(all, new Random(seed));
    Map<String, Integer> turns = new HashMap<>();
    Map<Mutant, Integer> turn = new HashMap<>();
    all.forEach(m -> turn.put(m, turns.merge(m.kind, 1, Integer::sum)));
    all.sort(Comparator.comparing(turn::get));
    return all.subList(0, Math.min(count, all.size()));
  }

  private static List<Mutant> of(String group, Path source) throws IOException {
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
          mutants.add(new Mutant(group, source, i, line, after, change.getKey()));
        }
      }
      if (code.matches("[\\w.]+\\(.*\\);")
          && !code.startsWith("super")
          && !code.startsWith("this(")) {
        mutants.add(new Mutant(group, source, i, line, ";", "call"));
      }
    }
    return mutants;
  }
}
