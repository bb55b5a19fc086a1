package dev.gyre.bench.device;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The medians of {@link ResidentMaps} as tables in Markdown, a row for each batch of keys. */
final class ResidentTables {

  /**
   * What was measured.
   *
   * @param keys how many of which type and kind, at which load
   * @param distinct of the keys
   * @param table bytes of the table
   * @param key bytes of a key
   */
  record Row(String keys, long distinct, long table, int key) {}

  private static final List<String> WAYS =
      List.of(ResidentMaps.ONE_BY_ONE, ResidentMaps.BY_REGIONS, ResidentMaps.USUAL);

  private final Map<Row, Map<String, Double>> millis = new LinkedHashMap<>();

  /** Bytes a second that are read and written where a memory is copied. */
  private final double streaming;

  /**
   * No rows yet.
   *
   * @param streaming bytes a second that are read and written where a memory is copied
   */
  ResidentTables(double streaming) {
    this.streaming = streaming;
  }

  /** Notes a median, or another number. */
  void note(Row row, String benchmark, String way, double number) {
    millis.computeIfAbsent(row, _ -> new LinkedHashMap<>()).put(benchmark + " " + way, number);
  }

  /** Prints all tables. */
  void print() {
    for (String benchmark :
        List.of("map-insert", "map-add-new", "map-add", "map-add-tight", "set-insert")) {
      System.out.printf("%n%s, ms%n%n", title(benchmark));
      row(
          "keys",
          "distinct",
          "kernels, one by one",
          "by regions",
          "as the map does it",
          "speed",
          "call, one by one",
          "by regions",
          "as the map does it");
      line(9);
      millis.forEach(
          (key, of) -> {
            if (of.containsKey(benchmark + " " + ResidentMaps.USUAL + "-call")) {
              ways(key, of, benchmark);
            }
          });
    }
    System.out.printf("%nOther kernels, ms%n%n");
    row(
        "keys",
        "rehash, one by one",
        "as the map does it",
        "find, all there",
        "none there",
        "find in a set, all there");
    line(6);
    millis.forEach(
        (key, of) ->
            row(
                key.keys,
                ms(of, "map-rehash " + ResidentMaps.ONE_BY_ONE + "-kernels"),
                ms(of, "map-rehash " + ResidentMaps.USUAL + "-kernels"),
                ms(of, "map-find " + ResidentMaps.USUAL + "-kernels"),
                ms(of, "map-find-absent " + ResidentMaps.USUAL + "-kernels"),
                ms(of, "set-find " + ResidentMaps.USUAL + "-kernels")));
    System.out.printf(
        Locale.ROOT,
        "%nBytes that must be read and written, and the rate of a copy in this process, %.0f"
            + " GB/s%n%n",
        streaming / 1e9);
    row("keys", "operation", "MB", "kernels, ms", "GB/s", "of the copy", "call, ms");
    line(7);
    millis.forEach(
        (key, of) -> {
          streamed(key, of, "map-clear", key.table);
          streamed(key, of, "map-retrieve", key.table + 2L * key.key * key.distinct);
          long set = of.getOrDefault("set bytes", 0.0).longValue();
          streamed(key, of, "set-retrieve", set + key.key * key.distinct);
        });
  }

  private static String title(String benchmark) {
    return switch (benchmark) {
      case "map-insert" -> "Inserts into an empty map";
      case "map-add-new" -> "`insertOrApply` with ADD, into an empty map";
      case "map-add-tight" ->
          "`insertOrApply` with ADD, into an empty map that may have twice the different keys";
      case "set-insert" -> "Inserts into an empty set";
      default -> "`insertOrApply` with ADD, all keys there";
    };
  }

  private static void ways(Row key, Map<String, Double> of, String benchmark) {
    List<String> kernels =
        WAYS.stream().map(way -> ms(of, benchmark + " " + way + "-kernels")).toList();
    List<String> calls = WAYS.stream().map(way -> ms(of, benchmark + " " + way + "-call")).toList();
    double one = of.getOrDefault(benchmark + " " + ResidentMaps.ONE_BY_ONE + "-kernels", 0.0);
    double usual = of.getOrDefault(benchmark + " " + ResidentMaps.USUAL + "-kernels", 0.0);
    row(
        key.keys,
        String.format(Locale.ROOT, "%,d", key.distinct),
        kernels.get(0),
        kernels.get(1),
        kernels.get(2),
        usual > 0 ? String.format(Locale.ROOT, "%.2f", one / usual) : "",
        calls.get(0),
        calls.get(1),
        calls.get(2));
  }

  private void streamed(Row key, Map<String, Double> of, String operation, long bytes) {
    double kernels = of.getOrDefault(operation + " " + ResidentMaps.USUAL + "-kernels", 0.0);
    double rate = kernels > 0 ? bytes / (kernels / 1e3) : 0;
    row(
        key.keys,
        operation,
        String.format(Locale.ROOT, "%.1f", bytes / 1e6),
        ms(of, operation + " " + ResidentMaps.USUAL + "-kernels"),
        String.format(Locale.ROOT, "%.0f", rate / 1e9),
        String.format(Locale.ROOT, "%.2f", rate / streaming),
        ms(of, operation + " " + ResidentMaps.USUAL + "-call"));
  }

  private static String ms(Map<String, Double> of, String name) {
    Double ms = of.get(name);
    return ms == null ? "" : String.format(Locale.ROOT, ms < 1 ? "%.4f" : "%.3f", ms);
  }

  private static void row(String... cells) {
    System.out.println(List.of(cells).stream().collect(Collectors.joining(" | ", "| ", " |")));
  }

  private static void line(int cells) {
    System.out.println("|" + "---|".repeat(cells));
  }
}
