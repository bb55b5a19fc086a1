package dev.gyre.structures.map;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Threads that read the whole of a map, or clear it, again and again keep no other out. */
@Timeout(60)
class TurnsTest {

  private static final int KEYS = 20_000;
  private static final int TURNS = 10;

  /** What is done again and again by several threads, and what is to go on meanwhile. */
  record Case(String name, AutoCloseable map, Runnable repeated, List<Runnable> others) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Case longs(String name) {
    LongLongMap map = LongLongMap.builder().workers(1).capacity(KEYS).build();
    long[] keys = LongStream.range(0, KEYS).toArray();
    var _ = map.insert(keys, keys);
    return new Case(
        "longs " + name,
        map,
        name.equals("clear")
            ? map::clear
            : () -> {
              long _ = map.retrieveAll(new long[KEYS], new long[KEYS]);
            },
        List.of(
            () -> {
              long _ = map.merge(1, 1, Apply.ADD);
            },
            () -> {
              var _ = map.insertOrAssign(new long[] {1}, new long[] {1});
            },
            () -> map.rehash(KEYS)));
  }

  private static Case ints(String name) {
    IntIntMap map = IntIntMap.builder().workers(1).capacity(KEYS).build();
    int[] keys = IntStream.range(0, KEYS).toArray();
    var _ = map.insert(keys, keys);
    return new Case(
        "ints " + name,
        map,
        name.equals("clear")
            ? map::clear
            : () -> {
              long _ = map.retrieveAll(new int[KEYS], new int[KEYS]);
            },
        List.of(
            () -> {
              int _ = map.merge(1, 1, Apply.ADD);
            },
            () -> {
              var _ = map.insertOrAssign(new int[] {1}, new int[] {1});
            },
            () -> map.rehash(KEYS)));
  }

  private static Case texts(String name) {
    TextLongMap map = TextLongMap.builder().workers(1).capacity(KEYS).build();
    List<String> keys = IntStream.range(0, KEYS).mapToObj(i -> "key " + i).toList();
    var _ = map.insert(keys, new long[KEYS]);
    return new Case(
        "texts " + name,
        map,
        name.equals("clear") ? map::clear : () -> retrieve(map),
        List.of(
            () -> {
              long _ = map.merge("key 1", 1, Apply.ADD);
            },
            () -> {
              var _ = map.insertOrAssign(List.of("key 1"), new long[1]);
            },
            () -> map.rehash(KEYS)));
  }

  private static void retrieve(TextLongMap map) {
    try (TextKeys all = new TextKeys()) {
      long _ = map.retrieveAll(all, Longs.of(new long[KEYS]));
    }
  }

  static Stream<Case> cases() {
    return Stream.of("retrieveAll", "clear")
        .flatMap(name -> Stream.of(longs(name), ints(name), texts(name)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void othersHaveTheirTurns(Case c) throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    List<Thread> threads = new ArrayList<>();
    try (AutoCloseable _ = c.map) {
      for (int i = 0; i < 3; i++) {
        Runnable again =
            () -> {
              while (!done.get()) {
                c.repeated.run();
              }
            };
        threads.add(Thread.ofPlatform().start(again));
      }
      for (Runnable other : c.others) {
        for (int turn = 0; turn < TURNS; turn++) {
          other.run();
        }
      }
      done.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
    } finally {
      done.set(true);
    }
  }
}
