package dev.gyre.bench.measure;

import dev.gyre.atomics.Memory;
import dev.gyre.bench.map.KeyChoice;
import dev.gyre.bench.map.MapData;
import dev.gyre.bench.measure.PhaseLauncher.Phases;
import dev.gyre.bench.words.Texts;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.TargetUnavailableException;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.trie.WordTrie;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;

/**
 * Times whole calls of the structures on a device, from arrays of the host to arrays of the host,
 * and what they spend their time on: {@code MeasureDevice target=opencl|ptx|cuda op=map|words|probe
 * n=N layout=packed text=FILE name=TEXT repeat=1 runs=11 cold=11}.
 *
 * <p>A cold call has a launcher of its own: it compiles kernels, finds room on the device and sends
 * all that it needs. The first of a process also loads classes and the driver. A warm call comes
 * after others of its kind.
 */
public final class MeasureDevice {

  /** As limits are named ({@code Ranking.LIMIT}). */
  private static final String LIMIT = "limit: copy over the bus";

  private static final int WARMUPS = 3;
  private static final Map<String, ToLongFunction<Phases>> TIMES = new LinkedHashMap<>();

  static {
    TIMES.put("kernel", Phases::kernel);
    TIMES.put("transfer", Phases::transfer);
    TIMES.put("compile", Phases::compile);
    TIMES.put("end-to-end", Phases::endToEnd);
  }

  private final Target target;
  private final Arguments arguments;
  private final Map<String, List<Phases>> times = new LinkedHashMap<>();
  private Row.Work work = new Row.Work("", 0, 0, 0, "");

  private MeasureDevice(Arguments arguments) {
    this.arguments = arguments;
    this.target = Target.ofLabel(arguments.text("target", "opencl"));
  }

  /** Prints a row per operation, state and phase. */
  public static void main(String[] args) throws IOException {
    MeasureDevice measure = new MeasureDevice(new Arguments(args));
    switch (measure.arguments.text("op", "map")) {
      case "map" -> measure.maps();
      case "words" -> measure.words();
      case "probe" -> measure.probe();
      default -> throw new IllegalArgumentException("op must be map, words or probe");
    }
  }

  /** Prints {@code @device gpu|cpu NAME}, or fails with what is missing. */
  private void probe() {
    try (Launcher launcher = Launchers.open(target)) {
      boolean gpu = launcher.shapeFor(Integer.MAX_VALUE).blockSize() > 1;
      System.out.println("@device " + (gpu ? "gpu " : "cpu ") + launcher.device().name());
    } catch (TargetUnavailableException e) {
      System.out.println("@missing " + e.getMessage());
    }
  }

  private PhaseLauncher open() {
    return new PhaseLauncher(Launchers.open(target));
  }

  /** Runs a job cold, with launchers of its own, and then warm. */
  private void coldAndWarm(BiConsumer<PhaseLauncher, String> job) {
    int cold = arguments.number("cold", 11);
    int runs = arguments.number("runs", 11);
    for (int i = 0; i <= cold; i++) {
      try (PhaseLauncher launcher = open()) {
        job.accept(launcher, i == 0 ? "first" : "cold");
      }
      Rounds.progress((i + 1.0) / (cold + runs + WARMUPS));
    }
    try (PhaseLauncher launcher = open()) {
      for (int i = -WARMUPS; i < runs; i++) {
        job.accept(launcher, i < 0 ? "" : "warm");
        Rounds.progress((cold + i + WARMUPS + 1.0) / (cold + runs + WARMUPS));
      }
    }
  }

  private void record(String benchmark, String state, Phases phases) {
    if (!state.isEmpty()) {
      times.computeIfAbsent(benchmark + " " + state, _ -> new ArrayList<>()).add(phases);
    }
  }

  private void maps() {
    int n = arguments.number("n", 1 << 16);
    String name = arguments.text("layout", "packed");
    Layout layout = Layout.valueOf(name.toUpperCase(Locale.ROOT));
    MapData<int[]> data = MapData.ofInts(KeyChoice.UNIQUE, n, 100);
    coldAndWarm(
        (launcher, state) -> {
          work =
              new Row.Work(
                  launcher.device().name(), n, 8L * n, launcher.shapeFor(n).threads(), "keys/s");
          try (IntIntMap map =
              IntIntMap.builder().layout(layout).launcher(launcher).capacity(n).seed(1).build()) {
            long[] result = new long[1];
            record(
                "map-insert",
                state,
                launcher.measure(
                    () -> result[0] = map.insert(data.keys(), data.values()).inserted()));
            data.checkInserted(result[0]);
            record(
                "map-find",
                state,
                launcher.measure(() -> result[0] = map.find(data.queries(), data.found()).found()));
            data.checkFound(result[0]);
          }
        });
    print("gyre-" + name, "type=int keys=unique load=0.5");
    printLimit("map-insert", 8L * n, "type=int keys=unique load=0.5");
    // Keys go one way, and values the other.
    printLimit("map-find", 4L * n, "type=int keys=unique load=0.5 hits=100");
  }

  private void words() throws IOException {
    byte[] once = Files.readAllBytes(Path.of(arguments.text("text", "")));
    int repeat = arguments.number("repeat", 1);
    try (Memory text = Texts.repeated(once, repeat);
        WordTrie expected = WordTrie.create().add(text, text.byteSize())) {
      coldAndWarm(
          (launcher, state) -> {
            work =
                new Row.Work(
                    launcher.device().name(), expected.total(), text.byteSize(), 0, "bytes/s");
            Phases phases = launcher.measure(() -> count(launcher, text, expected));
            record("word-count", state, phases);
          });
    }
    String params = "text=%s repeat=%d".formatted(arguments.text("name", "text"), repeat);
    print("gyre-trie", params);
    printLimit("word-count", (long) once.length * repeat, params);
  }

  /** Prints what bringing as many bytes over the bus takes, where that can be measured. */
  private void printLimit(String benchmark, long bytes, String params) {
    List<Long> nanos;
    try (Launcher launcher = Launchers.open(target)) {
      nanos = new BusCopies(launcher).nanos(bytes, arguments.number("runs", 11));
    }
    if (!nanos.isEmpty()) {
      String all = params + " state=warm time=end-to-end";
      System.out.println(Row.of(benchmark, LIMIT, target.label(), work, all, nanos).line());
    }
  }

  private static void count(PhaseLauncher launcher, Memory text, WordTrie expected) {
    launcher.hostWrote(text);
    try (WordTrie trie = WordTrie.builder().launcher(launcher).build()) {
      long words = trie.add(text, text.byteSize()).total();
      if (words != expected.total() || trie.size() != expected.size()) {
        throw new IllegalStateException(
            "%d words, %d distinct, not %d and %d"
                .formatted(words, trie.size(), expected.total(), expected.size()));
      }
    }
  }

  private void print(String implementation, String params) {
    times.forEach(
        (name, phases) -> {
          String[] parts = name.split(" ", 2);
          TIMES.forEach(
              (time, part) -> {
                Row row =
                    Row.of(
                        parts[0],
                        implementation,
                        target.label(),
                        work,
                        "%s%s state=%s time=%s"
                            .formatted(
                                params,
                                parts[0].equals("map-find") ? " hits=100" : "",
                                parts[1],
                                time),
                        phases.stream().map(part::applyAsLong).toList());
                boolean whole = time.equals("kernel") || time.equals("end-to-end");
                System.out.println((whole ? row : row.withoutThroughput()).line());
              });
        });
  }
}
