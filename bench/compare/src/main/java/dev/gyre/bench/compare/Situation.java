package dev.gyre.bench.compare;

import dev.gyre.bench.measure.MeasureMemory;
import dev.gyre.bench.measure.Row;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What rows must have in common to be compared.
 *
 * @param benchmark what is done
 * @param side what works, and which of its times is meant
 * @param n items; 0 for words, of which the text tells
 * @param circumstances those parameters that are not of one implementation alone
 */
record Situation(String benchmark, Side side, long n, String circumstances) {

  private static final List<String> SHARED =
      List.of("type", "keys", "hits", "text", "repeat", "letters");

  /** What works, and which of its times is meant. */
  enum Side {
    /** The processor: the JVM and C++. */
    PROCESSOR("on the processor"),
    /** A device, kernels alone, as the device says. */
    KERNEL("kernels alone"),
    /** A device, from arrays of the host to arrays of the host. */
    CALL("whole calls on devices");

    private final String label;

    Side(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  /** The situation of a row. */
  static Situation of(Row row) {
    boolean words = row.benchmark().equals("word-count");
    String load = row.param("load");
    Stream<String> others =
        load.isEmpty() || load.equals("own") || load.equals("" + Axes.BASE_LOAD)
            ? Stream.of()
            : Stream.of("load=" + load);
    return new Situation(
        row.benchmark(),
        side(row),
        words ? 0 : row.n(),
        Stream.concat(
                SHARED.stream()
                    .filter(name -> !row.param(name).isEmpty())
                    .map(name -> name + "=" + row.param(name)),
                others)
            .collect(Collectors.joining(" ")));
  }

  private static Side side(Row row) {
    return switch (row.param("time")) {
      case "kernel" -> Side.KERNEL;
      case "" -> Side.PROCESSOR;
      default -> Side.CALL;
    };
  }

  /** Whether a row is one to compare: of a time, and neither cold nor a part of another. */
  static boolean isComparable(Row row) {
    if (row.unit().equals(MeasureMemory.UNIT)) {
      return false;
    }
    boolean warm = List.of("", "warm").contains(row.param("state"));
    return warm && List.of("", "kernel", "end-to-end").contains(row.param("time"));
  }

  /** A parameter that all rows have, or an empty text. */
  String circumstance(String name) {
    return Stream.of(circumstances.split(" ", -1))
        .filter(one -> one.startsWith(name + "="))
        .map(one -> one.substring(name.length() + 1))
        .findFirst()
        .orElse("");
  }

  /** Whether nothing but the number of items is other than in the base. */
  boolean isBase() {
    return List.of("", "unique").contains(circumstance("keys"))
        && List.of("", "100").contains(circumstance("hits"))
        && circumstance("load").isEmpty();
  }

  /** For readers: what is done, with how many of what. */
  String title() {
    String items = n > 0 ? String.format(Locale.ROOT, "%,d", n) : "";
    String keys = "%s %s %ss".formatted(items, circumstance("keys"), circumstance("type")).strip();
    String load = circumstance("load");
    String what =
        switch (benchmark) {
          case "map-insert" -> "insert " + keys;
          case "map-add" -> "add to " + keys;
          case "map-find" -> "find %s, %s %% there".formatted(keys, circumstance("hits"));
          case "map-put" -> "put %s, one by one".formatted(keys);
          case "map-get" -> "get %s, one by one, %s %% there".formatted(keys, circumstance("hits"));
          case "map-mixed" -> "get 19 of 20 and add to one, %s".formatted(keys);
          case "word-count" -> "count words, text: " + text();
          case "word-lookup" ->
              "look up %s words, %s %% there".formatted(items, circumstance("hits"));
          case "word-prefix" -> "sum up words under %s prefixes".formatted(items);
          default -> benchmark;
        };
    String full = load.isEmpty() ? what : what + ", load factor " + load;
    return side == Side.PROCESSOR ? full : full + ", " + side.label();
  }

  private String text() {
    String repeat = circumstance("repeat");
    return circumstance("text") + (repeat.equals("1") ? "" : ", " + repeat + " times");
  }

  /** For files: without what all have. */
  String name(boolean withItems) {
    String more =
        circumstances
            .replaceAll("(keys=unique|hits=100|letters=2|repeat=1$|[a-z]+=)", "")
            .replaceAll("[^a-z0-9.]+", "-");
    return String.join(
            "-",
            benchmark,
            more,
            withItems && n > 0 ? "" + n : "",
            side == Side.PROCESSOR ? "" : side.name().toLowerCase(Locale.ROOT))
        .replaceAll("-+", "-")
        .replaceAll("-$", "");
  }
}
