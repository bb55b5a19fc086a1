package dev.gyre.bench.device;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.bench.device.PhaseLauncher.Phases;
import dev.gyre.bench.map.KeyChoice;
import dev.gyre.bench.map.MapData;
import dev.gyre.bench.words.Texts;
import dev.gyre.kernels.ClearLongs;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.MemoryKind;
import dev.gyre.kernels.MemoryKindException;
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
 * and what they spend their time on.
 */
final class WholeCalls {

  private static final String LIMIT = "limit: copy over the bus";
  private static final int WARMUPS = 3;
  private static final Map<String, ToLongFunction<Phases>> TIMES = new LinkedHashMap<>();

  static {
    TIMES.put("kernel", Phases::kernel);
    TIMES.put("transfer", Phases::transfer);
    TIMES.put("compile", Phases::compile);
    TIMES.put("end-to-end", Phases::endToEnd);
  }

  /** One operation in one state: {@code first}, {@code cold} or {@code warm}. */
  private record Timed(String benchmark, String state) {}

  private final DeviceBenchmark benchmark;
  private final Map<Timed, List<Phases>> times = new LinkedHashMap<>();

  WholeCalls(DeviceBenchmark benchmark) {
    this.benchmark = benchmark;
  }

  /** Runs a job cold, with launchers of its own, and then warm; returns the device. */
  private Device coldAndWarm(BiConsumer<PhaseLauncher, String> job) {
    int cold = benchmark.number("cold", 11);
    for (int i = 0; i <= cold; i++) {
      try (PhaseLauncher launcher = new PhaseLauncher(benchmark.open(), false)) {
        job.accept(launcher, i == 0 ? "first" : "cold");
      }
    }
    try (PhaseLauncher launcher = new PhaseLauncher(benchmark.open(), false)) {
      for (int i = -WARMUPS; i < benchmark.runs(); i++) {
        job.accept(launcher, i < 0 ? "" : "warm");
      }
      return launcher.launcher().device();
    }
  }

  private void record(String what, String state, Phases phases) {
    if (!state.isEmpty()) {
      times.computeIfAbsent(new Timed(what, state), _ -> new ArrayList<>()).add(phases);
    }
  }

  void maps() {
    int n = benchmark.number("n", 1 << 16);
    Layout layout = benchmark.layout(Layout.PACKED);
    MapData<int[]> data = MapData.ofInts(KeyChoice.UNIQUE, n, 100);
    Device device =
        coldAndWarm(
            (launcher, state) -> {
              try (IntIntMap map =
                  IntIntMap.builder()
                      .layout(layout)
                      .launcher(launcher.launcher())
                      .capacity(n)
                      .seed(1)
                      .build()) {
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
                    launcher.measure(
                        () -> result[0] = map.find(data.queries(), data.found()).found()));
                data.checkFound(result[0]);
              }
            });
    String params = "type=int keys=unique load=0.5";
    DeviceBenchmark.Work work = new DeviceBenchmark.Work(n, 8L * n, 0, "keys/s");
    print(device, "gyre-" + layout.name().toLowerCase(Locale.ROOT), params, work);
    printLimit("map-insert", params, work, 8L * n);
    // Keys go one way, and values the other.
    printLimit("map-find", params + " hits=100", work, 4L * n);
  }

  void words() throws IOException {
    byte[] once = Files.readAllBytes(Path.of(benchmark.text("text", "")));
    int repeat = benchmark.number("repeat", 1);
    try (Memory text = Texts.repeated(once, repeat);
        WordTrie expected = WordTrie.create().add(text, text.byteSize())) {
      Device device =
          coldAndWarm(
              (launcher, state) ->
                  record(
                      "word-count",
                      state,
                      launcher.measure(() -> count(launcher, text, expected))));
      String params = "text=%s repeat=%d".formatted(benchmark.text("name", "text"), repeat);
      DeviceBenchmark.Work work =
          new DeviceBenchmark.Work(expected.total(), text.byteSize(), 0, "bytes/s");
      print(device, "gyre-trie", params, work);
      printLimit("word-count", params, work, text.byteSize());
    }
  }

  private static void count(PhaseLauncher launcher, Memory text, WordTrie expected) {
    launcher.launcher().hostWrote(text);
    try (WordTrie trie = WordTrie.builder().launcher(launcher.launcher()).build()) {
      long words = trie.add(text, text.byteSize()).total();
      if (words != expected.total() || trie.size() != expected.size()) {
        throw new IllegalStateException(
            "%d words, %d distinct, not %d and %d"
                .formatted(words, trie.size(), expected.total(), expected.size()));
      }
    }
  }

  private void print(
      Device device, String implementation, String params, DeviceBenchmark.Work work) {
    times.forEach(
        (timed, phases) ->
            TIMES.forEach(
                (time, part) ->
                    DeviceBenchmark.print(
                        device,
                        timed.benchmark(),
                        implementation,
                        "%s%s state=%s time=%s"
                            .formatted(
                                params,
                                timed.benchmark().equals("map-find") ? " hits=100" : "",
                                timed.state(),
                                time),
                        work,
                        phases.stream().map(part::applyAsLong).toList())));
  }

  /**
   * Prints what it takes to bring as many bytes from pinned memory to the device, with nothing
   * around it: no call that has to do so is faster. Devices without pinned memory have no such row.
   */
  private void printLimit(String what, String params, DeviceBenchmark.Work work, long bytes) {
    try (Launcher launcher = benchmark.open();
        Memory from = launcher.memory(MemoryKind.PINNED, bytes);
        Memory to = Memory.ofBytes(bytes)) {
      launcher.clear(to);
      // The next launch that uses a memory waits until it is there.
      ClearLongs waiting = new ClearLongs(ThreadLongs.of(to), 1);
      List<Long> nanos =
          benchmark.repeated(
              () -> {
                long start = System.nanoTime();
                launcher.copyIn(to, from.first(bytes));
                launcher.run(waiting, launcher.shapeForEach(1));
                return System.nanoTime() - start;
              });
      DeviceBenchmark.print(
          launcher.device(), what, LIMIT, params + " state=warm time=end-to-end", work, nanos);
    } catch (MemoryKindException _) {
      // The device has no pinned memory.
    }
  }
}
