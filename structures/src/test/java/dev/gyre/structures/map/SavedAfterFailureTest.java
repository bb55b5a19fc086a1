package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.atomics.MemoryLeft;
import dev.gyre.kernels.LaunchCancelledException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a map saves is loaded and equal, also after it was full, memory ended, or work was cut. */
@Timeout(120)
class SavedAfterFailureTest {

  private static final int KEYS = 1 << 16;

  @TempDir private Path folder;

  /** The maps there are. */
  enum Kind {
    LONGS_REFERENCE,
    LONGS_LINE,
    INTS_REFERENCE,
    INTS_PACKED,
    TEXTS;

    Subject make(int capacity, boolean fixed) {
      return switch (this) {
        case TEXTS -> new Texts(set(TextLongMap.builder(), capacity, fixed).build());
        case LONGS_REFERENCE -> new LongKeys(longs(Layout.REFERENCE, capacity, fixed));
        case LONGS_LINE -> new LongKeys(longs(Layout.LINE, capacity, fixed));
        case INTS_REFERENCE -> new Ints(ints(Layout.REFERENCE, capacity, fixed));
        case INTS_PACKED -> new Ints(ints(Layout.PACKED, capacity, fixed));
      };
    }

    private static LongLongMap longs(Layout layout, int capacity, boolean fixed) {
      return set(LongLongMap.builder(), capacity, fixed).layout(layout).build();
    }

    private static IntIntMap ints(Layout layout, int capacity, boolean fixed) {
      return set(IntIntMap.builder(), capacity, fixed).layout(layout).build();
    }

    private static <M> MapBuilder<M> set(MapBuilder<M> builder, int capacity, boolean fixed) {
      builder.workers(4);
      return fixed ? builder.fixedCapacity(capacity) : builder.capacity(capacity);
    }
  }

  /** A map of any kind, whose keys are numbered. */
  interface Subject extends AutoCloseable {
    void merge(int key);

    void insertAll(int keys);

    void rehash(long capacity);

    void save(Path file);

    Map<?, ?> contents();

    Subject load(Path file);

    @Override
    void close();
  }

  private record LongKeys(LongLongMap map) implements Subject {
    @Override
    public void merge(int key) {
      long _ = map.merge(key * 7L, 1, Apply.ADD);
    }

    @Override
    public void insertAll(int keys) {
      long[] all = IntStream.range(0, keys).mapToLong(key -> key * 7L).toArray();
      var _ = map.insert(all, all);
    }

    @Override
    public void rehash(long capacity) {
      map.rehash(capacity);
    }

    @Override
    public void save(Path file) {
      map.save(file);
    }

    @Override
    public Map<?, ?> contents() {
      assertThat(map.asMap()).hasSize((int) map.size());
      return map.asMap();
    }

    @Override
    public Subject load(Path file) {
      return new LongKeys(LongLongMap.load(file));
    }

    @Override
    public void close() {
      map.close();
    }
  }

  private record Ints(IntIntMap map) implements Subject {
    @Override
    public void merge(int key) {
      long _ = map.merge(key * 7, 1, Apply.ADD);
    }

    @Override
    public void insertAll(int keys) {
      int[] all = IntStream.range(0, keys).map(key -> key * 7).toArray();
      var _ = map.insert(all, all);
    }

    @Override
    public void rehash(long capacity) {
      map.rehash(capacity);
    }

    @Override
    public void save(Path file) {
      map.save(file);
    }

    @Override
    public Map<?, ?> contents() {
      assertThat(map.asMap()).hasSize((int) map.size());
      return map.asMap();
    }

    @Override
    public Subject load(Path file) {
      return new Ints(IntIntMap.load(file));
    }

    @Override
    public void close() {
      map.close();
    }
  }

  private record Texts(TextLongMap map) implements Subject {
    @Override
    public void merge(int key) {
      long _ = map.merge("the key number " + key, 1, Apply.ADD);
    }

    @Override
    public void insertAll(int keys) {
      List<String> all = IntStream.range(0, keys).mapToObj(key -> "the key number " + key).toList();
      var _ = map.insert(all, new long[keys]);
    }

    @Override
    public void rehash(long capacity) {
      map.rehash(capacity);
    }

    @Override
    public void save(Path file) {
      map.save(file);
    }

    @Override
    public Map<?, ?> contents() {
      assertThat(map.asMap()).hasSize((int) map.size());
      return map.asMap();
    }

    @Override
    public Subject load(Path file) {
      return new Texts(TextLongMap.load(file));
    }

    @Override
    public void close() {
      map.close();
    }
  }

  private void requireSaved(Subject map) {
    Path file = folder.resolve("map");
    map.save(file);
    try (Subject loaded = map.load(file)) {
      assertThat(loaded.contents()).isEqualTo(map.contents());
    }
  }

  @ParameterizedTest
  @EnumSource
  void ofAFullMap(Kind kind) {
    try (Subject map = kind.make(100, true)) {
      map.insertAll(1_000);
      requireSaved(map);
      ThrowingCallable one = () -> IntStream.range(1_000, 2_000).forEach(map::merge);
      assertThatThrownBy(one).isInstanceOf(MapFullException.class);
      requireSaved(map);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whereverMemoryEnds(Kind kind) {
    boolean done = false;
    int failures = 0;
    for (long left = 0; !done; ) {
      try (Subject map = kind.make(16, false)) {
        try (MemoryLeft _ = MemoryLeft.of(left)) {
          IntStream.range(0, 500).forEach(map::merge);
          map.insertAll(1_000);
          map.rehash(4_000);
          done = true;
        } catch (MemoryExhaustedException e) {
          left += MemoryLeft.lacking(e);
          failures++;
        }
        requireSaved(map);
      }
    }
    assertThat(failures).isGreaterThan(3);
  }

  @ParameterizedTest
  @EnumSource
  void ofAMapWhoseWorkWasCut(Kind kind) {
    try (Subject map = kind.make(16, false)) {
      Thread.currentThread().interrupt();
      try {
        map.insertAll(KEYS);
      } catch (LaunchCancelledException e) {
        // As good as always, unless the workers were done before anybody waited for them.
      }
      assertThat(Thread.interrupted()).isTrue();
      requireSaved(map);
      map.insertAll(KEYS);
      requireSaved(map);
      assertThat(map.contents()).hasSize(KEYS);
    }
  }

  @Test
  void besideThreadsThatInsert() throws Exception {
    Queue<Throwable> failed = new ConcurrentLinkedQueue<>();
    for (Kind kind : Kind.values()) {
      try (Subject map = kind.make(16, false)) {
        List<Thread> inserting = new ArrayList<>();
        for (int t = 0; t < 3; t++) {
          int from = t * 1_000;
          inserting.add(
              Thread.ofPlatform()
                  .start(
                      () -> {
                        try {
                          IntStream.range(from, from + 2_000).forEach(map::merge);
                        } catch (RuntimeException e) {
                          failed.add(e);
                        }
                      }));
        }
        Path file = folder.resolve("beside");
        while (inserting.stream().anyMatch(Thread::isAlive)) {
          map.save(file);
          try (Subject loaded = map.load(file)) {
            assertThat(loaded.contents().size()).isLessThanOrEqualTo(4_000);
          }
        }
        requireSaved(map);
        assertThat(map.contents()).hasSize(4_000);
      }
    }
    assertThat(failed).isEmpty();
  }
}
