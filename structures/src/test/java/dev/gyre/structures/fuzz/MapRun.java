package dev.gyre.structures.fuzz;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Launcher;
import dev.gyre.structures.Checks;
import dev.gyre.structures.map.LongLongConsumer;
import dev.gyre.structures.map.MapAdapter;
import dev.gyre.structures.map.MapView;
import dev.gyre.structures.map.Sources;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** A map and its model: one operation at a time. */
final class MapRun implements FuzzTarget.Run {

  /** Of more entries, their sum is compared, and they themselves only where it differs. */
  private static final int FEW = 64;

  /** Keys of one step that go through a view. */
  private static final int MOST = 50;

  private final MapFuzz kind;
  private final long seed;
  private final FuzzSetting setting;
  private final Map<Long, Long> model = new HashMap<>();
  private final FuzzWays ways = new FuzzWays();
  private final MapBulk bulk;
  private final MapSingles singles;
  private final MapTrouble trouble;
  private final FuzzMoves moves;
  private MapAdapter map;

  MapRun(MapFuzz kind, long seed, FuzzSetting setting) {
    this.kind = kind;
    this.seed = seed;
    this.setting = setting;
    this.bulk = new MapBulk(kind, model, ways);
    this.singles = new MapSingles(kind, bulk, setting);
    this.moves = new FuzzMoves(setting);
    this.trouble = new MapTrouble(kind, bulk, seed, setting, moves);
    this.map = create();
  }

  private MapAdapter create() {
    ways.begin((int) seed, setting.launcher());
    return kind.create(seed, setting, null).with(ways);
  }

  @Override
  public void close() {
    map.close();
    moves.close();
  }

  @Override
  public void step(FuzzStep step) throws IOException {
    long[] keys = step.keys().clone();
    for (int i = 0; i < keys.length; i++) {
      keys[i] = kind.key(keys[i]);
    }
    long[] values = step.values();
    long than = values.length == 0 ? 0 : kind.value(values[0]);
    switch (step.operation()) {
      case "insert" -> bulk.insert(map, keys, values, false);
      case "insertOrAssign" -> bulk.insert(map, keys, values, true);
      case "insertAndFind" -> bulk.insertAndFind(map, keys, values);
      case "insertLarger" -> bulk.insertLarger(map, keys, values);
      case "insertOrApply" -> bulk.apply(map, keys, values);
      case "fold" -> bulk.fold(map, keys, values);
      case "find" -> bulk.find(map, keys, values);
      case "contains" -> bulk.contains(map, keys, values);
      case "findLarger" -> bulk.findLarger(map, keys, than);
      case "removeAll" -> removing(() -> bulk.removeAll(map, keys, values));
      case "removeLarger" -> removing(() -> bulk.removeLarger(map, than));
      case "launchRemoval" -> removing(() -> launchRemoval(keys));
      case "single" -> singles.single(map, keys, values);
      case "removal" -> removing(() -> singles.remove(map, keys, values));
      case "beside" -> singles.beside(map, keys, values);
      case "crowd" -> singles.crowd(map, keys, values);
      case "async" -> singles.async(map, keys, values);
      case "view" -> view(keys, values);
      case "larger" -> larger(than);
      case "visit" -> visit();
      case "launch" -> launch(keys, values);
      case "clear" -> {
        map.clear();
        model.clear();
      }
      case "rehash" -> FuzzTarget.rehash(1 + (step.first() & 0x3ff), model.size(), map::rehash);
      case "copyTo" -> copy(step.first());
      case "saveAndLoad" -> saveAndLoad(step.first(), false);
      case "damaged" -> saveAndLoad(step.first(), true);
      case "interrupted" -> trouble.interrupted(map, keys, values);
      case "scarce" -> trouble.scarce(map, keys, values);
      case "full" -> trouble.full(keys, values);
      default -> {
        trouble.closed(map, keys, values);
        model.clear();
        map = create();
      }
    }
    Checks.same("size after " + step.operation(), (long) model.size(), map.size());
    FuzzTarget.room(map);
  }

  /** Removes keys, or fails if the map was built without removal. */
  private void removing(Runnable removal) {
    if (MapFuzz.isRemovable(seed)) {
      removal.run();
      return;
    }
    try {
      OptionalLong _ = map.remove(1);
    } catch (UnsupportedOperationException e) {
      return;
    }
    throw new AssertionError("a key could be removed");
  }

  private void launchRemoval(long[] keys) {
    if (keys.length == 0) {
      return;
    }
    long[] found;
    try (Sources sources = ways.get()) {
      found = map.launchRemoval(sources, keys);
    }
    Map<Long, Long> gone = new HashMap<>();
    for (int i = 0; i < keys.length; i++) {
      gone.merge(keys[i], found[i], Long::sum);
    }
    gone.forEach(
        (key, value) -> {
          Long before = model.remove(key);
          Checks.same("removed " + key, before == null ? 0 : before + 1, value);
        });
  }

  @Override
  public void compare() {
    sameEntries("retrieveAll", this::retrieve);
    sameEntries("forEach", map::forEach);
  }

  /** Gives entries to an action. */
  private interface Walk {
    void give(LongLongConsumer action);
  }

  private void sameEntries(String what, Walk walk) {
    long[] sum = new long[2];
    walk.give(
        (key, value) -> {
          sum[0] += MapAdapter.mixed(key, value);
          sum[1]++;
        });
    if (sum[0] != sum(model) || sum[1] != model.size() || model.size() < FEW) {
      Map<Long, Long> entries = new HashMap<>();
      walk.give((key, value) -> entries.merge(key, value, (a, b) -> FuzzTarget.TWICE));
      FuzzTarget.sameEntries(what, model, entries);
      Checks.same(what + ": entries that were given", (long) model.size(), sum[1]);
    }
  }

  private void view(long[] keys, long[] given) {
    try {
      MapView<?, ?> view = map.view();
      if (view != null) {
        sameEntries("asMap", view::forEach);
        for (int i = 0; i < Math.min(MOST, keys.length); i++) {
          view.single(keys[i], kind.value(given[i] >> 8), given[i], model);
        }
      }
    } catch (UnsupportedOperationException e) {
      boolean isHere = setting.launcher() == null;
      Checks.same("on the JVM: " + e, false, isHere);
    }
  }

  private static long sum(Map<Long, Long> entries) {
    long sum = 0;
    for (Map.Entry<Long, Long> entry : entries.entrySet()) {
      sum += MapAdapter.mixed(entry.getKey(), entry.getValue());
    }
    return sum;
  }

  private void retrieve(LongLongConsumer action) {
    long[] keys = new long[(int) map.size()];
    long[] values = new long[keys.length];
    give(keys, values, map.retrieve(keys, values), action);
  }

  private static void give(long[] keys, long[] values, long count, LongLongConsumer action) {
    for (int i = 0; i < count; i++) {
      action.accept(keys[i], values[i]);
    }
  }

  private void larger(long than) {
    Map<Long, Long> expected = new HashMap<>(model);
    expected.values().removeIf(value -> value <= than);
    long[] keys = new long[(int) map.size()];
    long[] values = new long[keys.length];
    Map<Long, Long> entries = new HashMap<>();
    give(keys, values, map.retrieveLarger(keys, values, than), entries::put);
    FuzzTarget.sameEntries("retrieveIf", expected, entries);
  }

  private void visit() {
    try (Sources sources = Sources.arrays()) {
      DeviceLongs sums = sources.kernelLongs(new long[2]);
      map.visit(sums);
      Launcher device = setting.launcher();
      if (device != null) {
        device.readBack(sums.memory());
      }
      long sum = 0;
      for (Map.Entry<Long, Long> entry : model.entrySet()) {
        sum += map.visited(entry.getKey(), entry.getValue());
      }
      Checks.same("visited", (long) model.size(), sums.get(1));
      Checks.same("sum of what was visited", sum, sums.get(0));
    }
  }

  private void launch(long[] keys, long[] given) {
    if (keys.length == 0) {
      return;
    }
    int what = (int) Long.remainderUnsigned(given[0] >>> 3, MapAdapter.InKernel.ALL);
    long[] values =
        what == MapAdapter.InKernel.INSERT ? bulk.likeKeys(keys, given) : bulk.like(given);
    long[] found;
    try (Sources sources = ways.get()) {
      found = map.launch(sources, keys, values, what);
    }
    switch (what) {
      case MapAdapter.InKernel.ADD -> bulk.added(keys, values);
      case MapAdapter.InKernel.FOLD -> bulk.folded(keys, values);
      case MapAdapter.InKernel.INSERT -> {
        var _ = bulk.put(keys, values, false, _ -> true);
      }
      default -> {
        for (int i = 0; i < keys.length; i++) {
          Long value = model.get(keys[i]);
          Checks.same("found of", keys[i], value == null ? 0 : value + 1, found[i]);
        }
      }
    }
  }

  private void copy(long choice) {
    FuzzMoves.Place place = moves.alone(choice);
    MapAdapter copy = map.type().copy(map, place.launcher()).with(ways);
    map.close();
    map = copy;
    ways.begin((int) choice, place.device());
  }

  private void saveAndLoad(long bits, boolean damaged) throws IOException {
    MapAdapter loaded;
    if ((bits & 1) == 0 || damaged) {
      Path file = setting.folder().resolve("saved");
      map.save(file);
      if (damaged) {
        FuzzFiles.damage(file, bits, kind.type()::load);
      }
      loaded = kind.type().load(file);
    } else {
      loaded = kind.type().load(map.saved());
    }
    map.close();
    map = loaded.with(ways);
    ways.begin((int) bits, null);
  }
}
