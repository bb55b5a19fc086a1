package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.ClosedException;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Stage;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.IntSet;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.map.MapBuilder;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.map.TextSet;
import dev.gyre.structures.trie.WordTrie;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Operations that are begun and not waited for, of every structure on every target. */
@ConformanceSuite
@Timeout(120)
class AsyncTest {

  private static final int ROUNDS = 20;

  private static <M> M onTarget(MapBuilder<M> builder) {
    Launcher device = TargetUnderTest.device();
    return (device == null ? builder : builder.launcher(device)).build();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Test
  void updatesAreDoneInTheOrderInWhichTheyWereBegun() {
    long[] keys = {7, 8};
    try (LongLongMap map = onTarget(LongLongMap.builder())) {
      CountDownLatch go = new CountDownLatch(1);
      Stage<Boolean> first =
          map.async(
              _ -> {
                await(go);
                return true;
              });
      List<Stage<long[]>> seen = new ArrayList<>();
      for (int i = 0; i < ROUNDS; i++) {
        long value = i;
        Stage<InsertCounts> _ =
            map.async(m -> m.insertOrAssign(keys, new long[] {value, 2 * value}));
        seen.add(
            map.async(
                m -> {
                  long[] found = new long[2];
                  assertThat(m.find(keys, found)).isEqualTo(new FindCounts(2, 0));
                  return found;
                }));
      }
      assertThat(seen.getFirst().isDone()).isFalse();
      go.countDown();
      assertThat(first.join()).isTrue();
      for (int i = 0; i < ROUNDS; i++) {
        assertThat(seen.get(i).join()).containsExactly(i, 2L * i);
      }
    }
  }

  @Test
  void everyStructureHasIt() {
    try (IntIntMap ints = onTarget(IntIntMap.builder());
        TextLongMap texts = onTarget(TextLongMap.builder());
        IntSet intSet = onTarget(IntSet.builder());
        LongSet longSet = onTarget(LongSet.builder());
        TextSet textSet = onTarget(TextSet.builder());
        WordTrie trie = trie()) {
      Stage<?> all =
          Stage.whenAll(
              ints.async(m -> m.insert(new int[] {1, 2, 1}, new int[] {3, 4, 5})),
              texts.async(m -> m.insert(List.of("a", "b", "a"), new long[] {3, 4, 5})),
              intSet.async(s -> s.addAll(new int[] {1, 2, 1})),
              longSet.async(s -> s.addAll(new long[] {1, 2, 1})),
              textSet.async(s -> s.addAll(List.of("a", "b", "a"))),
              trie.async(t -> t.add("the whale the")));
      List<Long> sizes =
          all.then(
                  _ ->
                      List.of(
                          ints.size(),
                          texts.size(),
                          intSet.size(),
                          longSet.size(),
                          textSet.size(),
                          trie.size()))
              .join();
      assertThat(sizes).containsOnly(2L);
    }
  }

  private static WordTrie trie() {
    Launcher device = TargetUnderTest.device();
    return (device == null ? WordTrie.builder() : WordTrie.builder().launcher(device)).build();
  }

  @Test
  void whatFailsOrIsCancelledKeepsNobodyBack() {
    try (LongSet set = onTarget(LongSet.builder())) {
      CountDownLatch go = new CountDownLatch(1);
      Function<LongSet, Boolean> wait =
          _ -> {
            await(go);
            throw new IllegalStateException("on purpose");
          };
      Stage<Boolean> failing = set.async(wait);
      Stage<InsertCounts> cancelled = set.async(s -> s.addAll(new long[] {1}));
      Stage<InsertCounts> kept = set.async(s -> s.addAll(new long[] {2}));
      assertThat(cancelled.cancel()).isTrue();
      go.countDown();
      assertThat(kept.join().inserted()).isEqualTo(1);
      assertThatThrownBy(failing::join)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("on purpose");
      assertThatThrownBy(cancelled::join).isInstanceOf(CancellationException.class);
      assertThat(set.size()).isEqualTo(1);
    }
  }

  /**
   * Checks that a stage does not begin beside an earlier one when the stage between is cancelled.
   *
   * @param async begins an operation on the structure
   */
  private static void assertCancelledStageKeepsOrder(
      Function<Supplier<Boolean>, Stage<Boolean>> async) {
    CountDownLatch cancelled = new CountDownLatch(1);
    CountDownLatch lastBegan = new CountDownLatch(1);
    Stage<Boolean> first =
        async.apply(
            () -> {
              await(cancelled);
              return await(lastBegan, 200);
            });
    List<Stage<Boolean>> between = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      between.add(async.apply(() -> true));
    }
    Stage<Boolean> last =
        async.apply(
            () -> {
              lastBegan.countDown();
              return first.isDone();
            });
    assertThat(between).allMatch(Stage::cancel);
    cancelled.countDown();
    assertThat(between)
        .allSatisfy(s -> assertThatThrownBy(s::join).isInstanceOf(CancellationException.class));
    assertThat(last.join()).as("the last stage begins after the first has ended").isTrue();
    assertThat(first.join()).as("the last stage began while the first was running").isFalse();
  }

  private static boolean await(CountDownLatch latch, long millis) {
    try {
      return latch.await(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Test
  void aStageBehindACancelledOneWaitsForTheStagesBefore() {
    try (LongLongMap longs = onTarget(LongLongMap.builder());
        TextLongMap texts = onTarget(TextLongMap.builder());
        IntSet set = onTarget(IntSet.builder());
        WordTrie trie = trie()) {
      assertCancelledStageKeepsOrder(work -> longs.async(_ -> work.get()));
      assertCancelledStageKeepsOrder(work -> texts.async(_ -> work.get()));
      assertCancelledStageKeepsOrder(work -> set.async(_ -> work.get()));
      assertCancelledStageKeepsOrder(work -> trie.async(_ -> work.get()));
    }
  }

  @Test
  void manyCancelledStagesEndWithoutDeepRecursion() {
    try (LongSet set = onTarget(LongSet.builder())) {
      CountDownLatch go = new CountDownLatch(1);
      Stage<Boolean> _ =
          set.async(
              _ -> {
                await(go);
                return true;
              });
      for (int i = 0; i < 20_000; i++) {
        assertThat(set.async(_ -> true).cancel()).isTrue();
      }
      Stage<Boolean> last = set.async(s -> s.add(1));
      go.countDown();
      assertThat(last.join()).isTrue();
    }
  }

  @Test
  void afterTheEndOfTheStructureTheyFail() {
    WordTrie trie = trie();
    trie.close();
    assertThatThrownBy(trie.async(t -> t.add("whale"))::join).isInstanceOf(ClosedException.class);
  }
}
