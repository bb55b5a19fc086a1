package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.trie.TrieRef;
import dev.gyre.structures.launch.LongMapRef;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.MapBuilder;
import dev.gyre.structures.map.RecordMap;
import dev.gyre.structures.map.RecordSchema;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.trie.WordTrie;
import dev.gyre.structures.trie.WordTrieBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import jdk.jfr.EventSettings;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a recording of the JDK's Flight Recorder has of structures. */
@ConformanceSuite
@Timeout(120)
class EventsTest {

  /** Too many for the thread that calls, from where the caller has them. */
  private static final int KEYS = 1 << 14;

  @TempDir private Path folder;

  record Key(long first, long second) {}

  record Value(int sum) {}

  private static final LaunchShape ONE = LaunchShape.ofThreads(1);

  record OnMap(LongMapRef map) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {}
  }

  record OnTrie(TrieRef trie) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {}
  }

  /** Events of a kind that come while something is done. */
  private List<RecordedEvent> recorded(String kind, Runnable action) throws IOException {
    return recorded(kind, EventSettings::withoutThreshold, action);
  }

  private List<RecordedEvent> recorded(
      String kind, Consumer<EventSettings> settings, Runnable action) throws IOException {
    Path file = folder.resolve("events.jfr");
    try (Recording recording = new Recording()) {
      settings.accept(recording.enable("dev.gyre." + kind));
      recording.start();
      action.run();
      recording.stop();
      recording.dump(file);
    }
    // Others are recorded, too.
    return RecordingFile.readAllEvents(file).stream()
        .filter(e -> e.getEventType().getName().equals("dev.gyre." + kind))
        .toList();
  }

  private static long bytes(List<RecordedEvent> events, String what) {
    return events.stream()
        .filter(e -> e.getString("what").equals(what))
        .mapToLong(e -> e.getLong("bytes"))
        .sum();
  }

  private static <M> M onTarget(MapBuilder<M> builder) {
    Launcher device = TargetUnderTest.device();
    return (device == null ? builder : builder.launcher(device)).build();
  }

  @ParameterizedTest
  @CsvSource({"Kernel,1000", "Staging,1000", "Growth,0"})
  void shortEventsAreLeftOut(String kind, long micros) throws IOException {
    long[] keys = LongStream.range(0, KEYS).toArray();
    List<RecordedEvent> events;
    try (LongLongMap map = onTarget(LongLongMap.builder().capacity(1).workers(1))) {
      events =
          recorded(
              kind,
              _ -> {},
              () -> {
                map.insert(keys, keys);
                for (int i = 0; i < KEYS; i += 1 << 10) {
                  long[] few = Arrays.copyOfRange(keys, i, i + 100);
                  map.find(few, new long[few.length]);
                }
              });
    }
    assertThat(events)
        .allMatch(e -> e.getDuration().compareTo(Duration.ofNanos(micros * 1_000)) >= 0);
    if (micros == 0) {
      assertThat(events).isNotEmpty();
    }
  }

  @Test
  void numbersAreStaged() throws IOException {
    long[] keys = LongStream.range(0, KEYS).toArray();
    byte[] outcomes = new byte[KEYS];
    // Several workers of the JVM put them in order, which is a kernel.
    try (LongLongMap map = onTarget(LongLongMap.builder().capacity(KEYS).workers(1))) {
      List<RecordedEvent> events =
          recorded(
              "Staging",
              () -> {
                map.insert(Longs.of(keys), Longs.of(keys), BulkOptions.NONE.outcomes(outcomes));
                map.find(
                    Longs.of(keys), Longs.of(keys.clone()), BulkOptions.NONE.outcomes(outcomes));
              });
      assertThat(bytes(events, "keys")).isEqualTo(3L * KEYS * Long.BYTES);
      assertThat(bytes(events, "results")).isEqualTo(KEYS * (2L + Long.BYTES));
      assertThat(events).allMatch(e -> e.getLong("bytesPerSecond") > 0);
    }
  }

  @Test
  void textsAreStaged() throws IOException {
    // Each is two words.
    List<String> keys = IntStream.range(0, KEYS).mapToObj("key no. %05d"::formatted).toList();
    long[] values = new long[KEYS];
    try (TextLongMap map = onTarget(TextLongMap.builder().capacity(KEYS))) {
      List<RecordedEvent> inserted = recorded("Staging", () -> map.insert(keys, values));
      assertThat(bytes(inserted, "keys")).isEqualTo(3L * KEYS * Long.BYTES);
      assertThat(bytes(inserted, "values")).isEqualTo((long) KEYS * Long.BYTES);
      assertThat(bytes(inserted, "results")).isZero();
      List<RecordedEvent> found = recorded("Staging", () -> map.find(keys, values));
      assertThat(bytes(found, "results")).isEqualTo((long) KEYS * Long.BYTES);
    }
  }

  /** Once the device has seen the scratch memory. */
  @Test
  void valuesThatNobodyGaveOrWantsAreNotCopied() throws IOException {
    TargetUnderTest.assumeAlone();
    List<String> keys = IntStream.range(0, KEYS).mapToObj("key no. %05d"::formatted).toList();
    try (TextLongMap map = onTarget(TextLongMap.builder().capacity(KEYS))) {
      map.insert(keys, new long[KEYS]);
      List<RecordedEvent> looked = recorded("Copy", () -> map.contains(keys));
      long ofKeys = 3L * KEYS * Long.BYTES;
      long few = (long) KEYS * Integer.BYTES;
      assertThat(bytes(looked, "to the device")).isLessThan(ofKeys + few);
      assertThat(bytes(looked, "to the host")).isLessThan(few);
      List<RecordedEvent> inserted = recorded("Copy", () -> map.insert(keys, new long[KEYS]));
      assertThat(bytes(inserted, "to the host")).isLessThan(few);
    }
  }

  @Test
  void recordsAreStaged() throws IOException {
    long[] numbers = LongStream.range(0, KEYS).toArray();
    int[] sums = new int[KEYS];
    Arrays.fill(sums, 7);
    Columns keys = Columns.longs(numbers, numbers);
    RecordSchema<Key, Value> schema = RecordSchema.of(Key.class, Value.class);
    try (RecordMap<Key, Value> map = onTarget(RecordMap.builder(schema).capacity(KEYS))) {
      List<RecordedEvent> inserted =
          recorded("Staging", () -> map.insert(keys, Columns.ints(sums.clone())));
      assertThat(bytes(inserted, "keys")).isEqualTo(3L * KEYS * Long.BYTES);
      assertThat(bytes(inserted, "results")).isZero();
      List<RecordedEvent> found =
          recorded("Staging", () -> map.find(keys, Columns.ints(sums.clone())));
      assertThat(bytes(found, "keys")).isEqualTo(2L * KEYS * Long.BYTES);
      assertThat(bytes(found, "results")).isEqualTo((long) KEYS * Long.BYTES);
    }
  }

  private static Predicate<RecordedEvent> waits(Thread thread, String what) {
    return e ->
        e.getThread().getJavaName().equals(thread.getName()) && e.getString("what").equals(what);
  }

  /** Starts a thread, and returns when it waits. */
  private static void startAndLetWait(Thread thread) {
    thread.start();
    Others.await(() -> Others.waits(thread));
  }

  private static Thread other(Runnable action) {
    return Thread.ofPlatform().daemon().name("one who waits").unstarted(action);
  }

  @Test
  void whoWaitsForAKernelOnAMapIsRecorded() throws IOException {
    TargetUnderTest.assumeAlone();
    try (LongLongMap map = onTarget(LongLongMap.builder())) {
      Thread inserts = other(() -> map.insert(new long[] {1, 2}, new long[2]));
      List<RecordedEvent> events =
          recorded(
              "Wait",
              () -> {
                map.launch(
                    ref -> {
                      startAndLetWait(inserts);
                      return new OnMap(ref);
                    },
                    ONE);
                Others.await(() -> !inserts.isAlive());
              });
      assertThat(map.size()).isEqualTo(2);
      assertThat(events).filteredOn(waits(inserts, "LongLongMap")).isNotEmpty();
    }
  }

  @Test
  void whoWaitsForAKernelOnATrieIsRecorded() throws IOException {
    TargetUnderTest.assumeAlone();
    Launcher device = TargetUnderTest.device();
    WordTrieBuilder builder = WordTrie.builder();
    try (WordTrie trie = (device == null ? builder : builder.launcher(device)).build()) {
      Thread adds = other(() -> trie.add("whale"));
      List<RecordedEvent> events =
          recorded(
              "Wait",
              () -> {
                trie.launch(
                    ref -> {
                      startAndLetWait(adds);
                      return new OnTrie(ref);
                    },
                    ONE);
                Others.await(() -> !adds.isAlive());
              });
      assertThat(trie.count("whale")).isEqualTo(1);
      assertThat(events).filteredOn(waits(adds, "word trie")).isNotEmpty();
    }
  }
}
