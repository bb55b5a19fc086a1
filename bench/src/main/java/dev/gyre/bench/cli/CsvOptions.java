package dev.gyre.bench.cli;

import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.CsvColumn;
import dev.gyre.datasets.CsvFormat;
import dev.gyre.datasets.CsvScanner;
import dev.gyre.datasets.OutputFile;
import dev.gyre.datasets.TextFiles;
import dev.gyre.datasets.TextSource;
import dev.gyre.kernels.JvmLauncher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of commands that scan CSV files. */
final class CsvOptions extends UserCommand {

  @Option(
      names = "--separator",
      paramLabel = "CHARACTER",
      description =
          "ASCII character between two fields, or tab or \\t, also in the output; by default a"
              + " comma.")
  private String separator = ",";

  @Option(
      names = "--quote",
      paramLabel = "none|CHARACTER",
      description =
          "ASCII character around fields with separators or ends of lines; by default \". With"
              + " none, quotes are characters like any other, and fields are written as they were"
              + " read.")
  private String quote = "\"";

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Number of threads; by default one for each core.")
  private @Nullable Integer threads;

  @Option(names = "--quiet", description = "Show no progress.")
  private boolean quiet;

  /**
   * Returns the format of the input.
   *
   * @param columns names of the columns; empty if the first record has them
   */
  CsvFormat format(List<String> columns) {
    if (threads != null && (threads < 1 || threads > JvmLauncher.MAX_WORKERS)) {
      throw usage("--threads must be from 1 to " + JvmLauncher.MAX_WORKERS + ", not " + threads);
    }
    String field = separator.equals("tab") || separator.equals("\\t") ? "\t" : separator;
    boolean none = quote.equals("none");
    if (field.length() != 1 || (quote.length() != 1 && !none)) {
      throw usage("--separator and --quote must be one character each");
    }
    try {
      return new CsvFormat(
          field.charAt(0),
          none ? CsvFormat.NO_QUOTE : quote.charAt(0),
          columns.isEmpty() ? null : columns);
    } catch (IllegalArgumentException e) {
      String names = columns.isEmpty() ? "" : ", --columns";
      throw usage("--separator, --quote%s: %s".formatted(names, e.getMessage()));
    }
  }

  /**
   * Returns the text of some arguments.
   *
   * @throws ParameterException if it is to be replaced by the output
   */
  TextSource source(List<String> arguments, OutputFile output) {
    if (arguments.equals(List.of(STANDARD_INPUT))) {
      return TextSource.ofStream("standard input", System.in);
    }
    if (arguments.contains(STANDARD_INPUT)) {
      throw usage("- must be the only input");
    }
    List<Path> files = TextFiles.resolve(arguments);
    files.forEach(file -> requireNotRead("--out", output, file));
    return TextSource.ofFiles(files);
  }

  /** Returns whether the text of some arguments can be read twice. */
  static boolean areFiles(List<String> arguments) {
    return !arguments.contains(STANDARD_INPUT)
        && TextFiles.resolve(arguments).stream().allMatch(Files::isRegularFile);
  }

  /** Returns the number of threads that was asked for; null if none was. */
  @Nullable Integer threads() {
    return threads;
  }

  boolean isQuiet() {
    return quiet;
  }

  /** Scans a text, and shows progress on a terminal. */
  void scan(
      String label,
      TextSource source,
      CsvFormat format,
      Function<List<String>, List<CsvColumn>> choose,
      Supplier<? extends CsvScanner.Sink> sinks) {
    try (ProgressBar bar = bar(label, quiet)) {
      long _ = scanner(source, format, bar).scan(choose, sinks);
    }
  }

  CsvScanner scanner(TextSource source, CsvFormat format, ByteProgress progress) {
    CsvScanner scanner = CsvScanner.of(source, format).progress(progress);
    return threads == null ? scanner : scanner.threads(threads);
  }
}
