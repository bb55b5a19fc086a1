package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.exclusive.KeyReader;
import dev.gyre.structures.Others;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.access.LongAccess;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.store.LongStore;
import dev.gyre.structures.map.table.MapSettings;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An update of a single key by address is stopped in its middle, behind its look at which table
 * there is: what would take that from under it waits for its end.
 */
@Timeout(60)
class StoppedUpdateTest {

  private static final long KEY = 7;

  private static final int STOP = 0;
  private static final int REACHED = 1;

  /**
   * Stops whoever asks for the hash of a key.
   *
   * @param stop not 0 while threads are to stop; behind it, not 0 once one has
   */
  record Stopping(DeviceInts stop) implements Hash {
    @Override
    public long hash(long key, long seed) {
      if (key == KEY && stop.loadAcquire(STOP) != 0) {
        stop.storeRelease(REACHED, 1);
        int _ = stop.waitWhileEqualAcquire(STOP, 1, Long.MAX_VALUE);
      }
      return key * 0x9e3779b97f4a7c15L;
    }
  }

  @TempDir private static Path folder;

  /** What takes a table from under those who work on it, or reads it while nobody updates. */
  record Mover(String name, Consumer<LongLongMap> move) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Mover> movers() {
    return Stream.of(
        new Mover("rehash", map -> map.rehash(100)),
        new Mover("clear", LongLongMap::clear),
        new Mover("save", map -> map.save(folder.resolve("map"))),
        new Mover("close", LongLongMap::close),
        new Mover(
            "copyTo",
            map -> {
              try (JvmLauncher launcher = JvmLauncher.ofWorkers(1)) {
                map.copyTo(launcher).close();
              }
            }));
  }

  private static MapBuilder<LongLongMap> builder(Memory stop) {
    return LongLongMap.builder().hash(new Stopping(DeviceInts.of(stop)));
  }

  @ParameterizedTest
  @MethodSource("movers")
  void whatTakesTheTableWaitsForAnUpdateInItsMiddle(Mover mover) throws InterruptedException {
    try (Memory memory = Memory.ofInts(2);
        LongLongMap map = builder(memory).capacity(10).build()) {
      map.put(1, 1);
      DeviceInts stop = DeviceInts.of(memory);
      stop.storeRelease(STOP, 1);
      Thread updater = Thread.ofPlatform().start(() -> map.put(KEY, 70));
      try {
        while (stop.loadAcquire(REACHED) == 0 && updater.isAlive()) {
          Thread.sleep(1);
        }
        Thread moving = Thread.ofPlatform().start(() -> mover.move().accept(map));
        while (!Others.waits(moving) && moving.isAlive()) {
          Thread.sleep(1);
        }
        assertThat(moving.isAlive()).isTrue();
        stop.storeRelease(STOP, 0);
        moving.join();
      } finally {
        stop.storeRelease(STOP, 0);
        updater.join();
      }
      switch (mover.name()) {
        case "close" -> assertThatThrownBy(() -> map.get(KEY)).isInstanceOf(ClosedException.class);
        case "clear" -> assertThat(map.size()).isZero();
        case "save" -> {
          try (LongLongMap saved = builder(memory).load(folder.resolve("map"))) {
            assertThat(saved.get(KEY)).hasValue(70);
            assertThat(saved.size()).isEqualTo(2);
          }
        }
        default -> {
          assertThat(map.get(KEY)).hasValue(70);
          assertThat(map.size()).isEqualTo(2);
        }
      }
    }
  }

  /** The broken variant: what has not entered the gate writes to a table that is none any more. */
  @Test
  void withoutTheGateAnUpdateIsLost() {
    MapSettings settings =
        new MapSettings(
            new MapSettings.Options(Layout.LINE, false, 0.5, Waiting.AUTO, 1, false),
            10,
            1,
            null,
            1,
            JvmLauncher.ofWorkers(1),
            true,
            null,
            "");
    try (LongStore store = new LongStore("map", SavedMap.Kind.LONGS, settings)) {
      KeyReader.Writer writer = (KeyReader.Writer) Objects.requireNonNull(store.reader());
      long slot = writer.find(KEY);
      assertThat(slot).isNegative();
      store.rehash(100);
      // Small, so that its addresses are there as long as the writer is.
      assertThat(writer.insert(~slot, KEY, 70)).isTrue();
      assertThat(new LongAccess(store).get(KEY)).isEmpty();
    }
  }
}
