package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.gyre.atomics.GyreException;
import dev.gyre.kernels.GroupLaunchException;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.LauncherGroup;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.KeyParts;
import dev.gyre.kernels.map.RecordPredicate;
import dev.gyre.kernels.map.RowParts;
import dev.gyre.kernels.map.Text;
import dev.gyre.kernels.map.TextHash;
import dev.gyre.kernels.map.TextPredicate;
import dev.gyre.structures.FailingPart;
import dev.gyre.structures.Others;
import dev.gyre.structures.map.work.SharedRoom;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Maps of fixed capacity on a group: their room is that of all parts together. */
@Timeout(60)
class GroupRoomTest {

  private final FailingPart first = new FailingPart();
  private final FailingPart second = new FailingPart();
  private final Launcher group = LauncherGroup.of(List.of(first, second));

  @AfterEach
  void close() {
    group.close();
  }

  private LongLongMap map(long capacity) {
    return LongLongMap.builder().launcher(group).fixedCapacity(capacity).seed(7).build();
  }

  record Odd() implements EntryPredicate, TextPredicate, RecordPredicate {
    @Override
    public boolean test(long key, long value) {
      return (value & 1) != 0;
    }

    @Override
    public boolean test(Text key, long value) {
      return (value & 1) != 0;
    }

    @Override
    public boolean test(KeyParts key, RowParts value) {
      return (value.first() & 1) != 0;
    }
  }

  /** All keys have the same hash, so that they belong to one part. */
  record Same() implements TextHash {
    @Override
    public long hash(Text text, long seed) {
      return 5;
    }
  }

  record Key(int number, int other) {}

  record Value(long number, long other) {}

  @Test
  void keysOfOnePartTakeTheRoomOfAll() {
    List<String> keys = IntStream.range(0, 150).mapToObj(i -> "key " + i).toList();
    long[] values = LongStream.range(0, 150).toArray();
    try (TextLongMap map =
        TextLongMap.builder().launcher(group).textHash(new Same()).fixedCapacity(100).build()) {
      assertThat(map.insert(keys, values)).isEqualTo(new InsertCounts(100, 0, 50));
      assertThat(map.size()).isEqualTo(100).isEqualTo(map.capacity());
      assertThat(map.insert(keys, values)).isEqualTo(new InsertCounts(0, 100, 50));
      assertThatThrownBy(() -> map.putIfAbsent("another", 1)).isInstanceOf(MapFullException.class);
      map.clear();
      map.rehash(120);
      assertThat(map.insert(keys, values)).isEqualTo(new InsertCounts(120, 0, 30));
    }
  }

  /** Of few keys that are there, many that are there twice, and more than there is room for. */
  @Test
  void keysThatAreThereAreNeverFull() {
    long[] keys = LongStream.range(0, 3_000).map(i -> i / 3).toArray();
    long[] ones = LongStream.generate(() -> 1).limit(keys.length).toArray();
    byte[] outcomes = new byte[keys.length];
    try (LongLongMap map = map(700)) {
      map.insert(new long[] {999, 998}, new long[] {10, 20});
      InsertCounts counts =
          map.insertOrApply(
              Longs.of(keys), Longs.of(ones), Apply.ADD, BulkOptions.NONE.outcomes(outcomes));
      assertThat(counts).isEqualTo(new InsertCounts(698, 2 * 698 + 6, 3_000 - 3 * 700));
      Map<Long, Long> entries = new HashMap<>();
      map.forEach(entries::put);
      assertThat(entries).hasSize(700).containsEntry(999L, 13L).containsEntry(998L, 23L);
      for (int i = 0; i < keys.length; i++) {
        assertThat(outcomes[i] == Outcome.FULL.code()).isEqualTo(!entries.containsKey(keys[i]));
      }
      entries.keySet().removeAll(List.of(998L, 999L));
      assertThat(entries.values()).containsOnly(3L);
    }
  }

  @Test
  void whatIsLeftOutIsSkippedAndWhatIsFullGetsItsOwnValue() {
    long[] keys = LongStream.range(0, 100).toArray();
    boolean[] mask = new boolean[100];
    byte[] outcomes = new byte[100];
    long[] found = LongStream.generate(() -> -1).limit(100).toArray();
    for (int i = 0; i < 100; i++) {
      mask[i] = i >= 20;
    }
    BulkOptions options = BulkOptions.NONE.where(mask).outcomes(outcomes);
    List<String> texts = LongStream.of(keys).mapToObj(Long::toString).toList();
    Columns records = Columns.ints(new int[100], IntStream.range(0, 100).toArray());
    Columns rows = Columns.longs(keys, keys);
    try (LongLongMap map = map(10);
        TextLongMap words = TextLongMap.builder().launcher(group).fixedCapacity(10).build();
        TextKeys of = TextKeys.of(texts);
        var wide =
            RecordMap.builder(RecordSchema.of(Key.class, Value.class))
                .launcher(group)
                .fixedCapacity(10)
                .build()) {
      InsertCounts expected = new InsertCounts(10, 0, 30);
      Odd odd = new Odd();
      assertThat(
              map.insertAndFind(
                  Longs.of(keys), Longs.of(keys), Longs.of(found), options.where(odd)))
          .isEqualTo(expected);
      requireOdd(found, outcomes);
      assertThat(words.insertAndFind(of, Longs.of(keys), Longs.of(found), options.whereText(odd)))
          .isEqualTo(expected);
      requireOdd(found, outcomes);
      assertThat(
              wide.insertAndFind(
                  records, rows, Columns.longs(found, new long[100]), options.whereRecord(odd)))
          .isEqualTo(expected);
      requireOdd(found, outcomes);
    }
  }

  /** Clears them for another one. */
  private static void requireOdd(long[] found, byte[] outcomes) {
    for (int i = 0; i < found.length; i++) {
      boolean chosen = i >= 20 && i % 2 != 0;
      assertThat(found[i]).isEqualTo(chosen ? i : -1);
      assertThat(outcomes[i] == Outcome.SKIPPED.code()).isEqualTo(!chosen);
      found[i] = -1;
      outcomes[i] = 0;
    }
  }

  /** Stores that keys of one word each come to; what became of them may not be known. */
  private static final class Words implements SharedRoom.Stores {
    private long live;
    private boolean fails;

    @Override
    public long size() {
      return live;
    }

    @Override
    public long liveWords() {
      return live;
    }

    @Override
    public void settle() {}

    /** New keys. */
    record Keys(Words stores, int length) implements SharedRoom.Keys {
      @Override
      public long count() {
        return length;
      }

      @Override
      public long words(long from, long to) {
        return to - from;
      }

      @Override
      public Keys part(long from, int count) {
        return new Keys(stores, count);
      }

      @Override
      public boolean isChosen(int index) {
        return true;
      }

      @Override
      public InsertCounts insert(BulkOptions options) {
        MemorySegment outcomes = options.outcomes();
        long inserted = 0;
        for (int i = 0; i < length; i++) {
          if (options.start(i) != Outcome.SKIPPED.code()) {
            inserted++;
            if (outcomes != null && !stores.fails) {
              outcomes.set(ValueLayout.JAVA_BYTE, i, Outcome.INSERTED.code());
            }
          }
        }
        stores.live += inserted;
        if (stores.fails) {
          throw new GyreException("nobody knows what became of the keys");
        }
        return new InsertCounts(inserted, 0, 0);
      }

      @Override
      public void find(BulkOptions options) {
        MemorySegment _ = Objects.requireNonNull(options.outcomes()).fill(Outcome.ABSENT.code());
      }

      @Override
      public void refuse(int index) {}
    }
  }

  @Test
  void textThatMayHaveComeIsCountedBeforeMoreIsTaken() {
    SharedRoom room = new SharedRoom(100, 10);
    Words stores = new Words();
    stores.fails = true;
    assertThatThrownBy(() -> room.insert(stores, new Words.Keys(stores, 20), BulkOptions.NONE))
        .isInstanceOf(GyreException.class);
    stores.fails = false;
    // Not all that there was room for.
    stores.live = 8;
    assertThat(room.insert(stores, new Words.Keys(stores, 4), BulkOptions.NONE))
        .isEqualTo(new InsertCounts(2, 0, 2));
  }

  /** Threads that insert at once take all of the room, and no more. */
  @Test
  void threadsFillItTogether() {
    for (int round = 0; round < 20; round++) {
      Set<Long> refused = ConcurrentHashMap.newKeySet();
      AtomicLong inserted = new AtomicLong();
      CyclicBarrier begin = new CyclicBarrier(4);
      try (LongLongMap map = map(1_000)) {
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
          int own = thread;
          threads.add(Others.start(() -> fill(map, own, begin, inserted, refused)));
        }
        long most = 0;
        while (!threads.stream().allMatch(CompletableFuture::isDone)) {
          most = Math.max(most, map.size());
        }
        threads.forEach(CompletableFuture::join);
        assertThat(most).isLessThanOrEqualTo(1_000);
        Set<Long> there = new HashSet<>();
        map.forEach((key, _) -> there.add(key));
        assertThat(map.size()).isEqualTo(1_000).isEqualTo(there.size());
        assertThat(inserted).hasValue(1_000);
        assertThat(refused).isNotEmpty().doesNotContainAnyElementsOf(there);
      }
    }
  }

  private static void fill(
      LongLongMap map, int own, CyclicBarrier begin, AtomicLong inserted, Set<Long> refused) {
    try {
      begin.await();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    byte[] outcomes = new byte[90];
    for (int from = 0; from < 600; from += 60) {
      long at = 300L * own + from;
      long[] keys = LongStream.range(at, at + 90).toArray();
      inserted.addAndGet(
          map.insert(Longs.of(keys), Longs.of(keys), BulkOptions.NONE.outcomes(outcomes))
              .inserted());
      for (int i = 0; i < 90; i++) {
        if (outcomes[i] == Outcome.FULL.code()) {
          refused.add(keys[i]);
        }
      }
    }
  }

  /** Where the map is does not matter to the room for text that is left. */
  @Test
  void roomForTextGoesAlong(@TempDir Path folder) {
    List<String> keys = IntStream.range(0, 40).mapToObj("a key of 16 b %02d"::formatted).toList();
    long[] values = LongStream.range(0, 40).toArray();
    Path file = folder.resolve("texts");
    try (TextLongMap map =
            TextLongMap.builder().workers(1).fixedCapacity(100).textBytes(30 * 16).build();
        JvmLauncher alone = JvmLauncher.ofWorkers(2)) {
      map.insert(keys.subList(0, 10), LongStream.range(0, 10).toArray());
      map.runOn(group);
      assertThat(map.putIfAbsent(keys.get(10), 10)).isEmpty();
      assertThat(map.insert(keys, values)).isEqualTo(new InsertCounts(19, 11, 10));
      assertThat(map.insert(List.of("short"), new long[1]).inserted()).isEqualTo(1);
      map.runOn(alone);
      assertThat(map.insert(keys, values)).isEqualTo(new InsertCounts(0, 30, 10));
      map.clear();
      assertThat(map.insert(keys, values).inserted()).isEqualTo(30);
      map.runOn(group).clear();
      assertThat(map.insert(keys.subList(0, 20), new long[20]).inserted()).isEqualTo(20);
      map.clear();
      assertThat(map.insert(keys.subList(20, 40), new long[20]).inserted()).isEqualTo(20);
      map.save(file);
    }
    try (TextLongMap map = TextLongMap.builder().launcher(group).fixedCapacity(100).load(file)) {
      assertThat(map.insert(keys, values)).isEqualTo(new InsertCounts(0, 20, 20));
    }
  }

  /** A part that fails takes no room with it. */
  @Test
  void aFailureTakesNoRoom() {
    long[] keys = LongStream.range(0, 100_000).toArray();
    try (LongLongMap map = map(keys.length)) {
      second.failAfter(0);
      GroupLaunchException failure =
          catchThrowableOfType(GroupLaunchException.class, () -> map.insert(keys, keys));
      assertThat(failure).hasMessageContaining("part 1");
      second.failAfter(Integer.MAX_VALUE / 2);
      long there = map.size();
      assertThat(failure.soFar(InsertCounts.class)).contains(new InsertCounts(there, 0, 0));
      assertThat(map.insert(keys, keys)).isEqualTo(new InsertCounts(keys.length - there, there, 0));
      assertThat(map.insert(new long[] {-1}, new long[1]).full()).isEqualTo(1);
    }
  }

  /** One for which there is not room for all, so that it is done alone, in several inserts. */
  @Test
  void aFailureInTheMiddleOfAnInsertThatIsAloneSaysHowManyKeysAreDone() {
    long[] keys = LongStream.range(0, 100_000).toArray();
    long most = 0;
    boolean failed = true;
    for (int good = 0; failed; good++) {
      try (LongLongMap map = map(keys.length - 1)) {
        second.failAfter(good);
        GroupLaunchException failure =
            catchThrowableOfType(GroupLaunchException.class, () -> map.insert(keys, keys));
        second.failAfter(Integer.MAX_VALUE / 2);
        failed = failure != null;
        if (failure != null) {
          long there = map.size();
          assertThat(failure.soFar(InsertCounts.class)).contains(new InsertCounts(there, 0, 0));
          most = Math.max(most, there);
        }
      }
    }
    assertThat(most).isPositive();
  }
}
