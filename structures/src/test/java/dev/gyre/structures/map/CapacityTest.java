package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.map.Fold;
import dev.gyre.kernels.map.Insert;
import dev.gyre.kernels.map.NumberCode;
import dev.gyre.kernels.map.TextSlots;
import dev.gyre.structures.ConformanceSuite;
import dev.gyre.structures.ForwardingLauncher;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.Others;
import dev.gyre.structures.TargetUnderTest;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.MapAdapter.Change;
import dev.gyre.structures.map.MapAdapter.Kind;
import dev.gyre.structures.map.access.LongAccess;
import dev.gyre.structures.map.access.TextAccess;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.store.LongStore;
import dev.gyre.structures.map.store.Store;
import dev.gyre.structures.map.store.TextStore;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.table.MapSettings;
import dev.gyre.structures.map.table.TextKey;
import dev.gyre.structures.map.table.TextTable;
import dev.gyre.structures.map.work.Reservations;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Capacity of maps: a map of fixed capacity takes as many keys as it says, no more and no fewer,
 * and a map that grows does so only for keys that do not fit.
 */
class CapacityTest {

  /** An operation that fails gives all capacity back that it took, whenever it fails. */
  @Nested
  class AfterFailure {

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
      int left = CAPACITY - keys;
      long[] more = numbers(1_000_000, 1_000_000 + left + 1);
      InsertCounts counts = map.insert(more, more, Change.KEEP, null, BulkOptions.NONE);
      assertThat(counts).isEqualTo(new InsertCounts(left, 0, 1));
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
    void keysThatCannotBeReadTakeNoCapacity(Kind kind, @TempDir Path folder) {
      try (MapAdapter map = kind.build(CAPACITY, true, 0.5, 1)) {
        map.putIfAbsent(1, 1);
        for (int i = 0; i < 3; i++) {
          // In one step, in several, and in one that runs alone at last.
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

    /** Steps run alone if there is not capacity for all of their keys. */
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
        assertThatThrownBy(() -> insertFreed(map, 200))
            .isInstanceOf(IllegalArgumentException.class);
        assertWhole(map, folder, CAPACITY - 100);
      }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void growthAndRehashKeepNoCapacityTaken(Kind kind) {
      try (MapAdapter map = kind.build(1_000, false, 0.5, 1)) {
        map.putIfAbsent(1, 1);
        assertThatThrownBy(() -> insertFreed(map, 900))
            .isInstanceOf(IllegalArgumentException.class);
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
      List<String> keys =
          IntStream.range(0, 4_000).mapToObj(i -> "a key that is long " + i).toList();
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
          assertThatThrownBy(
                  () -> map.insertAndFind(all, Longs.of(values), freed, BulkOptions.NONE))
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
        // From here on there is capacity for fewer, so that they are inserted alone.
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
      List<String> keys =
          IntStream.range(0, 1_000).mapToObj(i -> "a key that is long " + i).toList();
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

  /**
   * A thread finds no capacity for a key because another thread took the last for the same key. The
   * key is in the map afterwards, so that the map is not full for it.
   */
  @Nested
  @Timeout(60)
  class LastKey {

    private static final long POLLS = 1 << 20;

    private static MapSettings settings(boolean fixed) {
      return settings(fixed, 1);
    }

    private static MapSettings settings(boolean fixed, long capacity) {
      return new MapSettings(
          new MapSettings.Options(Layout.LINE, fixed, 0.5, Waiting.AUTO, 32, false),
          capacity,
          1,
          null,
          POLLS,
          JvmLauncher.ofWorkers(1),
          true,
          null,
          "");
    }

    /** Starts an operation, and waits until it waits for this thread, which is inside the lock. */
    private static Thread waiting(LongSupplier operation, AtomicReference<Object> result)
        throws InterruptedException {
      Thread thread =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      result.set(operation.getAsLong());
                    } catch (RuntimeException e) {
                      result.set(e);
                    }
                  });
      while (!Others.waits(thread) && thread.isAlive()) {
        Thread.sleep(1);
      }
      return thread;
    }

    private static Object besideOneWithTheLastCapacity(boolean fixed, long other)
        throws InterruptedException {
      try (LongStore store = new LongStore("map", SavedMap.Kind.LONGS, settings(fixed))) {
        Entry entry = store.lock().enterSingle();
        LongTable table = store.table();
        assertThat(table.take(1)).isTrue();
        AtomicReference<Object> result = new AtomicReference<>();
        Thread adder =
            waiting(() -> new LongAccess(store).merge(other, 20, Apply.ADD.change()), result);
        NumberCode entries = table.entries();
        assertThat(entries.insert(entries.find(7), 7, 1, POLLS)).isNegative();
        entry.close();
        adder.join();
        assertThat(store.capacity()).isEqualTo(fixed || other == 7 ? 1 : Store.enlarged(1));
        return result.get();
      }
    }

    @Test
    void aFixedMapIsNotFullForAKeyThatCameMeanwhile() throws Exception {
      assertThat(besideOneWithTheLastCapacity(true, 7)).isEqualTo(21L);
      assertThat(besideOneWithTheLastCapacity(true, 8)).isInstanceOf(MapFullException.class);
    }

    @Test
    void aMapGrowsOnlyForAKeyThatDidNotCome() throws Exception {
      assertThat(besideOneWithTheLastCapacity(false, 7)).isEqualTo(21L);
      assertThat(besideOneWithTheLastCapacity(false, 8)).isEqualTo(20L);
    }

    /** No other thread can fetch what a thread inside the lock has reserved, but it can wait. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aMapIsNotFullWhileOneWhoIsInsideHasCapacityReserved(boolean fixed) throws Exception {
      int capacity = 1 << 20;
      try (LongStore store = new LongStore("map", SavedMap.Kind.LONGS, settings(fixed, capacity))) {
        Reservations singles = store.reservations();
        Entry entry = store.lock().enterSingle();
        LongTable table = store.table();
        assertThat(table.takeOne(entry)).isTrue();
        table.insertedSome(entry, 1, 1);
        long ahead = singles.ahead();
        assertThat(ahead).isPositive();
        assertThat(table.take(capacity - 1 - ahead)).isTrue();
        table.inserted(capacity - 1 - ahead, capacity - 1 - ahead);
        AtomicReference<Object> result = new AtomicReference<>();
        Thread adder =
            waiting(() -> new LongAccess(store).merge(8, 20, Apply.ADD.change()), result);
        assertThat(singles.ahead()).isEqualTo(ahead);
        entry.close();
        adder.join();
        assertThat(result.get()).isEqualTo(20L);
        assertThat(store.capacity()).isEqualTo(capacity);
        assertThat(store.size()).isEqualTo(capacity - ahead + 1);
      }
    }

    /**
     * The same for capacity of the table or, if there is enough of that, for space in the arena.
     */
    private static Object besideOneWithTheLastText(boolean slots, String other)
        throws InterruptedException {
      byte[] first = "a key of twenty-four byte".getBytes(StandardCharsets.UTF_8);
      try (TextStore store = new TextStore("map", settings(true))) {
        Entry entry = store.lock().enterSingle();
        TextTable table = store.table();
        long free = table.bump.get(0);
        if (slots) {
          assertThat(table.take(1)).isTrue();
        } else {
          table.bump.set(0, table.arena.length());
        }
        AtomicReference<Object> result = new AtomicReference<>();
        byte[] bytes = other.getBytes(StandardCharsets.UTF_8);
        Thread adder =
            waiting(
                () -> new TextAccess(store).merge(TextKey.of(bytes), 20, Apply.ADD.change()),
                result);
        table.bump.set(0, free);
        assertThat(slots || table.take(1)).isTrue();
        assertThat(TextKey.of(first).insert(table, null, 1, POLLS)).isEqualTo(TextKey.NONE);
        entry.close();
        adder.join();
        return result.get();
      }
    }

    @Test
    void aFixedMapOfTextsIsNotFullForAKeyThatCameMeanwhile() throws Exception {
      for (boolean slots : new boolean[] {true, false}) {
        assertThat(besideOneWithTheLastText(slots, "a key of twenty-four byte")).isEqualTo(21L);
        assertThat(besideOneWithTheLastText(slots, "another of twenty-four byte"))
            .isInstanceOf(MapFullException.class);
      }
    }

    @Test
    void aMapDoesNotGrowForKeysThatAreNotChosen() {
      long[] more = LongStream.range(20, 1_020).toArray();
      boolean[] chosen = new boolean[more.length];
      Arrays.fill(chosen, 0, 900, true);
      try (LongLongMap map = LongLongMap.builder().workers(1).capacity(1_000).build()) {
        long[] keys = LongStream.range(0, 900).toArray();
        long capacity = map.capacity();
        assertThat(map.insert(keys, keys).inserted()).isEqualTo(900);
        InsertCounts counts =
            map.insert(Longs.of(more), Longs.of(more), BulkOptions.NONE.where(chosen));
        assertThat(counts).isEqualTo(new InsertCounts(20, 880, 0));
        assertThat(map.capacity()).isEqualTo(capacity);
      }
    }
  }

  /**
   * Threads of a device find no space for the text of a key that another thread is about to insert.
   */
  @Nested
  @ConformanceSuite
  @Tag("race")
  class LastText {

    private static TextLongMap oneKey(Launcher launcher) {
      TargetUnderTest.assumeAlone();
      return TextLongMap.builder()
          .launcher(new DelayedInserts(launcher))
          .fixedCapacity(1)
          .textBytes(32)
          .build();
    }

    private static Launcher launcher() {
      Launcher device = TargetUnderTest.device();
      return device == null ? JvmLauncher.create() : device;
    }

    @Test
    void equalKeysAreNotFullWhereOneTakesTheLastCapacity() {
      String key = "a key of twenty-four byte";
      List<String> keys = List.of(key, key, key);
      try (TextLongMap map = oneKey(launcher())) {
        InsertCounts counts = map.insertOrApply(keys, new long[] {1, 20, 300}, Apply.ADD);
        assertThat(counts).isEqualTo(new InsertCounts(1, 2, 0));
        assertThat(map.get(key)).hasValue(321);
      }
    }

    @Test
    void keysThatAreNotThereAreFull() {
      List<String> keys = List.of("a key of twenty-four byte", "another of twenty-four byte");
      try (TextLongMap map = oneKey(launcher())) {
        assertThat(map.insert(keys, new long[] {1, 2})).isEqualTo(new InsertCounts(1, 0, 1));
      }
    }

    /**
     * Does what a device may do: the thread of the first key takes the space that is left in the
     * arena, then all others look for space, then the first goes on.
     */
    private static final class DelayedInserts extends ForwardingLauncher {

      DelayedInserts(Launcher launcher) {
        super(
            launcher,
            launcher.device().target() == Target.JVM ? deviceOnJvm(1) : launcher.device());
      }

      @Override
      public LaunchShape shapeFor(long items) {
        return LaunchShape.ofThreads(1);
      }

      @Override
      public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
        if (!(kernel instanceof Insert insert && insert.table() instanceof TextSlots table)) {
          return launcher.start(kernel, shape, mode);
        }
        Memory bump = table.bump().memory();
        launcher.readBack(bump);
        long free = table.bump().get(0);
        table.bump().set(0, table.arenaWords());
        launcher.hostWrote(bump);
        launcher.run(part(insert, insert.from() + 1, insert.to()), shape);
        launcher.readBack(bump);
        table.bump().set(0, free);
        launcher.hostWrote(bump);
        return launcher.start(part(insert, insert.from(), insert.from() + 1), shape, mode);
      }

      private static Insert part(Insert whole, long from, long to) {
        return new Insert(
            whole.table(),
            whole.batch(),
            whole.counters(),
            from,
            to,
            whole.change(),
            whole.options(),
            whole.pollLimit());
      }

      /** The launcher is the suite's. */
      @Override
      public void close() {}
    }
  }

  /**
   * Several threads insert single keys, few keys and many into one map, beside threads that change
   * values and count. The map takes as many keys as it has capacity for, and counts them.
   */
  @Nested
  @Timeout(240)
  class SeveralThreads {

    private static final int KEYS = 16_000;

    /** A map to which keys come in all ways; each key is a number. */
    interface Subject extends AutoCloseable {
      /** Inserts a key, or changes its value; returns whether it was there. */
      boolean put(int key);

      /** Inserts keys; returns what became of them. */
      InsertCounts insert(int from, int to);

      long size();

      void clear();

      long entries();

      @Override
      void close();
    }

    private record Numbers(MapAdapter map) implements Subject {
      @Override
      public boolean put(int key) {
        return map.merge(key, 1, Apply.ADD) > 1;
      }

      @Override
      public InsertCounts insert(int from, int to) {
        long[] keys = LongStream.range(from, to).toArray();
        long[] ones = LongStream.generate(() -> 1).limit(keys.length).toArray();
        return map.insert(keys, ones, Change.ADD, null, BulkOptions.NONE);
      }

      @Override
      public long size() {
        return map.size();
      }

      @Override
      public void clear() {
        map.clear();
      }

      @Override
      public long entries() {
        return map.entries().size();
      }

      @Override
      public void close() {
        map.close();
      }
    }

    private record Texts(TextLongMap map) implements Subject {
      private static String text(int key) {
        return "k".repeat(Math.floorMod(key, 19)) + key;
      }

      @Override
      public boolean put(int key) {
        return map.merge(text(key), 1, Apply.ADD) > 1;
      }

      @Override
      public InsertCounts insert(int from, int to) {
        List<String> keys = IntStream.range(from, to).mapToObj(Texts::text).toList();
        long[] ones = LongStream.generate(() -> 1).limit(keys.size()).toArray();
        return map.insertOrApply(keys, ones, Apply.ADD);
      }

      @Override
      public long size() {
        return map.size();
      }

      @Override
      public void clear() {
        map.clear();
      }

      @Override
      public long entries() {
        AtomicLong entries = new AtomicLong();
        map.forEach((_, _) -> entries.incrementAndGet());
        return entries.get();
      }

      @Override
      public void close() {
        map.close();
      }
    }

    /** Makes an empty map. */
    interface Maker {
      Subject make(long capacity, boolean fixed);
    }

    record Named(String name, Maker maker) {
      @Override
      public String toString() {
        return name;
      }
    }

    static Stream<Named> kinds() {
      Maker texts =
          (capacity, fixed) -> {
            MapBuilder<TextLongMap> builder = TextLongMap.builder().workers(2).seed(42);
            return new Texts(
                (fixed
                        ? builder.fixedCapacity(capacity).textBytes(64 * capacity)
                        : builder.capacity(capacity))
                    .build());
          };
      return Stream.concat(
          Kind.layouts().stream()
              .map(
                  kind ->
                      new Named(
                          kind.toString(),
                          (capacity, fixed) -> new Numbers(kind.build(capacity, fixed)))),
          Stream.of(new Named("texts", texts)));
    }

    /**
     * Inserts all keys: two threads one by one, one a few at a time, one many; some of each come
     * again. Beside them one changes a key that is there, and one counts.
     */
    private static void insertAll(Subject map) {
      assertThat(map.put(0)).isFalse();
      AtomicLong come = new AtomicLong(1);
      AtomicBoolean done = new AtomicBoolean();
      List<CompletableFuture<Void>> inserting = new ArrayList<>();
      for (int thread = 0; thread < 2; thread++) {
        int first = thread;
        inserting.add(
            Others.start(
                () -> {
                  for (int key = 4 + first; key < KEYS; key += 4) {
                    assertThat(map.put(key)).as("key %d", key).isFalse();
                    come.incrementAndGet();
                    assertThat(map.put(key)).as("key %d again", key).isTrue();
                  }
                }));
      }
      inserting.add(Others.start(() -> insertBlocks(map, KEYS, KEYS + KEYS / 4, 7, come)));
      inserting.add(
          Others.start(() -> insertBlocks(map, 2 * KEYS, 2 * KEYS + KEYS / 4, 150, come)));
      CompletableFuture<Void> changing =
          Others.start(
              () -> {
                while (!done.get()) {
                  assertThat(map.put(0)).isTrue();
                }
              });
      CompletableFuture<Void> counting =
          Others.start(
              () -> {
                while (!done.get()) {
                  long before = come.get();
                  assertThat(map.size()).isGreaterThanOrEqualTo(before);
                }
              });
      try {
        CompletableFuture.allOf(inserting.toArray(CompletableFuture[]::new)).join();
      } finally {
        done.set(true);
        changing.join();
        counting.join();
      }
    }

    private static void insertBlocks(Subject map, int from, int to, int length, AtomicLong come) {
      for (int at = from; at < to; at += length) {
        int end = Math.min(at + length, to);
        InsertCounts counts = map.insert(Math.max(from, at - 1), end);
        assertThat(counts).isEqualTo(new InsertCounts(end - at, at == from ? 0 : 1, 0));
        come.addAndGet(counts.inserted());
      }
    }

    /** Of {@link #insertAll}: 0, two quarters but for one each, and two more. */
    private static final int ALL = 1 + 2 * (KEYS / 4 - 1) + 2 * (KEYS / 4);

    @ParameterizedTest
    @MethodSource("kinds")
    void aMapOfFixedCapacityTakesAsManyKeysAsItSays(Named kind) {
      for (int round = 0; round < 3; round++) {
        try (Subject map = kind.maker().make(ALL, true)) {
          insertAll(map);
          assertThat(map.size()).isEqualTo(ALL);
          assertThat(map.entries()).isEqualTo(ALL);
          assertThatThrownBy(() -> map.put(-1)).isInstanceOf(MapFullException.class);
          assertThat(map.put(4)).isTrue();
        }
      }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aMapThatGrowsCountsItsKeys(Named kind) {
      try (Subject map = kind.maker().make(1, false)) {
        for (int round = 0; round < 3; round++) {
          insertAll(map);
          assertThat(map.size()).isEqualTo(ALL);
          assertThat(map.entries()).isEqualTo(ALL);
          map.clear();
          assertThat(map.size()).isZero();
        }
      }
    }

    /** So that threads which insert single keys write to no place in common. */
    @Test
    void keysThatComeOneByOneHaveCapacityReserved() {
      try (LongLongMap map = LongLongMap.builder().workers(1).capacity(1_000_000).build()) {
        assertThat(map.putIfAbsent(1, 1)).isEmpty();
        assertThat(map.store.reservations().ahead()).isPositive();
        map.rehash(500_000);
        assertThat(map.store.reservations().ahead()).isZero();
        assertThat(map.putIfAbsent(2, 1)).isEmpty();
        assertThat(map.store.reservations().ahead()).isPositive();
        assertThat(map.size()).isEqualTo(2);
        map.clear();
        assertThat(map.store.reservations().ahead()).isZero();
      }
    }

    /** Threads that are gone have reserved it. */
    @ParameterizedTest
    @MethodSource("kinds")
    void capacityThatNoThreadUsesIsNotLost(Named kind) {
      int capacity = 100_000;
      try (Subject map = kind.maker().make(capacity, true)) {
        List<CompletableFuture<Void>> others =
            IntStream.range(0, 9)
                .mapToObj(i -> Others.start(() -> assertThat(map.put(-1 - i)).isFalse()))
                .toList();
        others.forEach(CompletableFuture::join);
        assertThat(map.size()).isEqualTo(9);
        InsertCounts counts = map.insert(0, capacity - 12);
        assertThat(counts).isEqualTo(new InsertCounts(capacity - 12, 0, 0));
        assertThat(map.insert(capacity - 13, capacity - 10)).isEqualTo(new InsertCounts(2, 1, 0));
        assertThat(map.put(capacity)).isFalse();
        assertThat(map.size()).isEqualTo(capacity);
        assertThatThrownBy(() -> map.put(capacity + 1)).isInstanceOf(MapFullException.class);
      }
    }
  }

  /** The operation that needs the capacity of a failed launch counts how much of it was used. */
  @Nested
  class Uncounted {

    private static final String CANCELLED = "gyre.test.cancelled";

    @TempDir private Path folder;

    /** Returns a map with one key, and capacity taken for two that were never inserted. */
    private static LongLongMap map() {
      LongLongMap map = LongLongMap.builder().workers(1).capacity(8).build();
      assertThat(map.putIfAbsent(0, 1)).isEmpty();
      assertThat(map.store.table().take(2)).isTrue();
      map.store.table().inserted(0, 2, false);
      return map;
    }

    @Test
    void aFileHasAsManyKeysAsItSays() {
      Path file = folder.resolve("map");
      try (LongLongMap map = map()) {
        map.save(file);
        assertThat(map.size()).isEqualTo(1);
      }
      try (LongLongMap loaded = LongLongMap.load(file)) {
        assertThat(loaded.size()).isEqualTo(1);
      }
    }

    @Test
    void itIsStillToBeCountedInALargerTable() {
      try (LongLongMap map = map()) {
        for (long key = 1; key < 100; key++) {
          assertThat(map.putIfAbsent(key, 1)).isEmpty();
        }
        assertThat(map.capacity()).isGreaterThan(8);
        map.store.recount();
        assertThat(map.size()).isEqualTo(100);
      }
    }

    @Test
    void itIsStillToBeCountedInATableWithALargerArena() {
      try (TextLongMap map = TextLongMap.builder().workers(1).capacity(8).textBytes(8).build()) {
        assertThat(map.store.table().take(2)).isTrue();
        map.store.table().inserted(0, 2, false);
        TextTable first = map.store.table();
        assertThat(map.putIfAbsent("some text that is longer than the arena is", 1)).isEmpty();
        assertThat(map.store.table()).isNotSameAs(first);
        map.store.recount();
        assertThat(map.size()).isEqualTo(1);
      }
    }

    record Refusing() implements Fold {
      @Override
      public long apply(long present, long given) {
        throw new IllegalStateException("no");
      }
    }

    /** The calling thread inserts few keys at once. */
    @Test
    void whatAFoldThatThrowsLeftOfAFewKeysIsCounted() {
      try (LongLongMap map = LongLongMap.builder().workers(2).fixedCapacity(4).build()) {
        assertThat(map.putIfAbsent(1, 1)).isEmpty();
        Longs keys = Longs.of(1, 2, 3);
        assertThatThrownBy(() -> map.insertOrApply(keys, keys, new Refusing(), BulkOptions.NONE))
            .isInstanceOf(IllegalStateException.class)
            .hasMessage("no");
        Set<Long> there = new HashSet<>();
        map.forEach((key, _) -> assertThat(there.add(key)).isTrue());
        assertThat(map.size()).isEqualTo(there.size());
        assertThat(map.putIfAbsent(4, 1)).isEmpty();
      }
    }

    /** Stands for a fold that uses another structure in an interrupted thread. */
    record Cancelled() implements Fold {
      @Override
      public long apply(long present, long given) {
        ((Runnable) Objects.requireNonNull(System.getProperties().get(CANCELLED))).run();
        return present;
      }
    }

    private static void cancel() {
      try (JvmLauncher other = JvmLauncher.ofWorkers(1)) {
        throw new LaunchCancelledException("other", other.device(), null);
      }
    }

    /**
     * That a launch was cancelled within the fold does not say that the map's own did not begin.
     */
    @Test
    void soIsWhatAFoldLeftInWhichAnotherLaunchWasCancelled() {
      Runnable cancelling = Uncounted::cancel;
      System.getProperties().put(CANCELLED, cancelling);
      long[] keys = {1, 2, 3, 4, 5, 6, 7, 0};
      BulkOptions told = BulkOptions.NONE.outcomes(new byte[keys.length]);
      try (LongLongMap map = LongLongMap.builder().workers(2).fixedCapacity(100).build()) {
        assertThat(map.putIfAbsent(0, 1)).isEmpty();
        assertThatThrownBy(
                () -> map.insertOrApply(Longs.of(keys), Longs.of(keys), new Cancelled(), told))
            .isInstanceOf(LaunchCancelledException.class);
        Set<Long> there = new HashSet<>();
        map.forEach((key, _) -> assertThat(there.add(key)).isTrue());
        assertThat(there).hasSizeGreaterThan(1);
        assertThat(map.size()).isEqualTo(there.size());
      }
      List<String> texts = List.of("b", "c", "d", "a");
      long[] ones = {1, 1, 1, 1};
      try (TextLongMap map = TextLongMap.builder().workers(2).fixedCapacity(100).build()) {
        assertThat(map.putIfAbsent("a", 1)).isEmpty();
        assertThatThrownBy(() -> map.insertOrApply(texts, ones, new Cancelled()))
            .isInstanceOf(LaunchCancelledException.class);
        Set<String> there = new HashSet<>();
        map.forEach((key, _) -> assertThat(there.add(key)).isTrue());
        assertThat(there).hasSizeGreaterThan(1);
        assertThat(map.size()).isEqualTo(there.size());
      }
    }
  }
}
