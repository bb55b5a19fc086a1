package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.structures.Others;
import dev.gyre.structures.trie.WordTrie;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
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

  /** Structure that is saved while threads wait to put one key each. */
  record Subject(
      AutoCloseable structure, Consumer<OutputStream> save, LongSupplier size, IntConsumer put) {

    static Subject of(HashTable<?, ?, ?> map, IntConsumer put) {
      return new Subject(map, map::save, map::size, put);
    }
  }

  static Stream<Named<Subject>> subjects() {
    LongLongMap longs = LongLongMap.builder().workers(1).capacity(1).build();
    TextLongMap texts = TextLongMap.builder().workers(1).capacity(1).build();
    WordTrie trie = WordTrie.builder().initialNodes(1).build();
    return Stream.of(
        Named.of("longs", Subject.of(longs, key -> assertThat(longs.put(key, key)).isEmpty())),
        Named.of(
            "texts",
            Subject.of(texts, key -> assertThat(texts.put("a long key " + key, key)).isEmpty())),
        Named.of(
            "words",
            new Subject(
                trie,
                trie::save,
                trie::size,
                key -> assertThat(trie.add(word(key))).isSameAs(trie))));
  }

  /** Returns a word, of which all words of smaller numbers have about all prefixes. */
  private static String word(int number) {
    return Integer.toString(number, 10)
        .chars()
        .mapToObj(c -> "" + (char) (c + 'a' - '0'))
        .collect(Collectors.joining());
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void fewStepsOfGrowthAreEnough(Subject subject, @TempDir Path folder) throws Exception {
    Path file = folder.resolve("growth.jfr");
    CountDownLatch saving = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (var _ = subject.structure;
        Recording recording = new Recording()) {
      recording.enable("dev.gyre.Growth").withoutThreshold();
      recording.start();
      CompletableFuture<Void> save = Others.start(() -> subject.save.accept(blocked(saving, goOn)));
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
      assertThat(subject.size.getAsLong()).isEqualTo(THREADS);
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
