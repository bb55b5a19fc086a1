package dev.gyre.bench.compare;

import dev.gyre.bench.map.MapBenchmark;
import dev.gyre.bench.map.MapRival;
import dev.gyre.bench.map.MapRival.KeyType;
import dev.gyre.bench.memory.MemoryBenchmark;
import dev.gyre.bench.memory.MemoryBenchmark.Capacity;
import dev.gyre.bench.memory.MemoryBenchmark.Kind;
import dev.gyre.bench.shim.HandleBenchmark;
import dev.gyre.bench.words.WordBenchmark;
import dev.gyre.bench.words.WordRival;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.util.Statistics;

/** What JMH measures: ours, and the rivals that are Java. */
final class JvmPlan {

  /** Bytes of the heap that a key takes in the map that needs most, with the benchmark's arrays. */
  private static final long BYTES_PER_KEY = 400;

  /** Bytes of the heap for each byte of text, for strings and nodes that live a short time. */
  private static final long BYTES_PER_TEXT_BYTE = 16;

  /** Seconds that a fork takes in addition to its iterations, and those of a key of a map. */
  private static final double FORK_SECONDS = 0.45;

  private static final double KEY_SECONDS = 3e-7;
  private static final double TEXT_BYTE_SECONDS = 5e-8;
  private static final double MEMORY_SECONDS = 1.6;

  /** Seconds of a fork with the iterations that a benchmark has of its own. */
  private static final double PLAIN_SECONDS = 2.5;

  /** What a quick run measures: our default, and the fastest rivals as a rule. */
  private static final Set<MapRival> QUICK_RIVALS =
      Set.of(MapRival.GYRE_REFERENCE, MapRival.CONCURRENT_HASH_MAP, MapRival.HPPC);

  private static final List<WordRival> FEW_WORDS =
      List.of(WordRival.GYRE_TRIE, WordRival.CONCURRENT_HASH_MAP, WordRival.PARALLEL_STREAM);

  private final Axes axes;
  private final Launching launching;
  private final SourceText text;
  private final List<Job> jobs = new ArrayList<>();

  JvmPlan(Axes axes, Launching launching, SourceText text) {
    this.axes = axes;
    this.launching = launching;
    this.text = text;
  }

  List<Job> jobs() {
    if (axes.quick()) {
      // The most telling first: what comes last may not be begun.
      bulk(KeyType.LONG, axes.base(), Map.of(), _ -> true);
      words();
      control();
      memory(Kind.MAP, KeyType.LONG, Capacity.GROWN, QUICK_RIVALS);
      bulk(KeyType.LONG, axes.sizes().getFirst(), Map.of(), _ -> true);
      return jobs;
    }
    axes.sizes().forEach(n -> bulk(KeyType.LONG, n, Map.of(), _ -> true));
    words();
    for (int n : axes.singles()) {
      for (String operation : List.of("put", "get", "mixed")) {
        maps(KeyType.LONG, operation, n, Map.of(), MapRival::isConcurrent);
      }
    }
    axes.sizes().forEach(n -> bulk(KeyType.INT, n, Map.of(), _ -> true));
    maps(KeyType.LONG, "grow", axes.base(), Map.of(), _ -> true);
    maps(KeyType.LONG, "each", axes.base(), Map.of(), _ -> true);
    for (int hits : axes.hits()) {
      maps(KeyType.LONG, "find", axes.base(), Map.of("hits", "" + hits), _ -> true);
    }
    for (String keys : List.of("UNIFORM", "ZIPF")) {
      maps(KeyType.LONG, "insert", axes.base(), Map.of("keys", keys), _ -> true);
      maps(KeyType.LONG, "add", axes.base(), Map.of("keys", keys), _ -> true);
    }
    for (double load : axes.loads()) {
      // The others have a load factor of their own, at which they are in the base.
      bulk(KeyType.LONG, axes.base(), Map.of("load", "" + load), MapRival::takesLoadFactor);
    }
    memory();
    shim();
    control();
    return jobs;
  }

  private void bulk(KeyType type, int n, Map<String, String> more, Predicate<MapRival> which) {
    maps(type, "insert", n, more, which);
    maps(type, "find", n, more, which);
  }

  private void maps(
      KeyType type, String operation, int n, Map<String, String> more, Predicate<MapRival> which) {
    long heap = Launching.heapFor(n * BYTES_PER_KEY);
    if (!Launching.fits(heap)) {
      return;
    }
    boolean base = n == axes.base() && more.isEmpty();
    List<Job.Case> cases = new ArrayList<>();
    for (int threads : base ? axes.threads() : axes.fewThreads()) {
      for (MapRival rival : MapRival.of(type)) {
        boolean wanted =
            which.test(rival)
                && (threads == 1 || rival.isConcurrent())
                && (!axes.quick() || isQuick(rival, threads));
        if (wanted) {
          Map<String, String> params = new LinkedHashMap<>();
          params.put("rival", rival.name());
          params.put("type", type.name());
          params.put("n", "" + n);
          params.put("threads", "" + threads);
          params.putAll(more);
          add(
              cases,
              MapBenchmark.class,
              operation,
              params,
              Launching.heap(heap),
              rival.artifact().equals("gyre"),
              result -> map(result, operation));
        }
      }
    }
    String variation = more.isEmpty() ? "" : more.toString().replaceAll("[{}]", "");
    job(
        "maps-%s-%s-%d-%s".formatted(type, operation, n, variation).toLowerCase(Locale.ROOT),
        String.format(
                Locale.ROOT, "maps: %s %,d %ss %s", operation, n, lower(type.name()), variation)
            .strip(),
        cases,
        seconds() + n * KEY_SECONDS);
  }

  /** Returns whether a quick run measures a map with so many threads. */
  private static boolean isQuick(MapRival rival, int threads) {
    boolean forMany = rival == MapRival.CONCURRENT_HASH_MAP;
    return QUICK_RIVALS.contains(rival) && !(threads == 1 && forMany);
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  /** Makes the row of a benchmark of maps. */
  private static Row map(RunResult result, String operation) {
    Function<String, String> param = result.getParams()::getParam;
    MapRival rival = MapRival.valueOf(param.apply("rival"));
    boolean asks = List.of("find", "get", "mixed").contains(operation);
    int n = Integer.parseInt(param.apply("n"));
    return row(
        result,
        "map-" + operation,
        rival.label(),
        n,
        n * (param.apply("type").equals("INT") ? 8L : 16L),
        Integer.parseInt(param.apply("threads")),
        "type=%s keys=%s load=%s%s"
            .formatted(
                lower(param.apply("type")),
                lower(param.apply("keys")),
                rival.takesLoadFactor() ? param.apply("load") : "own",
                asks ? " hits=" + param.apply("hits") : ""),
        "keys/s");
  }

  private static Row row(
      RunResult result,
      String benchmark,
      String implementation,
      long n,
      long bytes,
      int threads,
      String params,
      String unit) {
    Statistics nanos = result.getPrimaryResult().getStatistics();
    double median = nanos.getPercentile(50) / 1e9;
    return new Row(
        benchmark,
        implementation,
        "",
        "jvm",
        Machine.processor(),
        n,
        bytes,
        threads,
        params,
        median,
        nanos.getMin() / 1e9,
        nanos.getMax() / 1e9,
        1,
        JmhCase.counter(result, "collections"),
        JmhCase.counter(result, "collectionMillis"),
        JmhCase.counter(result, "pageFaults"),
        (unit.startsWith("bytes") ? bytes : n) / median,
        unit,
        "");
  }

  private void words() {
    for (int repeat : axes.repeats()) {
      List<Job.Case> cases = new ArrayList<>();
      for (int threads : axes.threads()) {
        for (WordRival rival : WordRival.values()) {
          boolean few = repeat > 1 || axes.quick();
          boolean slow =
              axes.quick() && (threads == 1 ? !isOurs(rival) : rival == WordRival.PARALLEL_STREAM);
          if ((threads == 1 || rival.isConcurrent())
              && (!few || FEW_WORDS.contains(rival))
              && !slow) {
            words(cases, "count", rival, threads, repeat, Map.of());
          }
        }
      }
      job(
          "words-count-" + repeat,
          "words: count, text %d times".formatted(repeat),
          cases,
          seconds() + text.bytes() * repeat * TEXT_BYTE_SECONDS);
    }
    if (axes.quick()) {
      return;
    }
    for (int hits : List.of(100, 50, 0)) {
      questions("lookup", "words-lookup-" + hits, hits);
    }
    questions("prefix", "words-prefix", 100);
    questions("top", "words-top", 100);
  }

  private static boolean isOurs(WordRival rival) {
    return rival.name().startsWith("GYRE");
  }

  private void questions(String operation, String id, int hits) {
    List<Job.Case> cases = new ArrayList<>();
    for (WordRival rival : WordRival.values()) {
      if (!operation.equals("prefix") || rival.hasPrefixes()) {
        words(cases, operation, rival, 1, 1, Map.of("hits", "" + hits));
      }
    }
    job(id, "words: %s, %d %% there".formatted(operation, hits), cases, seconds());
  }

  private void words(
      List<Job.Case> cases,
      String operation,
      WordRival rival,
      int threads,
      int repeat,
      Map<String, String> more) {
    Map<String, String> params = new LinkedHashMap<>(more);
    params.put("rival", rival.name());
    params.put("threads", "" + threads);
    params.put("repeat", "" + repeat);
    long bytes = text.bytes() * repeat;
    List<String> jvm =
        new ArrayList<>(
            Launching.heap(2 * Launching.heapFor(Math.min(bytes, 64 << 20) * BYTES_PER_TEXT_BYTE)));
    jvm.add("-Dgyre.text=" + text.file());
    String circumstances =
        operation.equals("count")
            ? "text=%s repeat=%d".formatted(text.name(), repeat)
            : "text=%s%s"
                .formatted(
                    text.name(), operation.equals("lookup") ? " hits=" + more.get("hits") : "");
    add(
        cases,
        WordBenchmark.class,
        operation,
        params,
        jvm,
        isOurs(rival),
        result ->
            row(
                result,
                "word-" + operation,
                rival.label(),
                operation.equals("count") ? 0 : 1,
                bytes,
                threads,
                circumstances,
                operation.equals("count") ? "bytes/s" : "questions/s"));
  }

  private void memory() {
    for (Capacity capacity : Capacity.values()) {
      for (KeyType type : KeyType.values()) {
        memory(Kind.MAP, type, capacity, MapRival.of(type));
        memory(Kind.SET, type, capacity, MemoryBenchmark.SETS);
      }
      memory(Kind.TEXTS, KeyType.LONG, capacity, MemoryBenchmark.TEXTS);
    }
    memory(Kind.WORDS, KeyType.LONG, Capacity.GROWN, List.of(WordRival.values()));
  }

  private void memory(Kind kind, KeyType type, Capacity capacity, Collection<?> rivals) {
    if (axes.pairs()) {
      return;
    }
    List<Job.Case> cases = new ArrayList<>();
    String of = kind == Kind.MAP || kind == Kind.SET ? lower(type.name()) : lower(kind.name());
    for (String rival : rivals.stream().map(Object::toString).sorted().toList()) {
      Map<String, String> params = new LinkedHashMap<>();
      params.put("kind", kind.name());
      params.put("type", type.name());
      params.put("rival", rival);
      params.put("n", "" + axes.base());
      params.put("capacity", capacity.name());
      List<String> jvm = new ArrayList<>(MemoryBenchmark.JVM_ARGUMENTS);
      jvm.add("-Dgyre.text=" + text.file());
      cases.add(
          new JmhCase(
              MemoryBenchmark.class.getName() + ".fill",
              params,
              JmhCase.Times.OF_BENCHMARK,
              jvm,
              "",
              result -> memory(result, kind, of, capacity, rival)));
    }
    String what = "%s of %s, %s".formatted(lower(kind.name()), of, lower(capacity.name()));
    jobs.add(
        new Job(
            "memory-" + what.replaceAll("[ ,]+", "-"),
            "memory: " + what,
            cases,
            1,
            1,
            cases.size() * MEMORY_SECONDS));
  }

  private static Row memory(
      RunResult result, Kind kind, String of, Capacity capacity, String rival) {
    long entries = JmhCase.counter(result, "entries");
    long atRest = JmhCase.counter(result, "atRest");
    double peak = JmhCase.counter(result, "atMost") / (double) entries;
    return Row.ofMemory(
        "memory-" + lower(kind.name()),
        MemoryBenchmark.label(kind, rival),
        entries,
        atRest,
        String.format(
            Locale.ROOT, "type=%s capacity=%s peak=%.1f", of, lower(capacity.name()), peak));
  }

  /** Handles beside raw {@code VarHandle}s. */
  private void shim() {
    List<Job.Case> cases = new ArrayList<>();
    for (HandleBenchmark.Operation operation : HandleBenchmark.Operation.values()) {
      for (boolean ours : axes.pairs() ? List.of(true) : List.of(true, false)) {
        add(
            cases,
            HandleBenchmark.class,
            ours ? "handle" : "raw",
            Map.of("operation", operation.name()),
            List.of("--enable-native-access=ALL-UNNAMED"),
            ours,
            result ->
                row(
                    result,
                    "shim-" + lower(operation.name()).replace('_', '-'),
                    ours ? "gyre-handle" : "VarHandle",
                    1,
                    Integer.BYTES,
                    1,
                    "",
                    "operations/s"));
      }
    }
    job("shim", "shim: handles beside raw VarHandles", cases, seconds());
  }

  /**
   * Three rows of rivals once more, as JMH alone measures them: not in turns with others, and with
   * the benchmark's own iterations. They must agree with what was measured before.
   */
  private void control() {
    if (axes.pairs()) {
      return;
    }
    List<Job.Case> cases =
        jobs.stream()
            .filter(job -> job.id().matches("maps-long-(insert|find)-%d-".formatted(axes.base())))
            .flatMap(job -> job.cases().stream())
            .map(JmhCase.class::cast)
            .filter(each -> isControl(each.benchmark(), each.params()))
            .limit(3)
            .<Job.Case>map(JmhCase::plain)
            .toList();
    int forks = axes.quick() ? 1 : axes.leastForks();
    jobs.add(
        new Job(
            "control",
            "three rivals alone",
            cases,
            forks,
            forks,
            cases.size() * forks * (PLAIN_SECONDS + axes.base() * KEY_SECONDS)));
  }

  private boolean isControl(String benchmark, Map<String, String> params) {
    String threads = params.getOrDefault("threads", "");
    return switch (params.getOrDefault("rival", "")) {
      case "HPPC" -> threads.equals("1");
      case "CONCURRENT_HASH_MAP" ->
          benchmark.endsWith("insert") && threads.equals("" + axes.cores());
      default -> false;
    };
  }

  private double seconds() {
    return FORK_SECONDS + (Axes.WARM_UP_MILLIS + Axes.ITERATIONS * axes.iterationMillis()) / 1000.0;
  }

  /** Adds a case, or that of the old build and that of the new one. */
  private void add(
      List<Job.Case> cases,
      Class<?> benchmark,
      String method,
      Map<String, String> params,
      List<String> jvm,
      boolean ours,
      Function<RunResult, Row> reader) {
    String name = benchmark.getName() + "." + method;
    JmhCase.Times times =
        new JmhCase.Times(
            Axes.WARM_UPS, Axes.WARM_UP_MILLIS, Axes.ITERATIONS, axes.iterationMillis());
    if (!axes.pairs()) {
      cases.add(new JmhCase(name, params, times, jvm, "", reader));
    } else if (ours) {
      cases.add(
          new JmhCase(
              name, params, times, jvm, launching.old(), r -> reader.apply(r).and("build=old")));
      cases.add(new JmhCase(name, params, times, jvm, "", r -> reader.apply(r).and("build=new")));
    }
  }

  private void job(String id, String title, List<Job.Case> cases, double forkSeconds) {
    if (!cases.isEmpty()) {
      jobs.add(
          new Job(
              id,
              title,
              cases,
              axes.leastForks(),
              axes.mostForks(),
              cases.size() * axes.leastForks() * forkSeconds));
    }
  }
}
