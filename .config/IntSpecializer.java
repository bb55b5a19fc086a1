import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Generates classes for ints from classes for longs: {@code IntSpecializer.java SOURCES TARGET}.
 *
 * <p>Each class below the folder of sources that has the annotation {@code IntSpecialized} gives
 * one class: {@code store/LongStore} gives {@code store/IntStore}, and so on. They differ in the
 * type of keys and values only. Indexes, counts, seeds and counters stay long.
 *
 * <p>Names of classes, arrays of longs, which contain keys or values here, and boxed longs are
 * replaced. A single long or a handle is replaced if a comment before it is {@code int} or {@code
 * DeviceInts}. Without such a comment it stays long: a forgotten comment is a compile error or does
 * no harm, but no count becomes an int unnoticed. A comment that is {@code (int)} becomes a cast,
 * which the class for longs does not need.
 */
final class IntSpecializer {

  private record Rule(Pattern pattern, String replacement) {
    Rule(String regex, String replacement) {
      this(Pattern.compile(regex), replacement);
    }

    String apply(String text) {
      return pattern.matcher(text).replaceAll(replacement);
    }
  }

  private static final String MARK = "\n@IntSpecialized\n";

  private static final List<Rule> RULES =
      List.of(
          new Rule("\n@IntSpecialized(?=\n)|\nimport dev\\.gyre\\.atomics\\.IntSpecialized;", ""),
          new Rule("/\\* (int|DeviceInts) \\*/\\s+(long|DeviceLongs)\\b", "$1"),
          new Rule("/\\* \\(int\\) \\*/", "(int)"),
          new Rule("\\bLongLong(Map|HashMap|Consumer|Procedure|Store|View)\\b", "IntInt$1"),
          new Rule("\\bLong(Scratch|Store|Tables?|Access|Walk|Entry)\\b", "Int$1"),
          new Rule("\\bLong(Batch|Block|Caller|Column|Insertion|Keys|Order|Plan)\\b", "Int$1"),
          new Rule("\\bLong(Rehash|DeviceBatch|Retrieval|Rows|Saved)\\b", "Int$1"),
          new Rule("\\bLong(Set|HashSet|OpenHashSet|Consumer|MapRef|SetRef|Stream)\\b", "Int$1"),
          new Rule("\\bShardedLong(Map|Set)\\b", "ShardedInt$1"),
          new Rule("\\bLong(Maps|Fills)\\b", "Int$1"),
          new Rule("\\bLONG_SET\\b", "INT_SET"),
          new Rule("\\bLong(Spliterator|UnaryOperator)\\b", "Int$1"),
          new Rule("\\bmapToLong\\(Long::longValue\\)", "mapToInt(Integer::intValue)"),
          new Rule("\\bmapToLong\\((?=Map\\.Entry::)", "mapToInt("),
          new Rule("\\blongStream\\b", "intStream"),
          new Rule("\\bapplyAsLong\\b", "applyAsInt"),
          new Rule("\\bOfLong\\b", "OfInt"),
          new Rule("\\bforEachLong\\b", "forEachInt"),
          new Rule("\\bfastutil\\.longs\\.", "fastutil.ints."),
          new Rule("\\bLong2Long", "Int2Int"),
          new Rule("\\bof longs\\b", "of ints"),
          new Rule("\\bOfLongs\\b", "OfInts"),
          new Rule("\\bLongs\\b", "Ints"),
          new Rule("\\bOptionalLong\\b", "OptionalInt"),
          new Rule("\\bgetAsLong\\b", "getAsInt"),
          new Rule("\\bofLongs\\b", "ofInts"),
          new Rule("\\bLong\\b(?!\\.)", "Integer"),
          new Rule("\\bLong\\.(BYTES|SIZE)\\b", "Integer.$1"),
          new Rule("\\bJAVA_LONG_UNALIGNED\\b", "JAVA_INT_UNALIGNED"),
          new Rule("\\blong(?=( @Nullable )?\\[\\]|\\.\\.\\.)", "int"),
          new Rule("\\bnew long\\[", "new int["),
          new Rule("from long to long", "from int to int"),
          new Rule("(?<=/\\*\\* |\\* )Longs (?=in an array)", "Ints "));

  private IntSpecializer() {}

  public static void main(String[] args) throws IOException {
    Path sources = Path.of(args[0]);
    Path target = Path.of(args[1]);
    Map<Path, String> specialized = new HashMap<>();
    for (Path file : files(sources)) {
      String text = Files.readString(file);
      if (text.contains(MARK)) {
        for (Rule rule : RULES) {
          text = rule.apply(text);
        }
        String name = sources.relativize(file).toString().replace("Long", "Int");
        specialized.put(target.resolve(name), withImports(text));
      }
    }
    Files.createDirectories(target);
    for (Path file : files(target)) {
      if (!specialized.containsKey(file)) {
        Files.delete(file);
      }
    }
    for (Map.Entry<Path, String> file : specialized.entrySet()) {
      write(file.getKey(), file.getValue());
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  /** Both handle types may be needed after the change, whichever was imported before. */
  private static String withImports(String text) {
    String imports = "";
    for (String type : List.of("DeviceInts", "DeviceLongs")) {
      String line = "import dev.gyre.atomics." + type + ";\n";
      text = text.replace(line, "");
      if (Pattern.compile("\\b" + type + "\\b").matcher(text).find()) {
        imports += line;
      }
    }
    Matcher place = Pattern.compile("(?m)^package .*;\\n\\n").matcher(text);
    if (!place.find()) {
      throw new IllegalStateException("no package");
    }
    return text.substring(0, place.end()) + imports + text.substring(place.end());
  }

  /** An unchanged file keeps its time, so that nothing is compiled again. */
  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    if (!Files.exists(file) || !Files.readString(file).equals(text)) {
      Files.writeString(file, text);
    }
  }
}
