package dev.gyre.bench.memory;

import dev.gyre.atomics.Memory;
import dev.gyre.bench.map.Rival;
import dev.gyre.bench.map.RivalMap.KeyType;
import dev.gyre.bench.memory.MemoryBenchmark.Capacity;
import dev.gyre.bench.words.RivalCounter;
import dev.gyre.bench.words.Texts;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.map.TextSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * A structure that is filled once.
 *
 * <p>Everything but {@code work} belongs to the structure alone: what {@code work} needs is made
 * outside the measured part.
 *
 * @param work fills the structure
 * @param entries how many entries it has then
 * @param outside bytes outside the heap
 */
record Filled(Runnable work, LongSupplier entries, LongSupplier outside, Runnable end)
    implements AutoCloseable {

  static final double LOAD = 0.5;
  private static final int LEAST_LETTERS = 4;
  private static final int MOST_LETTERS = 16;

  /** Keys of one call. */
  private static final int CALL_KEYS = 1 << 12;

  /** Adds the entries of a range, whose end is exclusive. */
  @FunctionalInterface
  interface Call {
    void add(int from, int to);
  }

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
    List<Rival> known = of.kind.rivals(of.type);
    if (!known.contains(of.rival)) {
      throw new IllegalArgumentException("%s is none of %s".formatted(of.rival, known));
    }
    int capacity = of.capacity == Capacity.GIVEN ? n : 1;
    boolean ofLongs = of.type == KeyType.LONG;
    return switch (of.kind) {
      case MAP ->
          ofLongs ? LongFills.maps(of.rival, n, capacity) : IntFills.maps(of.rival, n, capacity);
      case SET ->
          ofLongs ? LongFills.sets(of.rival, n, capacity) : IntFills.sets(of.rival, n, capacity);
      case TEXTS -> () -> texts(of.rival, n, capacity);
      case WORDS -> words(of.rival, n < of.n);
    };
  }

  private static Filled texts(Rival rival, int n, int capacity) {
    return switch (rival) {
      case GYRE_TEXT_SET -> {
        TextSet set = TextSet.builder().capacity(capacity).workers(1).build();
        Call call = (from, to) -> set.addAll(strings(from, to));
        yield of(n, call, set::size, set::byteSize, set::close);
      }
      case GYRE_TEXT_MAP -> {
        TextLongMap map = TextLongMap.builder().capacity(capacity).workers(1).build();
        Call call =
            (from, to) -> map.insert(strings(from, to), LongStream.range(from, to).toArray());
        yield of(n, call, map::size, map::byteSize, map::close);
      }
      case HASH_SET -> {
        Set<String> set = HashSet.newHashSet(capacity);
        yield of(n, (from, to) -> set.addAll(strings(from, to)), set::size, () -> 0, () -> {});
      }
      case HASH_MAP -> {
        Map<String, Long> map = HashMap.newHashMap(capacity);
        Call call =
            (from, to) -> strings(from, to).forEach(key -> map.putIfAbsent(key, (long) map.size()));
        yield of(n, call, map::size, () -> 0, () -> {});
      }
      default -> throw new IllegalArgumentException(rival + " has no texts");
    };
  }

  /** Returns random words of lower-case letters; a range always has the same words. */
  private static List<String> strings(int from, int to) {
    SplittableRandom random = new SplittableRandom(from);
    byte[] word = new byte[MOST_LETTERS];
    List<String> words = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      int length = random.nextInt(LEAST_LETTERS, MOST_LETTERS + 1);
      for (int letter = 0; letter < length; letter++) {
        word[letter] = (byte) random.nextInt('a', 'z' + 1);
      }
      words.add(new String(word, 0, length, StandardCharsets.ISO_8859_1));
    }
    return words;
  }

  private static Supplier<Filled> words(Rival rival, boolean few) throws IOException {
    byte[] once = Texts.ofProperty();
    Memory text =
        Texts.repeated(few ? Arrays.copyOf(once, Math.min(CALL_KEYS, once.length)) : once, 1);
    return () -> {
      RivalCounter counter = RivalCounter.open(rival, 1);
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
    };
  }

  static Filled onHeap(Runnable work, LongSupplier entries) {
    return new Filled(work, entries, () -> 0, () -> {});
  }

  static Filled of(int n, Call call, LongSupplier entries, LongSupplier outside, Runnable end) {
    Runnable work =
        () -> {
          for (int at = 0; at < n; at += CALL_KEYS) {
            call.add(at, Math.min(n, at + CALL_KEYS));
          }
        };
    return new Filled(work, entries, outside, end);
  }
}
