package dev.gyre.bench.cli;

import dev.gyre.atomics.GyreException;
import dev.gyre.datasets.BadInputException;
import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.CsvColumn;
import dev.gyre.datasets.CsvFormat;
import dev.gyre.datasets.CsvTypeException;
import dev.gyre.datasets.OutputFile;
import dev.gyre.datasets.TextFiles;
import dev.gyre.datasets.TextInput;
import dev.gyre.datasets.TextSource;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers.Work;
import dev.gyre.kernels.Target;
import dev.gyre.structures.group.GroupBy;
import dev.gyre.structures.group.GroupColumn;
import dev.gyre.structures.group.GroupText;
import dev.gyre.structures.group.Groups;
import dev.gyre.structures.group.Groups.By;
import dev.gyre.structures.group.RowNumbers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gyre group}: groups rows of CSV files, and aggregates columns per group. */
@Command(
    name = "group",
    description = "Groups rows of CSV files by columns, and aggregates other columns.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Expressions are count, count(x), sum(x), min(x), max(x), mean(x), distinct(x), and round"
          + " of sum, min, max or mean to some digits, such as round(mean(x),1).",
      "Keys are texts. An empty field without quotes is null: count(x), sum, min, max and mean skip"
          + " it, and all nulls of a key are one group.",
      "Numbers without an exponent and with at most 18 digits are exact, and so are their sums"
          + " and means. All numbers of a column count as many digits after the point as its"
          + " longest number. Rounding is half up, towards positive infinity.",
      "Files are CSV in UTF-8, or gzip of it. Their first row names the columns, unless --columns"
          + " does. The docs are in docs/group-by.md.",
      "A device parses and groups regular files without quotes (--quote none) by one column, with"
          + " count, sum, min, max and mean. If it cannot do what is asked for, --target names the"
          + " reason, and auto is the JVM.",
      "The last line is rows=N groups=N bytes=N target=T seconds=S; it is on standard error if"
          + " the groups are on standard output.",
      UserCommand.EXIT_CODES
    })
final class GroupCommand extends UserCommand implements Callable<Integer> {

  /** Orders of groups. */
  enum Order {
    KEY,
    COUNT
  }

  private static final String COUNT = "count";

  /** Bytes of standard input that are read before it is known what its numbers are. */
  private static final int SAMPLE_BYTES = 1 << 20;

  /** As many of a file, which is read again if a later number is of another type. */
  private static final int FILE_SAMPLE_BYTES = 1 << 16;

  @Parameters(
      paramLabel = "FILE|DIR",
      arity = "1..*",
      description = "Files, folders for the files in them, or - for standard input.")
  private List<String> arguments = List.of();

  @Option(
      names = "--by",
      required = true,
      split = ",",
      paramLabel = "COLUMN",
      description = "Columns of the key.")
  private List<String> keys = List.of();

  @Option(
      names = "--agg",
      required = true,
      paramLabel = "EXPRESSION,...",
      description = "What to compute per group.")
  private String expressions = "";

  @Option(
      names = "--columns",
      split = ",",
      paramLabel = "NAME",
      description = "Names of all columns, if the first row does not name them.")
  private List<String> names = List.of();

  @Option(
      names = "--type",
      paramLabel = "COLUMN=TYPE",
      description =
          "Type of the numbers of a column: double, or the digits after the point. By default it"
              + " is found, for which a file may be read again; standard input cannot be.")
  private Map<String, String> types = Map.of();

  @Option(
      names = "--out",
      paramLabel = "FILE|-",
      description = "Where to write the groups; by default standard output.")
  private Path out = Outputs.STANDARD;

  @Option(
      names = "--sort",
      paramLabel = "key|count",
      description =
          "Order of the groups: by the bytes of their keys (the default), or by falling number of"
              + " rows.")
  private Order order = Order.KEY;

  @Option(names = "--json", description = "Write a JSON array with an object per group.")
  private boolean json;

  @Mixin private CsvOptions csv = new CsvOptions();

  @Mixin private DeviceOptions where = new DeviceOptions();

  private List<Aggregation> aggregations = List.of();
  private final List<CsvColumn> columns = new ArrayList<>();
  private CsvFormat format = CsvFormat.RFC4180;

  /** Whether the input can be read only once. */
  private boolean once;

  private final AtomicLong rows = new AtomicLong();
  private long bytes;

  @Override
  public Integer call() {
    format = csv.format(names);
    validate();
    OutputFile output = Outputs.of(out);
    TextSource source = csv.source(arguments, output);
    once = !CsvOptions.areFiles(arguments);
    Target target = target(source);
    long start = System.nanoTime();
    source = sampled(source);
    try (Launcher launcher = where.open(target);
        Profile _ = where.profile(launcher);
        GroupBy groups = read(launcher, source);
        Groups result = result(groups)) {
      Outputs.write(output, file -> print(result, file));
      printLast(
          output,
          "rows=%d groups=%d bytes=%d target=%s seconds=%.3f%n",
          rows.get(),
          result.rows(),
          bytes,
          target(launcher).label(),
          (System.nanoTime() - start) / 1e9);
    }
    return Gyre.OK;
  }

  /** Returns where to work; auto is the JVM if a device cannot do what is asked for. */
  private Target target(TextSource source) {
    boolean suits =
        !once
            && source.byteSize() != ByteProgress.UNKNOWN
            && format.quote() == CsvFormat.NO_QUOTE
            && keys.size() == 1
            && aggregations.stream().noneMatch(each -> each.function().equals("distinct"));
    Target target = where.resolve(false, Work.TEXT, suits ? source.byteSize() : 0);
    if (target != Target.JVM && once) {
      throw usage("--target: a device groups regular files; use --target jvm");
    }
    return target;
  }

  /** Returns where to work with the types that are known now. */
  private Target target(Launcher launcher) {
    boolean reals = columns.stream().anyMatch(each -> each.type() == CsvColumn.Type.DOUBLE);
    return reals && where.isAuto() ? Target.JVM : launcher.device().target();
  }

  private void validate() {
    try {
      aggregations = Aggregation.parse(expressions);
      if (keys.stream().distinct().count() < keys.size()) {
        throw new IllegalArgumentException("--by has a column twice: " + keys);
      }
      keys.forEach(key -> columns.add(CsvColumn.text(key)));
      for (Aggregation each : aggregations) {
        if (keys.contains(each.text())) {
          throw new IllegalArgumentException(
              "--by and --agg would both name a column of the output %s: rename that of the input,"
                      .formatted(each.text())
                  + " in its first row or by --columns");
        }
        String column = each.column();
        if (column != null) {
          boolean isNumber = aggregations.stream().anyMatch(other -> other.needsNumbers(column));
          CsvColumn wanted = isNumber ? numbers(column) : CsvColumn.text(column);
          if (!columns.contains(wanted)) {
            columns.add(wanted);
          }
        }
      }
      for (String column : types.keySet()) {
        if (aggregations.stream().noneMatch(each -> column.equals(each.column()))) {
          throw new IllegalArgumentException("--type: no expression needs the column " + column);
        }
      }
      // Refuses too many expressions of a kind before the input is read.
      declared().close();
    } catch (IllegalArgumentException e) {
      throw usage(String.valueOf(e.getMessage()));
    }
  }

  private CsvColumn numbers(String column) {
    String type = types.getOrDefault(column, "0");
    if (type.equals("double")) {
      return CsvColumn.real(column);
    }
    if (type.matches("[0-9]|1[0-8]")) {
      return CsvColumn.decimal(column, Integer.parseInt(type));
    }
    throw new IllegalArgumentException(
        "--type %s=%s: not double, nor 0 to 18 digits after the point".formatted(column, type));
  }

  /** Returns the text, after the types of its numbers were looked for in its first bytes. */
  private TextSource sampled(TextSource source) {
    if (once && !arguments.equals(List.of(STANDARD_INPUT))) {
      // Only the scanner reads a named pipe.
      return source;
    }
    String name = source.names().getFirst();
    try {
      if (once) {
        byte[] sample = System.in.readNBytes(SAMPLE_BYTES);
        findTypes(sample);
        InputStream all = new SequenceInputStream(new ByteArrayInputStream(sample), System.in);
        return TextSource.ofStream(name, all);
      }
      Path file = TextFiles.resolve(arguments).getFirst();
      try (InputStream in = Channels.newInputStream(TextInput.of(FileChannel.open(file)))) {
        findTypes(in.readNBytes(FILE_SAMPLE_BYTES));
      }
      return source;
    } catch (IOException e) {
      throw new BadInputException(name, TextFiles.reasonOf(e, "file"), e);
    }
  }

  private void findTypes(byte[] sample) {
    boolean found = false;
    while (!found) {
      TextSource first = TextSource.ofStream("sample", new ByteArrayInputStream(sample));
      try {
        long _ =
            csv.scanner(first, format, (_, _) -> {}).threads(1).scan(_ -> columns, () -> _ -> {});
        found = true;
      } catch (CsvTypeException e) {
        columns.set(e.column(), e.needed());
      } catch (BadInputException e) {
        // The sample ends anywhere; other errors will be found again.
        found = true;
      }
    }
  }

  private GroupBy read(Launcher launcher, TextSource source) {
    while (true) {
      rows.set(0);
      GroupBy groups = declared();
      boolean done = false;
      try (ProgressBar bar = bar("grouping", csv.isQuiet())) {
        Supplier<GroupSink> sinks = () -> new GroupSink(groups, rows);
        bytes =
            target(launcher) == Target.JVM
                ? csv.scanner(source, format, bar).scan(_ -> columns, sinks)
                : onDevice(launcher, groups, sinks, bar);
        done = true;
        return groups;
      } catch (CsvTypeException e) {
        if (once) {
          CsvColumn needed = e.needed();
          boolean isReal = needed.type() == CsvColumn.Type.DOUBLE;
          throw new BadInputException(
              e.input(),
              "%s; it cannot be read again: give --type %s=%s"
                  .formatted(e.reason(), needed.name(), isReal ? "double" : needed.scale()),
              e);
        }
        columns.set(e.column(), e.needed());
      } finally {
        if (!done) {
          groups.close();
        }
      }
    }
  }

  private long onDevice(
      Launcher launcher, GroupBy groups, Supplier<GroupSink> sinks, ByteProgress progress) {
    long all = 0;
    try (GroupText text =
        new GroupText(launcher, groups, format, columns, GroupSink::name, sinks)) {
      for (Path file : TextFiles.resolve(arguments)) {
        all += text.add(TextSource.ofFiles(List.of(file)), progress);
      }
      long _ = rows.addAndGet(text.rows());
      return all;
    } catch (IllegalArgumentException e) {
      throw usage("--target: " + e.getMessage());
    }
  }

  /** Returns the name of the column of an expression in batches: its own one, or a key. */
  private String name(Aggregation of) {
    return GroupSink.name(columns.stream().map(CsvColumn::name).toList().lastIndexOf(of.column()));
  }

  private GroupBy declared() {
    GroupBy groups = GroupBy.on(GroupSink.names(keys.size()));
    Set<String> declared = new HashSet<>();
    for (Aggregation each : aggregations) {
      if (declared.add(each.result(name(each)))) {
        each.declare(groups, name(each));
      }
    }
    if (order == Order.COUNT && !declared.contains(COUNT)) {
      GroupBy _ = groups.count();
    }
    return groups;
  }

  private Groups result(GroupBy groups) {
    try {
      return groups.result();
    } catch (ArithmeticException e) {
      throw new GyreException(GroupSink.withName(String.valueOf(e.getMessage()), columns), e);
    }
  }

  private void print(Groups result, FileChannel file) throws IOException {
    List<By> by = new ArrayList<>();
    if (order == Order.COUNT) {
      by.add(By.descending(COUNT));
    }
    List<GroupTable.Field> fields = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      by.add(By.ascending(GroupSink.name(i)));
      fields.add(new GroupTable.Field(keys.get(i), result.column(GroupSink.name(i)), null));
    }
    for (Aggregation each : aggregations) {
      GroupColumn values = result.column(each.result(name(each)));
      fields.add(new GroupTable.Field(each.text(), values, each));
    }
    try (RowNumbers rows = result.order(by.toArray(By[]::new))) {
      GroupTable table = new GroupTable(fields);
      if (json) {
        table.printJson(rows, file);
      } else {
        table.printCsv(rows, new CsvBytes(format), file);
      }
    }
  }
}
