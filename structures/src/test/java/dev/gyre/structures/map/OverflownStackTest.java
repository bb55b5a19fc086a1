package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.LauncherGroup;
import dev.gyre.kernels.map.Fold;
import dev.gyre.structures.ChildJvm;
import dev.gyre.structures.MemoryGivenBack;
import dev.gyre.structures.map.sharded.ShardedLongMap;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A program recurses until there is no stack left, and calls a map, set or text map at many depths:
 * whatever call the {@link StackOverflowError} ends, the structure goes on, grows, is cleared and
 * closed.
 */
@Timeout(120)
@MemoryGivenBack.Excused(because = "an operation that has no stack left may not free its scratch")
@Tag("slow")
class OverflownStackTest {

  private record Key(long first, int second) {}

  private record Value(long value) {}

  /** Recurses until there is no stack left. */
  private record Endless() implements Fold {
    @Override
    @SuppressWarnings("InfiniteRecursion") // until the stack ends
    public long apply(long present, long given) {
      return 1 + apply(present + 1, given);
    }
  }

  private static final int FEW = 12;
  private static final int SOME = 40;

  /** So many depths from the end of the stack on. */
  private static final int BACK = 60;

  /** The same where classes are initialised, which takes more stack. */
  private static final int BACK_AT_FIRST = 400;

  /** What all of these structures do. */
  private record Structure(LongSupplier size, LongConsumer rehash, Runnable clear, Runnable close) {
    static Structure of(HashTable<?, ?, ?> map) {
      return new Structure(map::size, map::rehash, map::clear, map::close);
    }
  }

  /** A structure, and what is called at many depths, given a number that no call had before. */
  record Case(String name, Structure map, LongConsumer call, LongConsumer put, Runnable each) {
    Case(String name, HashTable<?, ?, ?> map, LongConsumer call, LongConsumer put, Runnable each) {
      this(name, Structure.of(map), call, put, each);
    }

    /** Those that take all the stack by themselves are called at few depths. */
    int every() {
      return name.endsWith("fold") ? 256 : 1;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static long[] from(long first, int count) {
    return LongStream.range(first, first + count).toArray();
  }

  private static int[] intsFrom(long first, int count) {
    return IntStream.range((int) first, (int) first + count).toArray();
  }

  private static Case longs(Layout layout, String name) {
    // A save writes all of the table, which takes long if it is interpreted.
    int capacity = name.equals("save") ? 16 : 1 << 15;
    LongLongMap map = LongLongMap.builder().layout(layout).capacity(capacity).workers(2).build();
    return new Case(
        "longs " + layout + " " + name,
        map,
        switch (name) {
          case "put" -> number -> map.put(number, number);
          case "few" -> number -> map.insert(from(number * FEW, FEW), new long[FEW]);
          case "some" -> number -> map.insert(from(number * SOME, SOME), new long[SOME]);
          case "find" -> number -> map.find(from(number, SOME), new long[SOME]);
          case "fold" -> number -> map.merge(0, number, new Endless());
          case "save" -> _ -> map.save(OutputStream.nullOutputStream());
          default -> number -> map.insertOrApply(new long[] {0}, new long[] {1}, new Endless());
        },
        number -> map.put(number, number),
        () -> map.forEach((_, _) -> {}));
  }

  private static Case sharded() {
    Launcher group = LauncherGroup.of(List.of(JvmLauncher.ofWorkers(1), JvmLauncher.ofWorkers(1)));
    ShardedLongMap map =
        ShardedLongMap.of(group, on -> LongLongMap.builder().capacity(64).launcher(on).build());
    Structure structure =
        new Structure(
            map::size,
            map::rehash,
            map::clear,
            () -> {
              map.close();
              group.parts().forEach(Launcher::close);
            });
    LongConsumer put = number -> map.insert(new long[] {number}, new long[] {number});
    return new Case("sharded longs", structure, put, put, () -> map.forEach((_, _) -> {}));
  }

  /** One batch of keys for all calls. */
  private static Case keys() {
    TextLongMap map = TextLongMap.builder().capacity(1 << 15).workers(1).build();
    TextKeys keys = TextKeys.of(textsFrom(0, FEW));
    Structure structure =
        new Structure(
            map::size,
            map::rehash,
            map::clear,
            () -> {
              keys.close();
              map.close();
            });
    return new Case(
        "texts by keys",
        structure,
        _ -> map.insert(keys, Longs.of(new long[FEW]), BulkOptions.NONE),
        number -> map.put(Long.toString(number), number),
        () -> map.forEach((_, _) -> {}));
  }

  private static Case ints(String name) {
    IntIntMap map = IntIntMap.builder().capacity(1 << 15).workers(2).build();
    return new Case(
        "ints " + name,
        map,
        switch (name) {
          case "put" -> number -> map.put((int) number, 1);
          case "few" -> number -> map.insert(intsFrom(number * FEW, FEW), new int[FEW]);
          default -> number -> map.insert(intsFrom(number * SOME, SOME), new int[SOME]);
        },
        number -> map.put((int) number, 1),
        () -> map.forEach((_, _) -> {}));
  }

  private static Case set(String name) {
    LongSet set = LongSet.builder().capacity(1 << 15).workers(2).build();
    return new Case(
        "set of longs " + name,
        set,
        name.equals("put") ? set::add : number -> set.addAll(from(number * SOME, SOME)),
        set::add,
        () -> set.forEach(_ -> {}));
  }

  private static List<String> textsFrom(long first, int count) {
    return LongStream.range(first, first + count).mapToObj(Long::toString).toList();
  }

  private static Case texts(String name) {
    TextLongMap map = TextLongMap.builder().capacity(1 << 15).workers(2).build();
    return new Case(
        "texts " + name,
        map,
        switch (name) {
          case "put" -> number -> map.put(Long.toString(number), number);
          case "fold" -> number -> map.merge("0", number, new Endless());
          default -> number -> map.insert(textsFrom(number * FEW, FEW), new long[FEW]);
        },
        number -> map.put(Long.toString(number), number),
        () -> map.forEach((_, _) -> {}));
  }

  private static Case textSet() {
    TextSet set = TextSet.builder().capacity(1 << 15).workers(2).build();
    return new Case(
        "set of texts put",
        set,
        number -> set.add(Long.toString(number)),
        number -> set.add(Long.toString(number)),
        () -> set.forEach(_ -> {}));
  }

  private static Case records(String name) {
    RecordMap<Key, Value> map =
        RecordMap.builder(RecordSchema.of(Key.class, Value.class))
            .capacity(1 << 15)
            .workers(2)
            .build();
    return new Case(
        "records " + name,
        map,
        name.equals("put")
            ? number -> map.put(new Key(number, 1), new Value(number))
            : number ->
                map.insert(
                    Columns.longs(from(number * FEW, FEW)).and(Columns.ints(new int[FEW])),
                    Columns.longs(new long[FEW])),
        number -> map.put(new Key(number, 1), new Value(number)),
        () -> map.forEach((_, _) -> {}));
  }

  static Stream<Case> cases() {
    // The operations meet classes that are not initialised yet, but their arguments do not: if an
    // initialiser of the JDK overflows the stack, its class fails for ever.
    int _ = from(0, FEW).length + intsFrom(0, FEW).length + textsFrom(0, FEW).size();
    List<Case> all = new ArrayList<>();
    for (Layout layout : List.of(Layout.LINE, Layout.REFERENCE)) {
      for (String name : List.of("put", "few", "some", "find", "save", "fold", "bulk fold")) {
        all.add(longs(layout, name));
      }
    }
    List.of("put", "few", "some").forEach(name -> all.add(ints(name)));
    List.of("put", "some").forEach(name -> all.add(set(name)));
    List.of("put", "few", "fold").forEach(name -> all.add(texts(name)));
    all.add(textSet());
    List.of("put", "few").forEach(name -> all.add(records(name)));
    all.add(sharded());
    all.add(keys());
    return all.stream();
  }

  /**
   * Calls at many depths on the way down and, where the stack ends, at every depth on the way back.
   *
   * @param every at which depths on the way down; 0 for none
   */
  @SuppressWarnings("InfiniteRecursion") // until the stack ends
  private static int descend(Runnable call, int every, AtomicLong back, int depth) {
    int below;
    try {
      if (every > 0 && depth % every == 0) {
        call.run();
      }
      below = descend(call, every, back, depth + 1);
    } catch (StackOverflowError e) {
      if (back.getAndDecrement() > 0) {
        call.run();
      }
      throw e;
    }
    return below + 1;
  }

  private static void overflow(Case one, AtomicLong numbers, int kibibytes, int every, int back)
      throws InterruptedException {
    Runnable call =
        () -> {
          try {
            one.call.accept(numbers.getAndIncrement());
          } catch (StackOverflowError e) {
            // The one that is looked for.
          }
        };
    Thread thread =
        new Thread(
            null,
            () -> {
              try {
                int _ = descend(call, every, new AtomicLong(back), 0);
              } catch (StackOverflowError e) {
                // As expected.
              }
            },
            "deep",
            (long) kibibytes << 10);
    thread.start();
    thread.join();
  }

  /** Ends in time, on a thread of its own. */
  private static void ends(String name, Runnable action) {
    assertThat(CompletableFuture.runAsync(action, task -> Thread.ofPlatform().daemon().start(task)))
        .as(name)
        .succeedsWithin(30, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theStructureGoesOnAfterIt(Case one) throws InterruptedException {
    goesOn(one, 2);
  }

  private static void goesOn(Case one, int rounds) throws InterruptedException {
    AtomicLong numbers = new AtomicLong(1);
    one.put.accept(0);
    if (!one.name.endsWith("fold")) {
      overflow(one, numbers, 256, 0, BACK_AT_FIRST);
    }
    for (int round = 0; round < rounds; round++) {
      overflow(one, numbers, 256 + 8 * round, one.every(), BACK);
    }
    ends("put", () -> LongStream.range(0, 3_000).forEach(one.put));
    ends("rehash", () -> one.map.rehash.accept(one.map.size.getAsLong() + (1 << 16)));
    ends("walk", one.each);
    if (!one.name.endsWith("fold")) {
      ends("call", () -> one.call.accept(numbers.getAndIncrement()));
    }
    ends("clear", one.map.clear);
    ends("put again", () -> LongStream.range(0, 3_000).forEach(one.put));
    assertThat(one.map.size.getAsLong()).isEqualTo(3_000);
    ends("close", one.map.close);
  }

  /** All cases, in a process of their own. */
  static final class All {
    public static void main(String[] args) throws InterruptedException {
      for (Case one : cases().toList()) {
        goesOn(one, 1);
      }
      System.exit(0);
    }
  }

  /** Interpreted frames are large; code that C1 compiled calls what C2 inlines. */
  @ParameterizedTest
  @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1"})
  void howeverTheCodeIsCompiled(String option) throws IOException, InterruptedException {
    String _ = ChildJvm.run(All.class, option);
  }
}
