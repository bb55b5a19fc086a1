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
 * Generates classes for ints from classes for longs: {@code IntSpecializer.java SOURCES TARGET
 * TESTS TEST_TARGET}.
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
 *
 * <p><b>Mixed classes.</b> If the annotation says so, there are two classes more, in which the keys
 * or the values alone are ints: {@code LongLongMap} gives {@code IntLongMap} and {@code
 * LongIntMap}. Here names tell keys from values: {@code key} and {@code keys} are keys, all other
 * numbers are values. The store behind them stays a {@code LongStore}: what it gets is widened.
 * Adapters of tests, which work on longs, are all generated in this way.
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

  private static final String MARK = "\n@IntSpecialized";
  private static final String MIXED = MARK + "(mixed = true)\n";

  private static final Rule UNMARKED =
      new Rule(
          "\n@IntSpecialized(\\(mixed = true\\))?(?=\n)"
              + "|\nimport dev\\.gyre\\.atomics\\.IntSpecialized;",
          "");

  private static final List<Rule> RULES =
      List.of(
          UNMARKED,
          new Rule("/\\* (int|DeviceInts) \\*/\\s+(long|DeviceLongs)\\b", "$1"),
          new Rule("/\\* \\(int\\) \\*/", "(int)"),
          new Rule("\\bLongLong(Map|HashMap|Consumer|Procedure|Store|View)\\b", "IntInt$1"),
          new Rule("\\bLong(Scratch|Store|Table|Access|Walk|Entry)\\b", "Int$1"),
          new Rule("\\bLong(Batch|Block|Caller|Column|Insertion|Keys|Order|Plan)\\b", "Int$1"),
          new Rule("\\bLong(Rehash|DeviceBatch|Retrieval|Rows|Saved)\\b", "Int$1"),
          new Rule("\\bLong(Set|HashSet|OpenHashSet|Consumer|MapRef|SetRef|Stream)\\b", "Int$1"),
          new Rule("\\bShardedLong(Map|Set)\\b", "ShardedInt$1"),
          new Rule("\\bLong(Maps|Fills|Values|Words)\\b", "Int$1"),
          new Rule("\\bLONG_SET\\b", "INT_SET"),
          new Rule("\\bKind\\.LONGS\\b", "Kind.INTS"),
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

  /** Keys become ints, also in adapters of tests. */
  private static final List<Rule> KEYS =
      List.of(
          UNMARKED,
          new Rule("/\\* int \\*/ long (?=key\\b)", "int "),
          new Rule("/\\* DeviceInts \\*/ DeviceLongs (?=keys\\b)", "DeviceInts "),
          new Rule("/\\* \\((int|key)\\) \\*/ (?=(walk\\.)?key\\b)", "(int) "),
          new Rule("\\bLongs (?=keys\\b)", "Ints "),
          new Rule("\\bs\\.longs\\((?=keys\\b)", "s.ints("),
          new Rule("\\bkernelLongs\\((?=keys\\b)", "kernelInts("),
          new Rule("<Long, (?=Long>)", "<Integer, "),
          new Rule("<Longs, (?=Longs>)", "<Ints, "));

  /** Values become ints, also in adapters of tests. */
  private static final List<Rule> VALUES =
      List.of(
          UNMARKED,
          new Rule("/\\* int \\*/ long (?!key\\b)", "int "),
          new Rule("/\\* DeviceInts \\*/ DeviceLongs (?!keys\\b)", "DeviceInts "),
          new Rule("/\\* \\((int|value)\\) \\*/ (?!(walk\\.)?key\\b)", "(int) "),
          new Rule("\\bLongs (?=(values|found)\\b)", "Ints "),
          new Rule("\\bs\\.longs\\((?=(values|found)\\b)", "s.ints("),
          new Rule("\\bkernelLongs\\((?=values\\b)", "kernelInts("),
          new Rule("(?<=<(Long|Integer), )Long>", "Integer>"),
          new Rule("(?<=<(Longs|Ints), )Longs>", "Ints>"));

  /** The rest of a map from int to long. */
  private static final List<Rule> INT_LONG =
      List.of(
          new Rule("\\bLongLong(Map|Consumer|View)\\b", "IntLong$1"),
          new Rule("\\bLong(MapRef|Access)\\b", "IntLong$1"),
          new Rule("from long to long", "from int to long"),
          new Rule("\\bKind\\.LONGS\\b", "Kind.INT_LONGS"),
          new Rule("\\blong\\[\\] (?=keys\\b)", "int[] "),
          new Rule("\\bLongStream keys\\b", "IntStream keys"),
          new Rule("\\bLongSpliterator(?=<>\\(access\\.walk\\(\\), true)", "IntSpliterator"),
          new Rule("\\bmapToLong\\((?=Map\\.Entry::getKey)", "mapToInt("),
          new Rule("(?<=Absent\\(int key, )LongUnaryOperator", "IntToLongFunction"),
          new Rule("\\bLong key\\b", "Integer key"),
          new Rule("\\bkey instanceof Long\\b", "key instanceof Integer"),
          new Rule("(store\\.(insert|find|remove)\\()keys\\b", "$1WidenedInts.toRead(keys)"),
          new Rule("(\\b(retrieve|requireSameOrApart)\\()keys\\b", "$1WidenedInts.of(keys)"),
          new Rule("(#\\w+\\()Longs\\b", "$1Ints"));

  /** The rest of a map from long to int. */
  private static final List<Rule> LONG_INT =
      List.of(
          new Rule("\\bLongLong(Map|Consumer|View)\\b", "LongInt$1"),
          new Rule("\\bLong(MapRef|Access)\\b", "LongInt$1"),
          new Rule("from long to long", "from long to int"),
          new Rule("\\bKind\\.LONGS\\b", "Kind.LONG_INTS"),
          new Rule("\\blong\\[\\] (?=(values|found)\\b)", "int[] "),
          new Rule("\\bLongStream values\\b", "IntStream values"),
          new Rule("\\bLongSpliterator(?=<>\\(access\\.walk\\(\\), false)", "IntSpliterator"),
          new Rule("\\bmapToLong\\((?=Map\\.Entry::getValue)", "mapToInt("),
          new Rule("(Absent\\(.* key, )LongUnaryOperator", "$1LongToIntFunction"),
          new Rule("\\bLongUnaryOperator (?=function)", "IntUnaryOperator "),
          new Rule("\\bapplyAsLong\\b", "applyAsInt"),
          new Rule("\\bOptionalLong\\b", "OptionalInt"),
          new Rule("\\bgetAsLong\\b", "getAsInt"),
          new Rule("@Nullable Long (?=\\w+\\()", "@Nullable Integer "),
          new Rule("\\bLong (?=(value|oldValue|newValue|expected)\\b)", "Integer "),
          new Rule("\\(Long\\) ", "(Integer) "),
          new Rule("\\bvalue instanceof Long\\b", "value instanceof Integer"),
          new Rule("(store\\.insert\\(keys, )values\\b", "$1WidenedInts.toRead(values)"),
          new Rule("(store\\.retrieve\\(keys, )values\\b", "$1WidenedInts.of(values)"),
          new Rule("(store\\.\\w+\\(keys, .*)\\bfound\\b", "$1WidenedInts.of(found)"),
          new Rule("\\bfound(?=\\.requireSameOrApart\\(keys)", "WidenedInts.of(found)"),
          new Rule("(#\\w+\\(Longs, )Longs, Longs\\b", "$1Ints, Ints"),
          new Rule("(#\\w+\\(Longs, )Longs\\b", "$1Ints"));

  /** Classes that may be needed after the change, whichever were imported before. */
  private static final List<String> IMPORTED =
      List.of(
          "dev.gyre.atomics.DeviceInts",
          "dev.gyre.atomics.DeviceLongs",
          "dev.gyre.structures.map.access.IntSpliterator",
          "dev.gyre.structures.map.access.WidenedInts",
          "dev.gyre.structures.map.file.SavedMap",
          "java.util.function.IntToLongFunction",
          "java.util.function.IntUnaryOperator",
          "java.util.function.LongToIntFunction",
          "java.util.function.LongUnaryOperator",
          "java.util.stream.IntStream",
          "java.util.stream.LongStream");

  private static List<Rule> adapter(String map, String prefix) {
    return List.of(
        new Rule("\\bLongLongMap\\b", map),
        new Rule("\\bLong(MapAdapter|MapRef)\\b", prefix + "$1"));
  }

  private IntSpecializer() {}

  public static void main(String[] args) throws IOException {
    generate(Path.of(args[0]), Path.of(args[1]), false);
    generate(Path.of(args[2]), Path.of(args[3]), true);
  }

  private static void generate(Path sources, Path target, boolean adapters) throws IOException {
    Map<Path, String> made = new HashMap<>();
    for (Path file : files(sources)) {
      String text = Files.readString(file);
      String name = sources.relativize(file).toString();
      boolean mixed = text.contains(MIXED);
      if (mixed || text.contains(MARK + "\n")) {
        made.put(
            target.resolve(name.replace("Long", "Int")),
            adapters
                ? specialized(text, KEYS, VALUES, adapter("IntIntMap", "Int"))
                : specialized(text, RULES));
      }
      if (mixed) {
        made.put(
            target.resolve(name.replaceFirst("(Long)+", "IntLong")),
            specialized(text, KEYS, adapters ? adapter("IntLongMap", "IntLong") : INT_LONG));
        made.put(
            target.resolve(name.replaceFirst("(Long)+", "LongInt")),
            specialized(text, VALUES, adapters ? adapter("LongIntMap", "LongInt") : LONG_INT));
      }
    }
    Files.createDirectories(target);
    for (Path file : files(target)) {
      if (!made.containsKey(file)) {
        Files.delete(file);
      }
    }
    for (Map.Entry<Path, String> file : made.entrySet()) {
      write(file.getKey(), file.getValue());
    }
  }

  @SafeVarargs
  private static String specialized(String text, List<Rule>... rules) {
    String made = text;
    for (List<Rule> some : rules) {
      for (Rule rule : some) {
        made = rule.apply(made);
      }
    }
    return withImports(made);
  }

  private static List<Path> files(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  private static String withImports(String text) {
    String imports = "";
    for (String type : IMPORTED) {
      String line = "import " + type + ";\n";
      text = text.replace(line, "");
      String name = type.substring(type.lastIndexOf('.') + 1);
      if (Pattern.compile("\\b" + name + "\\b").matcher(text).find()) {
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
