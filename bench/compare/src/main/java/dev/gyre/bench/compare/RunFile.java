package dev.gyre.bench.compare;

import dev.gyre.atomics.GyreException;
import dev.gyre.datasets.OutputFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVPrinter;

/**
 * A folder of results: {@code results.csv}, with the columns of {@link Row}, and {@code
 * run.properties} with the facts of the machine, what was asked for, what is missing, and which
 * jobs are done.
 */
final class RunFile {

  private static final String TABLE = "results.csv";
  private static final String PROPERTIES = "run.properties";
  private static final String DONE = "done.";
  private static final String NOTE = "note.";
  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180.builder().setRecordSeparator('\n').get();

  private final Path folder;
  private final List<Row> rows = new ArrayList<>();
  private final Set<String> done = new LinkedHashSet<>();
  private final Set<String> notes = new LinkedHashSet<>();
  private final Map<String, String> facts = new LinkedHashMap<>();
  private int repeated;
  private int disagreeing;

  private RunFile(Path folder) {
    this.folder = folder;
  }

  /** A run that begins; files of an earlier one are replaced by and by. */
  static RunFile begin(Path folder, Map<String, String> facts) {
    RunFile run = new RunFile(folder);
    run.facts.putAll(facts);
    run.write();
    return run;
  }

  /** Whether a folder has the files of a run. */
  static boolean isIn(Path folder) {
    return Files.isRegularFile(folder.resolve(TABLE))
        && Files.isRegularFile(folder.resolve(PROPERTIES));
  }

  /** Reads the files of a run. */
  static RunFile open(Path folder) {
    RunFile run = new RunFile(folder);
    try (CSVParser table = CSVParser.parse(folder.resolve(TABLE), StandardCharsets.UTF_8, FORMAT)) {
      table.stream().skip(1).map(record -> Row.of(record.toList())).forEach(run.rows::add);
      for (String line : Files.readAllLines(folder.resolve(PROPERTIES))) {
        int equals = line.indexOf('=');
        if (equals > 0) {
          run.take(line.substring(0, equals), line.substring(equals + 1));
        }
      }
      return run;
    } catch (IOException | UncheckedIOException e) {
      throw new GyreException("no results can be read in " + folder + ": " + e.getMessage(), e);
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      throw new GyreException("the table in " + folder + " is not of this version", e);
    }
  }

  private void take(String name, String value) {
    if (name.startsWith(DONE)) {
      done.add(value);
    } else if (name.startsWith(NOTE)) {
      notes.add(value);
    } else {
      facts.put(name, value);
    }
  }

  Path folder() {
    return folder;
  }

  List<Row> rows() {
    return List.copyOf(rows);
  }

  /** What was not measured, and why. */
  List<String> notes() {
    return List.copyOf(notes);
  }

  /** What the machine is and what was asked for, by name. */
  Map<String, String> facts() {
    return facts;
  }

  /** Returns the options of the command that began the run. */
  List<String> options() {
    List<String> options = new ArrayList<>();
    if (fact("quick").equals("true")) {
      options.add("--quick");
    }
    for (String option : List.of("targets", "books", "only", "old")) {
      if (!fact(option).isEmpty() && !fact(option).equals(String.join(",", Plan.TARGETS))) {
        options.addAll(List.of("--" + option, fact(option)));
      }
    }
    return options;
  }

  String fact(String name) {
    return facts.getOrDefault(name, "");
  }

  boolean isDone(String job) {
    return done.contains(job);
  }

  /** Adds a line to what is missing. */
  void note(String text) {
    if (notes.add(text)) {
      write();
    }
  }

  /** What was missing may be there when a run goes on. */
  void forgetNotes() {
    notes.clear();
  }

  /**
   * Adds the rows of a job, which is not done again when the run is continued. If another job has
   * measured a case of it, their forks do not overlap, and their medians differ by more than {@link
   * Samples#STEADY}, both rows are marked.
   */
  void finish(String job, List<Row> more) {
    for (Row row : more) {
      rows.add(row);
      for (int i = 0; i < rows.size() - 1; i++) {
        Row before = rows.get(i);
        if (before.identity().equals(row.identity())) {
          repeated++;
          boolean apart = before.min() > row.max() || row.min() > before.max();
          double least = Math.min(before.median(), row.median());
          if (apart && Math.abs(before.median() - row.median()) > Samples.STEADY * least) {
            disagreeing++;
            rows.set(i, before.marked("disagrees"));
            rows.set(rows.size() - 1, row.marked("disagrees"));
          }
        }
      }
    }
    facts.put("repeated", "%d cases measured twice, %d disagree".formatted(repeated, disagreeing));
    done.add(job);
    write();
  }

  /** Notes how many cores other programs used during a job. */
  void addLoad(double cores, boolean loaded) {
    double most = Math.max(cores, Double.parseDouble(facts.getOrDefault("others.most", "0")));
    facts.put("others.most", String.format(Locale.ROOT, "%.2f", most));
    if (loaded) {
      int jobs = Integer.parseInt(facts.getOrDefault("loaded.jobs", "0"));
      facts.put("loaded.jobs", Integer.toString(jobs + 1));
    }
  }

  /** Notes how many jobs the run has. */
  void plan(int jobs) {
    facts.put("jobs", Integer.toString(jobs));
    write();
  }

  /** Returns how many jobs have been done. */
  int jobsDone() {
    return done.size();
  }

  /** Returns how many jobs the run has. */
  int jobs() {
    return Integer.parseInt(facts.getOrDefault("jobs", "0"));
  }

  /** Both files are replaced as wholes, the table first: a job is done when its rows are there. */
  private void write() {
    try {
      Files.createDirectories(folder);
      StringBuilder table = new StringBuilder();
      try (CSVPrinter csv = new CSVPrinter(table, FORMAT)) {
        csv.printRecord(Row.COLUMNS);
        for (Row row : rows) {
          csv.printRecord(row.fields());
        }
      }
      replace(folder.resolve(TABLE), table.toString());
      Map<String, String> all = new LinkedHashMap<>(facts);
      notes.forEach(note -> all.put(NOTE + all.size(), note));
      done.forEach(job -> all.put(DONE + all.size(), job));
      StringBuilder lines = new StringBuilder();
      all.forEach((name, value) -> lines.append(name + "=" + value.replace('\n', ' ') + "\n"));
      replace(folder.resolve(PROPERTIES), lines.toString());
    } catch (IOException e) {
      throw new GyreException("cannot write results to " + folder + ": " + e.getMessage(), e);
    }
  }

  /** Replaces a file of a run as a whole. */
  static void replace(Path file, String content) throws IOException {
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    OutputFile.of(file).write(to -> Channels.newOutputStream(to).write(bytes));
  }
}
