package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.Fold;
import dev.gyre.structures.Others;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the size says while a bulk insert runs: capacity that was taken for keys is no key. */
@Timeout(120)
class SizeOfRunningInsertsTest {

  private static final int ARRIVED = 0;
  private static final int GO = 1;

  private static final Memory CELLS = Memory.ofInts(2);

  /** Says that it is called, and waits until the test lets it go on. */
  record Waiting(DeviceInts cells) implements Fold {
    @Override
    public long apply(long present, long given) {
      cells.storeRelease(ARRIVED, 1);
      while (cells.loadAcquire(GO) == 0) {
        Thread.onSpinWait();
      }
      return present + given;
    }
  }

  @AfterAll
  static void close() {
    CELLS.close();
  }

  /** The size in the middle of a bulk insert. */
  private static long sizeWithin(HashTable<?, ?, ?> map, Runnable insert) {
    DeviceInts cells = DeviceInts.of(CELLS);
    cells.set(ARRIVED, 0);
    cells.set(GO, 0);
    CompletableFuture<Void> running = Others.start(insert);
    Others.await(() -> cells.loadAcquire(ARRIVED) != 0);
    long size = map.size();
    cells.storeRelease(GO, 1);
    running.join();
    return size;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 50, 5_000, 100_000})
  void longs(int count) {
    long[] keys = LongStream.range(0, count).toArray();
    Fold waiting = new Waiting(DeviceInts.of(CELLS));
    try (LongLongMap map = LongLongMap.builder().capacity(8L * count).build()) {
      map.insert(keys, keys);
      assertThat(sizeWithin(map, () -> map.insertOrApply(keys, keys, waiting))).isEqualTo(count);
      assertThat(map.size()).isEqualTo(count);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 50, 5_000, 100_000})
  void texts(int count) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add("key " + i);
    }
    Fold waiting = new Waiting(DeviceInts.of(CELLS));
    long[] values = new long[count];
    try (TextLongMap map = TextLongMap.builder().capacity(8L * count).build()) {
      map.insert(keys, values);
      assertThat(sizeWithin(map, () -> map.insertOrApply(keys, values, waiting))).isEqualTo(count);
      assertThat(map.size()).isEqualTo(count);
    }
  }
}
