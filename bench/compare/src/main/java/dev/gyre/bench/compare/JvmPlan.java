package dev.gyre.bench.compare;

import static java.util.stream.Collectors.joining;

import dev.gyre.bench.map.MapRival;
import dev.gyre.bench.map.MapRival.KeyType;
import dev.gyre.bench.map.SetRival;
import dev.gyre.bench.map.TextRival;
import dev.gyre.bench.measure.MeasureMaps;
import dev.gyre.bench.measure.MeasureMemory;
import dev.gyre.bench.measure.MeasureShim;
import dev.gyre.bench.measure.MeasureWords;
import dev.gyre.bench.words.WordRival;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What is measured on the JVM: ours beside the rivals that are Java too. */
final class JvmPlan {

  /** Bytes of the heap that a key takes in the map that needs most, with its boxes and copies. */
  private static final long HEAP_PER_KEY = 400;

  /** Of a process that measures memory. */
  private static final double MEMORY_SECONDS = 2.5;

  /** Keys that pass through each map before it is timed: with fewer, small maps time HotSpot. */
  private static final int WARM_UP_KEYS = 1 << 24;

  private static final int FEWEST_WARM_UPS = 30;

  /** Single keys of a run: with fewer, what threads take to begin is timed. */
  private static final int KEYS_OF_A_RUN = 1 << 20;

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
    for (String type : List.of("long", "int")) {
      for (int n : axes.sizes()) {
        for (String operation : List.of("insert", "find")) {
          maps(type, operation, n, "");
        }
      }
    }
    for (int n : axes.singles()) {
      for (String operation : List.of("put", "get", "mixed")) {
        maps("long", operation, n, "", "times=" + Math.max(1, KEYS_OF_A_RUN / n));
      }
    }
    for (int hits : axes.hits()) {
      maps("long", "find", axes.base(), "hits=" + hits);
    }
    for (String keys : axes.quick() ? List.of("zipf") : List.of("uniform", "zipf")) {
      maps("long", "insert", axes.base(), "keys=" + keys);
      maps("long", "add", axes.base(), "keys=" + keys);
    }
    for (double load : axes.loads()) {
      // The others have a load factor of their own, at which they are in the base.
      String rivals =
          MapRival.of(KeyType.LONG).stream()
              .filter(MapRival::takesLoadFactor)
              .map(MapRival::name)
              .collect(joining(","));
      for (String operation : List.of("insert", "find")) {
        maps("long", operation, axes.base(), "load=" + load, "rivals=" + rivals);
      }
    }
    words();
    memory();
    shim();
    return jobs;
  }

  private String threads(boolean all) {
    List<Integer> threads = all ? axes.threads() : List.of(1, axes.cores());
    return threads.stream().distinct().map(String::valueOf).collect(joining(","));
  }

  private String rounds(double seconds) {
    return "runs=%d,seconds=%s".formatted(axes.runs(), seconds);
  }

  private void maps(String type, String operation, int n, String variation, String... more) {
    if (n * HEAP_PER_KEY > launching.heapMegabytes() << 20) {
      return;
    }
    List<String> arguments = new ArrayList<>();
    arguments.add("type=" + type);
    arguments.add("op=" + operation);
    arguments.add("n=" + n);
    // With one thread, too, whatever is varied: many rivals are for one only.
    arguments.add("threads=" + threads(n == axes.base() && variation.isEmpty()));
    if (!variation.isEmpty()) {
      arguments.add(variation);
    }
    arguments.addAll(Arrays.asList(more));
    arguments.add("warmups=" + Math.max(FEWEST_WARM_UPS, WARM_UP_KEYS / n));
    arguments.addAll(Arrays.asList(rounds(axes.seconds()).split(",")));
    String what = String.format(Locale.ROOT, "maps: %s %,d %ss %s", operation, n, type, variation);
    add(
        "maps-%s-%s-%d-%s".formatted(type, operation, n, variation),
        what.strip(),
        axes.quick() ? 4 : 13,
        MeasureMaps.class,
        arguments);
  }

  private void words() {
    for (int repeat : axes.repeats()) {
      boolean once = repeat == 1;
      words(
          "count",
          "repeat=" + repeat,
          "threads=" + threads(true),
          "rivals=" + (once ? "all" : "GYRE_TRIE,CONCURRENT_HASH_MAP"),
          "seconds=" + axes.seconds() * 3);
    }
    for (int hits : axes.quick() ? List.of(100) : List.of(100, 50, 0)) {
      words("lookup", "hits=" + hits, "seconds=" + axes.seconds());
    }
    words("prefix", "seconds=" + axes.seconds());
  }

  private void words(String operation, String variation, String... more) {
    List<String> arguments = new ArrayList<>(List.of("text=" + text.file(), "name=" + text.name()));
    arguments.add("op=" + operation);
    arguments.add(variation);
    arguments.add("runs=" + axes.runs());
    arguments.addAll(List.of(more));
    add(
        "words-%s-%s".formatted(operation, variation),
        "words: %s %s".formatted(operation, variation.replaceAll("seconds=.*", "")).strip(),
        axes.quick() ? 5 : 20,
        MeasureWords.class,
        arguments);
  }

  private void memory() {
    for (String room : axes.quick() ? List.of("grown") : List.of("given", "grown")) {
      for (KeyType type : KeyType.values()) {
        String numbers = type.name().toLowerCase(Locale.ROOT);
        for (MapRival rival : MapRival.of(type)) {
          memory(numbers, rival.name(), "of=map", "room=" + room, "n=" + axes.base());
        }
        for (SetRival rival : axes.quick() ? new SetRival[0] : SetRival.values()) {
          memory(numbers, rival.name(), "of=set", "room=" + room, "n=" + axes.base());
        }
      }
      for (TextRival rival : axes.quick() ? new TextRival[0] : TextRival.values()) {
        memory("text", rival.name(), "room=" + room, "n=" + axes.base());
      }
    }
    for (WordRival rival : WordRival.values()) {
      memory("words", rival.name(), "name=" + text.name(), "text=" + text.file());
    }
  }

  private void memory(String type, String rival, String... more) {
    List<String> arguments = new ArrayList<>(List.of("type=" + type, "rival=" + rival));
    arguments.addAll(List.of(more));
    String what =
        "%s %s %s"
            .formatted(type, rival, String.join(" ", List.of(more).subList(0, more.length - 1)));
    jobs.add(
        new Job(
            "memory-" + what.replace(' ', '-'),
            "memory: " + what,
            launching.withSmallHeap(MeasureMemory.class, arguments.toArray(String[]::new)),
            MEMORY_SECONDS,
            60,
            row -> row));
  }

  private void shim() {
    List<String> arguments = new ArrayList<>(List.of("runs=" + axes.runs()));
    if (axes.quick()) {
      arguments.add("millis=100");
      arguments.add("only=(loadAcquire|compareAndExchange)(Handle|Raw)");
    }
    add(
        "shim",
        "shim: handles beside raw VarHandles (JMH)",
        axes.quick() ? 8 : 65,
        MeasureShim.class,
        arguments);
  }

  private void add(String id, String title, double seconds, Class<?> main, List<String> arguments) {
    jobs.add(
        new Job(
            id,
            title,
            launching.onJvm(main, arguments.toArray(String[]::new)),
            seconds,
            60 + 10 * seconds,
            row -> row));
  }
}
