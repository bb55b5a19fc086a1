package dev.gyre.bench.cli;

import dev.gyre.datasets.CsvColumn;
import dev.gyre.datasets.CsvFormat;
import dev.gyre.datasets.CsvNames;
import dev.gyre.datasets.OutputFile;
import dev.gyre.datasets.TextSource;
import dev.gyre.structures.group.Join;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
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
      "Rows are in the order of LEFT, then of RIGHT, which is kept in memory; rows of RIGHT without"
          + " a match are last. If RIGHT is gzip or standard input, or larger than LEFT and than"
          + " 256 MiB, LEFT is kept in memory instead, and the order is that of RIGHT, then of"
          + " LEFT.",
      "Keys are compared as bytes. An empty field without quotes is null, which matches nothing.",
      "Without --select, the output has all columns of LEFT, then those of RIGHT without its keys."
          + " Names that both have are written as right.NAME for RIGHT.",
      "Files are CSV in UTF-8, or gzip of it, and - is standard input. Their first row names the"
          + " columns. The docs are in docs/group-by.md.",
      "The last line is left=N right=N rows=N target=jvm seconds=S; it is on standard error if"
          + " the rows are on standard output.",
      UserCommand.EXIT_CODES
    })
final class JoinCommand extends UserCommand implements Callable<Integer> {

  private static final String LEFT = "left.";
  private static final String RIGHT = "right.";

  /** Size up to which the right file is kept in memory, even if it is the larger one. */
  private static final long KEPT_BYTES = 1L << 28;

  /** One of the two files. */
  private final class Side {
    private final String prefix;
    private final TextSource source;
    private final List<String> keys;
    private final boolean isKept;
    private List<String> names = List.of();
    private List<CsvColumn> columns = List.of();

    Side(String prefix, TextSource source, List<String> keys, boolean isKept) {
      this.prefix = prefix;
      this.source = source;
      this.keys = keys;
      this.isKept = isKept;
    }

    /**
     * Chooses the keys, then the other columns that the output may have: by the names of the first
     * file, if there are several.
     */
    List<CsvColumn> choose(List<String> all) {
      if (!names.isEmpty()) {
        return columns;
      }
      names = all;
      SequencedSet<String> wanted = new LinkedHashSet<>(keys);
      for (String name : all) {
        if (select.isEmpty() || select.contains(name) || select.contains(prefix + name)) {
          wanted.add(name);
        }
      }
      columns = wanted.stream().map(CsvColumn::text).toList();
      return columns;
    }

    /** Returns the field of a column: a row without a left part has the key of RIGHT. */
    JoinOutput.Field field(String shown, String name) {
      int own = columns.indexOf(CsvColumn.text(name));
      int other = prefix.equals(LEFT) ? keys.indexOf(name) : -1;
      return new JoinOutput.Field(shown, isKept ? own : other, isKept ? other : own);
    }

    /** Returns the name of a column without the prefix; null if there is no such column. */
    @Nullable String plain(String name) {
      String plain = name.startsWith(prefix) ? name.substring(prefix.length()) : name;
      return names.contains(name) ? name : names.contains(plain) ? plain : null;
    }
  }

  @Parameters(index = "0", paramLabel = "LEFT", description = "File of the left side.")
  private String left = "";

  @Parameters(index = "1", paramLabel = "RIGHT", description = "File of the right side.")
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
  private Join.How how = Join.How.INNER;

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

  @Override
  public Integer call() {
    CsvFormat format = csv.format(List.of());
    List<String> leftKeys = keys(key -> key.split("=", 2)[0]);
    List<String> rightKeys = keys(key -> key.substring(key.indexOf('=') + 1));
    if (left.equals(STANDARD_INPUT) && right.equals(STANDARD_INPUT)) {
      throw usage("- can be read once: give LEFT or RIGHT as a file");
    }
    OutputFile output = Outputs.of(out);
    TextSource leftText = csv.source(List.of(left), output);
    TextSource rightText = csv.source(List.of(right), output);
    boolean keepsRight = keepsRight(leftText.byteSize(), rightText.byteSize());
    Side leftSide = new Side(LEFT, leftText, leftKeys, !keepsRight);
    Side rightSide = new Side(RIGHT, rightText, rightKeys, keepsRight);
    Side kept = keepsRight ? rightSide : leftSide;
    Side streamed = keepsRight ? leftSide : rightSide;
    Join.How ofStreamed = keepsRight ? how : withSidesExchanged(how);
    List<String> keys = List.of(GroupSink.names(leftKeys.size()));
    long start = System.nanoTime();
    try (JoinTable table = JoinTable.load(csv, kept.source, format, kept::choose);
        Join join = Join.with(table.batches(keys.size()), keys.toArray(String[]::new))) {
      JoinOutput.Finder finder =
          (part, action) -> join.forEachMatch(part.batch(keys.size()), 0, keys, ofStreamed, action);
      JoinOutput[] made = new JoinOutput[1];
      Outputs.write(
          output,
          file -> {
            csv.scan(
                "joining",
                streamed.source,
                format,
                streamed::choose,
                () -> {
                  // Only now the names of both files' columns are known.
                  if (made[0] == null) {
                    made[0] =
                        new JoinOutput(table, fields(leftSide, rightSide), format, file, finder);
                  }
                  return new JoinTable.Loader(streamed.columns, made[0]);
                });
            if (ofStreamed == Join.How.RIGHT || ofStreamed == Join.How.OUTER) {
              made[0].printUnmatched(join);
            }
          });
      printLast(
          output,
          "left=%d right=%d rows=%d target=jvm seconds=%.3f%n",
          keepsRight ? made[0].streamedRows() : table.rows(),
          keepsRight ? table.rows() : made[0].streamedRows(),
          made[0].rows(),
          (System.nanoTime() - start) / 1e9);
    }
    return Gyre.OK;
  }

  private static boolean keepsRight(long leftBytes, long rightBytes) {
    boolean isSmaller = leftBytes < 0 || rightBytes <= leftBytes;
    return rightBytes >= 0 && (isSmaller || rightBytes <= KEPT_BYTES);
  }

  private static Join.How withSidesExchanged(Join.How how) {
    return switch (how) {
      case LEFT -> Join.How.RIGHT;
      case RIGHT -> Join.How.LEFT;
      case INNER, OUTER -> how;
    };
  }

  private List<String> keys(UnaryOperator<String> ofSide) {
    List<String> keys = on.stream().map(ofSide).toList();
    if (keys.contains("") || keys.stream().distinct().count() < keys.size()) {
      throw usage("--on needs different columns, as in --on id or --on id=customer: " + on);
    }
    return keys;
  }

  /** Returns the fields of the output. */
  private List<JoinOutput.Field> fields(Side leftSide, Side rightSide) {
    List<JoinOutput.Field> fields = new ArrayList<>();
    if (select.stream().distinct().count() < select.size()) {
      throw usage("--select needs different columns: " + select);
    }
    if (select.isEmpty()) {
      leftSide.names.forEach(name -> fields.add(leftSide.field(name, name)));
      for (String name : rightSide.names) {
        if (!rightSide.keys.contains(name)) {
          String shown = leftSide.names.contains(name) ? RIGHT + name : name;
          if (fields.stream().anyMatch(field -> field.name().equals(shown))) {
            throw usage(
                "the output would have two columns \"%s\": choose others with --select, or rename"
                        .formatted(CsvNames.shown(shown))
                    + " one in its file");
          }
          fields.add(rightSide.field(shown, name));
        }
      }
    }
    for (String name : select) {
      String ofLeft = leftSide.plain(name);
      String ofRight = rightSide.plain(name);
      if (ofLeft != null) {
        fields.add(leftSide.field(name, ofLeft));
      } else if (ofRight != null) {
        fields.add(rightSide.field(name, ofRight));
      } else {
        throw usage(
            "--select: no column \"%s\" among %s of LEFT and %s of RIGHT"
                .formatted(name, CsvNames.shown(leftSide.names), CsvNames.shown(rightSide.names)));
      }
    }
    return fields;
  }
}
