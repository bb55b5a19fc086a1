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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

  /** Without the layouts that are not our defaults. */
  private static final List<MapRival> QUICK_RIVALS =
      List.of(
          MapRival.GYRE_REFERENCE,
          MapRival.GYRE_PACKED,
          MapRival.CONCURRENT_HASH_MAP,
          MapRival.JCTOOLS,
          MapRival.FASTUTIL,
          MapRival.HPPC);

  private static final List<WordRival> QUICK_WORDS =
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
    for (int n : axes.sizes()) {
      for (String operation : List.of("insert", "find")) {
        maps(KeyType.LONG, operation, n, Map.of(), _ -> true);
      }
    }
    words();
    for (int n : axes.singles()) {
      for (String operation : axes.quick() ? List.of("get") : List.of("put", "get", "mixed")) {
        maps(KeyType.LONG, operation, n, Map.of(), MapRival::isConcurrent);
      }
    }
    for (int n : axes.intSizes()) {
      for (String operation : List.of("insert", "find")) {
        maps(KeyType.INT, operation, n, Map.of(), _ -> true);
      }
    }
    for (String operation : axes.quick() ? List.<String>of() : List.of("grow", "each")) {
      maps(KeyType.LONG, operation, axes.base(), Map.of(), _ -> true);
    }
    for (int hits : axes.hits()) {
      maps(KeyType.LONG, "find", axes.base(), Map.of("hits", "" + hits), _ -> true);
    }
    for (String keys : axes.quick() ? List.<String>of() : List.of("UNIFORM", "ZIPF")) {
      maps(KeyType.LONG, "insert", axes.base(), Map.of("keys", keys), _ -> true);
      maps(KeyType.LONG, "add", axes.base(), Map.of("keys", keys), _ -> true);
    }
    for (double load : axes.loads()) {
      // The others have a load factor of their own, at which they are in the base.
      for (String operation : List.of("insert", "find")) {
        maps(
            KeyType.LONG,
            operation,
            axes.base(),
            Map.of("load", "" + load),
            MapRival::takesLoadFactor);
      }
    }
    memory();
    if (!axes.quick()) {
      shim();
    }
    if (!axes.pairs() && !jobs.isEmpty()) {
      control();
    }
    return jobs;
  }

  private void maps(
      KeyType type, String operation, int n, Map<String, String> more, Predicate<MapRival> which) {
    long heap = Launching.heapFor(n * BYTES_PER_KEY);
    if (!Launching.fits(heap)) {
      return;
    }
    boolean base = n == axes.base() && more.isEmpty();
    boolean single = List.of("put", "get", "mixed").contains(operation);
    List<Job.Case> cases = new ArrayList<>();
    for (int threads : threads(base, single)) {
      for (MapRival rival : MapRival.of(type)) {
        boolean wanted =
            which.test(rival)
                && (threads == 1 || rival.isConcurrent())
                && (!axes.quick() || QUICK_RIVALS.contains(rival))
                && !(axes.quick() && rival == MapRival.GYRE_REFERENCE && type == KeyType.INT);
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

  private List<Integer> threads(boolean base, boolean single) {
    if (axes.quick() && single) {
      return List.of(axes.cores());
    }
    return base ? axes.threads() : axes.fewThreads();
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
          boolean few = axes.quick() || repeat > 1;
          if ((threads == 1 || rival.isConcurrent()) && (!few || QUICK_WORDS.contains(rival))) {
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
    for (int hits : axes.quick() ? List.<Integer>of() : List.of(100, 50, 0)) {
      List<Job.Case> cases = new ArrayList<>();
      for (WordRival rival : WordRival.values()) {
        words(cases, "lookup", rival, 1, 1, Map.of("hits", "" + hits));
      }
      job("words-lookup-" + hits, "words: look up, %d %% there".formatted(hits), cases, seconds());
    }
    for (String question : axes.quick() ? List.<String>of() : List.of("prefix", "top")) {
      List<Job.Case> cases = new ArrayList<>();
      for (WordRival rival : WordRival.values()) {
        if (!question.equals("prefix") || rival.hasPrefixes()) {
          words(cases, question, rival, 1, 1, Map.of("hits", "100"));
        }
      }
      job("words-" + question, "words: " + question, cases, seconds());
    }
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
        rival.name().startsWith("GYRE"),
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
    if (axes.pairs()) {
      return;
    }
    for (Capacity capacity : axes.quick() ? List.of(Capacity.GROWN) : List.of(Capacity.values())) {
      for (KeyType type : axes.quick() ? List.of(KeyType.LONG) : List.of(KeyType.values())) {
        memory(
            Kind.MAP,
            type,
            capacity,
            MapRival.of(type).stream()
                .filter(rival -> !axes.quick() || QUICK_RIVALS.contains(rival))
                .map(MapRival::name)
                .toList());
        if (!axes.quick()) {
          memory(Kind.SET, type, capacity, MemoryBenchmark.SETS);
        }
      }
      if (!axes.quick()) {
        memory(Kind.TEXTS, KeyType.LONG, capacity, MemoryBenchmark.TEXTS);
      }
    }
    if (!axes.quick()) {
      memory(
          Kind.WORDS,
          KeyType.LONG,
          Capacity.GROWN,
          List.of(WordRival.values()).stream().map(WordRival::name).toList());
    }
  }

  private void memory(Kind kind, KeyType type, Capacity capacity, List<String> rivals) {
    List<Job.Case> cases = new ArrayList<>();
    String of = kind == Kind.MAP || kind == Kind.SET ? lower(type.name()) : lower(kind.name());
    for (String rival : rivals) {
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
    return new Row(
        "memory-" + lower(kind.name()),
        MemoryBenchmark.label(kind, rival),
        "",
        "jvm",
        Machine.processor(),
        entries,
        atRest,
        1,
        String.format(
            Locale.ROOT, "type=%s capacity=%s peak=%.1f", of, lower(capacity.name()), peak),
        0,
        0,
        0,
        1,
        0,
        0,
        -1,
        atRest / (double) entries,
        Row.MEMORY_UNIT,
        "");
  }

  /** Handles beside raw {@code VarHandle}s. */
  private void shim() {
    List<Job.Case> cases = new ArrayList<>();
    for (String operation :
        List.of("get", "loadAcquire", "storeRelease", "compareAndExchange", "fetchAdd")) {
      for (String way : List.of("Handle", "Raw")) {
        boolean ours = way.equals("Handle");
        if (ours || !axes.pairs()) {
          add(
              cases,
              HandleBenchmark.class,
              operation + way,
              Map.of(),
              List.of("--enable-native-access=ALL-UNNAMED"),
              ours,
              result ->
                  row(
                      result,
                      "shim-" + operation.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT),
                      ours ? "gyre-handle" : "VarHandle",
                      1,
                      Integer.BYTES,
                      1,
                      "",
                      "operations/s"));
        }
      }
    }
    job("shim", "shim: handles beside raw VarHandles", cases, seconds());
  }

  /** Three cases once more, at the end: they must agree with what was measured before. */
  private void control() {
    List<Job.Case> cases = new ArrayList<>();
    for (Job job : jobs) {
      if (List.of("maps-long-insert-%d-".formatted(axes.base()), "words-count-1")
          .contains(job.id())) {
        job.cases().stream()
            .filter(each -> each instanceof JmhCase jmh && isControl(jmh.params()))
            .forEach(cases::add);
      }
    }
    job("control", "three cases once more", cases, seconds() + axes.base() * KEY_SECONDS);
  }

  private static boolean isControl(Map<String, String> params) {
    boolean words = params.containsKey("repeat");
    List<String> rivals = words ? List.of("GYRE_TRIE") : List.of("HPPC", "CONCURRENT_HASH_MAP");
    return params.getOrDefault("threads", "").equals("1")
        && rivals.contains(params.getOrDefault("rival", ""));
  }

  private double seconds() {
    return FORK_SECONDS + (axes.warmUpMillis() + Axes.ITERATIONS * axes.iterationMillis()) / 1000.0;
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
            Axes.WARM_UPS, axes.warmUpMillis(), Axes.ITERATIONS, axes.iterationMillis());
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
