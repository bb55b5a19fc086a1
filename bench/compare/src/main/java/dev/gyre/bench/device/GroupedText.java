package dev.gyre.bench.device;

import dev.gyre.atomics.Memory;
import dev.gyre.bench.cli.GroupSink;
import dev.gyre.bench.device.DeviceBenchmark.Work;
import dev.gyre.datasets.ByteProgress;
import dev.gyre.datasets.CsvColumn;
import dev.gyre.datasets.CsvFormat;
import dev.gyre.datasets.TextSource;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.MemoryKind;
import dev.gyre.kernels.Target;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongBiFunction;

/**
 * Times of grouping a file of the one-billion-row challenge, from a text to the result: from pinned
 * memory, and from a mapped file, which is copied to pinned buffers. Each run makes all buffers
 * anew. All results are compared with the first one.
 */
final class GroupedText {

  private static final CsvFormat FORMAT =
      new CsvFormat(';', CsvFormat.NO_QUOTE, List.of("station", "temperature"));

  private static final List<CsvColumn> COLUMNS =
      List.of(CsvColumn.text("station"), CsvColumn.decimal("temperature", 1));

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
          MemorySegment _ = pinned.segment().copyFrom(text);
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
              try (GroupBy groups = GroupBy.on("0").min("1").mean("1").max("1");
                  GroupText all =
                      new GroupText(
                          launcher,
                          groups,
                          FORMAT,
                          COLUMNS,
                          GroupSink::name,
                          () -> new GroupSink(groups, new AtomicLong()))) {
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
                  result.column("0").text(row),
                  result.column("min(1)").getLong(row),
                  result.column("mean(1)").decimal(row, 1),
                  result.column("max(1)").getLong(row)));
    }
    lines.sort(null);
    if (first.isEmpty()) {
      first.addAll(lines);
    } else if (!first.equals(lines)) {
      throw new AssertionError("two results differ");
    }
  }
}
