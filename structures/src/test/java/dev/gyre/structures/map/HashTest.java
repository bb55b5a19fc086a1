package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.MemoryLeft;
import dev.gyre.kernels.KernelException;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.KeyParts;
import dev.gyre.kernels.map.RecordHash;
import dev.gyre.kernels.map.Text;
import dev.gyre.kernels.map.TextHash;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.SavedFileException;
import dev.gyre.structures.TargetUnderTest;
import dev.gyre.structures.map.MapAdapter.Change;
import dev.gyre.structures.map.MapAdapter.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Maps and sets of numbers with a hash of a user's, on the JVM or the device under test. */
@ConformanceSuite
class HashTest {

  /** A good one, but that it cannot be chosen by a seed. */
  record Multiplied(long factor) implements Hash {
    static final Multiplied FIBONACCI = new Multiplied(0x9e3779b97f4a7c15L);

    @Override
    public long hash(long key, long seed) {
      return key * factor;
    }
  }

  /** A bad one: many keys have the same, and those of the last slots go around the end. */
  record Few() implements Hash {
    @Override
    public long hash(long key, long seed) {
      return -1 - ((key & 7) << 50);
    }
  }

  private record Named(String name) implements Hash {
    @Override
    public long hash(long key, long seed) {
      return name.length();
    }
  }

  private enum Mode {
    PLAIN,
    SQUARED
  }

  private record OfEnum(Mode mode) implements Hash {
    @Override
    public long hash(long key, long seed) {
      return mode == Mode.SQUARED ? key * key : key;
    }
  }

  private record WithEnum(int mode) implements Hash {
    @Override
    @SuppressWarnings("EnumOrdinal") // what the message says instead of the enum
    public long hash(long key, long seed) {
      return mode == Mode.SQUARED.ordinal() ? key * key : key;
    }
  }

  private record Twice(Hash once) implements Hash {
    @Override
    public long hash(long key, long seed) {
      return once.hash(once.hash(key, seed), seed);
    }
  }

  private record Six(long a, long b, long c, long d, long e, long f) {}

  private record Thirty(Six a, Six b, Six c, Six d, Six e) {}

  /** With as many numbers as a kernel may have, so that there is no room for a table's. */
  private record Wide(Thirty a, Thirty b, Thirty c, Thirty d)
      implements Hash, TextHash, RecordHash {

    static Wide ofZeros() {
      Six six = new Six(0, 0, 0, 0, 0, 0);
      Thirty thirty = new Thirty(six, six, six, six, six);
      return new Wide(thirty, thirty, thirty, thirty);
    }

    @Override
    public long hash(long key, long seed) {
      return key + a.e.f;
    }

    @Override
    public long hash(Text text, long seed) {
      return text.length() + b.e.f;
    }

    @Override
    public long hash(KeyParts key, long seed) {
      return key.first() + c.e.f + d.e.f;
    }
  }

  record Key(long first, long second, long third) {}

  record Value(long value) {}

  record Case(Kind kind, Hash hash) {}

  static Stream<Case> cases() {
    return Kind.all().stream()
        .flatMap(k -> Stream.of(new Case(k, Multiplied.FIBONACCI), new Case(k, new Few())));
  }

  private static <M> MapBuilder<M> with(MapBuilder<M> builder, Case c, long capacity) {
    Launcher device = TargetUnderTest.device();
    builder
        .layout(c.kind.layout())
        .workers(c.kind.threads())
        .waiting(c.kind.waiting())
        .hash(c.hash)
        .capacity(capacity);
    return device == null ? builder : builder.launcher(device);
  }

  private static MapAdapter build(Case c, long capacity) {
    return c.kind.type().build(builder -> with(builder, c, capacity));
  }

  /** Inserts beside a map of the library, with growth, single keys, a walk and a rehash. */
  @ParameterizedTest
  @MethodSource("cases")
  @Tag("slow")
  void behavesAsAHashMap(Case c) {
    // A bad hash takes time that rises with the square; a good one, keys enough for an order.
    boolean bad = c.hash instanceof Few;
    int count = bad ? 300 : 60_000;
    SplittableRandom random = new SplittableRandom(5);
    Map<Long, Long> expected = new HashMap<>();
    try (MapAdapter map = build(c, bad ? 4 : 1 << 18)) {
      for (int round = 0; round < 3; round++) {
        long[] keys = random.longs(count, -count, count).toArray();
        keys[0] = c.kind.min();
        long[] values = LongStream.range(0, count).toArray();
        for (int i = 0; i < count; i++) {
          expected.merge(keys[i], values[i], (a, b) -> c.kind.wrap(a + b));
        }
        var _ = map.insert(keys, values, Change.ADD, null, BulkOptions.NONE);
        assertThat(map.entries()).isEqualTo(expected);
        assertThat(map.walked()).isEqualTo(expected);
        long[] found = new long[count];
        assertThat(map.find(keys, found, BulkOptions.NONE).found()).isEqualTo(count);
        assertThat(found).isEqualTo(Arrays.stream(keys).map(expected::get).toArray());
        map.rehash(expected.size());
      }
      if (!TargetUnderTest.isDevice()) {
        for (long key = 0; key < 50; key++) {
          map.putIfAbsent(key, key);
          expected.putIfAbsent(key, key);
        }
        assertThat(map.entries()).isEqualTo(expected);
      }
    }
  }

  /** Hashes of ours that are not the ones of such keys are as a user's. */
  @Test
  void readersUseTheHashThatUpdatesUse() {
    for (Layout layout : List.of(Layout.REFERENCE, Layout.LINE)) {
      Layout ofInts = layout == Layout.LINE ? Layout.PACKED : layout;
      try (LongLongMap map =
              LongLongMap.builder().layout(layout).hash(new Hashing.OfInts()).build();
          IntIntMap ints = IntIntMap.builder().layout(ofInts).hash(new Hashing.OfLongs()).build()) {
        for (int key = 1; key < 100; key++) {
          assertThat(map.put((long) key << 20, key)).isEmpty();
          assertThat(ints.put(key << 20, key)).isEmpty();
        }
        for (int key = 1; key < 100; key++) {
          assertThat(map.getOrDefault((long) key << 20, 0)).isEqualTo(key);
          assertThat(ints.getOrDefault(key << 20, 0)).isEqualTo(key);
        }
      }
    }
  }

  /** Ours, given as if it were a user's, is ours. */
  @Test
  void oursMayBeGiven() {
    int[] keys = IntStream.range(0, 1_000).toArray();
    for (Layout layout : List.of(Layout.REFERENCE, Layout.PACKED)) {
      int[] plain = order(IntIntMap.builder().layout(layout), keys);
      assertThat(order(IntIntMap.builder().layout(layout).hash(new Hashing.OfInts()), keys))
          .isEqualTo(plain)
          .isNotEqualTo(keys);
    }
  }

  /** Keys in the order of the table. */
  private static int[] order(MapBuilder<IntIntMap> builder, int[] keys) {
    try (IntIntMap map = builder.tableSeed(7).capacity(keys.length).build()) {
      assertThat(map.insert(keys, keys).inserted()).isEqualTo(keys.length);
      int[] found = new int[keys.length];
      assertThat(map.retrieveAll(found, new int[keys.length])).isEqualTo(keys.length);
      return found;
    }
  }

  @Test
  void setsHaveOne() {
    try (LongSet set = LongSet.builder().hash(new Few()).capacity(1).build()) {
      long[] keys = LongStream.range(0, 200).toArray();
      assertThat(set.addAll(keys).inserted()).isEqualTo(200);
      assertThat(set.containsAll(keys).found()).isEqualTo(200);
      assertThat(set.add(7)).isFalse();
    }
  }

  @Test
  void aFileIsLoadedWithItsHashOnly(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("map");
    for (Kind kind : List.of(new Kind(true, Layout.LINE, 1), new Kind(false, Layout.PACKED, 1))) {
      Case c = new Case(kind, Multiplied.FIBONACCI);
      long[] keys = LongStream.range(-500, 500).toArray();
      try (MapAdapter map = build(c, 4)) {
        assertThat(map.insert(keys, keys, Change.KEEP, null, BulkOptions.NONE).inserted())
            .isEqualTo(1000);
        map.save(file);
        try (MapAdapter loaded = load(c, file)) {
          assertThat(loaded.entries()).isEqualTo(map.entries());
          assertThat(loaded.find(keys, null, BulkOptions.NONE).found()).isEqualTo(1000);
        }
      }
      for (Hash other : List.of(new Multiplied(3), new Few())) {
        assertThatThrownBy(() -> load(new Case(kind, other), file))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("has the hash dev.gyre.structures.map.HashTest$Multiplied")
            .hasMessageContaining("the builder has the hash " + other.getClass().getName());
      }
      assertThatThrownBy(() -> loadWithOurs(kind, file))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("the builder has the hash of this library");
      try (MapAdapter ours = kind.build(4, false, 0.5, 1)) {
        ours.save(file);
      }
      assertThatThrownBy(() -> load(c, file))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("has the hash of this library");
      byte[] bytes = Files.readAllBytes(file);
      // Says that a section names the hash, which is the table.
      bytes[17] ^= 1;
      Files.write(file, bytes);
      assertThatThrownBy(() -> load(c, file)).isInstanceOf(SavedFileException.class);
    }
  }

  private static MapAdapter load(Case c, Path file) {
    return c.kind.type().load(file, builder -> builder.hash(c.hash));
  }

  private static MapAdapter loadWithOurs(Kind kind, Path file) {
    return kind.type().load(file);
  }

  /** No table can be made of its memories, which are given back. */
  @Test
  void aHashThatKernelsOfTablesHaveNoRoomForLeavesNothing() {
    Wide wide = Wide.ofZeros();
    List<ThrowingCallable> makers =
        List.of(
            () -> LongLongMap.builder().layout(Layout.REFERENCE).hash(wide).build(),
            () -> LongLongMap.builder().layout(Layout.LINE).hash(wide).build(),
            () -> IntIntMap.builder().layout(Layout.REFERENCE).hash(wide).build(),
            () -> IntIntMap.builder().layout(Layout.PACKED).hash(wide).build(),
            () -> TextLongMap.builder().textHash(wide).build(),
            () -> RecordMap.builder(RecordSchema.of(Key.class, Value.class).hash(wide)).build());
    for (ThrowingCallable maker : makers) {
      long before = MemoryLeft.bytes();
      assertThatThrownBy(maker)
          .isInstanceOf(KernelException.class)
          .hasMessageContaining("handles and numbers, of 120 at most");
      assertThat(MemoryLeft.bytes()).isEqualTo(before);
    }
  }

  @Test
  void hashesThatAreNone() {
    Hash lambda = (key, seed) -> key ^ seed;
    for (Hash hash : List.of(lambda, new Named("no number"))) {
      assertThatThrownBy(() -> LongLongMap.builder().hash(hash))
          .isInstanceOf(KernelException.class);
    }
    assertThatThrownBy(() -> IntSet.builder().hash(new OfEnum(Mode.SQUARED)))
        .isInstanceOf(KernelException.class)
        .hasMessageContainingAll("OfEnum, component mode is a", "Mode, an enum, ", "ordinal()");
    assertThatThrownBy(() -> LongSet.builder().hash(new Twice(new WithEnum(0))))
        .isInstanceOf(KernelException.class)
        .hasMessageContainingAll("Twice, component once", "the enum ", "Mode, ", "ordinal()");
    assertThatThrownBy(() -> TextLongMap.builder().hash(new Few()).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot hash texts; give the map a TextHash");
  }
}
