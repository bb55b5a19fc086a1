package dev.gyre.bench.measure;

import dev.gyre.datasets.Keys;
import dev.gyre.kernels.map.Hash;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.IntSet;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.MapBuilder;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.map.TextSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Times maps and sets of all layouts and types, with hashes of ours and of a user's, while all of
 * them are in use in one process: {@code MeasureWarm n=4096 only=all runs=11 seconds=20}, or some
 * of them: {@code only=long-line,int-set}. Bulk inserts and finds by one worker. HotSpot has one
 * profile for each method, so that they would be slower together, had they not code of their own.
 */
public final class MeasureWarm {

  /** A hash of a user's. */
  public record Multiplied() implements Hash {
    @Override
    public long hash(long key, long seed) {
      return (key ^ seed) * 0x9e3779b97f4a7c15L;
    }
  }

  /** A map or a set, with all keys to insert and find. */
  private record Subject(String name, Runnable clear, LongSupplier insert, LongSupplier find) {}

  private static final class Call extends Trial {
    private final Subject subject;
    private final boolean inserts;
    private final int n;
    private long result;

    Call(Subject subject, boolean inserts, int n) {
      super(inserts ? "warm-insert" : "warm-find", subject.name(), 1, "");
      this.subject = subject;
      this.inserts = inserts;
      this.n = n;
    }

    @Override
    void before() {
      if (inserts) {
        subject.clear().run();
      }
    }

    @Override
    void run() {
      result = (inserts ? subject.insert() : subject.find()).getAsLong();
    }

    @Override
    void after() {
      if (result != n) {
        throw new IllegalStateException(
            "%s, %s: %d keys, not %d".formatted(benchmark(), subject.name(), result, n));
      }
    }
  }

  private final int n;
  private final long[] longs;
  private final long[] foundLongs;
  private final int[] ints;
  private final int[] foundInts;
  private final TextKeys texts;

  private MeasureWarm(int n) {
    Keys sequence = Keys.unique(1);
    this.n = n;
    this.longs = LongStream.range(0, n).map(sequence::longAt).toArray();
    this.foundLongs = new long[n];
    this.ints = IntStream.range(0, n).map(sequence::intAt).toArray();
    this.foundInts = new int[n];
    this.texts =
        TextKeys.of(LongStream.of(longs).mapToObj(key -> "key" + Long.toHexString(key)).toList());
  }

  /** Prints a row for each map or set, of nanoseconds of a key: median and least. */
  public static void main(String[] args) {
    Arguments arguments = new Arguments(args);
    List<String> only = arguments.list("only", "all");
    MeasureWarm measure = new MeasureWarm(arguments.number("n", 1 << 12));
    List<Trial> trials = new ArrayList<>();
    for (Subject subject : measure.subjects(only)) {
      trials.add(new Call(subject, true, measure.n));
      trials.add(new Call(subject, false, measure.n));
    }
    Rounds.of(arguments)
        .measure(trials)
        .forEach(
            (trial, nanos) -> {
              long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
              System.out.printf(
                  Locale.ROOT,
                  "%s %s %.2f %.2f%n",
                  trial.benchmark(),
                  trial.implementation(),
                  sorted[sorted.length / 2] / (double) measure.n,
                  sorted[0] / (double) measure.n);
            });
  }

  /** All, or those of some names: others are not even made. */
  private List<Subject> subjects(List<String> only) {
    List<Subject> chosen = new ArrayList<>();
    List<String> names =
        List.of(
            "long-reference",
            "long-line",
            "long-reference-hash",
            "int-reference",
            "int-line",
            "int-packed",
            "int-packed-hash",
            "long-set",
            "int-set",
            "text-map",
            "text-set");
    for (String name : names) {
      if (only.contains("all") || only.contains(name)) {
        chosen.add(subject(name));
      }
    }
    return chosen;
  }

  private Subject subject(String name) {
    String[] parts = name.split("-", 3);
    return switch (name) {
      case "long-set" -> longSet(name);
      case "int-set" -> intSet(name);
      case "text-map" -> textMap(name);
      case "text-set" -> textSet(name);
      default -> parts[0].equals("long") ? longMap(name, parts) : intMap(name, parts);
    };
  }

  private <M extends AutoCloseable> MapBuilder<M> sized(MapBuilder<M> builder, String[] parts) {
    MapBuilder<M> sized =
        builder
            .layout(Layout.valueOf(parts[1].toUpperCase(Locale.ROOT)))
            .capacity(n)
            .loadFactor(0.5)
            .workers(1)
            .seed(1);
    return parts.length > 2 ? sized.hash(new Multiplied()) : sized;
  }

  private Subject longMap(String name, String[] parts) {
    LongLongMap map = sized(LongLongMap.builder(), parts).build();
    return filled(
        new Subject(
            name,
            map::clear,
            () -> map.insert(longs, longs).inserted(),
            () -> map.find(longs, foundLongs).found()));
  }

  private Subject intMap(String name, String[] parts) {
    IntIntMap map = sized(IntIntMap.builder(), parts).build();
    return filled(
        new Subject(
            name,
            map::clear,
            () -> map.insert(ints, ints).inserted(),
            () -> map.find(ints, foundInts).found()));
  }

  private Subject longSet(String name) {
    LongSet set = LongSet.builder().capacity(n).loadFactor(0.5).workers(1).seed(1).build();
    return filled(
        new Subject(
            name,
            set::clear,
            () -> set.addAll(longs).inserted(),
            () -> set.containsAll(longs).found()));
  }

  private Subject intSet(String name) {
    IntSet set = IntSet.builder().capacity(n).loadFactor(0.5).workers(1).seed(1).build();
    return filled(
        new Subject(
            name,
            set::clear,
            () -> set.addAll(ints).inserted(),
            () -> set.containsAll(ints).found()));
  }

  private Subject textMap(String name) {
    TextLongMap map = TextLongMap.builder().capacity(n).loadFactor(0.5).workers(1).seed(1).build();
    Longs values = Longs.of(longs);
    Longs found = Longs.of(foundLongs);
    return filled(
        new Subject(
            name,
            map::clear,
            () -> map.insert(texts, values, BulkOptions.NONE).inserted(),
            () -> map.find(texts, found, BulkOptions.NONE).found()));
  }

  private Subject textSet(String name) {
    TextSet set = TextSet.builder().capacity(n).loadFactor(0.5).workers(1).seed(1).build();
    return filled(
        new Subject(
            name,
            set::clear,
            () -> set.addAll(texts, BulkOptions.NONE).inserted(),
            () -> set.containsAll(texts, BulkOptions.NONE).found()));
  }

  /** For finds that come before the first insert. */
  private static Subject filled(Subject subject) {
    long _ = subject.insert().getAsLong();
    return subject;
  }
}
