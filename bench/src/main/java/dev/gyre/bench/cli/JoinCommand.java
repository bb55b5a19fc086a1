package dev.gyre.bench.cli;

import dev.gyre.datasets.CsvColumn;
import dev.gyre.datasets.CsvFormat;
import dev.gyre.datasets.OutputFile;
import dev.gyre.datasets.TextSource;
import dev.gyre.structures.group.Join;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gyre join}: joins two CSV files on equal keys. */
@Command(
    name = "join",
    description = "Joins two CSV files on equal keys, as SQL does.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "LEFT is kept in memory, RIGHT may have any size. Rows are in the order of RIGHT, then of"
          + " LEFT; rows of LEFT without a match are last.",
      "Keys are compared as bytes. An empty field without quotes is null, which matches nothing.",
      "Without --select, the output has all columns of LEFT, then those of RIGHT without its keys."
          + " Names that both have are written as right.NAME for RIGHT.",
      "Files are CSV in UTF-8, or gzip of it, and - is standard input. Their first row names the"
          + " columns. The docs are in docs/group-by.md.",
      "The last line is left=N right=N rows=N target=jvm seconds=S; it is on standard error if"
          + " the rows are on standard output.",
      "Exit codes: 0 success; 2 bad usage or bad input; 141 the reader of standard output ended;"
          + " 1 any other failure."
    })
final class JoinCommand extends UserCommand implements Callable<Integer> {

  private static final String LEFT = "left.";
  private static final String RIGHT = "right.";

  /** Which rows without a match are written. */
  enum How {
    INNER(Join.How.INNER),
    LEFT(Join.How.RIGHT),
    RIGHT(Join.How.LEFT),
    OUTER(Join.How.OUTER);

    /** The same, if the table in memory is the right side. */
    private final Join.How ofTable;

    How(Join.How ofTable) {
      this.ofTable = ofTable;
    }
  }

  @Parameters(index = "0", paramLabel = "LEFT", description = "File that is kept in memory.")
  private String left = "";

  @Parameters(index = "1", paramLabel = "RIGHT", description = "File that is streamed.")
  private String right = "";

  @Option(
      names = "--on",
      required = true,
      split = ",",
      paramLabel = "COLUMN[=COLUMN]",
      description = "Columns of the key in LEFT, and in RIGHT if they have other names there.")
  private List<String> on = List.of();

  @Option(
      names = "--how",
      paramLabel = "inner|left|right|outer",
      description = "Which rows without a match are written; by default none: inner.")
  private How how = How.INNER;

  @Option(
      names = "--select",
      split = ",",
      paramLabel = "COLUMN",
      description =
          "Columns of the output: names, or left.NAME and right.NAME. A name that both files have"
              + " is that of LEFT.")
  private List<String> select = List.of();

  @Option(
      names = "--out",
      paramLabel = "FILE|-",
      description = "Where to write the rows; by default standard output.")
  private Path out = Outputs.STANDARD;

  @Mixin private CsvOptions csv = new CsvOptions();

  private final List<String> leftKeys = new ArrayList<>();
  private final List<String> rightKeys = new ArrayList<>();
  private List<CsvColumn> leftColumns = List.of();
  private List<CsvColumn> rightColumns = List.of();
  private List<String> leftNames = List.of();
  private List<String> rightNames = List.of();

  @Override
  public Integer call() {
    CsvFormat format = csv.format(List.of());
    splitKeys();
    if (left.equals("-") && right.equals("-")) {
      throw usage("- can be read once: give LEFT or RIGHT as a file");
    }
    OutputFile output = Objects.requireNonNull(Outputs.of(out));
    TextSource leftSource = source(left, output);
    TextSource rightSource = source(right, output);
    long start = System.nanoTime();
    try (JoinTable table = load(leftSource, format);
        Join join = Join.with(table.batches(leftKeys.size()), names(leftKeys.size()))) {
      long[] counts = new long[2];
      Outputs.write(
          output,
          file -> {
            JoinOutput joined = write(table, join, rightSource, format, file);
            counts[0] = joined.rightRows();
            counts[1] = joined.rows();
          });
      PrintWriter to = output.isStandardOutput() ? err() : out();
      to.printf(
          Locale.ROOT,
          "left=%d right=%d rows=%d target=jvm seconds=%.3f%n",
          table.rows(),
          counts[0],
          counts[1],
          (System.nanoTime() - start) / 1e9);
    }
    return Gyre.OK;
  }

  private static String[] names(int count) {
    String[] names = new String[count];
    for (int i = 0; i < count; i++) {
      names[i] = GroupSink.name(i);
    }
    return names;
  }

  private void splitKeys() {
    for (String key : on) {
      int at = key.indexOf('=');
      leftKeys.add(at < 0 ? key : key.substring(0, at));
      rightKeys.add(at < 0 ? key : key.substring(at + 1));
    }
    for (List<String> keys : List.of(leftKeys, rightKeys)) {
      if (keys.contains("") || keys.stream().distinct().count() < keys.size()) {
        throw usage("--on needs different columns, as in --on id or --on id=customer: " + on);
      }
    }
  }

  private TextSource source(String argument, OutputFile output) {
    return csv.source(
        List.of(argument), file -> Outputs.requireNotRead(line(), "--out", output, file));
  }

  private JoinTable load(TextSource source, CsvFormat format) {
    JoinTable[] table = new JoinTable[1];
    boolean done = false;
    try (ProgressBar bar = new ProgressBar(err(), "loading")) {
      long _ =
          csv.scanner(source, format, csv.progress(bar))
              .scan(
                  names -> {
                    leftNames = names;
                    leftColumns = columns(leftKeys, selected(names, LEFT));
                    return leftColumns;
                  },
                  () -> loader(table));
      JoinTable loaded = Objects.requireNonNull(table[0]);
      loaded.number();
      done = true;
      return loaded;
    } finally {
      if (!done && table[0] != null) {
        table[0].close();
      }
    }
  }

  private JoinTable.Loader loader(@Nullable JoinTable[] table) {
    JoinTable now = table[0];
    if (now == null) {
      now = new JoinTable(leftColumns.size());
      table[0] = now;
    }
    return now.new Loader();
  }

  /** Returns the keys, then the other wanted columns. */
  private static List<CsvColumn> columns(List<String> keys, List<String> others) {
    SequencedSet<String> all = new LinkedHashSet<>(keys);
    all.addAll(others);
    return all.stream().map(CsvColumn::text).toList();
  }

  /** Returns the columns of a file that are in the output. */
  private List<String> selected(List<String> names, String side) {
    boolean isLeft = side.equals(LEFT);
    if (select.isEmpty()) {
      return names.stream().filter(name -> isLeft || !rightKeys.contains(name)).toList();
    }
    List<String> selected = new ArrayList<>();
    for (String name : select) {
      if (isOf(name, isLeft)) {
        selected.add(plain(name));
      }
    }
    return selected;
  }

  /** Returns whether a selected name is that of a column of a side, whose names are known. */
  private boolean isOf(String name, boolean isLeft) {
    return isLeft == (leftNames.contains(name) || name.startsWith(LEFT));
  }

  /** Returns the name of a column without its side. */
  private String plain(String name) {
    if (leftNames.contains(name) || rightNames.contains(name)) {
      return name;
    }
    return name.startsWith(LEFT)
        ? name.substring(LEFT.length())
        : name.startsWith(RIGHT) ? name.substring(RIGHT.length()) : name;
  }

  private JoinOutput write(
      JoinTable table, Join join, TextSource source, CsvFormat format, FileChannel file)
      throws IOException {
    JoinOutput[] output = new JoinOutput[1];
    try (ProgressBar bar = new ProgressBar(err(), "joining")) {
      long _ =
          csv.scanner(source, format, csv.progress(bar))
              .scan(
                  names -> {
                    rightNames = names;
                    rightColumns = columns(rightKeys, selected(names, RIGHT));
                    return rightColumns;
                  },
                  () -> {
                    JoinOutput now = output[0];
                    if (now == null) {
                      now = begin(table, join, format, file);
                      output[0] = now;
                    }
                    return now.new Sink();
                  });
      JoinOutput joined = Objects.requireNonNull(output[0]);
      if (how == How.LEFT || how == How.OUTER) {
        joined.printUnmatched();
      }
      return joined;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Writes the names of the columns. */
  private JoinOutput begin(JoinTable table, Join join, CsvFormat format, FileChannel file) {
    List<JoinOutput.Field> fields = new ArrayList<>();
    CsvBytes header = new CsvBytes(format);
    for (String name : select.isEmpty() ? all() : select) {
      header.add(name);
      String column = plain(name);
      if (isOf(name, true)) {
        int key = leftKeys.indexOf(column);
        fields.add(new JoinOutput.Field(leftColumns.indexOf(CsvColumn.text(column)), key));
      } else {
        fields.add(new JoinOutput.Field(-1, rightColumns.indexOf(CsvColumn.text(column))));
      }
    }
    header.endRecord();
    try {
      header.writeTo(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new JoinOutput(
        table, join, how.ofTable, leftKeys.size(), fields, () -> new CsvBytes(format), file);
  }

  /** Returns the names of the output if none are selected. */
  private List<String> all() {
    List<String> all = new ArrayList<>(leftNames);
    for (String name : selected(rightNames, RIGHT)) {
      all.add(leftNames.contains(name) ? RIGHT + name : name);
    }
    return all;
  }
}
