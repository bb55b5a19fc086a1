package dev.gyre.bench.measure;

import dev.gyre.bench.map.KeyChoice;
import dev.gyre.bench.map.MapData;
import dev.gyre.bench.map.MapRival.KeyType;
import dev.gyre.bench.map.MapRival.Setup;
import dev.gyre.bench.map.NumberSet;
import dev.gyre.bench.map.SetRival;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Times sets of numbers on the JVM: {@code MeasureSets type=long|int n=N
 * op=insert|grow|find|add|contains threads=1,2 hits=100 load=0.5 times=1 rivals=all|NAME,...
 * runs=11 seconds=20}. The last two operations are on single keys, by one thread; find and contains
 * go through the keys so many times in a run, of which the time of one is told.
 */
public final class MeasureSets {

  private MeasureSets() {}

  /** Prints a row per rival and number of threads. */
  public static void main(String[] args) {
    Arguments arguments = new Arguments(args);
    boolean longs = arguments.text("type", "long").equals("long");
    int n = arguments.number("n", 1 << 18);
    int hits = arguments.number("hits", 100);
    List<SetTrial<?>> trials =
        longs
            ? trials(arguments, SetRival::ofLongs, MapData.ofLongs(KeyChoice.UNIQUE, n, hits))
            : trials(arguments, SetRival::ofInts, MapData.ofInts(KeyChoice.UNIQUE, n, hits));
    Map<Trial, List<Long>> times = Rounds.of(arguments).measure(trials);
    long bytes = n * (longs ? (long) Long.BYTES : Integer.BYTES);
    times.forEach(
        (trial, nanos) ->
            System.out.println(
                Row.of(
                        trial.benchmark(),
                        trial.implementation(),
                        "jvm",
                        new Row.Work(Processor.name(), n, bytes, trial.threads(), "keys/s"),
                        trial.params(),
                        nanos.stream().map(all -> all / ((SetTrial<?>) trial).times).toList())
                    .line()));
    trials.forEach(SetTrial::close);
  }

  /** Makes a set. */
  private interface Maker<A> {
    NumberSet<A> make(SetRival rival, Setup setup);
  }

  private static <A> List<SetTrial<?>> trials(
      Arguments arguments, Maker<A> maker, MapData<A> data) {
    List<SetTrial<?>> trials = new ArrayList<>();
    double load = arguments.real("load", 0.5);
    String rivals = arguments.text("rivals", "all");
    String operation = arguments.text("op", "insert");
    boolean finds = operation.equals("find") || operation.equals("contains");
    int times = finds ? arguments.number("times", 1) : 1;
    KeyType type = KeyType.valueOf(arguments.text("type", "long").toUpperCase(Locale.ROOT));
    String params =
        "type=%s load=%s hits=%d"
            .formatted(type.name().toLowerCase(Locale.ROOT), load, arguments.number("hits", 100));
    for (int threads : arguments.numbers("threads", "1")) {
      for (SetRival rival : SetRival.values()) {
        boolean asked = rivals.equals("all") || List.of(rivals.split(",")).contains(rival.name());
        if (asked && (threads == 1 || rival == SetRival.GYRE)) {
          IntFunction<NumberSet<A>> make =
              capacity -> maker.make(rival, new Setup(capacity, load, threads));
          trials.add(new SetTrial<>(operation, rival.label(), threads, params, make, data, times));
        }
      }
    }
    return trials;
  }

  /** An operation on all keys of a set. */
  private static final class SetTrial<A> extends Trial {
    private final String operation;
    private final IntFunction<NumberSet<A>> make;
    private final MapData<A> data;
    private final boolean finds;
    private final int times;
    private NumberSet<A> set;
    private long result;

    SetTrial(
        String operation,
        String rival,
        int threads,
        String params,
        IntFunction<NumberSet<A>> make,
        MapData<A> data,
        int times) {
      super("set-" + operation, rival, threads, params);
      this.operation = operation;
      this.make = make;
      this.data = data;
      this.times = times;
      this.finds = operation.equals("find") || operation.equals("contains");
      this.set = make.apply(data.size());
      if (finds) {
        data.checkInserted(set.add(data.keys()));
      }
    }

    @Override
    void before() {
      if (operation.equals("grow")) {
        set.close();
        set = make.apply(1);
      } else if (!finds) {
        set.clear();
      }
    }

    @Override
    void run() {
      for (int i = 0; i < times; i++) {
        result =
            switch (operation) {
              case "insert", "grow" -> set.add(data.keys());
              case "add" -> set.addSingly(data.keys());
              case "find" -> set.count(data.queries());
              case "contains" -> set.countSingly(data.queries());
              default ->
                  throw new IllegalArgumentException(
                      "op must be insert, grow, find, add or contains");
            };
      }
    }

    @Override
    void after() {
      if (finds) {
        data.checkCounted(result);
      } else {
        data.checkInserted(result);
      }
    }

    void close() {
      set.close();
    }
  }
}
