package dev.gyre.bench.measure;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.datasets.ZipfText;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.LauncherGroup;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.MemoryKind;
import dev.gyre.kernels.MemoryKindException;
import dev.gyre.kernels.Target;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.Ints;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.trie.WordTrie;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Times a count of words, and inserts and finds of ints, by one device and by all of its target
 * together, from memory that they copy from where it lies: {@code MeasureGroup target=ptx mib=4096
 * bits=28 runs=7}, where 0 leaves one out; with {@code parts=2} by two launchers of one device, for
 * a trial. What is measured alternates, one and all. With {@code gib=28} also a map of longs whose
 * table takes so much, for which one device may have no room.
 */
public final class MeasureGroup {

  /** Odd, so that its products with different ints differ. */
  private static final int SCATTER = 0x9E3779B1;

  private static final long SCATTER_LONGS = 0x9E3779B97F4A7C15L;

  /** Bytes of a slot of a line of longs. */
  private static final int SLOT = 4 * Long.BYTES;

  private static final double LOAD = 0.75;

  private static final int WARMUPS = 2;

  private final Launcher one;
  private final Launcher all;
  private final int runs;

  private MeasureGroup(Launcher one, Launcher all, int runs) {
    this.one = one;
    this.all = all;
    this.runs = runs;
  }

  /** Prints a line for each: what, median milliseconds of one and of all, GB/s, and the ratio. */
  public static void main(String[] args) {
    Arguments arguments = new Arguments(args);
    Target target = Target.ofLabel(arguments.text("target", "opencl"));
    try (Launcher one = Launchers.open(target);
        Launcher all = all(target, arguments.number("parts", 0))) {
      System.out.println("@devices " + all.device().name());
      MeasureGroup measure = new MeasureGroup(one, all, arguments.number("runs", 7));
      long text = (long) arguments.number("mib", 256) << 20;
      int bits = arguments.number("bits", 24);
      if (text > 0) {
        measure.text(text);
      }
      if (bits > 0) {
        measure.ints(1 << bits);
      }
      long table = (long) arguments.number("gib", 0) << 30;
      if (table > 0) {
        measure.large(table);
      }
    }
  }

  /** All devices of a target, or so many launchers of the first one. */
  private static Launcher all(Target target, int parts) {
    return parts == 0
        ? Launchers.openAll(target)
        : LauncherGroup.of(Stream.generate(() -> Launchers.open(target)).limit(parts).toList());
  }

  private static Memory pinned(Launcher launcher, long bytes) {
    try {
      return launcher.memory(MemoryKind.PINNED, bytes);
    } catch (MemoryKindException e) {
      return Memory.ofBytes(bytes);
    }
  }

  private void text(long bytes) {
    try (Memory text = pinned(all, bytes);
        WordTrie alone = WordTrie.builder().launcher(one).build();
        WordTrie together = WordTrie.builder().launcher(all).build()) {
      MemorySegment sample = MemorySegment.ofArray(ZipfText.sample());
      for (long at = 0; at < bytes; at += sample.byteSize()) {
        long some = Math.min(sample.byteSize(), bytes - at);
        MemorySegment.copy(sample, 0, text.segment(), at, some);
      }
      compare(
          "count words",
          bytes,
          () -> count(alone, text, bytes),
          () -> count(together, text, bytes));
      compare(
          "count words, top 10",
          bytes,
          () -> count(alone, text, bytes).top(10),
          () -> count(together, text, bytes).top(10));
      require(alone.total(), together.total());
    }
  }

  private static WordTrie count(WordTrie trie, Memory text, long bytes) {
    return trie.add(text, bytes);
  }

  private void ints(int n) {
    long bytes = (long) n * Integer.BYTES;
    try (Memory keys = pinned(all, bytes);
        Memory found = pinned(all, bytes);
        IntIntMap alone = map(one, n);
        IntIntMap together = map(all, n)) {
      int[] scattered = IntStream.range(0, n).map(i -> i * SCATTER).toArray();
      MemorySegment.copy(scattered, 0, keys.segment(), ValueLayout.JAVA_INT, 0, n);
      Ints in = Ints.of(keys, n);
      Ints out = Ints.of(found, n);
      compare("insert", 2 * bytes, () -> insert(alone, in), () -> insert(together, in));
      compare("find", 2 * bytes, () -> find(alone, in, out), () -> find(together, in, out));
      if (keys.segment().mismatch(found.segment()) >= 0) {
        throw new IllegalStateException("other values than were inserted");
      }
    }
  }

  /** Fills a table of longs of so many bytes up to its load factor, and finds all keys. */
  private void large(long bytes) {
    int batch = 1 << 26;
    long keys = (long) (LOAD * bytes / SLOT) / batch * batch;
    try (LongLongMap map = large(one, keys)) {
      fill(map, batch, batch);
      System.out.println("one has room for a table of " + map.byteSize() + " bytes");
    } catch (LaunchException | MemoryExhaustedException e) {
      System.out.println("one has no room: " + e.getMessage());
    }
    try (LongLongMap map = large(all, keys)) {
      fill(map, keys, batch);
      System.out.println(map.size() + " keys in a table of " + map.byteSize() + " bytes");
    }
  }

  private static LongLongMap large(Launcher launcher, long keys) {
    return LongLongMap.builder()
        .layout(Layout.LINE)
        .launcher(launcher)
        .loadFactor(LOAD)
        .fixedCapacity(keys)
        .build();
  }

  private void fill(LongLongMap map, long keys, int batch) {
    long bytes = (long) batch * Long.BYTES;
    try (Memory given = pinned(all, bytes);
        Memory found = pinned(all, bytes)) {
      Longs in = Longs.of(given, batch);
      Longs out = Longs.of(found, batch);
      double inserted = 0;
      double looked = 0;
      for (long from = 0; from < keys; from += batch) {
        scatter(given, from, batch);
        inserted += millis(() -> require(batch, map.insert(in, in, BulkOptions.NONE).inserted()));
      }
      for (long from = 0; from < keys; from += batch) {
        scatter(given, from, batch);
        looked += millis(() -> require(batch, map.find(in, out, BulkOptions.NONE).found()));
        if (given.segment().mismatch(found.segment()) >= 0) {
          throw new IllegalStateException("other values than were inserted");
        }
      }
      double moved = 2.0 * keys * Long.BYTES / 1e6;
      System.out.printf(
          Locale.ROOT,
          "%d keys: insert %.0f ms %.1f GB/s, find %.0f ms %.1f GB/s%n",
          keys,
          inserted,
          moved / inserted,
          looked,
          moved / looked);
    }
  }

  private static void scatter(Memory memory, long from, int count) {
    MemorySegment segment = memory.segment();
    IntStream.range(0, count)
        .parallel()
        .forEach(i -> segment.setAtIndex(ValueLayout.JAVA_LONG, i, (from + i) * SCATTER_LONGS));
  }

  private static IntIntMap map(Launcher launcher, int n) {
    return IntIntMap.builder().layout(Layout.PACKED).launcher(launcher).capacity(n).seed(1).build();
  }

  /** The time to empty the map counts, for both: it is small. */
  private static void insert(IntIntMap map, Ints keys) {
    map.clear();
    require(keys.length(), map.insert(keys, keys, BulkOptions.NONE).inserted());
  }

  private static void find(IntIntMap map, Ints keys, Ints found) {
    require(keys.length(), map.find(keys, found, BulkOptions.NONE).found());
  }

  private static void require(long expected, long counted) {
    if (counted != expected) {
      throw new IllegalStateException("%d, not %d".formatted(counted, expected));
    }
  }

  private void compare(String what, long bytes, Runnable alone, Runnable together) {
    double[] first = new double[runs];
    double[] second = new double[runs];
    for (int i = -WARMUPS; i < runs; i++) {
      double a = millis(alone);
      double b = millis(together);
      if (i >= 0) {
        first[i] = a;
        second[i] = b;
      }
    }
    double a = median(first);
    double b = median(second);
    System.out.printf(
        Locale.ROOT,
        "%-20s one %9.2f ms %6.1f GB/s, all %9.2f ms %6.1f GB/s, %.2f times%n",
        what,
        a,
        bytes / 1e6 / a,
        b,
        bytes / 1e6 / b,
        a / b);
  }

  private static double millis(Runnable call) {
    long begin = System.nanoTime();
    call.run();
    return (System.nanoTime() - begin) / 1e6;
  }

  private static double median(double[] times) {
    Arrays.sort(times);
    return times[times.length / 2];
  }
}
