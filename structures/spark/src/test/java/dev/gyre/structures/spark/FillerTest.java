package dev.gyre.structures.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.structures.SavedFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Structures that are filled take no more memory than they were given, and lose nothing. */
class FillerTest {

  /** What is left of the memory that this module's tests have. */
  private static final long GIVEN = 32L << 20;

  private static final long LIMIT = 400L << 20;

  static Stream<KeyType<?, ?>> types() {
    return Stream.of(
        KeyType.longs(),
        KeyType.texts(),
        KeyType.words(Alphabet.ASCII_LETTERS),
        KeyType.words(Alphabet.UNICODE_LETTERS));
  }

  private static String word(long number) {
    StringBuilder word = new StringBuilder();
    for (long rest = number; rest > 0; rest /= 26) {
      word.append((char) ('a' + rest % 26));
    }
    return word.toString();
  }

  @SuppressWarnings("unchecked")
  private static Rows rows(KeyType<?, ?> type, List<Long> numbers) {
    return type instanceof LongKeys
        ? Rows.ofKeys(numbers.iterator(), KeyType.longs())
        : Rows.ofKeys(numbers.stream().map(FillerTest::word).iterator(), (KeyType<String, ?>) type);
  }

  @ParameterizedTest
  @MethodSource("types")
  void noMoreMemoryIsTakenThanIsGiven(KeyType<?, ?> type) {
    SplittableRandom random = new SplittableRandom(5);
    List<Long> numbers = random.longs(300_000, 1L << 40, 1L << 41).boxed().toList();
    RunWriter writer = new RunWriter();
    List<RunReader> runs = new ArrayList<>();
    Filler[] filler = new Filler[1];
    Runnable full =
        () -> {
          filler[0].drain(writer::add);
          runs.add(new RunReader(writer.take()));
        };
    try (Memory _ = Memory.ofBytes(LIMIT - GIVEN - Memory.HEADER_BYTES);
        JvmLauncher launcher = JvmLauncher.ofWorkers(1);
        Filler one = type.filler(Fold.ADD, launcher, GIVEN, full)) {
      filler[0] = one;
      for (Rows rows = rows(type, numbers); rows.next(); ) {
        one.add(rows);
      }
      one.flush();
      full.run();
    }
    assertThat(runs).hasSizeGreaterThan(1);
    RunMerge merge = new RunMerge(Fold.ADD, runs);
    long keys = 0;
    while (merge.next()) {
      keys += merge.value();
    }
    assertThat(keys).isEqualTo(numbers.size());
  }

  private static byte[] run(Map<String, Long> entries) {
    RunWriter writer = new RunWriter();
    entries.forEach((key, value) -> writer.add(KeyType.texts().utf8(key), key.length(), value));
    return writer.take();
  }

  @Test
  void runsAreReadAsTheyWereWritten() {
    Map<String, Long> entries = new TreeMap<>();
    IntStream.range(0, 64).forEach(bit -> entries.put("a".repeat(bit % 7) + bit, 1L << bit));
    entries.put("", -1L);
    entries.put("z".repeat(70_000), Long.MIN_VALUE);
    RunReader reader = new RunReader(run(entries));
    Map<String, Long> read = new TreeMap<>();
    while (reader.next()) {
      read.put(KeyType.texts().key(reader.key(), reader.length()), reader.value());
    }
    assertThat(read).isEqualTo(entries);
  }

  @Test
  void everyByteOfARunThatChangesIsFoundOut() {
    byte[] good = run(new TreeMap<>(Map.of("sea", 3L, "whale", 300L)));
    for (int at = 0; at < good.length; at++) {
      byte[] bad = good.clone();
      bad[at] ^= 4;
      int changed = at;
      assertThatThrownBy(() -> readAll(bad))
          .as("byte %d", changed)
          .isInstanceOf(SavedFileException.class);
    }
    for (int length = 1; length < good.length; length++) {
      byte[] bad = java.util.Arrays.copyOf(good, length);
      assertThatThrownBy(() -> readAll(bad)).isInstanceOf(SavedFileException.class);
    }
  }

  private static void readAll(byte[] run) {
    RunReader reader = new RunReader(run);
    while (reader.next()) {
      assertThat(reader.length()).isLessThan(100);
    }
  }
}
