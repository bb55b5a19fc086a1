package dev.gyre.structures.fuzz;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.OpenItems;
import dev.gyre.structures.Checks;
import dev.gyre.structures.launch.IntMapRef;
import dev.gyre.structures.launch.Launches;
import dev.gyre.structures.launch.LongMapRef;
import dev.gyre.structures.launch.LongSetRef;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.map.MapBuilder;
import dev.gyre.structures.map.Sources;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Kernels that work on two or three structures at once. */
record LaunchesFuzz() implements FuzzTarget {

  /** Notes keys in a set and adds their values up in a map. */
  record Both(
      LongSetRef set,
      LongMapRef sums,
      OpenItems openKeys,
      OpenItems openSums,
      DeviceLongs keys,
      DeviceLongs values,
      int items)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < items; i += shape.threads()) {
        if (openKeys.isOpen(i)) {
          openKeys.note(i, set.add(keys.get(i)));
        }
        if (openSums.isOpen(i)) {
          openSums.note(i, sums.merge(keys.get(i), values.get(i), MapCodes.ADD));
        }
      }
    }
  }

  /** Counts the last bits of keys as well. */
  record All(Both both, IntMapRef counts, OpenItems openCounts) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      both.run(thread, shape);
      for (int i = thread; i < both.items; i += shape.threads()) {
        if (openCounts.isOpen(i)) {
          openCounts.note(i, counts.merge((int) both.keys.get(i) & MASK, 1, MapCodes.ADD));
        }
      }
    }
  }

  private static final int MASK = 0x3ff;

  @Override
  public String name() {
    return "Launches";
  }

  @Override
  public List<String> operations() {
    return FuzzTarget.words("two three two three copyTo clear");
  }

  @Override
  public Run start(long seed, FuzzSetting setting) {
    return new LaunchesRun(seed, setting);
  }

  private static final class LaunchesRun implements Run {

    private final FuzzMoves moves;
    private LongSet set;
    private LongLongMap sums;
    private IntIntMap counts;
    private final Map<Long, Long> model = new HashMap<>();
    private final Map<Integer, Integer> counted = new HashMap<>();
    private Launcher here;
    private @Nullable Launcher device;

    LaunchesRun(long seed, FuzzSetting setting) {
      this.moves = new FuzzMoves(setting);
      FuzzMoves.Place place = moves.alone(seed);
      this.here = place.launcher();
      this.device = place.device();
      this.set = on(LongSet.builder(), seed);
      this.sums = on(LongLongMap.builder(), seed);
      this.counts = on(IntIntMap.builder(), seed);
    }

    private <M> M on(MapBuilder<M> builder, long seed) {
      return builder.launcher(here).capacity(1 + (seed & 0xff)).build();
    }

    @Override
    public void step(FuzzStep step) {
      switch (step.operation()) {
        case "two" -> launch(step.keys(), step.values(), false);
        case "three" -> launch(step.keys(), step.values(), true);
        case "copyTo" -> {
          FuzzMoves.Place place = moves.alone(step.first());
          here = place.launcher();
          device = place.device();
          LongSet setBefore = set;
          LongLongMap sumsBefore = sums;
          IntIntMap countsBefore = counts;
          set = set.copyTo(here);
          sums = sums.copyTo(here);
          counts = counts.copyTo(here);
          setBefore.close();
          sumsBefore.close();
          countsBefore.close();
        }
        default -> {
          set.clear();
          sums.clear();
          counts.clear();
          model.clear();
          counted.clear();
        }
      }
    }

    private void launch(long[] keys, long[] values, boolean three) {
      if (keys.length == 0) {
        return;
      }
      try (Sources sources = new Sources(device, Sources.Way.ARRAYS)) {
        OpenItems openKeys = sources.open(keys.length);
        OpenItems openSums = sources.open(keys.length);
        DeviceLongs k = sources.kernelLongs(keys);
        DeviceLongs v = sources.kernelLongs(values);
        LaunchShape shape = sources.shape(keys.length);
        if (three) {
          OpenItems openCounts = sources.open(keys.length);
          Launches.with(set, sums, counts)
              .launchUntilDone(
                  (a, b, c) ->
                      new All(new Both(a, b, openKeys, openSums, k, v, keys.length), c, openCounts),
                  shape);
        } else {
          Launches.with(set, sums)
              .launchUntilDone(
                  (a, b) -> new Both(a, b, openKeys, openSums, k, v, keys.length), shape);
        }
      }
      for (int i = 0; i < keys.length; i++) {
        model.merge(keys[i], values[i], Long::sum);
        if (three) {
          counted.merge((int) keys[i] & MASK, 1, Integer::sum);
        }
      }
    }

    @Override
    public void compare() {
      Map<Long, Long> there = new HashMap<>();
      sums.forEach((key, value) -> there.merge(key, value, (_, _) -> FuzzTarget.TWICE));
      FuzzTarget.sameEntries("sums", model, there);
      Checks.same("keys", (long) model.size(), set.size());
      set.forEach(key -> Checks.same("key " + key, true, model.containsKey(key)));
      Map<Integer, Integer> small = new HashMap<>();
      counts.forEach((key, value) -> small.merge(key, value, (_, _) -> -1));
      FuzzTarget.sameEntries("counts", counted, small);
    }

    @Override
    public void close() {
      set.close();
      sums.close();
      counts.close();
      moves.close();
    }
  }
}
