package dev.gyre.bench.measure;

import dev.gyre.bench.map.KeyChoice;
import dev.gyre.bench.map.MapData;
import dev.gyre.bench.map.MapRival;
import dev.gyre.bench.map.MapRival.KeyType;
import dev.gyre.bench.map.MapRival.Setup;
import dev.gyre.bench.map.RivalMap;
import dev.gyre.bench.map.SingleKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Times maps on the JVM: {@code MeasureMaps type=long|int n=N
 * op=insert|grow|find|each|add|put|get|mixed threads=1,2 keys=unique|uniform|zipf hits=100 load=0.5
 * times=1 rivals=all|NAME,... runs=11 seconds=20}. The last three operations are on single keys, of
 * maps that several threads may use; find, get and mixed go through the keys so many times in a
 * run, of which the time of one is told.
 */
public final class MeasureMaps {

  private final KeyType type;
  private final KeyChoice choice;
  private final String operation;
  private final int n;
  private final int hits;
  private final double load;
  private final int times;
  private final Supplier<MapData<long[]>> longs;
  private final Supplier<MapData<int[]>> ints;

  private MeasureMaps(Arguments arguments) {
    type = KeyType.valueOf(upper(arguments.text("type", "long")));
    choice = KeyChoice.valueOf(upper(arguments.text("keys", "unique")));
    operation = arguments.text("op", "insert");
    n = arguments.number("n", 1 << 18);
    hits = arguments.number("hits", 100);
    load = arguments.real("load", 0.5);
    times = arguments.number("times", 1);
    longs = once(() -> MapData.ofLongs(choice, n, hits));
    ints = once(() -> MapData.ofInts(choice, n, hits));
  }

  /** All trials share their data. */
  private static <T> Supplier<T> once(Supplier<T> make) {
    AtomicReference<@Nullable T> made = new AtomicReference<>();
    return () -> {
      T value = made.get();
      if (value == null) {
        value = make.get();
        made.set(value);
      }
      return value;
    };
  }

  private static String upper(String text) {
    return text.toUpperCase(Locale.ROOT);
  }

  /** Prints a row per rival and number of threads. */
  public static void main(String[] args) {
    Arguments arguments = new Arguments(args);
    MeasureMaps measure = new MeasureMaps(arguments);
    List<MapTrial<?>> trials = new ArrayList<>();
    for (int threads : arguments.numbers("threads", "1")) {
      for (MapRival rival : rivals(measure.type, arguments.text("rivals", "all"))) {
        if (rival.isConcurrent() || (threads == 1 && !measure.single())) {
          trials.add(measure.trial(rival, threads));
        }
      }
    }
    Map<Trial, List<Long>> times = Rounds.of(arguments).measure(trials);
    long bytes = measure.n * (measure.type == KeyType.INT ? 8L : 16L);
    times.forEach(
        (trial, nanos) ->
            System.out.println(
                Row.of(
                        trial.benchmark(),
                        trial.implementation(),
                        "jvm",
                        new Row.Work(Processor.name(), measure.n, bytes, trial.threads(), "keys/s"),
                        trial.params(),
                        nanos.stream().map(all -> all / measure.repeats()).toList())
                    .line()));
    trials.forEach(MapTrial::close);
  }

  private static List<MapRival> rivals(KeyType type, String names) {
    return MapRival.of(type).stream()
        .filter(rival -> names.equals("all") || List.of(names.split(",")).contains(rival.name()))
        .toList();
  }

  private boolean single() {
    return List.of("put", "get", "mixed").contains(operation);
  }

  /** How often a run goes through the keys. */
  private int repeats() {
    return List.of("find", "get", "mixed").contains(operation) ? times : 1;
  }

  private MapTrial<?> trial(MapRival rival, int threads) {
    Setup setup = new Setup(n, load, threads);
    return type == KeyType.LONG
        ? trial(rival, threads, rival.ofLongs(setup), longs.get())
        : trial(rival, threads, rival.ofInts(setup), ints.get());
  }

  private <A> MapTrial<A> trial(MapRival rival, int threads, RivalMap<A> map, MapData<A> data) {
    String params =
        "type=%s keys=%s load=%s"
            .formatted(
                type.name().toLowerCase(Locale.ROOT),
                choice.label(),
                rival.takesLoadFactor() ? Double.toString(load) : "own");
    return switch (operation) {
      case "insert" -> new MapTrial.Insert<>(rival, threads, params, map, data);
      case "grow" -> new MapTrial.Grow<>(rival, threads, params, map, data);
      case "each" -> new MapTrial.Each<>(rival, threads, params, map, data);
      case "add" -> new MapTrial.Add<>(rival, threads, params, map, data);
      case "find" ->
          new MapTrial.Find<>(rival, threads, params + " hits=" + hits, map, data, times);
      case "put" -> new MapTrial.Put<>(rival, threads, params, (SingleKeys<A>) map, data);
      case "get" ->
          new MapTrial.Get<>(
              rival, threads, params + " hits=" + hits, (SingleKeys<A>) map, data, times);
      case "mixed" ->
          new MapTrial.Mixed<>(rival, threads, params, (SingleKeys<A>) map, data, times);
      default ->
          throw new IllegalArgumentException(
              "op must be insert, grow, find, each, add, put, get or mixed");
    };
  }
}
