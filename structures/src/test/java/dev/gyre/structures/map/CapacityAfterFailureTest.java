package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Insert;
import dev.gyre.structures.ForwardingLauncher;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.MapAdapter.Change;
import dev.gyre.structures.map.MapAdapter.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** An operation that fails takes no room with it, whenever it does: the map has what is in it. */
class CapacityAfterFailureTest {

  private static final int CAPACITY = 5_000;

  static Stream<Kind> kinds() {
    return Kind.all().stream();
  }

  private static long[] numbers(int from, int to) {
    return LongStream.range(from, to).toArray();
  }

  /** A map of fixed capacity is full when it has as many keys, and is saved and loaded. */
  private static void assertWhole(MapAdapter map, Path folder, int keys) {
    assertThat(map.size()).isEqualTo(keys);
    assertThat(map.entries()).hasSize(keys);
    int room = CAPACITY - keys;
    long[] more = numbers(1_000_000, 1_000_000 + room + 1);
    InsertCounts counts = map.insert(more, more, Change.KEEP, null, BulkOptions.NONE);
    assertThat(counts).isEqualTo(new InsertCounts(room, 0, 1));
    assertThat(map.size()).isEqualTo(CAPACITY);
    Path file = folder.resolve("map");
    map.save(file);
    try (MapAdapter loaded = map.load(file)) {
      assertThat(loaded.entries()).isEqualTo(map.entries());
    }
  }

  /** A segment whose memory was freed. */
  private static MemorySegment freed(long bytes) {
    try (Arena arena = Arena.ofShared()) {
      return arena.allocate(bytes, Long.BYTES);
    }
  }

  /** Arrays of which one cannot be read, or cannot be written: its memory was freed. */
  private static final class Freed extends Sources {

    private final boolean output;
    private boolean isFreed;

    Freed(boolean output) {
      super(null, Way.HEAP_SEGMENT);
      this.output = output;
    }

    @Override
    protected MemorySegment segment(MemorySegment array, boolean written) {
      if (isFreed || written != output) {
        return array;
      }
      isFreed = true;
      return freed(array.byteSize());
    }
  }

  /** Inserts keys that cannot be read. */
  private static void insertFreed(MapAdapter map, int keys) {
    var _ =
        map.with(() -> new Freed(false)).insert(new long[keys], new long[keys], BulkOptions.NONE);
  }

  /** Inserts where what is found cannot be written. */
  private static void insertAndFindToFreed(MapAdapter map, long[] keys) {
    var _ =
        map.with(() -> new Freed(true))
            .insertAndFind(keys, keys, new long[keys.length], BulkOptions.NONE);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void keysThatCannotBeReadTakeNoRoom(Kind kind, @TempDir Path folder) {
    try (MapAdapter map = kind.build(CAPACITY, true, 0.5, 1)) {
      map.putIfAbsent(1, 1);
      for (int i = 0; i < 3; i++) {
        // In one step, in several, and in one that is left until it is alone.
        assertThatThrownBy(() -> insertFreed(map, 4_000))
            .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> insertFreed(map, 9_000))
            .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> insertFreed(map, 6_000))
            .isInstanceOf(IllegalArgumentException.class);
      }
      assertWhole(map, folder, 1);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void whatCannotBeWrittenIsRefusedBeforeAnythingIsInserted(Kind kind, @TempDir Path folder) {
    long[] keys = numbers(0, 1_000);
    try (MapAdapter map = kind.build(CAPACITY, true, 0.5, 1)) {
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> insertAndFindToFreed(map, keys))
            .isInstanceOf(IllegalArgumentException.class);
        assertThat(map.size()).isZero();
      }
      assertWhole(map, folder, 0);
    }
  }

  /** Where steps are done alone, since there is not room for all of their keys. */
  @ParameterizedTest
  @MethodSource("kinds")
  void nothingIsForgottenOfAMapThatIsNearlyFull(Kind kind, @TempDir Path folder) {
    long[] first = numbers(0, CAPACITY - 100);
    long[] more = numbers(CAPACITY - 150, CAPACITY - 50);
    try (MapAdapter map = kind.build(CAPACITY, true, 0.5, 1)) {
      var _ = map.insert(first, first, Change.KEEP, null, BulkOptions.NONE);
      assertThatThrownBy(() -> insertAndFindToFreed(map, more))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(map.size()).isEqualTo(CAPACITY - 100);
      assertThatThrownBy(() -> insertFreed(map, 200)).isInstanceOf(IllegalArgumentException.class);
      assertWhole(map, folder, CAPACITY - 100);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void growthAndRehashKeepNoRoomTaken(Kind kind) {
    try (MapAdapter map = kind.build(1_000, false, 0.5, 1)) {
      map.putIfAbsent(1, 1);
      assertThatThrownBy(() -> insertFreed(map, 900)).isInstanceOf(IllegalArgumentException.class);
      map.rehash(10);
      assertThat(map.capacity()).isEqualTo(10);
      for (int key = 2; key <= 10; key++) {
        map.putIfAbsent(key, key);
      }
      assertThat(map.size()).isEqualTo(10);
      assertThat(map.capacity()).isEqualTo(10);
      map.putIfAbsent(11, 11);
      assertThat(map.size()).isEqualTo(11);
    }
  }

  @Test
  void textsToo() {
    List<String> keys = IntStream.range(0, 4_000).mapToObj(i -> "a key that is long " + i).toList();
    long[] values = numbers(0, keys.size());
    try (TextKeys all = TextKeys.of(keys);
        TextLongMap map =
            TextLongMap.builder().fixedCapacity(CAPACITY).textBytes(1 << 20).build()) {
      Longs freed = Longs.of(freed(8L * values.length));
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> map.insert(all, freed, BulkOptions.NONE))
            .isInstanceOf(IllegalArgumentException.class);
      }
      assertThat(map.size()).isZero();
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> map.insertAndFind(all, Longs.of(values), freed, BulkOptions.NONE))
            .isInstanceOf(IllegalArgumentException.class);
        assertThat(map.size()).isZero();
      }
      assertThat(map.asMap()).isEmpty();
      assertThat(map.insert(all, Longs.of(values), BulkOptions.NONE).inserted())
          .isEqualTo(keys.size());
    }
  }

  /** What a launch of a device does before it fails. */
  enum Failure {
    NOTHING,
    HALF,
    ALL,
    CANCELLED
  }

  /** A device that is the JVM; inserts of more than a few keys fail there while they are to. */
  private static final class Failing extends ForwardingLauncher {
    private boolean fails;
    private Failure failure = Failure.NOTHING;

    Failing() {
      super(JvmLauncher.ofWorkers(2), deviceOnJvm(1));
    }

    @Override
    public LaunchShape shapeFor(long items) {
      return LaunchShape.ofThreads(1);
    }

    @Override
    public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
      boolean insert = kernel instanceof Insert;
      if (fails && insert) {
        if (failure == Failure.CANCELLED) {
          throw new LaunchCancelledException("insert", device(), null);
        }
        if (failure != Failure.NOTHING) {
          launcher.run(failure == Failure.ALL ? kernel : half(kernel), shape);
        }
        throw new LaunchException("insert", device(), "broken", null);
      }
      return launcher.start(kernel, shape, mode);
    }

    private static Kernel half(Kernel kernel) {
      Insert i = (Insert) kernel;
      return new Insert(
          i.table(),
          i.batch(),
          i.counters(),
          i.from(),
          (i.from() + i.to()) / 2,
          i.change(),
          i.options(),
          i.pollLimit());
    }

    void failWhile(Failure how, ThrowingCallable operation) {
      fails = true;
      failure = how;
      assertThatThrownBy(operation).isInstanceOf(LaunchException.class);
      fails = false;
    }
  }

  private static long inserted(Failure failure, long keys) {
    return switch (failure) {
      case NOTHING, CANCELLED -> 0;
      case HALF -> keys / 2;
      case ALL -> keys;
    };
  }

  @ParameterizedTest
  @EnumSource
  void aLaunchThatFailedIsCountedAsFarAsItCame(Failure failure, @TempDir Path folder) {
    long[] keys = numbers(0, 1_000);
    try (Failing device = new Failing();
        LongLongMap map =
            LongLongMap.builder()
                .fixedCapacity(CAPACITY)
                .waiting(Waiting.DEFERRED)
                .launcher(device)
                .build()) {
      device.failWhile(failure, () -> map.insert(keys, keys));
      assertThat(map.size()).isEqualTo(inserted(failure, keys.length));
      MapAdapter subject = new LongMapAdapter(map);
      long[] most = numbers(5_000, 5_000 + CAPACITY - 1_000);
      assertThat(map.insert(most, most).full()).isZero();
      // From here on there is room for fewer, so that they are inserted alone.
      long[] again = numbers(2_000, 2_900);
      device.failWhile(failure, () -> map.insert(again, again));
      long size = most.length + inserted(failure, 1_000);
      size += Math.min(CAPACITY - size, inserted(failure, 900));
      assertThat(map.size()).isEqualTo(size);
      assertWhole(subject, folder, (int) size);
    }
  }

  @ParameterizedTest
  @EnumSource
  void soIsALaunchOverTexts(Failure failure) {
    List<String> keys = IntStream.range(0, 1_000).mapToObj(i -> "a key that is long " + i).toList();
    long[] values = numbers(0, keys.size());
    try (Failing device = new Failing();
        TextLongMap map =
            TextLongMap.builder()
                .fixedCapacity(1_500)
                .textBytes(1 << 20)
                .waiting(Waiting.DEFERRED)
                .launcher(device)
                .build()) {
      device.failWhile(failure, () -> map.insert(keys, values));
      assertThat(map.size()).isEqualTo(inserted(failure, keys.size()));
      List<String> more = keys.stream().map(key -> key + "!").toList();
      device.failWhile(failure, () -> map.insert(more, values));
      long size = Math.min(1_500, 2 * inserted(failure, keys.size()));
      assertThat(map.size()).isEqualTo(size);
      InsertCounts counts = map.insert(more, values);
      assertThat(counts.full()).isEqualTo(Math.max(0, 1_000 - counts.present() - (1_500 - size)));
      assertThat(map.size()).isEqualTo(size + counts.inserted());
    }
  }
}
