package dev.gyre.bench.device;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.bench.device.ResidentMaps.Timing;
import dev.gyre.datasets.Keys;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.Longs;
import java.util.ArrayList;
import java.util.List;

/**
 * Times inserts of longs that are on the device into an empty map of line slots, one by one and as
 * the map does it: {@code ResidentLongs TARGET N LOAD RUNS}. A line for what the caller waited for,
 * and one for the kernels of the call alone, of calls of their own. All keys are found again.
 */
public final class ResidentLongs {

  private static final String FROM = "gyre.regions.from";
  private static final String NEVER = "1024t";

  private ResidentLongs() {}

  /** Prints two lines for each way. */
  public static void main(String[] args) {
    int n = Integer.parseInt(args[1]);
    int runs = Integer.parseInt(args[3]);
    try (Timing launcher = new Timing(Launchers.open(Target.ofLabel(args[0])));
        Memory keys = Memory.ofLongs(n);
        LongLongMap map =
            LongLongMap.builder()
                .launcher(launcher)
                .layout(Layout.LINE)
                .capacity(n)
                .loadFactor(Double.parseDouble(args[2]))
                .build()) {
      KernelTimes.printHeader(System.out);
      Keys unique = Keys.unique(42);
      for (int i = 0; i < n; i++) {
        DeviceLongs.of(keys).set(i, unique.longAt(i));
      }
      Longs all = Longs.onDevice(keys, n);
      for (String way : List.of("one-by-one", "usual")) {
        if (way.equals("one-by-one")) {
          String _ = System.setProperty(FROM, NEVER);
        } else {
          String _ = System.clearProperty(FROM);
        }
        List<Long> walls = new ArrayList<>();
        List<Long> kernels = new ArrayList<>();
        for (int run = 0; run < 2 * (runs + 1); run++) {
          launcher.notes = run % 2 == 1;
          map.clear();
          long _ = launcher.taken();
          long start = System.nanoTime();
          long count = map.insert(all, all, BulkOptions.NONE).inserted();
          long wall = System.nanoTime() - start;
          long nanos = launcher.taken();
          if (count != n) {
            throw new IllegalStateException("%d keys, not %d".formatted(count, n));
          }
          // The first ones compile.
          if (run > 1) {
            (launcher.notes ? kernels : walls).add(launcher.notes ? nanos : wall);
          }
        }
        launcher.notes = false;
        long found = map.contains(all, BulkOptions.NONE).found();
        if (found != n) {
          throw new IllegalStateException("%d found, not %d".formatted(found, n));
        }
        print(launcher, n, args[2], way + "-call", walls);
        print(launcher, n, args[2], way + "-kernels", kernels);
      }
    }
  }

  private static void print(Timing launcher, int n, String load, String way, List<Long> nanos) {
    new KernelTimes("map-insert-long", "gyre-line-" + way, "load=" + load, nanos)
        .print(
            System.out,
            launcher.device().target().label(),
            launcher.device().name(),
            n,
            16L * n,
            0,
            "op/s");
  }
}
