package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.map.RecordMap;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.sync.Barrier;
import dev.gyre.structures.sync.FairSemaphore;
import dev.gyre.structures.sync.Latch;
import dev.gyre.structures.trie.WordTrie;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Virtual threads on one or two carriers, in JVMs of their own. A wait that keeps its carrier, such
 * as one that spins without end, would stop all other threads.
 */
@Timeout(180)
class VirtualThreadsTest {

  private static final int THREADS = 10_000;

  /** Keys that all threads share. */
  private static final int SHARED = 100;

  /** Keys of each bulk insert. */
  private static final int BULK = 50;

  private static final int KINDS = 10;

  /** Seconds after which the child gives up, and prints the stacks of its threads. */
  private static final int PATIENCE_SECONDS = 100;

  private static String inChild(Class<?> main, int carriers) throws Exception {
    return ChildJvm.run(
            main,
            "-Djdk.virtualThreadScheduler.parallelism=" + carriers,
            "-Djdk.virtualThreadScheduler.maxPoolSize=" + carriers)
        .strip();
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void allOfManyThreadsEnd(int carriers) throws Exception {
    assertThat(inChild(Crowd.class, carriers)).endsWith("all threads have ended");
  }

  @Test
  void eachWaitReleasesItsCarrier() throws Exception {
    assertThat(inChild(Waits.class, 1)).endsWith("all waits have ended");
  }

  /** Ends the process if the threads do not end. */
  private static void await(CountDownLatch ended, String what) throws InterruptedException {
    if (!ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      System.out.println("not ended: " + what);
      Thread.getAllStackTraces()
          .forEach(
              (thread, stack) -> {
                System.out.println(thread);
                List.of(stack).forEach(frame -> System.out.println("  " + frame));
              });
      System.out.flush();
      Runtime.getRuntime().halt(1);
    }
  }

  /** Single keys, bulk calls, growth and iteration by many threads at the same time. */
  static final class Crowd {

    private record Key(long first, int second) {}

    private record Value(long sum) {}

    private final LongLongMap longs = LongLongMap.builder().capacity(1).build();
    private final IntIntMap ints = IntIntMap.builder().capacity(1).build();
    private final LongSet set = LongSet.builder().capacity(1).build();
    private final TextLongMap texts = TextLongMap.builder().capacity(1).build();
    private final RecordMap<Key, Value> records = RecordMap.create(Key.class, Value.class);
    private final WordTrie words = WordTrie.create();

    public static void main(String[] args) throws InterruptedException {
      new Crowd().run();
    }

    private void run() throws InterruptedException {
      CountDownLatch ended = new CountDownLatch(THREADS);
      AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        Thread _ =
            Thread.startVirtualThread(
                () -> {
                  try {
                    act(thread);
                  } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                  }
                  ended.countDown();
                });
      }
      await(ended, "threads");
      Throwable first = failure.get();
      if (first != null) {
        throw new AssertionError("a thread failed", first);
      }
      int each = THREADS / KINDS;
      // Keys of single threads, keys of bulk inserts, and keys that are shared.
      assertThat(longs.size()).isEqualTo(each + (long) each * BULK + SHARED);
      assertThat(longs.get(-1)).hasValue(each / SHARED);
      assertThat(set.size()).isEqualTo(each + (long) each * BULK);
      assertThat(ints.size()).isEqualTo(each);
      assertThat(texts.getOrDefault("text number 1", 0)).isEqualTo(each / SHARED);
      assertThat(records.size()).isEqualTo(each);
      assertThat(words.count("sea")).isEqualTo(2L * each);
      System.out.println("all threads have ended");
    }

    /** Each thread does one thing. */
    private void act(int thread) {
      int own = thread / KINDS;
      switch (thread % KINDS) {
        case 0 -> assertThat(longs.put(THREADS + own, own)).isEmpty();
        case 1 -> assertThat(longs.merge(-(own % SHARED) - 1, 1, Apply.ADD)).isPositive();
        case 2 -> {
          long[] keys = bulk(own);
          assertThat(longs.insert(keys, keys).inserted()).isEqualTo(BULK);
          assertThat(longs.find(keys, new long[BULK]).found()).isEqualTo(BULK);
        }
        case 3 -> {
          AtomicLong seen = new AtomicLong();
          set.forEach(_ -> seen.incrementAndGet());
          assertThat(seen.get()).isLessThanOrEqualTo(THREADS / KINDS * (1L + BULK));
        }
        case 4 -> assertThat(set.addAll(bulk(own)).inserted()).isEqualTo(BULK);
        case 5 -> {
          assertThat(set.add(THREADS + own)).isTrue();
          assertThat(longs.retrieveIf(new long[1], new long[1], new None())).isZero();
          if (own % SHARED == 0) {
            longs.save(new Blocking(() -> LockSupport.parkNanos(1_000)));
          }
        }
        case 6 -> assertThat(ints.put(own, own)).isEmpty();
        case 7 -> assertThat(texts.merge("text number " + own % SHARED, 1, Apply.ADD)).isPositive();
        case 8 -> assertThat(records.put(new Key(own, -own), new Value(own))).isEmpty();
        default -> {
          words.add("The sea, the sea: " + "abcdefghij".charAt(own % 10));
          assertThat(words.count("the")).isPositive();
        }
      }
    }

    private static long[] bulk(int own) {
      long first = 2L * THREADS + (long) own * BULK;
      return LongStream.range(first, first + BULK).toArray();
    }
  }

  /** A predicate that no entry meets. */
  record None() implements EntryPredicate {
    @Override
    public boolean test(long key, long value) {
      return false;
    }
  }

  /** A stream that blocks its writer, which keeps other threads out of the structure. */
  static final class Blocking extends OutputStream {
    private final Runnable block;

    Blocking(Runnable block) {
      this.block = block;
    }

    @Override
    public void write(int b) {
      block.run();
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
      block.run();
    }
  }

  /**
   * One thread waits for another one, which waits for a third, which begins last: on one carrier it
   * begins only if both others have released theirs.
   */
  static final class Waits {

    private Waits() {}

    public static void main(String[] args) throws InterruptedException {
      try (LongLongMap map = LongLongMap.create();
          TextLongMap texts = TextLongMap.create();
          RecordMap<Crowd.Key, Crowd.Value> records =
              RecordMap.create(Crowd.Key.class, Crowd.Value.class);
          WordTrie words = WordTrie.create()) {
        saved("a map", map::save, () -> map.put(1, 1));
        saved("a map, bulk", map::save, () -> map.insert(many(), many()));
        saved("a map, growth", map::save, () -> map.rehash(1 << 18));
        saved("a map, clear", map::save, map::clear);
        saved("texts", texts::save, () -> texts.put("text", 1));
        saved("records", records::save, () -> records.put(new Crowd.Key(1, 1), new Crowd.Value(1)));
        saved("a trie", words::save, () -> words.add("call me Ishmael"));
        saved("an asynchronous call", map::save, () -> map.async(m -> m.put(2, 2)).join());
      }
      try (Latch latch = Latch.of(1);
          Barrier barrier = Barrier.of(2);
          FairSemaphore semaphore = FairSemaphore.of(1)) {
        chain("a latch", _ -> {}, latch::await, latch::countDown);
        chain("a barrier", _ -> {}, barrier::arriveAndWait, barrier::arriveAndWait);
        semaphore.acquire();
        chain("a semaphore", _ -> {}, semaphore::acquire, semaphore::release);
      }
      System.out.println("all waits have ended");
    }

    private static long[] many() {
      return LongStream.range(0, 100_000).toArray();
    }

    private static void saved(String name, Consumer<OutputStream> save, Runnable waiter)
        throws InterruptedException {
      chain(name, block -> save.accept(new Blocking(block)), waiter, () -> {});
    }

    /**
     * Runs three threads.
     *
     * @param holder gets an action that blocks until the third thread has begun
     * @param waiter waits for the holder, or for the last thread
     */
    private static void chain(
        String name, Consumer<Runnable> holder, Runnable waiter, Runnable last)
        throws InterruptedException {
      CountDownLatch held = new CountDownLatch(1);
      CountDownLatch released = new CountDownLatch(1);
      CountDownLatch ended = new CountDownLatch(3);
      Runnable block =
          () -> {
            held.countDown();
            try {
              released.await();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          };
      start(
          ended,
          () -> {
            holder.accept(block);
            held.countDown();
          });
      held.await();
      start(ended, waiter);
      // The waiter is queued before this thread on the only carrier, and runs until it waits.
      start(
          ended,
          () -> {
            released.countDown();
            last.run();
          });
      VirtualThreadsTest.await(ended, name);
    }

    private static void start(CountDownLatch ended, Runnable action) {
      Thread _ =
          Thread.startVirtualThread(
              () -> {
                action.run();
                ended.countDown();
              });
    }
  }
}
