package dev.gyre.bench.compare;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What rows have in common that can be compared.
 *
 * @param benchmark what is done
 * @param side what works, and which of its times is meant
 * @param n items; 0 for words, of which the text tells
 * @param circumstances the parameters that do not belong to one implementation alone
 */
record Situation(String benchmark, Side side, long n, Map<String, String> circumstances) {

  private static final List<String> SHARED = List.of("type", "keys", "hits", "text", "repeat");

  /** What works, and which of its times is meant. */
  enum Side {
    /** The processor: the JVM and C++. */
    PROCESSOR(""),
    /** A device, kernels alone, as the device says. */
    KERNEL(", kernels alone"),
    /** A device, from arrays of the host to arrays of the host. */
    CALL(", whole calls on devices");

    private final String label;

    Side(String label) {
      this.label = label;
    }
  }

  /** Returns the situation of a row. */
  static Situation of(Row row) {
    String load = row.param("load");
    Map<String, String> shared = row.parameters();
    shared.keySet().retainAll(SHARED);
    if (!List.of("", "own", "" + Axes.BASE_LOAD).contains(load)) {
      shared.put("load", load);
    }
    long n = row.benchmark().startsWith("word-") ? 0 : row.n();
    return new Situation(row.benchmark(), side(row), n, shared);
  }

  private static Side side(Row row) {
    return switch (row.param("time")) {
      case "kernel" -> Side.KERNEL;
      case "" -> Side.PROCESSOR;
      default -> Side.CALL;
    };
  }

  /**
   * Returns whether a row is one to compare: a time, no limit, neither cold nor a part of another.
   */
  static boolean isComparable(Row row) {
    return !row.isMemory()
        && !row.isLimit()
        && row.median() > 0
        && row.param(Runner.BUILD).isEmpty()
        && List.of("", "warm").contains(row.param("state"))
        && List.of("", "kernel", "end-to-end").contains(row.param("time"));
  }

  /** Returns a parameter that all rows have, or an empty text. */
  String circumstance(String name) {
    return circumstances.getOrDefault(name, "");
  }

  /** Returns whether nothing but the number of items differs from the base. */
  boolean isBase() {
    return List.of("", "unique").contains(circumstance("keys"))
        && List.of("", "100").contains(circumstance("hits"))
        && circumstance("load").isEmpty();
  }

  /** Returns what is done, with how many of what. */
  String title() {
    String items = n > 0 ? String.format(Locale.ROOT, "%,d ", n) : "";
    return items.isEmpty() || benchmark.startsWith("shim") ? family() : familyOf(items);
  }

  /** Returns the title without the number of items, for charts over them. */
  String family() {
    return familyOf("");
  }

  private String familyOf(String items) {
    String keys = (items + circumstance("keys") + " " + circumstance("type") + "s").strip();
    String there =
        circumstance("hits").equals("100") ? "" : ", " + circumstance("hits") + " % there";
    String load = circumstance("load");
    String what =
        switch (benchmark) {
          case "map-insert" -> "insert " + keys;
          case "map-grow" -> "insert " + keys + " into a map that grows";
          case "map-each" -> "visit " + keys;
          case "map-add" -> "add to " + keys;
          case "map-find" -> "find " + keys + there;
          case "map-put" -> "put " + keys + " one by one";
          case "map-get" -> "get " + keys + " one by one" + there;
          case "map-mixed" -> "get 19 of 20 and add to one, " + keys;
          case "group-text" -> "group the rows of " + text();
          case "word-count" -> "count the words of " + text();
          case "word-lookup" -> "look up all words" + there;
          case "word-prefix" -> "sum words under prefixes";
          case "word-top" -> "find the ten most frequent words";
          default -> benchmark.replace("shim-", "handles: ").replace('-', ' ');
        };
    return (load.isEmpty() ? what : what + ", load factor " + load) + side.label;
  }

  private String text() {
    String repeat = circumstance("repeat");
    String of = circumstance("text").equals("generated") ? "generated text" : circumstance("text");
    return of + (List.of("", "1").contains(repeat) ? "" : ", " + repeat + " times");
  }
}
