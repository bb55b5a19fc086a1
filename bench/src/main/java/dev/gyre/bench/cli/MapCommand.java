package dev.gyre.bench.cli;

import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.OutputFile;
import dev.gyre.datasets.csv.CsvTable;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers.Work;
import dev.gyre.kernels.Target;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gyre map}: loads one CSV file into a map and looks up the keys of another. */
@Command(
    name = "map",
    description =
        "Loads rows of keys and values into a map, and looks up the keys of another file.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Files are CSV in UTF-8. Their first row names the columns; columns other than key and"
          + " value are ignored. Values are integers from -2^63 to 2^63 - 1, and so are keys"
          + " without --keys text.",
      "Names of columns and keys of text match exactly: case, blanks and accents count.",
      "Of rows with the same key, the first is taken.",
      "- stands for standard input, for one of the two input files, or standard output.",
      "The last line is rows=N distinct=N asked=N found=N target=T seconds=S; it is on"
          + " standard error if FOUND.csv is on standard output.",
      "Exit codes: 0 success; 2 bad usage or bad input; 141 the reader of standard output ended;"
          + " 1 any other failure."
    })
final class MapCommand extends UserCommand implements Callable<Integer> {

  /** Types of keys. */
  enum Keys {
    LONG,
    TEXT
  }

  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180.builder().setHeader("key", "value").setRecordSeparator("\n").get();
  private static final List<String> LOADED = List.of("key", "value");
  private static final List<String> ASKED = List.of("key");
  private static final int BATCH = 1 << 16;

  /** A device is given more at a time. */
  private static final int DEVICE_BATCH = 1 << 20;

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

  @Option(
      names = "--separator",
      paramLabel = "CHARACTER",
      description =
          "Character between two fields in all three files, or tab or \\t; by default a comma.")
  private String separator = ",";

  @Mixin private DeviceOptions where = new DeviceOptions();

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Threads of the JVM that work on the map; by default one for each core.")
  private @Nullable Integer threads;

  @Option(
      names = "--quiet",
      description = "Print the last line only: neither progress nor the choice of the target.")
  private boolean quiet;

  private char field = ',';
  private long loaded;
  private long asked;
  private long found;

  @Override
  public Integer call() {
    Target chosen = validate();
    OutputFile output = Objects.requireNonNull(Outputs.of(out));
    Outputs.requireNotRead(line(), "--out", output, load);
    Outputs.requireNotRead(line(), "--out", output, lookup);
    long start = System.nanoTime();
    int batch = chosen == Target.JVM ? BATCH : DEVICE_BATCH;
    try (Launcher device = open(chosen);
        Profile _ = where.profile(device);
        MapJoin<?> map =
            keys == Keys.LONG ? MapJoin.ofLongs(device, batch) : MapJoin.ofTexts(device, batch)) {
      load(map);
      Outputs.write(output, file -> lookUp(map, Outputs.text(file)));
      printSummary(map, chosen, (System.nanoTime() - start) / 1e9, output.isStandardOutput());
    }
    return Gyre.OK;
  }

  private Target validate() {
    if (threads != null && (threads < 1 || threads > JvmLauncher.MAX_WORKERS)) {
      throw usage("--threads must be from 1 to " + JvmLauncher.MAX_WORKERS + ", not " + threads);
    }
    if (load.equals(Outputs.STANDARD) && lookup.equals(Outputs.STANDARD)) {
      throw usage("- can be read once: give LOAD.csv or --lookup as a file");
    }
    field = field();
    Target chosen = where.resolve(quiet, Work.KEYS, RowEstimate.of(load, lookup));
    if (threads != null && chosen != Target.JVM) {
      throw usage(
          "--threads is for --target jvm; on %s the map takes what suits the device"
              .formatted(chosen.label()));
    }
    return chosen;
  }

  private char field() {
    String text = separator.equals("tab") || separator.equals("\\t") ? "\t" : separator;
    if (text.length() != 1 || !CsvTable.isSeparator(text.charAt(0))) {
      throw usage("--separator must be one character, and neither a quote nor the end of a line");
    }
    return text.charAt(0);
  }

  private CsvTable table(Path file, List<String> columns, ByteProgress progress) {
    return file.equals(Outputs.STANDARD)
        ? CsvTable.ofStream("standard input", System.in, field, columns, progress)
        : CsvTable.open(file, field, columns, progress);
  }

  private Launcher open(Target chosen) {
    return threads == null ? where.open(chosen) : JvmLauncher.ofWorkers(threads);
  }

  private void load(MapJoin<?> map) {
    try (ProgressBar bar = bar("loading");
        CsvTable table = table(load, LOADED, progress(bar))) {
      while (table.next()) {
        map.filling().add(table);
        if (map.filling().isFull()) {
          map.insertFirsts();
        }
      }
      map.insertFirsts();
      map.last().clear();
      loaded = table.rows();
    }
  }

  private void lookUp(MapJoin<?> map, Writer writer) throws IOException {
    try (ProgressBar bar = bar("looking up");
        CsvTable table = table(lookup, ASKED, progress(bar))) {
      CSVPrinter printer = new CSVPrinter(writer, FORMAT.builder().setDelimiter(field).get());
      while (table.next()) {
        map.filling().addKey(table);
        if (map.filling().isFull()) {
          print(map.find(), printer);
        }
      }
      print(map.find(), printer);
      print(map.last(), printer);
      printer.flush();
      asked = table.rows();
    }
  }

  /** Prints what was found, and empties the batch. */
  private void print(MapBatch<?> batch, CSVPrinter printer) throws IOException {
    found += batch.hits();
    for (int row = 0; row < batch.count(); row++) {
      Long value = batch.found(row);
      printer.printRecord(batch.key(row), value == null ? "" : value);
    }
    batch.clear();
  }

  private void printSummary(MapJoin<?> map, Target chosen, double seconds, boolean aside) {
    PrintWriter to = aside ? err() : out();
    to.println(
        String.format(
            Locale.ROOT,
            "rows=%d distinct=%d asked=%d found=%d target=%s seconds=%.3f",
            loaded,
            map.size(),
            asked,
            found,
            chosen.label(),
            seconds));
  }

  private ProgressBar bar(String label) {
    return new ProgressBar(err(), label);
  }

  private ByteProgress progress(ProgressBar bar) {
    return !quiet && Boolean.getBoolean("gyre.terminal") ? bar : ByteProgress.NONE;
  }
}
