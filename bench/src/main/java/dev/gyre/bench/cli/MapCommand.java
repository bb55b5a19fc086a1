package dev.gyre.bench.cli;

import dev.gyre.datasets.CsvColumn;
import dev.gyre.datasets.CsvFormat;
import dev.gyre.datasets.OutputFile;
import dev.gyre.datasets.TextSource;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers.Work;
import dev.gyre.kernels.Target;
import dev.gyre.structures.group.Join;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code gyre map}: looks up the keys of one CSV file in another. It joins them as {@code gyre
 * join} does, but by a map, which can be on a device.
 */
@Command(
    name = "map",
    description =
        "Loads rows of keys and values into a map, and looks up the keys of another file.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "It is a join for lookups: the first of repeated keys counts. Files are read, and rows"
          + " written, as gyre join does.",
      "Files are CSV in UTF-8, or gzip of it, and - is standard input. Their first row names the"
          + " columns; columns other than key and value are ignored.",
      "Values are integers from -2^63 to 2^63 - 1, and so are keys without --keys text. Texts are"
          + " compared as bytes. An empty field without quotes is null; a key that is null is"
          + " never found.",
      "The last line is rows=N distinct=N asked=N found=N target=T seconds=S; it is on"
          + " standard error if FOUND.csv is on standard output.",
      UserCommand.EXIT_CODES
    })
final class MapCommand extends UserCommand implements Callable<Integer> {

  /** Types of keys. */
  enum Keys {
    LONG,
    TEXT
  }

  private static final String KEY = "key";
  private static final String VALUE = "value";
  private static final List<JoinOutput.Field> FIELDS =
      List.of(new JoinOutput.Field(KEY, -1, 0), new JoinOutput.Field(VALUE, 1, -1));

  @Parameters(paramLabel = "LOAD.csv", description = "File with the columns key and value.")
  private Path load = Path.of("");

  @Option(
      names = "--lookup",
      required = true,
      paramLabel = "KEYS.csv",
      description = "File with the column key, whose keys to look up.")
  private Path lookup = Path.of("");

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FOUND.csv",
      description =
          "Where to write key,value, in the order of KEYS.csv; value is empty if the key is"
              + " absent.")
  private Path out = Path.of("");

  @Option(
      names = "--keys",
      paramLabel = "long|text",
      description = "Whether keys are integers or any text; by default long.")
  private Keys keys = Keys.LONG;

  @Mixin private CsvOptions csv = new CsvOptions();

  @Mixin private DeviceOptions where = new DeviceOptions();

  private final LongAdder asked = new LongAdder();
  private final LongAdder found = new LongAdder();

  @Override
  public Integer call() {
    CsvFormat format = csv.format(List.of());
    Target chosen = validate();
    OutputFile output = Outputs.of(out);
    TextSource loaded = csv.source(List.of(load.toString()), output);
    TextSource keyRows = csv.source(List.of(lookup.toString()), output);
    CsvColumn key = keys == Keys.LONG ? CsvColumn.decimal(KEY, 0) : CsvColumn.text(KEY);
    long start = System.nanoTime();
    try (Launcher device = open(chosen);
        Profile _ = where.profile(device);
        JoinTable table =
            JoinTable.load(csv, loaded, format, _ -> List.of(key, CsvColumn.decimal(VALUE, 0)));
        RowMap map = keys == Keys.LONG ? RowMap.ofLongs(device) : RowMap.ofTexts(device)) {
      add(table, map);
      Outputs.write(
          output,
          file -> {
            JoinOutput joined =
                new JoinOutput(table, FIELDS, format, file, (part, to) -> find(map, part, to));
            List<CsvColumn> columns = List.of(key);
            csv.scan(
                "looking up",
                keyRows,
                format,
                _ -> columns,
                () -> new JoinTable.Loader(columns, joined));
          });
      printLast(
          output,
          "rows=%d distinct=%d asked=%d found=%d target=%s seconds=%.3f%n",
          table.rows(),
          map.size().getAsLong(),
          asked.sum(),
          found.sum(),
          chosen.label(),
          (System.nanoTime() - start) / 1e9);
    }
    return Gyre.OK;
  }

  private Target validate() {
    if (load.equals(Outputs.STANDARD) && lookup.equals(Outputs.STANDARD)) {
      throw usage("- can be read once: give LOAD.csv or --lookup as a file");
    }
    Target chosen = where.resolve(csv.isQuiet(), Work.KEYS, RowEstimate.of(load, lookup));
    if (csv.threads() != null && chosen != Target.JVM) {
      throw usage(
          "--threads is for --target jvm; on %s the map takes what suits the device"
              .formatted(chosen.label()));
    }
    return chosen;
  }

  private Launcher open(Target chosen) {
    Integer threads = csv.threads();
    return threads == null ? where.open(chosen) : JvmLauncher.ofWorkers(threads);
  }

  private static void add(JoinTable table, RowMap map) {
    long first = 0;
    for (JoinTable.Part part : table.parts()) {
      map.add(part, first);
      first += part.rows();
    }
  }

  private void find(RowMap map, JoinTable.Part part, Join.Block action) {
    long[] rows = map.find(part);
    asked.add(rows.length);
    found.add(LongStream.of(rows).filter(row -> row >= 0).count());
    action.accept(LongStream.range(0, rows.length).toArray(), rows, rows.length);
  }
}
