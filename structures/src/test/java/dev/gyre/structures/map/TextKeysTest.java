package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.gyre.atomics.ClosedException;
import dev.gyre.structures.Releasable;
import dev.gyre.structures.StructureException;
import dev.gyre.structures.map.store.TextStore;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Batches of text keys: closed, and closed beside an operation that reads them. */
class TextKeysTest {

  /** Enough for several steps, so that a bulk operation needs its launcher. */
  private static final int COUNT = 3 * TextStore.STEP;

  private static String key(int i) {
    return "a key longer than eight bytes " + i;
  }

  private static TextKeys manyKeys() {
    TextKeys keys = new TextKeys();
    for (int i = 0; i < COUNT; i++) {
      keys.add(key(i));
    }
    return keys;
  }

  @Test
  void useAfterClose() {
    TextKeys keys = TextKeys.of(List.of("key"));
    keys.close();
    keys.close();
    Longs one = Longs.of(1);
    try (TextLongMap map = TextLongMap.create()) {
      List<ThrowingCallable> uses =
          List.of(
              keys::count,
              keys::clear,
              () -> keys.text(0),
              () -> keys.bytes(0),
              () -> keys.add("another"),
              () -> keys.add(new byte[1], 0, 1),
              () -> keys.add(MemorySegment.ofArray(new byte[1])),
              () -> map.insert(keys, one, BulkOptions.NONE),
              () -> map.insertAndFind(keys, one, one, BulkOptions.NONE),
              () -> map.insertOrAssign(keys, one, BulkOptions.NONE),
              () -> map.insertOrApply(keys, one, Apply.ADD, BulkOptions.NONE),
              () -> map.find(keys, one, BulkOptions.NONE),
              () -> map.contains(keys, BulkOptions.NONE),
              () -> map.retrieveAll(keys, one));
      for (ThrowingCallable use : uses) {
        assertThatThrownBy(use)
            .isInstanceOf(ClosedException.class)
            .hasMessageContaining("TextKeys");
      }
      assertThat(map.size()).isZero();
    }
  }

  static Stream<Consumer<TextKeys>> changes() {
    return Stream.of(TextKeys::clear, TextKeys::close);
  }

  /** Otherwise its thread would wait for itself. */
  @ParameterizedTest
  @MethodSource("changes")
  void keysAreNotClosedInTheMiddleOfAnOperationOfTheSameThread(Consumer<TextKeys> change) {
    assertTimeoutPreemptively(
        Duration.ofSeconds(30),
        () -> {
          try (TextKeys keys = TextKeys.of(List.of("key", "another"))) {
            try (Releasable _ = keys.use()) {
              assertThatThrownBy(() -> change.accept(keys))
                  .isInstanceOf(StructureException.class)
                  .hasMessageContaining("must not clear or close");
            }
            assertThat(keys.count()).isEqualTo(2);
            change.accept(keys);
          }
        });
  }

  @Test
  void anInsertRefusesKeysWhoseNumberHasChangedSinceItWasChecked() {
    Longs one = Longs.of(1);
    try (TextKeys keys = TextKeys.of(List.of("key", "another"))) {
      assertThatThrownBy(() -> keys.use(one, null, BulkOptions.NONE))
          .isInstanceOf(ConcurrentModificationException.class);
      assertThatThrownBy(() -> keys.use(null, one, BulkOptions.NONE))
          .isInstanceOf(ConcurrentModificationException.class);
      assertThatThrownBy(() -> keys.use(null, null, BulkOptions.NONE.outcomes(new byte[1])))
          .isInstanceOf(IllegalArgumentException.class);
      keys.clear();
    }
  }

  @Test
  void aClosedCombinerTakesNothing() {
    try (TextLongMap map = TextLongMap.create()) {
      TextCombiner combiner = new TextCombiner(map, Apply.ADD);
      combiner.add("key", 1);
      combiner.close();
      combiner.close();
      MemorySegment text = MemorySegment.ofArray(new byte[] {'a'});
      assertThatThrownBy(() -> combiner.add("key", 1)).isInstanceOf(ClosedException.class);
      assertThatThrownBy(() -> combiner.addWords(text, 0, 1, Words.NOT_BLANK, 1))
          .isInstanceOf(ClosedException.class);
      assertThatThrownBy(combiner::flush).isInstanceOf(ClosedException.class);
      assertThat(map.getOrDefault("key", 0)).isEqualTo(1);
    }
  }

  /** What would take the keys away, begun by another thread when the launch begins. */
  private static void insertBeside(Consumer<TextKeys> taking) throws InterruptedException {
    AtomicReference<@Nullable Thread> begun = new AtomicReference<>();
    try (TextKeys keys = manyKeys();
        HookedLauncher launcher =
            new HookedLauncher(
                () -> {
                  if (begun.get() == null) {
                    Thread thread = Thread.ofPlatform().unstarted(() -> taking.accept(keys));
                    begun.set(thread);
                    HookedLauncher.startAndLetWait(thread);
                  }
                });
        TextLongMap map =
            TextLongMap.builder().launcher(launcher).capacity(2L * COUNT).pollLimit(1000).build()) {
      long[] values = LongStream.range(0, COUNT).toArray();
      InsertCounts counts = map.insert(keys, Longs.of(values), BulkOptions.NONE);
      assertThat(counts).isEqualTo(new InsertCounts(COUNT, 0, 0));
      Objects.requireNonNull(begun.get()).join();
      assertThat(map.size()).isEqualTo(COUNT);
      for (int i = 0; i < COUNT; i++) {
        assertThat(map.getOrDefault(key(i), -1)).isEqualTo(i);
      }
      // No slot was left for somebody who does not come.
      try (TextKeys again = manyKeys()) {
        assertThat(map.insert(again, Longs.of(values), BulkOptions.NONE).present())
            .isEqualTo(COUNT);
      }
    }
  }

  @Test
  void keysAreNotClosedWhileAnInsertReadsThem() throws InterruptedException {
    insertBeside(TextKeys::close);
  }

  @Test
  void keysAreNotReplacedWhileAnInsertReadsThem() throws InterruptedException {
    insertBeside(
        keys -> {
          keys.clear();
          for (int i = 0; i < 2 * COUNT; i++) {
            keys.add("other");
          }
        });
  }

  /** The keys grow while an insert of them waits for an operation of the thread that adds them. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void keysGrowWhileAnInsertOfThemWaits() throws InterruptedException {
    try (TextKeys keys = TextKeys.of(List.of(key(0)));
        TextSet set = TextSet.create()) {
      Thread insert = Thread.ofPlatform().unstarted(() -> set.addAll(keys, BulkOptions.NONE));
      set.save(
          new OutputStream() {
            @Override
            public void write(int b) {
              if (insert.getState() == Thread.State.NEW) {
                HookedLauncher.startAndLetWait(insert);
                for (int i = 1; i < COUNT; i++) {
                  keys.add(key(i));
                }
              }
            }
          });
      insert.join();
      assertThat(keys.count()).isEqualTo(COUNT);
      assertThat(set.contains(key(0))).isTrue();
      assertThat(set.size()).isEqualTo(1);
    }
  }
}
