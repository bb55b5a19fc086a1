package dev.gyre.bench.compare;

import dev.gyre.bench.map.MapBenchmark;
import dev.gyre.bench.map.Rival;
import dev.gyre.bench.map.Rival.Use;
import dev.gyre.bench.map.RivalMap.KeyType;
import dev.gyre.bench.memory.MemoryBenchmark.Capacity;
import dev.gyre.bench.memory.MemoryBenchmark.Kind;
import dev.gyre.bench.shim.HandleBenchmark;
import dev.gyre.bench.words.WordBenchmark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** What JMH measures: ours, and the rivals that are Java. */
final class JvmPlan {

  /** Bytes of the heap that a key takes in the map that needs most, with the benchmark's arrays. */
  private static final long BYTES_PER_KEY = 400;

  /** Bytes of the heap for each byte of text, for strings and nodes that live a short time. */
  private static final long BYTES_PER_TEXT_BYTE = 16;

  private static final long MAX_TEXT_BYTES = 64 << 20;

  /** Seconds of a fork in addition to its iterations, and seconds per key of a map. */
  private static final double FORK_SECONDS = 0.45;

  private static final double KEY_SECONDS = 3e-7;
  private static final double TEXT_BYTE_SECONDS = 5e-8;

  /** Seconds of a fork with the iterations that a benchmark has of its own. */
  private static final double PLAIN_SECONDS = 2.5;

  /** What a quick run measures: our default, and the fastest rivals as a rule. */
  private static final Set<Rival> QUICK_RIVALS =
      Set.of(Rival.GYRE_REFERENCE, Rival.CONCURRENT_HASH_MAP, Rival.HPPC);

  private static final List<Rival> FEW_WORDS =
      List.of(Rival.GYRE_TRIE, Rival.CONCURRENT_HASH_MAP, Rival.PARALLEL_STREAM);

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
    int base = axes.base();
    MemoryPlan memory = new MemoryPlan(base, text);
    if (axes.quick()) {
      // The most telling first: what comes last may not be begun.
      bulk(KeyType.LONG, base, Map.of());
      words();
      control();
      if (!axes.pairs()) {
        jobs.add(memory.job(Kind.MAP, KeyType.LONG, Capacity.GROWN, QUICK_RIVALS));
      }
      bulk(KeyType.LONG, axes.sizes().getFirst(), Map.of());
      return jobs;
    }
    axes.sizes().forEach(n -> bulk(KeyType.LONG, n, Map.of()));
    words();
    for (int n : axes.singles()) {
      for (String operation : List.of("put", "get", "mixed")) {
        maps(KeyType.LONG, operation, n, Map.of(), rival -> rival.is(Use.THREADS));
      }
    }
    axes.sizes().forEach(n -> bulk(KeyType.INT, n, Map.of()));
    maps("grow", Map.of());
    maps("each", Map.of());
    axes.hits().forEach(hits -> maps("find", Map.of("hits", "" + hits)));
    for (String keys : List.of("UNIFORM", "ZIPF")) {
      maps("insert", Map.of("keys", keys));
      maps("add", Map.of("keys", keys));
    }
    axes.loads().forEach(load -> bulk(KeyType.LONG, base, Map.of("load", "" + load)));
    if (!axes.pairs()) {
      jobs.addAll(memory.jobs());
    }
    shim();
    control();
    return jobs;
  }

  private void bulk(KeyType type, int n, Map<String, String> more) {
    // Maps with a load factor of their own are in the base.
    Predicate<Rival> which = rival -> !more.containsKey("load") || rival.is(Use.LOAD);
    maps(type, "insert", n, more, which);
    maps(type, "find", n, more, which);
  }

  private void maps(String operation, Map<String, String> more) {
    maps(KeyType.LONG, operation, axes.base(), more, _ -> true);
  }

  private void maps(
      KeyType type, String operation, int n, Map<String, String> more, Predicate<Rival> which) {
    long heap = Launching.heapFor(n * BYTES_PER_KEY);
    if (!Launching.fits(heap)) {
      return;
    }
    boolean base = n == axes.base() && more.isEmpty();
    List<Job.Case> cases = new ArrayList<>();
    for (int threads : base ? axes.threads() : axes.fewThreads()) {
      for (Rival rival : type.rivals()) {
        if (which.test(rival) && isMeasured(rival, threads)) {
          Map<String, String> params = new HashMap<>(more);
          params.put("rival", rival.name());
          params.put("type", type.name());
          params.put("n", "" + n);
          params.put("threads", "" + threads);
          Row row = map(rival, type, operation, n, threads, more);
          add(cases, MapBenchmark.class, operation, params, Launching.heap(heap), row);
        }
      }
    }
    String variation = more.isEmpty() ? "" : more.toString().replaceAll("[{}]", "");
    String types = lower(type);
    job(
        "maps-%s-%s-%d-%s".formatted(types, operation, n, lower(variation)),
        String.format(Locale.ROOT, "maps: %s %,d %ss %s", operation, n, types, variation).strip(),
        cases,
        seconds() + n * KEY_SECONDS);
  }

  private boolean isMeasured(Rival rival, int threads) {
    boolean forMany = rival == Rival.CONCURRENT_HASH_MAP;
    boolean quick = QUICK_RIVALS.contains(rival) && !(threads == 1 && forMany);
    return (threads == 1 || rival.is(Use.THREADS)) && (!axes.quick() || quick);
  }

  static String lower(Object name) {
    return name.toString().toLowerCase(Locale.ROOT);
  }

  /** Returns the row of a benchmark of maps, whose other parameters have their defaults. */
  private static Row map(
      Rival rival, KeyType type, String operation, int n, int threads, Map<String, String> more) {
    String keys = lower(more.getOrDefault("keys", "UNIQUE"));
    String load = rival.is(Use.LOAD) ? more.getOrDefault("load", "" + Axes.BASE_LOAD) : "own";
    boolean asks = List.of("find", "get", "mixed").contains(operation);
    String hits = asks ? " hits=" + more.getOrDefault("hits", "100") : "";
    return Row.ofJvm(
        "map-" + operation,
        rival.label(),
        n,
        n * (type == KeyType.INT ? 8L : 16L),
        threads,
        "type=%s keys=%s load=%s%s".formatted(lower(type), keys, load, hits),
        "keys/s");
  }

  private void words() {
    for (int repeat : axes.repeats()) {
      List<Job.Case> cases = new ArrayList<>();
      boolean few = repeat > 1 || axes.quick();
      for (int threads : axes.threads()) {
        for (Rival rival : few ? FEW_WORDS : Rival.of(Use.WORDS)) {
          boolean slow = threads == 1 ? rival != Rival.GYRE_TRIE : rival == Rival.PARALLEL_STREAM;
          if ((threads == 1 || rival.is(Use.THREADS)) && !(axes.quick() && slow)) {
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

  private void questions(String operation, String id, int hits) {
    List<Job.Case> cases = new ArrayList<>();
    for (Rival rival : Rival.of(Use.WORDS)) {
      if (!operation.equals("prefix") || rival.is(Use.PREFIXES)) {
        words(cases, operation, rival, 1, 1, Map.of("hits", "" + hits));
      }
    }
    job(id, "words: %s, %d %% there".formatted(operation, hits), cases, seconds());
  }

  private void words(
      List<Job.Case> cases,
      String operation,
      Rival rival,
      int threads,
      int repeat,
      Map<String, String> more) {
    Map<String, String> params = new HashMap<>(more);
    params.put("rival", rival.name());
    params.put("threads", "" + threads);
    params.put("repeat", "" + repeat);
    long bytes = text.bytes() * repeat;
    long live = Math.min(bytes, MAX_TEXT_BYTES) * BYTES_PER_TEXT_BYTE;
    List<String> jvm = new ArrayList<>(Launching.heap(2 * Launching.heapFor(live)));
    jvm.add("-Dgyre.text=" + text.file());
    boolean counts = operation.equals("count");
    String asked = operation.equals("lookup") ? " hits=" + more.get("hits") : "";
    Row row =
        Row.ofJvm(
            "word-" + operation,
            rival.label(),
            counts ? 0 : 1,
            bytes,
            threads,
            "text=" + text.name() + (counts ? " repeat=" + repeat : asked),
            counts ? "bytes/s" : "questions/s");
    add(cases, WordBenchmark.class, operation, params, jvm, row);
  }

  /** Plans the comparison of handles with raw {@code VarHandle}s. */
  private void shim() {
    List<Job.Case> cases = new ArrayList<>();
    for (HandleBenchmark.Operation operation : HandleBenchmark.Operation.values()) {
      String benchmark = "shim-" + lower(operation).replace('_', '-');
      for (String method : List.of("handle", "raw")) {
        String label = method.equals("raw") ? "VarHandle" : "gyre-handle";
        Row row = Row.ofJvm(benchmark, label, 1, Integer.BYTES, 1, "", "operations/s");
        Map<String, String> params = Map.of("operation", operation.name());
        List<String> jvm = List.of("--enable-native-access=ALL-UNNAMED");
        add(cases, HandleBenchmark.class, method, params, jvm, row);
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
            .filter(each -> isControl(each.row()))
            .limit(3)
            .<Job.Case>map(JmhCase::plain)
            .toList();
    int forks = axes.quick() ? 1 : axes.leastForks();
    double seconds = cases.size() * forks * (PLAIN_SECONDS + axes.base() * KEY_SECONDS);
    jobs.add(new Job("control", "three rivals alone", cases, forks, forks, seconds));
  }

  private boolean isControl(Row row) {
    return row.implementation().equals(Rival.HPPC.label())
        || (row.implementation().equals(Rival.CONCURRENT_HASH_MAP.label())
            && row.benchmark().equals("map-insert")
            && row.threads() == axes.cores());
  }

  private double seconds() {
    return FORK_SECONDS + JmhCase.seconds(axes.iterationMillis());
  }

  /** Adds a case, or that of the old build and that of the new one. */
  private void add(
      List<Job.Case> cases,
      Class<?> benchmark,
      String method,
      Map<String, String> params,
      List<String> jvm,
      Row row) {
    String name = benchmark.getName() + "." + method;
    if (!axes.pairs()) {
      cases.add(new JmhCase(name, params, axes.iterationMillis(), jvm, "", row));
    } else if (row.isOurs()) {
      Row old = row.and("build=old");
      cases.add(new JmhCase(name, params, axes.iterationMillis(), jvm, launching.old(), old));
      cases.add(new JmhCase(name, params, axes.iterationMillis(), jvm, "", row.and("build=new")));
    }
  }

  private void job(String id, String title, List<Job.Case> cases, double forkSeconds) {
    if (!cases.isEmpty()) {
      double seconds = cases.size() * axes.leastForks() * forkSeconds;
      jobs.add(new Job(id, title, cases, axes.leastForks(), axes.mostForks(), seconds));
    }
  }
}
