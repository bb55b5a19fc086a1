package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.structures.trie.WordTrie;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Many threads that share one map, set or trie, each for one operation, while it grows or not: all
 * end, and nothing is lost. If the work of those that wait grew with the square of their number,
 * the limit of time would end the test.
 */
@Timeout(90)
@Tag("slow")
class ManyCallersTest {

  private static final int BULK = 120;

  private record Key(long first, int second) {}

  private record Value(long value) {}

  /** A structure that many threads share; keys are numbers from 0 on, whatever is made of them. */
  private interface Shared extends AutoCloseable {
    void put(int key);

    void insert(int[] keys);

    long size();

    boolean has(int key);

    @Override
    void close();
  }

  /** A kind of structure, and whether it is told how many keys are to come. */
  record Kind(String name, boolean roomy) {
    private Shared make(int keys) {
      int capacity = roomy ? keys : 1;
      return switch (name) {
        case "longs LINE" -> longs(Layout.LINE, capacity);
        case "longs REFERENCE" -> longs(Layout.REFERENCE, capacity);
        case "ints PACKED" -> ints(Layout.PACKED, capacity);
        case "set of longs" -> set(capacity);
        case "texts" -> texts(capacity);
        case "set of texts" -> textSet(capacity);
        case "trie" -> trie(capacity);
        default -> records(capacity);
      };
    }
  }

  static Stream<Kind> kinds() {
    return Stream.of(
            "longs LINE",
            "longs REFERENCE",
            "ints PACKED",
            "set of longs",
            "texts",
            "set of texts",
            "trie",
            "records")
        .flatMap(name -> Stream.of(new Kind(name, false), new Kind(name, true)));
  }

  private static long[] longsOf(int[] keys) {
    return IntStream.of(keys).asLongStream().toArray();
  }

  private static Shared longs(Layout layout, int capacity) {
    LongLongMap map = LongLongMap.builder().layout(layout).workers(4).capacity(capacity).build();
    return new Shared() {
      @Override
      public void put(int key) {
        assertThat(map.put(key, -key)).isEmpty();
      }

      @Override
      public void insert(int[] keys) {
        long[] all = longsOf(keys);
        assertThat(map.insert(all, LongStream.of(all).map(key -> -key).toArray()).inserted())
            .isEqualTo(keys.length);
      }

      @Override
      public long size() {
        return map.size();
      }

      @Override
      public boolean has(int key) {
        return map.get(key).orElse(1) == -key;
      }

      @Override
      public void close() {
        map.close();
      }
    };
  }

  private static Shared ints(Layout layout, int capacity) {
    IntIntMap map = IntIntMap.builder().layout(layout).workers(4).capacity(capacity).build();
    return new Shared() {
      @Override
      public void put(int key) {
        assertThat(map.put(key, -key)).isEmpty();
      }

      @Override
      public void insert(int[] keys) {
        assertThat(map.insert(keys, IntStream.of(keys).map(key -> -key).toArray()).inserted())
            .isEqualTo(keys.length);
      }

      @Override
      public long size() {
        return map.size();
      }

      @Override
      public boolean has(int key) {
        return map.get(key).orElse(1) == -key;
      }

      @Override
      public void close() {
        map.close();
      }
    };
  }

  private static Shared set(int capacity) {
    LongSet set = LongSet.builder().workers(4).capacity(capacity).build();
    return new Shared() {
      @Override
      public void put(int key) {
        assertThat(set.add(key)).isTrue();
      }

      @Override
      public void insert(int[] keys) {
        assertThat(set.addAll(longsOf(keys)).inserted()).isEqualTo(keys.length);
      }

      @Override
      public long size() {
        return set.size();
      }

      @Override
      public boolean has(int key) {
        return set.contains(key);
      }

      @Override
      public void close() {
        set.close();
      }
    };
  }

  private static String text(int key) {
    return "key number " + key;
  }

  private static List<String> textsOf(int[] keys) {
    return IntStream.of(keys).mapToObj(ManyCallersTest::text).toList();
  }

  private static Shared texts(int capacity) {
    TextLongMap map = TextLongMap.builder().workers(4).capacity(capacity).build();
    return new Shared() {
      @Override
      public void put(int key) {
        assertThat(map.put(text(key), -key)).isEmpty();
      }

      @Override
      public void insert(int[] keys) {
        long[] values = IntStream.of(keys).mapToLong(key -> -key).toArray();
        assertThat(map.insert(textsOf(keys), values).inserted()).isEqualTo(keys.length);
      }

      @Override
      public long size() {
        return map.size();
      }

      @Override
      public boolean has(int key) {
        return map.get(text(key)).orElse(1) == -key;
      }

      @Override
      public void close() {
        map.close();
      }
    };
  }

  private static Shared textSet(int capacity) {
    TextSet set = TextSet.builder().workers(4).capacity(capacity).build();
    return new Shared() {
      @Override
      public void put(int key) {
        assertThat(set.add(text(key))).isTrue();
      }

      @Override
      public void insert(int[] keys) {
        assertThat(set.addAll(textsOf(keys)).inserted()).isEqualTo(keys.length);
      }

      @Override
      public long size() {
        return set.size();
      }

      @Override
      public boolean has(int key) {
        return set.contains(text(key));
      }

      @Override
      public void close() {
        set.close();
      }
    };
  }

  /** A key in the base of the letters. */
  private static String word(int key) {
    return Integer.toString(key, 26)
        .chars()
        .map(digit -> 'a' + Character.digit(digit, 26))
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  /** Has no bulk insert of a list: each word of a list is added on its own. */
  private static Shared trie(int capacity) {
    WordTrie trie = WordTrie.builder().workers(4).initialNodes(capacity).build();
    return new Shared() {
      @Override
      public void put(int key) {
        WordTrie _ = trie.addWord(word(key), 1);
      }

      @Override
      public void insert(int[] keys) {
        IntStream.of(keys).forEach(this::put);
      }

      @Override
      public long size() {
        return trie.size();
      }

      @Override
      public boolean has(int key) {
        return trie.count(word(key)) == 1;
      }

      @Override
      public void close() {
        trie.close();
      }
    };
  }

  private static Shared records(int capacity) {
    RecordMap<Key, Value> map =
        RecordMap.builder(RecordSchema.of(Key.class, Value.class))
            .workers(4)
            .capacity(capacity)
            .build();
    return new Shared() {
      @Override
      public void put(int key) {
        assertThat(map.put(new Key(key, key), new Value(-key))).isEmpty();
      }

      @Override
      public void insert(int[] keys) {
        Columns columns = Columns.longs(longsOf(keys)).and(Columns.ints(keys));
        Columns values = Columns.longs(IntStream.of(keys).mapToLong(key -> -key).toArray());
        assertThat(map.insert(columns, values).inserted()).isEqualTo(keys.length);
      }

      @Override
      public long size() {
        return map.size();
      }

      @Override
      public boolean has(int key) {
        return map.get(new Key(key, key)).map(value -> value.value() == -key).orElse(false);
      }

      @Override
      public void close() {
        map.close();
      }
    };
  }

  /** Each thread does its task; all of them begin at the same time if they are platform threads. */
  private static void run(int threads, boolean virtual, IntConsumer task)
      throws InterruptedException {
    CountDownLatch left = new CountDownLatch(threads);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Phaser begin = new Phaser(virtual ? 1 : threads + 1);
    for (int i = 0; i < threads; i++) {
      int number = i;
      Runnable body =
          () -> {
            try {
              if (!virtual) {
                begin.arriveAndAwaitAdvance();
              }
              task.accept(number);
            } catch (Throwable e) {
              thrown.set(e);
            } finally {
              left.countDown();
            }
          };
      var _ =
          virtual
              ? Thread.ofVirtual().start(body)
              : Thread.ofPlatform().daemon().stackSize(1 << 18).start(body);
    }
    begin.arriveAndDeregister();
    left.await();
    assertThat(thrown.get()).isNull();
  }

  private static void requireAll(Shared shared, int keys) {
    assertThat(shared.size()).isEqualTo(keys);
    AtomicLong missing = new AtomicLong();
    for (int key = 0; key < keys; key++) {
      if (!shared.has(key)) {
        missing.incrementAndGet();
      }
    }
    assertThat(missing).hasValue(0);
  }

  private static int[] keysOf(int thread) {
    return IntStream.range(thread * BULK, (thread + 1) * BULK).toArray();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void virtualThreadsThatPutOneKeyEach(Kind kind) throws InterruptedException {
    int threads = 10_000;
    try (Shared shared = kind.make(threads)) {
      run(threads, true, shared::put);
      requireAll(shared, threads);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void platformThreadsThatPutOneKeyEach(Kind kind) throws InterruptedException {
    int threads = 800;
    try (Shared shared = kind.make(threads)) {
      run(threads, false, shared::put);
      requireAll(shared, threads);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void virtualThreadsThatInsertManyKeysEach(Kind kind) throws InterruptedException {
    int threads = 800;
    try (Shared shared = kind.make(threads * BULK)) {
      run(threads, true, thread -> shared.insert(keysOf(thread)));
      requireAll(shared, threads * BULK);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void platformThreadsThatInsertManyKeysEach(Kind kind) throws InterruptedException {
    int threads = 800;
    try (Shared shared = kind.make(threads * BULK)) {
      run(threads, false, thread -> shared.insert(keysOf(thread)));
      requireAll(shared, threads * BULK);
    }
  }

  /** Inserts, finds, walks and growth that meet. */
  @ParameterizedTest
  @MethodSource("kinds")
  void virtualThreadsThatDoDifferentThings(Kind kind) throws InterruptedException {
    int threads = 1_500;
    try (Shared shared = kind.make(threads * 20)) {
      run(
          threads,
          true,
          thread -> {
            int first = thread * 20;
            if (thread % 3 == 0) {
              IntStream.range(first, first + 20).forEach(shared::put);
            } else {
              shared.insert(IntStream.range(first, first + 20).toArray());
            }
            for (int key = first; key < first + 20; key++) {
              assertThat(shared.has(key)).isTrue();
            }
          });
      requireAll(shared, threads * 20);
    }
  }
}
