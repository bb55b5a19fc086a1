package dev.gyre.bench.compare;

import dev.gyre.bench.compare.Plan.MissingException;
import dev.gyre.bench.device.MapKernels;
import dev.gyre.bench.device.ResidentMaps;
import dev.gyre.bench.device.TrieKernels;
import dev.gyre.bench.measure.MeasureDevice;
import dev.gyre.bench.measure.Row;
import dev.gyre.kernels.Target;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What is measured on a device: kernels alone, and whole calls with their parts. */
final class DevicePlan {

  private static final double PROBE_SECONDS = 60;

  private final Axes axes;
  private final Launching launching;
  private final SourceText text;
  private final Target target;
  private final List<Job> jobs = new ArrayList<>();

  DevicePlan(Axes axes, Launching launching, SourceText text, Target target) {
    this.axes = axes;
    this.launching = launching;
    this.text = text;
    this.target = target;
  }

  List<Job> jobs() throws MissingException {
    Path arguments = Launching.arguments(target);
    if (arguments == null) {
      throw new MissingException(
          "no TornadoVM SDK: set TORNADOVM_HOME to its folder (docs/tornadovm.md)");
    }
    boolean gpu = isGpu(arguments);
    for (int n : axes.kernelSizes(gpu)) {
      add(
          arguments,
          "kernels of maps, %,d ints".formatted(n),
          "map-kernels-" + n,
          this::mapKernel,
          MapKernels.class,
          target.label(),
          "" + n,
          "" + axes.runs());
    }
    for (int n : gpu ? axes.kernelSizes(true) : List.<Integer>of()) {
      add(
          arguments,
          "maps whose keys are there, %,d ints".formatted(n),
          "resident-maps-" + n,
          this::residentMap,
          ResidentMaps.class,
          target.label(),
          "" + n,
          "" + Axes.BASE_LOAD,
          "" + axes.runs());
    }
    for (int repeat : axes.deviceRepeats(gpu)) {
      add(
          arguments,
          "kernel of the trie, text %d times".formatted(repeat),
          "trie-kernels-" + repeat,
          row -> trieKernel(row, repeat),
          TrieKernels.class,
          target.label(),
          text.file().toString(),
          "" + repeat,
          "" + axes.runs());
    }
    calls(arguments, gpu);
    return jobs;
  }

  private void calls(Path arguments, boolean gpu) {
    List<String> common =
        List.of("target=" + target.label(), "runs=" + axes.runs(), "cold=" + axes.coldRuns());
    for (int n : axes.deviceSizes(gpu)) {
      for (String layout : axes.quick() ? List.of("packed") : List.of("packed", "line")) {
        List<String> all = new ArrayList<>(common);
        all.addAll(List.of("op=map", "n=" + n, "layout=" + layout));
        add(
            arguments,
            "calls of maps, %,d ints, %s".formatted(n, layout),
            "map-calls-%d-%s".formatted(n, layout),
            row -> row,
            MeasureDevice.class,
            all.toArray(String[]::new));
      }
    }
    for (int repeat : axes.deviceRepeats(gpu)) {
      List<String> all = new ArrayList<>(common);
      all.addAll(
          List.of("op=words", "text=" + text.file(), "name=" + text.name(), "repeat=" + repeat));
      add(
          arguments,
          "word counts, text %d times".formatted(repeat),
          "word-calls-" + repeat,
          row -> row,
          MeasureDevice.class,
          all.toArray(String[]::new));
    }
  }

  private boolean isGpu(Path arguments) throws MissingException {
    List<String> lines = new ArrayList<>();
    int code =
        Child.run(
            launching.onDevice(
                target, arguments, MeasureDevice.class, "op=probe", "target=" + target.label()),
            launching.root(),
            PROBE_SECONDS,
            lines::add);
    for (String line : lines) {
      if (line.startsWith("@device ")) {
        return line.startsWith("@device gpu");
      }
      if (line.startsWith("@missing ")) {
        throw new MissingException(line.substring("@missing ".length()));
      }
    }
    throw new MissingException(
        "looking for a device ended with %d: %s"
            .formatted(code, lines.isEmpty() ? "no output" : lines.getLast()));
  }

  private void add(
      Path arguments,
      String title,
      String id,
      Job.RowReader reader,
      Class<?> main,
      String... mainArguments) {
    jobs.add(
        new Job(
            target.label() + "-" + id,
            String.format(Locale.ROOT, "%s: %s", target.label(), title),
            launching.onDevice(target, arguments, main, mainArguments),
            axes.quick() ? 10 : 25,
            300,
            reader));
  }

  /** All kernels of a call on keys that are on the device, as the map does it. */
  private @Nullable Row residentMap(Row row) {
    boolean shown =
        row.implementation().equals("gyre-packed-usual-kernels")
            && List.of("map-insert", "map-find", "map-find-absent").contains(row.benchmark());
    return shown ? mapKernel(row.named(row.benchmark(), "gyre-packed-resident", "")) : null;
  }

  private @Nullable Row mapKernel(Row row) {
    boolean find = row.benchmark().startsWith("map-find");
    String share = row.benchmark().endsWith("absent") ? " hits=0" : " hits=100";
    String hits = find ? share : "";
    return row.named(
        find ? "map-find" : row.benchmark(),
        row.implementation(),
        "type=int keys=unique load=%s%s state=warm time=kernel".formatted(Axes.BASE_LOAD, hits));
  }

  /** The whole call is measured elsewhere, with its parts. */
  private @Nullable Row trieKernel(Row row, int repeat) {
    String name =
        switch (row.benchmark()) {
          case "trie-kernel" -> "gyre-trie";
          // The same walk over the text, which counts nothing.
          case "trie-scan" -> Ranking.LIMIT + "scan";
          default -> "";
        };
    return name.isEmpty()
        ? null
        : row.named(
            "word-count",
            name,
            "text=%s repeat=%d state=warm time=kernel alphabet=%s block=%s slots=%s"
                .formatted(
                    text.name(),
                    repeat,
                    row.param("alphabet"),
                    row.param("block"),
                    row.param("slots")));
  }
}
