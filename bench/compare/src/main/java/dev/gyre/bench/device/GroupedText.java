package dev.gyre.bench.device;

import dev.gyre.atomics.Memory;
import dev.gyre.bench.device.DeviceBenchmark.Work;
import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.CsvColumn;
import dev.gyre.datasets.CsvFormat;
import dev.gyre.datasets.CsvScanner;
import dev.gyre.datasets.TextSource;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.MemoryKind;
import dev.gyre.kernels.Target;
import dev.gyre.structures.group.Batch;
import dev.gyre.structures.group.GroupBy;
import dev.gyre.structures.group.GroupText;
import dev.gyre.structures.group.Groups;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongBiFunction;
import java.util.stream.IntStream;

/**
 * Times of grouping a file of the one-billion-row challenge, from a text to the result: from pinned
 * memory, and from a mapped file, which is copied to pinned buffers. Each run makes all buffers
 * anew. All results are compared with the first one.
 */
final class GroupedText {

  private static final String KEY = "station";
  private static final String VALUE = "temperature";

  private static final CsvFormat FORMAT =
      new CsvFormat(';', CsvFormat.NO_QUOTE, List.of(KEY, VALUE));

  private static final List<CsvColumn> COLUMNS =
      List.of(CsvColumn.text(KEY), CsvColumn.decimal(VALUE, 1));

  private final DeviceBenchmark benchmark;
  private final Path file;
  private final List<String> first = new ArrayList<>();

  GroupedText(DeviceBenchmark benchmark) {
    this.benchmark = benchmark;
    this.file = Path.of(benchmark.text("text", "measurements.txt"));
  }

  void measure() throws IOException {
    try (Launcher launcher = benchmark.open();
        Arena arena = Arena.ofShared();
        FileChannel channel = FileChannel.open(file)) {
      MemorySegment text = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
      print(launcher, "file", text, (all, _) -> all.add(source(), ByteProgress.NONE));
      if (launcher.device().target() != Target.JVM) {
        try (Memory pinned = launcher.memory(MemoryKind.PINNED, text.byteSize())) {
          IntStream.range(0, 1 << 10)
              .parallel()
              .forEach(
                  i -> {
                    long from = (text.byteSize() >> 10) * i;
                    long to =
                        i + 1 == 1 << 10 ? text.byteSize() : (text.byteSize() >> 10) * (i + 1);
                    MemorySegment.copy(text, from, pinned.segment(), from, to - from);
                  });
          print(launcher, "pinned", text, (all, size) -> all.add(pinned, size));
        }
      }
    }
  }

  private TextSource source() {
    return TextSource.ofFiles(List.of(file));
  }

  private void print(
      Launcher launcher,
      String from,
      MemorySegment text,
      ToLongBiFunction<GroupText, Long> adding) {
    long[] rows = new long[1];
    List<Long> nanos =
        benchmark.repeated(
            () -> {
              long start = System.nanoTime();
              try (GroupBy groups = GroupBy.on(KEY).min(VALUE).mean(VALUE).max(VALUE);
                  GroupText all =
                      new GroupText(
                          launcher,
                          groups,
                          FORMAT,
                          COLUMNS,
                          i -> COLUMNS.get(i).name(),
                          () -> sink(groups))) {
                long _ = adding.applyAsLong(all, text.byteSize());
                rows[0] = all.rows();
                try (Groups result = groups.result()) {
                  long end = System.nanoTime();
                  check(result);
                  return end - start;
                }
              }
            });
    System.out.println("rows of the device: " + rows[0] + ", runs in ns: " + nanos);
    DeviceBenchmark.print(
        launcher.device(),
        "group",
        "gyre",
        "from=" + from + " groups=" + first.size(),
        new Work(rows[0], text.byteSize(), 1, "bytes/s"),
        nanos);
  }

  private void check(Groups result) {
    List<String> lines = new ArrayList<>();
    for (long row = 0; row < result.rows(); row++) {
      lines.add(
          "%s %s %s %s"
              .formatted(
                  result.column(KEY).text(row),
                  result.column("min(temperature)").getLong(row),
                  result.column("mean(temperature)").decimal(row, 1),
                  result.column("max(temperature)").getLong(row)));
    }
    lines.sort(null);
    if (first.isEmpty()) {
      first.addAll(lines);
    } else if (!first.equals(lines)) {
      throw new AssertionError("two results differ");
    }
  }

  private static CsvScanner.Sink sink(GroupBy groups) {
    Batch batch = new Batch(0);
    return rows -> {
      Batch _ =
          batch
              .rows(rows.count())
              .texts(KEY, rows.bytes(), rows.offsets(0), rows.lengths(0))
              .decimals(VALUE, rows.decimals(1), 1)
              .valid(KEY, rows.valid(0))
              .valid(VALUE, rows.valid(1));
      groups.add(batch);
    };
  }
}
