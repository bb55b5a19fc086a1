package dev.gyre.structures.fuzz;

import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.Stage;
import dev.gyre.structures.Checks;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.MapAdapter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;

/** Operations on single keys, and those of several threads at once, on a map and on its model. */
record MapSingles(MapFuzz kind, MapBulk bulk, FuzzSetting setting) {

  private static final int MOST = 50;
  private static final int PARTS = 6;

  private Map<Long, Long> model() {
    return bulk.model();
  }

  void single(MapAdapter map, long[] keys, long[] given) {
    for (int i = 0; i < Math.min(keys.length, MOST); i++) {
      long key = keys[i];
      long value = kind.value(given[i]);
      Long before = model().get(key);
      OptionalLong was = before == null ? OptionalLong.empty() : OptionalLong.of(before);
      Checks.same("get", was, map.get(key));
      Checks.same("containsKey", before != null, map.containsKey(key));
      Checks.same("getOrDefault", model().getOrDefault(key, value), map.getOrDefault(key, value));
      try {
        change(map, key, value, given[i], was);
      } catch (UnsupportedOperationException _) {
        // On a device it cannot be said what was there before; nothing was done.
      }
    }
  }

  private void change(MapAdapter map, long key, long value, long bits, OptionalLong was) {
    switch ((int) (bits & 7)) {
      case 0 -> {
        Checks.same("put", was, map.put(key, value));
        model().put(key, value);
      }
      case 1 -> {
        Checks.same("putIfAbsent", was, map.putIfAbsent(key, value));
        model().putIfAbsent(key, value);
      }
      case 2 -> {
        Checks.same("replace", was, map.replace(key, value));
        model().replace(key, value);
      }
      case 3 -> {
        boolean is = map.replace(key, was.orElse(0), value);
        Checks.same("replace by another", is, model().replace(key, was.orElse(0), value));
      }
      case 4 -> {
        long after = map.merge(key, value, new MapAdapter.LargerUnsigned());
        model().merge(key, value, new MapAdapter.LargerUnsigned()::apply);
        Checks.same("merge by a fold", model().get(key), after);
      }
      default -> {
        Apply change =
            MapBulk.CHANGES[(int) Long.remainderUnsigned(bits >>> 3, MapBulk.CHANGES.length)];
        long after = map.merge(key, value, change);
        model().merge(key, value, (a, b) -> bulk.changed(a, b, change));
        Checks.same("merge " + change, model().get(key), after);
      }
    }
  }

  /** Removes some keys one by one, and inserts every other of them again. */
  void remove(MapAdapter map, long[] keys, long[] given) {
    for (int i = 0; i < Math.min(keys.length, MOST); i++) {
      long key = keys[i];
      Long before = model().get(key);
      OptionalLong was = before == null ? OptionalLong.empty() : OptionalLong.of(before);
      if ((given[i] & 1) == 0 && setting.launcher() == null) {
        long value = (given[i] & 2) == 0 ? was.orElse(1) : kind.value(given[i]);
        Checks.same("remove a value", model().remove(key, value), map.remove(key, value));
      } else {
        Checks.same("remove", was, map.remove(key));
        model().remove(key);
      }
      if ((given[i] & 4) == 0) {
        long value = kind.value(given[i]);
        Checks.same(
            "putIfAbsent after a removal",
            model().containsKey(key),
            map.putIfAbsent(key, value).isPresent());
        model().putIfAbsent(key, value);
      }
    }
  }

  /** Threads that add to single keys at once, while the map grows. */
  void beside(MapAdapter map, long[] keys, long[] given) {
    long[] values = bulk.like(given);
    // On a device, each is a launch.
    int most = setting.launcher() == null ? keys.length : Math.min(MOST, keys.length);
    FuzzThreads.run(
        setting.threads(),
        thread -> {
          for (int i = thread; i < most; i += setting.threads()) {
            var _ = map.merge(keys[i], values[i], Apply.ADD);
          }
        });
    bulk.added(Arrays.copyOf(keys, most), Arrays.copyOf(values, most));
  }

  private static long[] part(long[] all, int part, int parts) {
    int from = (int) ((long) all.length * part / parts);
    return Arrays.copyOfRange(all, from, (int) ((long) all.length * (part + 1) / parts));
  }

  /** Threads that call bulk operations at once: all add, and look up what nobody takes away. */
  void crowd(MapAdapter map, long[] keys, long[] given) {
    long[] values = bulk.like(given);
    long[] there = model().keySet().stream().limit(MOST).mapToLong(Long::longValue).toArray();
    bulk.ways().arrays();
    FuzzThreads.run(
        setting.threads(),
        thread -> {
          var _ =
              map.insertOrApply(
                  part(keys, thread, setting.threads()),
                  part(values, thread, setting.threads()),
                  Apply.ADD,
                  BulkOptions.NONE);
          Checks.same(
              "found beside", (long) there.length, map.find(there, null, BulkOptions.NONE).found());
        });
    bulk.added(keys, values);
  }

  /** Stages, of which some are cancelled; what those were to insert is inserted again. */
  void async(MapAdapter map, long[] keys, long[] given) {
    long[] values = bulk.likeKeys(keys, given);
    bulk.ways().arrays();
    List<Stage<?>> stages = new ArrayList<>();
    for (int i = 0; i < PARTS; i++) {
      long[] k = part(keys, i, PARTS);
      long[] v = part(values, i, PARTS);
      stages.add(map.async(() -> map.insertOrAssign(k, v, BulkOptions.NONE)));
    }
    long bits = given.length == 0 ? 0 : given[0];
    IntStream.range(0, PARTS)
        .filter(i -> (bits >> i & 1) != 0 && (bits >> 6 & 1) != 0)
        .forEach(
            i -> {
              boolean _ = stages.get(i).cancel();
            });
    for (Stage<?> stage : stages) {
      try {
        var _ = stage.join();
      } catch (CancellationException | LaunchCancelledException e) {
        Checks.same("nobody cancelled: " + e, true, (bits >> 6 & 1) != 0);
      }
    }
    var _ = bulk.put(keys, values, true, _ -> true);
    var _ = map.insertOrAssign(keys, values, BulkOptions.NONE);
  }
}
