package dev.gyre.bench.cli;

import dev.gyre.datasets.OutputFile;
import dev.gyre.datasets.generators.Measurements;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.stream.Gatherers;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code gyre measurements}: generates input of the one-billion-row challenge. */
@Command(
    name = "measurements",
    description =
        "Generates lines such as Nuprea;-12.3: stations and temperatures, as in the"
            + " one-billion-row challenge.",
    mixinStandardHelpOptions = true,
    footer = {"", "The same seed makes the same rows on every machine.", UserCommand.EXIT_CODES})
final class MeasurementsCommand extends UserCommand implements Callable<Integer> {

  private static final int ROWS_OF_PART = 1 << 15;

  @Option(
      names = "--rows",
      paramLabel = "N",
      description = "Number of rows; by default 1,000,000,000.")
  private long rows = 1_000_000_000;

  @Option(
      names = "--stations",
      paramLabel = "N",
      description = "Number of stations; by default 413.")
  private int stations = Measurements.STATIONS;

  @Option(
      names = "--any-names",
      description =
          "Let names be random characters of 1 to 100 bytes, in place of pronounceable words.")
  private boolean anyNames;

  @Option(names = "--seed", paramLabel = "N", description = "Seed; by default 1.")
  private long seed = 1;

  @Option(
      names = "--out",
      paramLabel = "FILE|-",
      description = "Where to write the rows; by default standard output.")
  private Path out = Outputs.STANDARD;

  @Override
  public Integer call() {
    if (rows < 0) {
      throw usage("--rows must be at least 0, not " + rows);
    }
    Measurements generated;
    try {
      generated =
          anyNames
              ? Measurements.ofAnyNames(seed, stations)
              : Measurements.ofStations(seed, stations);
    } catch (IllegalArgumentException e) {
      throw usage("--stations: " + e.getMessage());
    }
    OutputFile output = Outputs.of(out);
    Outputs.write(output, file -> write(generated, file));
    return Gyre.OK;
  }

  /** Generates parts on all cores, and writes them in order. */
  private void write(Measurements generated, FileChannel file) {
    int most = 2 * Runtime.getRuntime().availableProcessors();
    LongStream.iterate(0, first -> first < rows, first -> first + ROWS_OF_PART)
        .boxed()
        .gather(Gatherers.mapConcurrent(most, first -> part(generated, first)))
        .forEachOrdered(part -> Outputs.write(file, part));
  }

  private ByteBuffer part(Measurements generated, long first) {
    int count = (int) Math.min(ROWS_OF_PART, rows - first);
    byte[] bytes = new byte[count * Measurements.MAX_ROW_BYTES];
    return ByteBuffer.wrap(bytes, 0, generated.write(first, count, bytes, 0));
  }
}
