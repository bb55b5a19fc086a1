package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.MemoryRange;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.LaunchException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.map.Hash;
import dev.gyre.structures.ForwardingLauncher;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Copies of maps on another launcher, and maps whose launches or copies fail. */
class CopiedMapTest {

  private static final int KEYS = 1 << 19;

  private static final Runnable NOTHING = () -> {};

  /** The JVM, or a device that is the JVM, with something done first. */
  private static final class Hooked extends ForwardingLauncher {
    private final Runnable beforeReadBack;
    private final Runnable beforeStart;

    Hooked(Launcher launcher, Target target, Runnable beforeReadBack, Runnable beforeStart) {
      super(launcher, new Device(target, "the JVM", 2));
      this.beforeReadBack = beforeReadBack;
      this.beforeStart = beforeStart;
    }

    @Override
    public LaunchShape shapeFor(long items) {
      return LaunchShape.ofThreads(1);
    }

    @Override
    public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
      beforeStart.run();
      return launcher.start(kernel, shape, mode);
    }

    @Override
    public void readBack(MemoryRange... ranges) {
      beforeReadBack.run();
    }
  }

  private static LongLongMap full(Launcher launcher) {
    LongLongMap map = LongLongMap.builder().capacity(KEYS).launcher(launcher).build();
    long[] keys = LongStream.range(0, KEYS).toArray();
    assertThat(map.insert(keys, keys).inserted()).isEqualTo(KEYS);
    return map;
  }

  static Stream<Throwable> failures() {
    return Stream.of(
        new LaunchCancelledException("clear", new Device(Target.JVM, "", 2), null),
        new OutOfMemoryError("no heap"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aClearThatOtherThreadsCannotDoIsAWholeOne(Throwable failure) {
    boolean[] fails = new boolean[1];
    Runnable cancels =
        () -> {
          if (fails[0]) {
            switch (failure) {
              case Error e -> throw e;
              case RuntimeException e -> throw e;
              default -> throw new AssertionError(failure);
            }
          }
        };
    try (JvmLauncher two = JvmLauncher.ofWorkers(2);
        LongLongMap map = full(new Hooked(two, Target.JVM, NOTHING, cancels))) {
      fails[0] = true;
      // JUnit itself ends at an OutOfMemoryError of a test.
      assertThatCode(map::clear).doesNotThrowAnyException();
      fails[0] = false;
      assertThat(map.size()).isZero();
      assertThat(map.contains(new long[] {1, KEYS - 1}).found()).isZero();
      assertThat(map.putIfAbsent(7, 8)).isEmpty();
      assertThat(map.get(7)).hasValue(8);
      assertThat(map.asMap()).hasSize(1).containsEntry(7L, 8L);
    }
  }

  @ParameterizedTest
  @EnumSource(Target.class)
  void aMapThatCannotBeCopiedIsAsItWas(Target target) {
    boolean[] broken = new boolean[1];
    Runnable fails =
        () -> {
          if (broken[0]) {
            throw new LaunchException("copy", new Device(target, "the JVM", 2), "broken", null);
          }
        };
    try (Launcher jvm = JvmLauncher.ofWorkers(2);
        LongLongMap map =
            LongLongMap.builder().launcher(new Hooked(jvm, target, fails, NOTHING)).build();
        TextLongMap texts =
            TextLongMap.builder().launcher(new Hooked(jvm, target, fails, NOTHING)).build()) {
      var _ = map.putIfAbsent(1, 2);
      var _ = texts.putIfAbsent("one", 2);
      broken[0] = true;
      assertThatThrownBy(() -> map.copyTo(jvm)).isInstanceOf(LaunchException.class);
      assertThatThrownBy(() -> texts.copyTo(jvm)).isInstanceOf(LaunchException.class);
      broken[0] = false;
      assertThat(map.get(1)).hasValue(2);
      assertThat(texts.get("one")).hasValue(2);
    }
  }

  @Test
  void aCopyHasTheEntriesAndSettingsAndALifeOfItsOwn() {
    try (JvmLauncher one = JvmLauncher.ofWorkers(2);
        JvmLauncher other = JvmLauncher.ofWorkers(1)) {
      LongLongMap map = full(one);
      LongLongMap copy = map.copyTo(other);
      assertThat(copy.size()).isEqualTo(KEYS);
      assertThat(copy.capacity()).isEqualTo(map.capacity());
      assertThat(copy.store.slots()).isEqualTo(map.store.slots());
      assertThat(copy.store.table().seed).isNotEqualTo(map.store.table().seed);
      assertThat(copy.put(1, 7)).hasValue(1);
      assertThat(copy.putIfAbsent(-1, 7)).isEmpty();
      assertThat(map.get(1)).hasValue(1);
      assertThat(map.get(-1)).isEmpty();
      map.close();
      assertThat(copy.get(1)).hasValue(7);
      assertThat(copy.size()).isEqualTo(KEYS + 1);
      copy.close();
      assertThatThrownBy(() -> copy.copyTo(one)).isInstanceOf(ClosedException.class);
    }
  }

  /** A hash that tells a copy that it was made with it. */
  record OfOneSlot() implements Hash {
    @Override
    public long hash(long key, long seed) {
      return 0;
    }
  }

  @Test
  void aCopyOfAFixedMapIsFullWhenItIs() {
    try (JvmLauncher launcher = JvmLauncher.ofWorkers(1);
        LongLongMap map =
            LongLongMap.builder().fixedCapacity(3).loadFactor(1).hash(new OfOneSlot()).build();
        TextLongMap texts = TextLongMap.builder().fixedCapacity(2).textBytes(16).build()) {
      assertThat(map.insert(new long[] {1, 2}, new long[] {3, 4}).inserted()).isEqualTo(2);
      var _ = texts.putIfAbsent("sixteen bytes at", 1);
      try (LongLongMap copy = map.copyTo(launcher);
          TextLongMap textCopy = texts.copyTo(launcher)) {
        long[] keys = {1, 2, 5, 6};
        assertThat(copy.insert(keys, keys)).isEqualTo(new InsertCounts(1, 2, 1));
        assertThat(copy.get(2)).hasValue(4);
        assertThat(textCopy.get("sixteen bytes at")).hasValue(1);
        assertThatThrownBy(() -> textCopy.putIfAbsent("nine bytes", 1))
            .isInstanceOf(MapFullException.class);
        assertThat(textCopy.putIfAbsent("short", 1)).isEmpty();
      }
    }
  }

  /** A copy has the keys of one time: of a batch of keys all or none. */
  @Tag("slow")
  @Test
  void aCopyBesideInsertsHasWholeBatches() throws InterruptedException {
    int batch = 1 << 10;
    try (JvmLauncher launcher = JvmLauncher.ofWorkers(2);
        LongLongMap map = LongLongMap.builder().launcher(launcher).capacity(1).build()) {
      AtomicBoolean done = new AtomicBoolean();
      Thread inserts =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (long from = 0; !done.get(); from += batch) {
                      long[] keys = LongStream.range(from, from + batch).toArray();
                      assertThat(map.insert(keys, keys).inserted()).isEqualTo(batch);
                    }
                  });
      try {
        long size = 0;
        for (int i = 0; i < 20 || size == 0; i++) {
          try (LongLongMap copy = map.copyTo(launcher)) {
            assertThat(copy.size()).isGreaterThanOrEqualTo(size);
            size = copy.size();
            long[] keys = LongStream.range(0, size).toArray();
            assertThat(size % batch).isZero();
            assertThat(copy.contains(keys).found()).isEqualTo(size);
          }
        }
      } finally {
        done.set(true);
        inserts.join();
      }
    }
  }

  /** Strings of which few are inserted at a time; of each call all or none. */
  @Test
  void aCopyBesideInsertsOfStringsHasWholeCalls() throws InterruptedException {
    int batch = 600;
    try (JvmLauncher launcher = JvmLauncher.ofWorkers(2);
        TextLongMap map = TextLongMap.builder().launcher(launcher).capacity(1).build()) {
      AtomicBoolean done = new AtomicBoolean();
      Thread inserts =
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (long from = 0; !done.get(); from += batch) {
                      List<String> keys =
                          LongStream.range(from, from + batch)
                              .mapToObj(key -> "the key of number " + key)
                              .toList();
                      assertThat(map.insert(keys, new long[batch]).inserted()).isEqualTo(batch);
                    }
                  });
      try {
        long size = 0;
        for (int i = 0; i < 20 || size == 0; i++) {
          try (TextLongMap copy = map.copyTo(launcher)) {
            assertThat(copy.size()).isGreaterThanOrEqualTo(size);
            size = copy.size();
            assertThat(size % batch).isZero();
          }
        }
      } finally {
        done.set(true);
        inserts.join();
      }
    }
  }
}
