package dev.gyre.bench.cli;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Profile of a command: sums of the events of {@code dev.gyre.kernels.events} from its creation to
 * its end, in a table with the limits of the machine.
 */
final class Profile implements AutoCloseable {

  private static final String EVENTS = "dev.gyre.";
  private static final String COPY = "copy";
  private static final String STAGING = "staging";

  /** In the order of the table. */
  private static final List<String> KINDS =
      List.of("kernel", "compile", COPY, STAGING, "growth", "wait", "choice");

  /** What the limits are measured with: enough to hide what a copy costs before its first byte. */
  private static final long LIMIT_BYTES = 1 << 26;

  private static final int LIMIT_ROUNDS = 5;

  /** Nanoseconds of a second. */
  private static final long NANOS = 1_000_000_000;

  /** Events of a kind with the same name. */
  private static final class Sum {
    private long times;
    private long nanos;
    private long bytes;
    private long fastest;

    void add(RecordedEvent event) {
      times++;
      long device = event.hasField("deviceTime") ? event.getDuration("deviceTime").toNanos() : 0;
      nanos += device > 0 ? device : event.getDuration().toNanos();
      if (event.hasField("bytes")) {
        bytes += event.getLong("bytes");
        fastest = Math.max(fastest, event.getLong("bytesPerSecond"));
      }
    }
  }

  private record Row(String kind, String what) {}

  private static final Comparator<Row> ORDER =
      Comparator.<Row>comparingInt(row -> KINDS.indexOf(row.kind())).thenComparing(Row::what);

  private final Launcher device;
  private final PrintWriter out;
  private final Recording recording = start();
  private final long start = System.nanoTime();

  /** Begins to record what this launcher, and structures that use it, do. */
  Profile(Launcher device, PrintWriter out) {
    this.device = device;
    this.out = out;
  }

  private static Recording start() {
    Recording recording = new Recording();
    for (String kind : KINDS) {
      recording
          .enable(EVENTS + kind.substring(0, 1).toUpperCase(Locale.ROOT) + kind.substring(1))
          .withoutThreshold();
    }
    recording.start();
    return recording;
  }

  /** Prints the table. */
  @Override
  public void close() {
    double millis = (System.nanoTime() - start) / 1e6;
    Map<Row, Sum> sums = sums(recording);
    Map<String, Long> limits = limits();
    out.printf(Locale.ROOT, "profile of %,.1f ms, threads added up:%n", millis);
    print("", "", "times", "ms", "MB", "GB/s", "at most");
    sums.forEach((row, sum) -> print(row, sum, limits));
    out.flush();
  }

  private void print(Row row, Sum sum, Map<String, Long> limits) {
    boolean moves = sum.bytes > 0 && sum.nanos > 0;
    Long limit = limits.get(STAGING.equals(row.kind()) ? STAGING : row.what());
    print(
        row.kind(),
        row.what(),
        Long.toString(sum.times),
        rounded(sum.nanos / 1e6),
        moves ? rounded(sum.bytes / 1e6) : "",
        moves ? rounded((double) sum.bytes / sum.nanos) : "",
        limit == null || !moves ? "" : rounded(limit / 1e9));
  }

  private static String rounded(double number) {
    return String.format(Locale.ROOT, "%,.2f", number);
  }

  private void print(Object... cells) {
    out.printf("%-9s%-28s%8s%12s%12s%10s%10s%n", cells);
  }

  private static Map<Row, Sum> sums(Recording recording) {
    Map<Row, Sum> sums = new TreeMap<>(ORDER);
    try (recording) {
      recording.stop();
      Path file = Files.createTempFile("gyre", ".jfr");
      try {
        recording.dump(file);
        for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
          String kind = event.getEventType().getName().substring(EVENTS.length());
          Row row = new Row(kind.toLowerCase(Locale.ROOT), event.getString("what"));
          sums.computeIfAbsent(row, _ -> new Sum()).add(event);
        }
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the profile cannot be written to a temporary file", e);
    }
    return sums;
  }

  /** The fastest of some large copies: in memory, and to and from a device. */
  private Map<String, Long> limits() {
    Map<String, Long> limits = new TreeMap<>();
    try (Memory from = Memory.ofBytes(LIMIT_BYTES);
        Memory to = Memory.ofBytes(LIMIT_BYTES);
        Recording copies = start()) {
      long best = Long.MAX_VALUE;
      for (int i = 0; i < LIMIT_ROUNDS; i++) {
        long before = System.nanoTime();
        to.segment().copyFrom(from.segment());
        best = Math.min(best, System.nanoTime() - before);
        if (device.device().target() != Target.JVM) {
          device.clear(from);
          device.readBack(from);
          device.prefetch(from);
        }
      }
      limits.put(STAGING, LIMIT_BYTES * NANOS / best);
      device.hostWrote(from);
      sums(copies).forEach((row, sum) -> limits.put(row.what(), sum.fastest));
    }
    return limits;
  }
}
