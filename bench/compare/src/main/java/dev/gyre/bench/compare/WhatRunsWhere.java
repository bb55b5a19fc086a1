package dev.gyre.bench.compare;

import dev.gyre.bench.compare.TestedClass.Place;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVPrinter;
import org.apache.commons.csv.CSVRecord;

/**
 * Writes which test class passed where, from reports of tests: {@code WhatRunsWhere ROOT
 * [FOLDER...]}. A class keeps, for each target and device, the last report of it; classes that are
 * no longer in the sources go.
 */
public final class WhatRunsWhere {

  private static final String DATA = "docs/results/what-runs-where.csv";
  private static final String PAGE = "docs/results/what-runs-where.md";
  private static final CSVFormat FORMAT =
      CSVFormat.DEFAULT.builder().setRecordSeparator('\n').get();

  private final Path root;
  private final Map<String, String> modules;
  private List<TestedClass> tested = new ArrayList<>();

  private WhatRunsWhere(Path root) throws IOException {
    this.root = root;
    this.modules = modules(root);
  }

  /** Adds the reports in the folders to what is known, and writes both files. */
  public static void main(String[] args) throws IOException {
    WhatRunsWhere all = open(Path.of(args[0]));
    for (int i = 1; i < args.length; i++) {
      List<TestedClass> found =
          TestReport.all(
              Path.of(args[i]),
              Machine.processor() + ", " + Machine.cores() + " cores",
              folder -> new Machine(folder).facts().getOrDefault("commit", "unknown"));
      found.forEach(all::add);
      System.out.println(args[i] + ": " + found.size() + " test classes");
    }
    all.write();
  }

  /** What is known, of the classes that there are. */
  static WhatRunsWhere open(Path root) throws IOException {
    WhatRunsWhere all = new WhatRunsWhere(root);
    Path data = root.resolve(DATA);
    if (Files.exists(data)) {
      try (CSVParser csv = CSVParser.parse(data, StandardCharsets.UTF_8, FORMAT)) {
        csv.stream().skip(1).map(CSVRecord::toList).map(TestedClass::of).forEach(all::add);
      }
    }
    return all;
  }

  /** The folder of the module that each test class is in. */
  private static Map<String, String> modules(Path root) throws IOException {
    Map<String, String> modules = new HashMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      files
          .map(root::relativize)
          .filter(f -> f.toString().endsWith(".java") && f.toString().contains("src/test/java"))
          .forEach(
              f ->
                  modules.put(
                      f.getFileName().toString().replace(".java", ""),
                      f.toString().replaceAll("/src/test/java/.*", "")));
    }
    return modules;
  }

  void add(TestedClass newer) {
    if (modules.containsKey(newer.test())) {
      tested.removeIf(older -> older.isOutdatedBy(newer));
      tested.add(newer);
    }
  }

  private void write() throws IOException {
    tested =
        tested.stream()
            .sorted(
                Comparator.comparing((TestedClass t) -> modules.get(t.test()))
                    .thenComparing(TestedClass::test)
                    .thenComparing(t -> t.fields().toString()))
            .collect(Collectors.toCollection(ArrayList::new));
    StringBuilder table = new StringBuilder();
    try (CSVPrinter csv = new CSVPrinter(table, FORMAT)) {
      csv.printRecord(TestedClass.COLUMNS);
      for (TestedClass t : tested) {
        csv.printRecord(t.fields());
      }
    }
    RunFile.replace(root.resolve(DATA), table);
    RunFile.replace(root.resolve(PAGE), page());
  }

  /** The page for readers. */
  String page() {
    SequencedMap<String, Place> columns = columns();
    Markdown text = new Markdown();
    text.heading(1, "What runs where");
    text.line(
        """
        Every test class, and where its tests passed, written by `scripts/what-runs-where` from reports of
        tests. A number is of tests that passed; in brackets, of those that do not apply there, for a
        reason below. No number: the class has not run there, most often because it needs no device. The
        same as data: [what-runs-where.csv](what-runs-where.csv).\
        """);
    text.heading(2, "Runs");
    text.head(
        "", "target", "device", "with", "commit", "classes", "passed", "failed", "not applicable");
    columns.forEach((letter, place) -> text.row(run(letter, place)));
    modules.values().stream().distinct().sorted().forEach(m -> table(m, columns, text));
    reasons(columns, text);
    return text.toString();
  }

  private SequencedMap<String, Place> columns() {
    List<Place> places =
        tested.stream()
            .map(TestedClass::place)
            .distinct()
            .sorted(
                Comparator.comparing((Place p) -> !p.target().startsWith("jvm"))
                    .thenComparing(Place::target)
                    .thenComparing(Place::device)
                    .thenComparing(Place::commit)
                    .thenComparing(Place::with))
            .toList();
    SequencedMap<String, Place> columns = new LinkedHashMap<>();
    for (int i = 0; i < places.size(); i++) {
      columns.put(letters(i), places.get(i));
    }
    return columns;
  }

  /** A to Z, then AA, AB and so on. */
  private static String letters(int index) {
    int letters = 'Z' - 'A' + 1;
    String before = index < letters ? "" : letters(index / letters - 1);
    return before + (char) ('A' + index % letters);
  }

  private List<TestedClass> in(Place place) {
    return tested.stream().filter(t -> t.place().equals(place)).toList();
  }

  private List<String> run(String letter, Place place) {
    List<TestedClass> ran = in(place);
    return List.of(
        letter,
        place.target(),
        place.device(),
        place.with(),
        place.commit(),
        Integer.toString(ran.size()),
        Integer.toString(ran.stream().mapToInt(TestedClass::passed).sum()),
        Integer.toString(ran.stream().mapToInt(TestedClass::failed).sum()),
        Integer.toString(ran.stream().mapToInt(TestedClass::skipped).sum()));
  }

  /** The classes of a module. */
  private void table(String module, SequencedMap<String, Place> columns, Markdown text) {
    SortedMap<String, Map<Place, TestedClass>> classes = new TreeMap<>();
    for (TestedClass t : tested) {
      if (module.equals(modules.get(t.test()))) {
        classes.computeIfAbsent(t.test(), _ -> new HashMap<>()).put(t.place(), t);
      }
    }
    if (classes.isEmpty()) {
      return;
    }
    text.heading(2, module);
    List<String> head = new ArrayList<>(List.of("test"));
    head.addAll(columns.keySet());
    text.head(head.toArray(String[]::new));
    classes.forEach(
        (test, places) -> {
          List<String> cells = new ArrayList<>(List.of(test));
          columns
              .values()
              .forEach(p -> cells.add(places.containsKey(p) ? places.get(p).cell() : ""));
          text.row(cells);
        });
  }

  /** Why tests do not apply, and which. */
  private void reasons(SequencedMap<String, Place> columns, Markdown text) {
    Map<String, List<String>> tests = new LinkedHashMap<>();
    columns.forEach(
        (letter, place) ->
            in(place).stream()
                .filter(t -> t.skipped() > 0)
                .sorted(Comparator.comparing(TestedClass::test))
                .forEach(
                    t ->
                        tests
                            .computeIfAbsent(letter + " | " + t.reasons(), _ -> new ArrayList<>())
                            .add(t.test())));
    if (!tests.isEmpty()) {
      text.heading(2, "Not applicable");
      text.head("", "reason", "tests");
      tests.forEach((reason, of) -> text.row(List.of(reason, String.join(", ", of))));
    }
  }
}
