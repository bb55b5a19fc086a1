package dev.gyre.structures;

import static dev.gyre.datasets.ByteProgress.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.gyre.atomics.Memory;
import dev.gyre.datasets.TextSource;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.Launch;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Stage;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.Changes;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.MapBuilder;
import dev.gyre.structures.map.RecordMap;
import dev.gyre.structures.map.RecordSchema;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.trie.WordTrie;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the texts of the packages say of interrupts. */
@Timeout(120)
class InterruptsTest {

  private static final int KEYS = 1 << 19;

  private static void assertCancelled(ThrowingCallable operation) {
    Thread.currentThread().interrupt();
    assertThatThrownBy(operation).isInstanceOf(LaunchCancelledException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  private static <M> MapBuilder<M> of(MapBuilder<M> builder, boolean fixed) {
    builder.workers(4);
    return fixed ? builder.fixedCapacity(KEYS) : builder.capacity(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anInsertOfLongsIsDoneAgain(boolean fixed) {
    long[] keys = LongStream.range(0, KEYS).toArray();
    try (LongLongMap map = of(LongLongMap.builder(), fixed).build()) {
      assertCancelled(() -> map.insert(keys, keys));
      InsertCounts again = map.insert(keys, keys);
      assertThat(again.full()).isZero();
      assertThat(again.inserted() + again.present()).isEqualTo(KEYS);
      assertThat(map.size()).isEqualTo(KEYS);
      long[] found = new long[KEYS];
      assertThat(map.find(keys, found).absent()).isZero();
      assertThat(found).isEqualTo(keys);
      assertCancelled(() -> map.find(keys, found));
      assertCancelled(() -> map.contains(keys));
      assertCancelled(() -> map.retrieveAll(keys.clone(), found));
      long before = map.capacity();
      assertCancelled(() -> map.rehash(3L * KEYS));
      assertThat(map.capacity()).isEqualTo(before);
      assertThat(map.get(KEYS - 1)).hasValue(KEYS - 1);
    }
  }

  @ParameterizedTest
  @EnumSource(names = "LINE", mode = EnumSource.Mode.EXCLUDE)
  void anInsertOfIntsIsDoneAgain(Layout layout) {
    int[] keys = IntStream.range(0, KEYS).toArray();
    try (IntIntMap map = of(IntIntMap.builder().layout(layout), true).build()) {
      assertCancelled(() -> map.insert(keys, keys));
      assertThat(map.insert(keys, keys).full()).isZero();
      assertThat(map.size()).isEqualTo(KEYS);
      assertThat(map.contains(keys).absent()).isZero();
    }
  }

  @Test
  void anInsertOfTextsIsDoneAgain() {
    List<String> keys = IntStream.range(0, KEYS / 8).mapToObj(i -> "the key " + i).toList();
    long[] values = LongStream.range(0, keys.size()).toArray();
    try (TextLongMap map = TextLongMap.builder().workers(4).build()) {
      assertCancelled(() -> map.insert(keys, values));
      assertThat(map.insert(keys, values).full()).isZero();
      assertThat(map.size()).isEqualTo(keys.size());
      assertThat(map.contains(keys).absent()).isZero();
      assertCancelled(() -> map.contains(keys));
    }
  }

  @Test
  void aSingleKeyGoesInOrDoesNot() {
    try (LongLongMap map = LongLongMap.builder().workers(4).fixedCapacity(KEYS).build()) {
      Thread.currentThread().interrupt();
      assertThat(map.merge(1, 2, Apply.ADD)).isEqualTo(2);
      map.clear();
      assertThat(Thread.interrupted()).isTrue();
      assertThat(map.get(1)).isEmpty();
    }
  }

  @Test
  void aTrieRefusesWhatFollowsALongText() {
    try (WordTrie trie = WordTrie.builder().workers(2).build()) {
      Thread.currentThread().interrupt();
      trie.add("short text");
      assertThat(Thread.interrupted()).isTrue();
      assertThat(trie.count("text")).isEqualTo(1);
    }
    // Long enough that the workers have not ended before they are waited for.
    byte[] text = "some text ".repeat(3_000_000).getBytes(StandardCharsets.US_ASCII);
    try (JvmLauncher two = JvmLauncher.ofWorkers(2);
        Launcher interrupting = new InterruptedOnceBegun(two);
        WordTrie trie = WordTrie.builder().launcher(interrupting).build()) {
      assertThatThrownBy(() -> trie.add(text)).isInstanceOf(LaunchCancelledException.class);
      assertThat(Thread.interrupted()).isTrue();
      assertThatThrownBy(() -> trie.count("text")).isInstanceOf(StructureException.class);
    }
  }

  /** The thread that calls is interrupted after its launch has begun. */
  private static final class InterruptedOnceBegun extends ForwardingLauncher {
    InterruptedOnceBegun(Launcher launcher) {
      super(launcher);
    }

    @Override
    public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
      Launch launch = launcher.start(kernel, shape, mode);
      Thread.currentThread().interrupt();
      return launch;
    }

    /** The launcher is the test's. */
    @Override
    public void close() {}
  }

  /** What is interrupted before a kernel has begun leaves a trie as it was. */
  @Test
  void aTrieIsAsItWasIfNothingHasBegun(@TempDir Path folder) throws IOException {
    byte[] text = "some text ".repeat(10_000).getBytes(StandardCharsets.US_ASCII);
    Path file = Files.write(folder.resolve("text"), text);
    try (JvmLauncher two = JvmLauncher.ofWorkers(2);
        Launcher device = new EndedAtOnce(two, () -> {});
        Memory memory = Memory.ofBytes(text.length)) {
      memory.segment().copyFrom(MemorySegment.ofArray(text));
      for (Launcher launcher : List.of(two, device)) {
        try (WordTrie trie = WordTrie.builder().launcher(launcher).build()) {
          trie.add("text before");
          assertCancelled(() -> trie.add(file));
          assertCancelled(() -> trie.add(text));
          assertCancelled(() -> trie.add(memory, text.length));
          assertCancelled(() -> trie.add(TextSource.ofFiles(List.of(file)), 1 << 15, NONE));
          assertThat(trie.count("text")).isEqualTo(1);
          assertThat(trie.total()).isEqualTo(2);
          assertThat(trie.add(file).count("text")).isEqualTo(10_001);
        }
      }
    }
  }

  @Test
  void loadAndSaveAreCancelled(@TempDir Path folder) throws IOException {
    Path mapFile = folder.resolve("map");
    Path trieFile = folder.resolve("trie");
    try (LongLongMap map = LongLongMap.create();
        WordTrie trie = WordTrie.create().add("whale")) {
      map.put(1, 2);
      assertCancelled(() -> map.save(mapFile));
      assertCancelled(() -> trie.save(trieFile));
      try (var left = Files.list(folder)) {
        assertThat(left).isEmpty();
      }
      map.save(mapFile);
      trie.save(trieFile);
      assertCancelled(() -> LongLongMap.load(mapFile));
      assertCancelled(() -> WordTrie.load(trieFile));
      try (LongLongMap again = LongLongMap.load(mapFile);
          WordTrie trieAgain = WordTrie.load(trieFile)) {
        assertThat(again.get(1)).hasValue(2);
        assertThat(trieAgain.count("whale")).isEqualTo(1);
      }
    }
  }

  @Test
  void aSaveToAStreamIsCancelledAndTheStreamStaysOpen() {
    AtomicBoolean closed = new AtomicBoolean();
    OutputStream out =
        new ByteArrayOutputStream() {
          @Override
          public void close() {
            closed.set(true);
          }
        };
    try (LongLongMap map = LongLongMap.create();
        WordTrie trie = WordTrie.create().add("whale")) {
      assertCancelled(() -> map.save(out));
      assertCancelled(() -> trie.save(out));
    }
    assertThat(closed).isFalse();
  }

  /** What a busy machine does: workers have ended before anybody waits for them. */
  private static final class EndedAtOnce extends ForwardingLauncher {
    private final Runnable whenEnded;

    EndedAtOnce(Launcher launcher) {
      super(launcher);
      this.whenEnded = () -> {};
    }

    /** The same of a device. */
    EndedAtOnce(Launcher launcher, Runnable whenEnded) {
      super(launcher, deviceOnJvm(2));
      this.whenEnded = whenEnded;
    }

    @Override
    public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
      Launch launch = launcher.start(kernel, shape, mode);
      while (!launch.isDone()) {
        Thread.onSpinWait();
      }
      whenEnded.run();
      return launch;
    }

    /** The launcher is the test's. */
    @Override
    public void close() {}
  }

  @ParameterizedTest
  @EnumSource(names = "LINE", mode = EnumSource.Mode.EXCLUDE)
  void whetherAnOperationIsCancelledDoesNotDependOnHowFastWorkersAre(Layout layout) {
    int[] keys = IntStream.range(0, KEYS / 2).toArray();
    List<String> texts = IntStream.range(0, 9_000).mapToObj(i -> "key " + i).toList();
    long[] values = new long[texts.size()];
    try (JvmLauncher two = JvmLauncher.ofWorkers(2);
        IntIntMap map =
            IntIntMap.builder()
                .layout(layout)
                .fixedCapacity(keys.length)
                .launcher(new EndedAtOnce(two))
                .build();
        TextLongMap textMap =
            TextLongMap.builder().launcher(new EndedAtOnce(two)).capacity(10_000).build()) {
      assertCancelled(() -> map.insert(keys, keys));
      assertThat(map.insert(keys, keys).full()).isZero();
      assertThat(map.size()).isEqualTo(keys.length);
      assertCancelled(() -> map.contains(keys));
      assertCancelled(() -> map.retrieveAll(keys.clone(), keys.clone()));
      assertCancelled(() -> map.rehash(2L * keys.length));
      assertCancelled(() -> textMap.insert(texts, values));
      assertThat(textMap.insert(texts, values).full()).isZero();
      assertCancelled(() -> textMap.contains(texts));
      assertThat(textMap.size()).isEqualTo(texts.size());
    }
  }

  /** In batches one after another, since equal keys are taken in their order. */
  @Test
  void aStageThatIsCancelledBetweenBatchesSaysHowManyKeysAreDone() {
    long[] keys = LongStream.range(0, KEYS).toArray();
    List<Long> known = new ArrayList<>();
    boolean cancelled = true;
    for (int good = 1; cancelled; good++) {
      AtomicInteger left = new AtomicInteger(good);
      CompletableFuture<Stage<InsertCounts>> begun = new CompletableFuture<>();
      Runnable cancel =
          () -> {
            if (left.decrementAndGet() == 0) {
              boolean _ = begun.join().cancel();
            }
          };
      try (JvmLauncher two = JvmLauncher.ofWorkers(2);
          Launcher device = new EndedAtOnce(two, cancel);
          LongLongMap map =
              LongLongMap.builder().launcher(device).waiting(Waiting.DEFERRED).build()) {
        Stage<InsertCounts> stage = map.async(m -> m.insert(keys, keys));
        begun.complete(stage);
        LaunchCancelledException failure =
            catchThrowableOfType(LaunchCancelledException.class, stage::join);
        cancelled = failure != null;
        if (cancelled) {
          assertThat(failure.soFar(InsertCounts.class))
              .contains(new InsertCounts(map.size(), 0, 0));
          known.add(map.size());
        }
      }
    }
    assertThat(known).anyMatch(done -> done > 0 && done < KEYS);
  }

  record Key(long first, long second) {}

  record Value(long sum) {}

  @Test
  void norOnHowFastADeviceIs() {
    long[] keys = LongStream.range(0, 100).toArray();
    List<String> texts = LongStream.of(keys).mapToObj(i -> "key " + i).toList();
    Columns pairs = Columns.longs(keys, keys);
    Columns sums = Columns.longs(keys.clone());
    try (JvmLauncher two = JvmLauncher.ofWorkers(2);
        Launcher device = new EndedAtOnce(two, () -> {});
        LongLongMap map = LongLongMap.builder().launcher(device).build();
        TextLongMap textMap = TextLongMap.builder().launcher(device).build();
        var records =
            RecordMap.builder(RecordSchema.of(Key.class, Value.class)).launcher(device).build()) {
      assertCancelled(() -> map.insert(keys, keys));
      assertCancelled(() -> textMap.insert(texts, keys));
      assertCancelled(() -> records.insert(pairs, sums));
      assertThat(map.size() + textMap.size() + records.size()).isZero();
      assertThat(map.insert(keys, keys).inserted()).isEqualTo(keys.length);
      assertThat(textMap.insert(texts, keys).inserted()).isEqualTo(keys.length);
      assertThat(records.insert(pairs, sums).inserted()).isEqualTo(keys.length);
      assertCancelled(() -> map.contains(keys));
      assertCancelled(() -> map.retrieveAll(keys.clone(), keys.clone()));
      assertCancelled(() -> textMap.contains(texts));
      assertCancelled(() -> records.contains(pairs));
      assertCancelled(() -> map.merge(-1, 1, Apply.ADD));
      assertThat(map.get(-1)).isEmpty();
    }
  }

  @Test
  void aSingleKeyOnADeviceThatIsMergedIsSaidToBe() {
    Changes adding = Changes.of("sum", Apply.ADD);
    try (JvmLauncher two = JvmLauncher.ofWorkers(2);
        Launcher device = new EndedAtOnce(two, () -> Thread.currentThread().interrupt());
        LongLongMap map = LongLongMap.builder().launcher(device).build();
        TextLongMap textMap = TextLongMap.builder().launcher(device).build();
        var records =
            RecordMap.builder(RecordSchema.of(Key.class, Value.class)).launcher(device).build()) {
      for (int i = 1; i <= 2; i++) {
        assertThat(map.merge(7, 2, Apply.ADD)).isEqualTo(2L * i);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(textMap.merge("sea", 2, Apply.ADD)).isEqualTo(2L * i);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(records.merge(new Key(1, 2), new Value(2), adding).sum()).isEqualTo(2L * i);
        assertThat(Thread.interrupted()).isTrue();
      }
      Thread.currentThread().interrupt();
      assertThat(map.get(7)).hasValue(4);
      assertThat(textMap.get("sea")).hasValue(4);
      assertThat(records.get(new Key(1, 2))).contains(new Value(4));
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
