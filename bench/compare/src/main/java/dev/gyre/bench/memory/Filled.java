package dev.gyre.bench.memory;

import com.carrotsearch.hppc.IntHashSet;
import com.carrotsearch.hppc.LongHashSet;
import dev.gyre.atomics.Memory;
import dev.gyre.bench.map.KeyChoice;
import dev.gyre.bench.map.MapData;
import dev.gyre.bench.map.MapRival;
import dev.gyre.bench.map.MapRival.KeyType;
import dev.gyre.bench.map.RivalMap;
import dev.gyre.bench.memory.MemoryBenchmark.Capacity;
import dev.gyre.bench.memory.MemoryBenchmark.Kind;
import dev.gyre.bench.words.RivalCounter;
import dev.gyre.bench.words.Texts;
import dev.gyre.bench.words.WordRival;
import dev.gyre.structures.map.IntSet;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.map.TextSet;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * A structure that is filled once.
 *
 * <p>Everything but {@code make} belongs to the structure alone: what {@code fill} needs is made
 * outside the measured part.
 *
 * @param work fills the structure
 * @param entries how many entries it has then
 * @param outside bytes outside the heap
 */
record Filled(Runnable work, LongSupplier entries, LongSupplier outside, Runnable end)
    implements AutoCloseable {

  /** Names of sets of numbers, for {@link Kind#SET}. */
  static final List<String> SETS = List.of("GYRE_SET", "FASTUTIL", "HPPC");

  /** Names of sets and maps of strings, for {@link Kind#TEXTS}. */
  static final List<String> TEXTS =
      List.of("GYRE_TEXT_SET", "HASH_SET", "GYRE_TEXT_MAP", "HASH_MAP");

  private static final double LOAD = 0.5;
  private static final RandomWords KEYS = new RandomWords(4, 16);

  /** Keys of one call. */
  private static final int CALL_KEYS = 1 << 12;

  long fill() {
    work.run();
    return entries.getAsLong();
  }

  long bytesOutside() {
    return outside.getAsLong();
  }

  @Override
  public void close() {
    end.run();
  }

  /** Prepares the keys, and returns what makes the structure that a benchmark's parameters name. */
  static Supplier<Filled> prepare(MemoryBenchmark of, int n) throws IOException {
    int capacity = of.capacity == Capacity.GIVEN ? n : 1;
    return switch (of.kind) {
      case MAP -> map(of, n, new MapRival.Setup(capacity, LOAD, 1));
      case SET -> {
        long[] longs = MapData.ofLongs(KeyChoice.UNIQUE, n, 0).keys();
        int[] ints = MapData.ofInts(KeyChoice.UNIQUE, n, 0).keys();
        yield () -> set(of.type + " " + of.rival, longs, ints, capacity);
      }
      case TEXTS -> () -> texts(of.rival, n, capacity);
      case WORDS -> words(WordRival.valueOf(of.rival), n < of.n);
    };
  }

  private static Supplier<Filled> map(MemoryBenchmark of, int n, MapRival.Setup setup) {
    MapRival rival = MapRival.valueOf(of.rival);
    if (of.type == KeyType.LONG) {
      MapData<long[]> data = MapData.ofLongs(KeyChoice.UNIQUE, n, 100);
      return () ->
          map(
              rival.ofLongs(setup),
              n,
              (from, to) -> Arrays.copyOfRange(data.keys(), from, to),
              (from, to) -> Arrays.copyOfRange(data.values(), from, to));
    }
    MapData<int[]> data = MapData.ofInts(KeyChoice.UNIQUE, n, 100);
    return () ->
        map(
            rival.ofInts(setup),
            n,
            (from, to) -> Arrays.copyOfRange(data.keys(), from, to),
            (from, to) -> Arrays.copyOfRange(data.values(), from, to));
  }

  /** Makes an array of the keys, or values, of a range: nobody keeps it. */
  @FunctionalInterface
  private interface Part<A> {
    A of(int from, int to);
  }

  private static <A> Filled map(RivalMap<A> map, int n, Part<A> keys, Part<A> values) {
    return new Filled(
        () -> {
          map.empty();
          for (int at = 0; at < n; at += CALL_KEYS) {
            int to = Math.min(n, at + CALL_KEYS);
            long _ = map.insert(keys.of(at, to), values.of(at, to));
          }
        },
        () -> n,
        map::bytesOutside,
        map::close);
  }

  private static Filled set(String name, long[] longs, int[] ints, int capacity) {
    int n = longs.length;
    return switch (name) {
      case "LONG GYRE_SET" -> {
        LongSet set = LongSet.builder().capacity(capacity).workers(1).build();
        yield inCalls(
            n,
            part -> set.addAll(Arrays.copyOfRange(longs, part[0], part[1])),
            set::size,
            set::byteSize,
            set::close);
      }
      case "INT GYRE_SET" -> {
        IntSet set = IntSet.builder().capacity(capacity).workers(1).build();
        yield inCalls(
            n,
            part -> set.addAll(Arrays.copyOfRange(ints, part[0], part[1])),
            set::size,
            set::byteSize,
            set::close);
      }
      case "LONG FASTUTIL" -> {
        LongOpenHashSet set = new LongOpenHashSet(capacity, (float) LOAD);
        yield onHeap(() -> LongStream.of(longs).forEach(set::add), set::size);
      }
      case "INT FASTUTIL" -> {
        IntOpenHashSet set = new IntOpenHashSet(capacity, (float) LOAD);
        yield onHeap(() -> Arrays.stream(ints).forEach(set::add), set::size);
      }
      case "LONG HPPC" -> {
        LongHashSet set = new LongHashSet(capacity, LOAD);
        yield onHeap(() -> LongStream.of(longs).forEach(set::add), set::size);
      }
      case "INT HPPC" -> {
        IntHashSet set = new IntHashSet(capacity, LOAD);
        yield onHeap(() -> Arrays.stream(ints).forEach(set::add), set::size);
      }
      default -> throw new IllegalArgumentException("no set " + name + "; sets are " + SETS);
    };
  }

  private static Filled texts(String rival, int n, int capacity) {
    return switch (rival) {
      case "GYRE_TEXT_SET" -> {
        TextSet set = TextSet.builder().capacity(capacity).workers(1).build();
        yield inCalls(
            n,
            part -> set.addAll(KEYS.strings(part[0], part[1])),
            set::size,
            set::byteSize,
            set::close);
      }
      case "GYRE_TEXT_MAP" -> {
        TextLongMap map = TextLongMap.builder().capacity(capacity).workers(1).build();
        yield inCalls(
            n,
            part ->
                map.insert(
                    KEYS.strings(part[0], part[1]), LongStream.range(part[0], part[1]).toArray()),
            map::size,
            map::byteSize,
            map::close);
      }
      case "HASH_SET" -> {
        Set<String> set = HashSet.newHashSet(capacity);
        yield inCalls(
            n, part -> set.addAll(KEYS.strings(part[0], part[1])), set::size, () -> 0, () -> {});
      }
      case "HASH_MAP" -> {
        Map<String, Long> map = HashMap.newHashMap(capacity);
        yield inCalls(
            n,
            part ->
                KEYS.strings(part[0], part[1])
                    .forEach(key -> map.putIfAbsent(key, (long) map.size())),
            map::size,
            () -> 0,
            () -> {});
      }
      default -> throw new IllegalArgumentException("no texts " + rival + "; texts are " + TEXTS);
    };
  }

  private static Supplier<Filled> words(WordRival rival, boolean few) throws IOException {
    byte[] once = Texts.ofProperty();
    Memory text =
        Texts.repeated(few ? Arrays.copyOf(once, Math.min(CALL_KEYS, once.length)) : once, 1);
    return () -> words(rival.open(1), text);
  }

  private static Filled words(RivalCounter counter, Memory text) {
    return new Filled(
        () -> {
          counter.prepare(text);
          counter.count(text);
        },
        counter::distinct,
        counter::bytesOutside,
        () -> {
          counter.close();
          text.close();
        });
  }

  private static Filled onHeap(Runnable work, LongSupplier entries) {
    return new Filled(work, entries, () -> 0, () -> {});
  }

  /** Fills by calls, each of which is given the range of its entries. */
  private static Filled inCalls(
      int n, Consumer<int[]> call, LongSupplier entries, LongSupplier outside, Runnable end) {
    return new Filled(
        () -> {
          for (int at = 0; at < n; at += CALL_KEYS) {
            call.accept(new int[] {at, Math.min(n, at + CALL_KEYS)});
          }
        },
        entries,
        outside,
        end);
  }
}
