package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.map.NumberCode;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.Others;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.access.LongAccess;
import dev.gyre.structures.map.access.TextAccess;
import dev.gyre.structures.map.store.LongStore;
import dev.gyre.structures.map.store.Store;
import dev.gyre.structures.map.store.TextStore;
import dev.gyre.structures.map.table.LongTable;
import dev.gyre.structures.map.table.MapSettings;
import dev.gyre.structures.map.table.TextKey;
import dev.gyre.structures.map.table.TextTable;
import dev.gyre.structures.map.work.Reservations;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A thread finds no room for a key that another one is about to insert, which has taken the last:
 * the key is there afterwards, so that the map is not full for it.
 */
@Timeout(60)
class LastCapacityTest {

  private static final long POLLS = 1 << 20;

  private static MapSettings settings(boolean fixed) {
    return settings(fixed, 1);
  }

  private static MapSettings settings(boolean fixed, long capacity) {
    return new MapSettings(
        Layout.LINE,
        capacity,
        fixed,
        0.5,
        1,
        null,
        POLLS,
        Waiting.AUTO,
        JvmLauncher.ofWorkers(1),
        true,
        32,
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

  private static Object besideOneWithTheLastRoom(boolean fixed, long other)
      throws InterruptedException {
    try (LongStore store = new LongStore("map", settings(fixed))) {
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
    assertThat(besideOneWithTheLastRoom(true, 7)).isEqualTo(21L);
    assertThat(besideOneWithTheLastRoom(true, 8)).isInstanceOf(MapFullException.class);
  }

  @Test
  void aMapGrowsOnlyForAKeyThatDidNotCome() throws Exception {
    assertThat(besideOneWithTheLastRoom(false, 7)).isEqualTo(21L);
    assertThat(besideOneWithTheLastRoom(false, 8)).isEqualTo(20L);
  }

  /** Capacity that is ahead of one who is inside nobody else can fetch, but wait for. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aMapIsNotFullWhileOneWhoIsInsideHasRoomAhead(boolean fixed) throws Exception {
    int capacity = 1 << 20;
    try (LongStore store = new LongStore("map", settings(fixed, capacity))) {
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
      Thread adder = waiting(() -> new LongAccess(store).merge(8, 20, Apply.ADD.change()), result);
      assertThat(singles.ahead()).isEqualTo(ahead);
      entry.close();
      adder.join();
      assertThat(result.get()).isEqualTo(20L);
      assertThat(store.capacity()).isEqualTo(capacity);
      assertThat(store.size()).isEqualTo(capacity - ahead + 1);
    }
  }

  /** As above, for room in the table or, where there is enough of that, in the arena. */
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
              () -> new TextAccess(store).merge(TextKey.of(bytes), 20, Apply.ADD.change()), result);
      table.bump.set(0, free);
      assertThat(slots || table.take(1)).isTrue();
      assertThat(TextKey.of(first).insert(table, 1, POLLS)).isEqualTo(TextKey.NONE);
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
