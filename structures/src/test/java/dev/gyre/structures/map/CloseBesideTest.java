package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.ClosedException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Maps that are closed beside operations: those end well, or say that the map was closed. */
class CloseBesideTest {

  private static final int ROUNDS = 20;

  /** Long enough for two workers, with words enough for all of it not to be counted at once. */
  private static final byte[] TEXT =
      IntStream.range(0, 60_000)
          .mapToObj(i -> "a word that is long " + i)
          .collect(Collectors.joining(" "))
          .getBytes(StandardCharsets.UTF_8);

  /** Closes a map while another thread goes on with an operation until it throws. */
  private static void closeBeside(Runnable operation, LongSupplier size, Runnable close)
      throws InterruptedException {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    CountDownLatch begun = new CountDownLatch(1);
    Thread worker =
        Thread.ofPlatform()
            .start(
                () -> {
                  begun.countDown();
                  try {
                    while (true) {
                      operation.run();
                    }
                  } catch (Throwable e) {
                    thrown.set(e);
                  }
                });
    begun.await();
    while (size.getAsLong() == 0) {
      Thread.onSpinWait();
    }
    close.run();
    worker.join();
    assertThat(thrown.get()).isExactlyInstanceOf(ClosedException.class);
  }

  @Test
  void whileWordsAreCounted() throws InterruptedException {
    MemorySegment text = MemorySegment.ofArray(TEXT);
    for (int round = 0; round < ROUNDS; round++) {
      TextLongMap map = TextLongMap.builder().workers(2).capacity(16).build();
      closeBeside(() -> map.countWords(text, Words.NOT_BLANK), map::size, map::close);
    }
  }

  @Test
  void whileKeysAreInsertedAndFound() throws InterruptedException {
    long[] keys = new SplittableRandom(1).longs(30_000).toArray();
    long[] found = new long[keys.length];
    for (int round = 0; round < ROUNDS; round++) {
      LongLongMap map = LongLongMap.builder().workers(2).capacity(16).build();
      closeBeside(
          () -> {
            var _ = map.insertOrApply(keys, keys, Apply.ADD);
            var _ = map.find(keys, found);
          },
          map::size,
          map::close);
    }
  }

  @Test
  void whileTextsAreInsertedAndFound() throws InterruptedException {
    long[] values = new long[3 * TextStore.STEP];
    try (TextKeys keys = new TextKeys()) {
      for (int i = 0; i < values.length; i++) {
        keys.add("a key longer than eight bytes " + i);
      }
      for (int round = 0; round < ROUNDS; round++) {
        TextLongMap map = TextLongMap.builder().workers(2).capacity(16).build();
        closeBeside(
            () -> {
              var _ = map.insertOrApply(keys, Longs.of(values), Apply.ADD, BulkOptions.NONE);
              var _ = map.find(keys, Longs.of(values), BulkOptions.NONE);
            },
            map::size,
            map::close);
      }
    }
  }
}
