package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.LauncherGroup;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.structures.ForwardingLauncher;
import dev.gyre.structures.map.sharded.ShardedLongMap;
import dev.gyre.structures.map.sharded.ShardedRecordMap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Bulk inserts of columns that change while they run: whichever elements an insert takes, the table
 * stays sound. It counts the keys that a walk yields, it has each of them once and finds it again,
 * and no more of them than it has capacity for.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChangedColumnsTest {

  private static final int CALLS = 12;

  private static final Launcher GROUP =
      LauncherGroup.of(List.of(JvmLauncher.ofWorkers(1), JvmLauncher.ofWorkers(2)));

  @AfterAll
  static void close() {
    GROUP.parts().forEach(Launcher::close);
  }

  /** What the keys are that another thread writes: the present ones, new ones, or any of both. */
  private static final int PRESENT = 0;

  private static final int NEW = 1;
  private static final int WAYS = 3;

  /** Columns of a call, which another thread changes. */
  static final class Given {
    final long[] longs;
    final int[] ints;
    final boolean[] mask;
    final byte[][] texts;

    Given(int count) {
      longs = new long[count];
      ints = new int[count];
      mask = new boolean[count];
      texts = new byte[count][Integer.BYTES * 5];
      for (int i = 0; i < count; i++) {
        set(i, i);
      }
    }

    void set(int i, int key) {
      longs[i] = key;
      ints[i] = key;
      mask[i] = (key & 1) == 0;
      Arrays.fill(texts[i], (byte) 'x');
      byte[] digits = Integer.toString(key).getBytes(StandardCharsets.US_ASCII);
      System.arraycopy(digits, 0, texts[i], 0, digits.length);
    }

    /** Some more changes. */
    void change(SplittableRandom random) {
      int way = random.nextInt(WAYS);
      int first = random.nextInt(1 << 24) << 4;
      for (int i = 0; i < longs.length; i++) {
        int key =
            switch (way) {
              case PRESENT -> i;
              case NEW -> first + i;
              default -> random.nextInt(3 * longs.length);
            };
        set(i, key);
      }
    }
  }

  /** A structure, and what is asked of it once all calls have ended. */
  record Subject(
      AutoCloseable structure,
      Consumer<Given> insert,
      LongSupplier size,
      LongSupplier capacity,
      Consumer<LongConsumer> walk,
      LongPredicate has) {}

  private static <M> MapBuilder<M> sized(MapBuilder<M> builder, Case one) {
    MapBuilder<M> sized =
        one.fixed ? builder.fixedCapacity(one.count) : builder.capacity(one.count);
    sized.loadFactor(one.loadFactor);
    return sized.workers(one.workers);
  }

  /** A record of a text's digits. */
  private static long number(byte[] text) {
    long number = 0;
    for (byte digit : text) {
      number = 31 * number + digit;
    }
    return number;
  }

  record RecordKey(long first, int second) {}

  record RecordValue(long first, long second) {}

  private static long packed(RecordKey key) {
    return key.first << Integer.SIZE | Integer.toUnsignedLong(key.second);
  }

  enum Kind {
    LONGS {
      @Override
      Subject make(Case one) {
        LongLongMap map = sized(LongLongMap.builder().layout(one.layout), one).build();
        return of(map, given -> map.insertOrApply(given.longs, given.longs, Apply.MAX));
      }
    },
    MASKED_LONGS {
      @Override
      Subject make(Case one) {
        LongLongMap map = sized(LongLongMap.builder().layout(one.layout), one).build();
        return of(
            map,
            given ->
                map.insert(
                    Longs.of(given.longs),
                    Longs.of(given.longs.clone()),
                    BulkOptions.NONE.where(given.mask)));
      }
    },
    FOUND_LONGS {
      @Override
      Subject make(Case one) {
        LongLongMap map = sized(LongLongMap.builder().layout(one.layout), one).build();
        return of(map, given -> map.insertAndFind(given.longs, given.longs, new long[one.count]));
      }
    },
    INTS {
      @Override
      Subject make(Case one) {
        IntIntMap map = sized(IntIntMap.builder().layout(one.layout), one).build();
        return new Subject(
            map,
            given -> {
              var _ = map.insert(given.ints, given.ints);
            },
            map::size,
            map::capacity,
            action -> map.forEach((key, _) -> action.accept(key)),
            key -> map.containsKey((int) key));
      }
    },
    SET_OF_LONGS {
      @Override
      Subject make(Case one) {
        LongSet set = sized(LongSet.builder().layout(one.layout), one).build();
        return new Subject(
            set,
            given -> {
              var _ = set.addAll(given.longs);
            },
            set::size,
            set::capacity,
            set::forEach,
            set::contains);
      }
    },
    SET_OF_INTS {
      @Override
      Subject make(Case one) {
        IntSet set = sized(IntSet.builder().layout(one.layout), one).build();
        return new Subject(
            set,
            given -> {
              var _ = set.addAll(given.ints);
            },
            set::size,
            set::capacity,
            action -> set.forEach(action::accept),
            key -> set.contains((int) key));
      }
    },
    TEXTS {
      @Override
      Subject make(Case one) {
        TextLongMap map = sized(TextLongMap.builder(), one).build();
        Set<Long> numbers = new HashSet<>();
        return new Subject(
            map,
            given -> {
              try (TextKeys keys = TextKeys.of(given.texts)) {
                var _ = map.insert(keys, Longs.of(given.longs), BulkOptions.NONE);
              }
            },
            map::size,
            map::capacity,
            action ->
                map.forEachBytes(
                    (text, _) -> {
                      if (map.containsKey(text)) {
                        numbers.add(number(text));
                      }
                      action.accept(number(text));
                    }),
            numbers::contains);
      }
    },
    RECORDS {
      @Override
      Subject make(Case one) {
        var map =
            sized(RecordMap.builder(RecordSchema.of(RecordKey.class, RecordValue.class)), one)
                .build();
        return new Subject(
            map,
            given -> {
              Columns keys = Columns.longs(given.longs).and(Columns.ints(given.ints));
              var _ = map.insert(keys, Columns.longs(given.longs, given.longs));
            },
            map::size,
            map::capacity,
            action -> map.forEach((key, _) -> action.accept(packed(key))),
            key -> map.containsKey(new RecordKey(key >> Integer.SIZE, (int) key)));
      }
    },
    PACKED_RECORDS {
      @Override
      Subject make(Case one) {
        var map = sized(RecordMap.builder(RecordSchema.of(Pair.class, Count.class)), one).build();
        return new Subject(
            map,
            given -> {
              Columns keys = Columns.ints(given.ints, given.ints);
              var _ = map.insert(keys, Columns.longs(given.longs));
            },
            map::size,
            map::capacity,
            action ->
                map.forEach(
                    (key, _) ->
                        action.accept(
                            (long) key.first << Integer.SIZE | Integer.toUnsignedLong(key.second))),
            key -> map.containsKey(new Pair((int) (key >> Integer.SIZE), (int) key)));
      }
    },
    SHARDED_LONGS {
      @Override
      Subject make(Case one) {
        ShardedLongMap map =
            ShardedLongMap.of(GROUP, on -> sized(LongLongMap.builder(), one).launcher(on).build());
        return new Subject(
            map,
            given -> {
              var _ = map.insertOrApply(given.longs, given.longs, Apply.MAX);
            },
            map::size,
            map::capacity,
            action -> map.forEach((key, _) -> action.accept(key)),
            map::containsKey);
      }
    },
    SHARDED_RECORDS {
      @Override
      Subject make(Case one) {
        var schema = RecordSchema.of(RecordKey.class, RecordValue.class);
        var map =
            ShardedRecordMap.of(
                GROUP, on -> sized(RecordMap.builder(schema), one).launcher(on).build());
        return new Subject(
            map,
            given -> {
              Columns keys = Columns.longs(given.longs).and(Columns.ints(given.ints));
              Columns values = Columns.longs(given.longs, given.longs);
              var _ = map.insert(keys, values, BulkOptions.NONE);
            },
            map::size,
            map::capacity,
            action -> map.forEach((key, _) -> action.accept(packed(key))),
            key -> map.get(new RecordKey(key >> Integer.SIZE, (int) key)).isPresent());
      }
    };

    abstract Subject make(Case one);

    static Subject of(LongLongMap map, Consumer<Given> insert) {
      return new Subject(
          map,
          insert,
          map::size,
          map::capacity,
          action -> map.forEach((key, _) -> action.accept(key)),
          map::containsKey);
    }
  }

  record Pair(int first, int second) {}

  record Count(long count) {}

  /**
   * A structure of one kind, and how many keys its calls have, for so many of which it has room.
   */
  record Case(Kind kind, Layout layout, int count, double loadFactor, boolean fixed, int workers) {}

  /** Calls of all sizes go different ways: see LongCaller, LongBatch and LongOrder. */
  static Stream<Case> cases() {
    return Arrays.stream(Kind.values())
        .flatMap(
            kind ->
                IntStream.of(1, 12, 3_000, 9_000, 60_000)
                    .boxed()
                    .flatMap(
                        count ->
                            Stream.of(
                                new Case(kind, layout(kind, count), count, 1, false, 1),
                                new Case(kind, layout(kind, count), count, 0.5, false, 2),
                                new Case(kind, layout(kind, count + 1), count, 1, true, 2))));
  }

  private static Layout layout(Kind kind, int which) {
    return switch (kind) {
      case INTS -> which % 2 == 0 ? Layout.PACKED : Layout.REFERENCE;
      case SET_OF_INTS, SET_OF_LONGS -> Layout.REFERENCE;
      default -> which % 2 == 0 ? Layout.REFERENCE : Layout.LINE;
    };
  }

  @ParameterizedTest
  @MethodSource("cases")
  @Tag("slow")
  void byAnotherThread(Case one) throws Exception {
    Subject subject = one.kind.make(one);
    try (AutoCloseable _ = subject.structure) {
      Given given = new Given(one.count);
      // Nearly full, so that what is new is counted.
      subject.insert.accept(given);
      AtomicBoolean ended = new AtomicBoolean();
      Thread other =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    SplittableRandom random = new SplittableRandom(1);
                    while (!ended.get()) {
                      given.change(random);
                    }
                  });
      try {
        for (int i = 0; i < (one.count < 100 ? 100 * CALLS : CALLS / 3); i++) {
          subject.insert.accept(given);
        }
      } finally {
        ended.set(true);
        other.join();
      }
      requireSound(subject);
      assertThat(subject.size.getAsLong()).isLessThanOrEqualTo(subject.capacity.getAsLong());
    }
  }

  private static void requireSound(Subject subject) {
    Set<Long> keys = new HashSet<>();
    List<Long> again = new ArrayList<>();
    subject.walk.accept(
        key -> {
          if (!keys.add(key)) {
            again.add(key);
          }
        });
    assertThat(again).isEmpty();
    assertThat(subject.size.getAsLong()).isEqualTo(keys.size());
    assertThat(keys.stream().filter(key -> !subject.has.test(key))).isEmpty();
  }

  /** A device whose memory is the host's, and something that is done before each insert. */
  private static final class Hooked extends ForwardingLauncher {

    private Runnable beforeInsert = () -> {};

    Hooked(JvmLauncher jvm) {
      super(jvm, new Device(Target.OPENCL, "one of this test", 1));
    }

    @Override
    public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
      if (kernel.name().equals("Insert")) {
        beforeInsert.run();
      }
      Launch launch = launcher.start(kernel, shape, mode);
      launch.join();
      return launch;
    }

    @Override
    public void close() {}
  }

  /** Nothing is copied there, so that keys may change between their count and their insert. */
  @Test
  void onADevice() {
    int count = 1_000;
    try (JvmLauncher jvm = JvmLauncher.ofWorkers(2);
        Hooked device = new Hooked(jvm);
        Memory memory = Memory.ofLongs(count);
        LongLongMap map =
            LongLongMap.builder().launcher(device).capacity(count).loadFactor(1).build()) {
      DeviceLongs keys = DeviceLongs.of(memory);
      Longs column = Longs.onDevice(memory, count);
      for (int i = 0; i < count; i++) {
        keys.set(i, i);
      }
      assertThat(map.insert(column, column, BulkOptions.NONE).inserted()).isEqualTo(count);
      device.beforeInsert =
          () -> {
            for (int i = 0; i < count; i++) {
              keys.set(i, count + i);
            }
          };
      // None is new when they are counted.
      assertThat(map.insert(column, column, BulkOptions.NONE))
          .isEqualTo(new InsertCounts(0, 0, count));
      requireSound(Kind.of(map, _ -> {}));
    }
  }

  /** Writes another number to the keys, and goes on to the next of them, at each hash. */
  record Meddling(DeviceLongs keys, DeviceLongs calls, long length) implements Hash {
    @Override
    public long hash(long key, long seed) {
      long call = calls.get(0);
      calls.set(0, call + 1);
      for (long i = 0; i < 3; i++) {
        keys.set((3 * call + i) * 7_919 % length, 1_000_000 + call);
      }
      return Hashing.hash(key, seed);
    }
  }

  /** By the hash of the map, so at the same times in each run. */
  @ParameterizedTest
  @EnumSource(
      value = Layout.class,
      names = {"REFERENCE", "LINE"})
  @Tag("slow")
  void byTheHash(Layout layout) {
    for (int count : new int[] {12, 3_000, 9_000, 60_000}) {
      for (double load : new double[] {0.5, 1}) {
        try (Memory memory = Memory.ofLongs(count);
            Memory one = Memory.ofLongs(1)) {
          Hash hash = new Meddling(DeviceLongs.of(memory), DeviceLongs.of(one), count);
          DeviceLongs keys = DeviceLongs.of(memory);
          try (LongLongMap map =
              LongLongMap.builder()
                  .layout(layout)
                  .capacity(count)
                  .loadFactor(load)
                  .hash(hash)
                  .workers(1)
                  .build()) {
            long inserted = 0;
            for (int call = 0; call < CALLS; call++) {
              for (int i = 0; i < count; i++) {
                keys.set(i, call < 2 ? i : call * 1_000L + i);
              }
              Longs column = Longs.of(memory, count);
              inserted += map.insert(column, column, BulkOptions.NONE).inserted();
            }
            assertThat(map.size()).isEqualTo(inserted);
            requireSound(Kind.of(map, _ -> {}));
          }
        }
      }
    }
  }
}
