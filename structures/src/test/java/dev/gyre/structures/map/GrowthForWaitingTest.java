package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.structures.Others;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A table that grows while threads wait to insert has capacity for all of them in few steps. */
@Timeout(60)
class GrowthForWaitingTest {

  /** Threads that wait; no power of 4. */
  private static final int THREADS = 1_000;

  /** Map that is saved while threads wait to put one key each. */
  record Subject(HashTable<?, ?, ?> map, IntConsumer put) {}

  static Stream<Named<Subject>> subjects() {
    LongLongMap longs = LongLongMap.builder().workers(1).capacity(1).build();
    TextLongMap texts = TextLongMap.builder().workers(1).capacity(1).build();
    return Stream.of(
        Named.of("longs", new Subject(longs, key -> assertThat(longs.put(key, key)).isEmpty())),
        Named.of(
            "texts",
            new Subject(texts, key -> assertThat(texts.put("a long key " + key, key)).isEmpty())));
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void fewStepsOfGrowthAreEnough(Subject subject, @TempDir Path folder) throws Exception {
    Path file = folder.resolve("growth.jfr");
    CountDownLatch saving = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (var map = subject.map;
        Recording recording = new Recording()) {
      recording.enable("dev.gyre.Growth").withoutThreshold();
      recording.start();
      CompletableFuture<Void> save = Others.start(() -> map.save(blocked(saving, goOn)));
      saving.await();
      List<Thread> threads =
          IntStream.range(0, THREADS)
              .mapToObj(key -> Thread.ofVirtual().start(() -> subject.put.accept(key)))
              .toList();
      Others.await(() -> threads.stream().allMatch(Others::waits));
      goOn.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
      save.join();
      assertThat(map.size()).isEqualTo(THREADS);
      recording.stop();
      recording.dump(file);
    }
    long steps =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals("dev.gyre.Growth"))
            .count();
    // From 1 by factors of 4 it would be 5. A thread that is about to wait may be left out.
    assertThat(steps).isBetween(1L, 3L);
  }

  private static OutputStream blocked(CountDownLatch begun, CountDownLatch goOn) {
    return new OutputStream() {
      @Override
      public void write(int b) {
        begun.countDown();
        try {
          goOn.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
      }
    };
  }
}
