package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.MemoryLeft;
import dev.gyre.structures.CorruptedFiles;
import dev.gyre.structures.FailingAllocations;
import dev.gyre.structures.SavedFileException;
import dev.gyre.structures.map.MapAdapter.Change;
import dev.gyre.structures.map.MapAdapter.Kind;
import java.lang.foreign.MemorySegment;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whichever allocation of an operation fails: all memory is given back, and nothing is lost. */
class FailingAllocationsTest {

  private static final long[] NUMBERS = LongStream.range(1, 40).toArray();
  private static final List<String> TEXTS =
      IntStream.range(0, 40).mapToObj(i -> "a key of some length: " + i).toList();

  @TempDir private Path folder;

  static Stream<Kind> kinds() {
    return Kind.layouts().stream();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void ofANewMap(Kind kind) throws Exception {
    assertThat(FailingAllocations.ofAll(() -> kind.build(8, false, 0.5, 1).close())).isPositive();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void ofBulkOperations(Kind kind) throws Exception {
    int failures =
        FailingAllocations.ofAll(
            () -> {
              try (MapAdapter map = kind.build(8, false, 0.5, 1)) {
                for (Change change : Change.values()) {
                  long[] found = change == Change.FETCH ? new long[NUMBERS.length] : null;
                  var _ = map.insert(NUMBERS, NUMBERS, change, found, BulkOptions.NONE);
                }
                var _ = map.find(NUMBERS, new long[NUMBERS.length], BulkOptions.NONE);
                assertThat(map.entries()).hasSize(NUMBERS.length);
                map.rehash(100);
                assertThat(map.walked()).hasSize(NUMBERS.length);
              }
            });
    assertThat(failures).isGreaterThan(5);
  }

  @Test
  void ofANewMapOfTexts() throws Exception {
    assertThat(FailingAllocations.ofAll(() -> texts().close())).isGreaterThan(2);
  }

  private static TextLongMap texts() {
    return TextLongMap.builder().workers(2).capacity(8).textBytes(8).build();
  }

  @Test
  void ofBulkOperationsOnTexts() throws Exception {
    long[] values = new long[TEXTS.size()];
    int failures =
        FailingAllocations.ofAll(
            () -> {
              try (TextLongMap map = texts();
                  TextKeys keys = TextKeys.of(TEXTS)) {
                var _ = map.insert(keys, Longs.of(values), BulkOptions.NONE);
                var _ = map.insertAndFind(TEXTS, values, values.clone());
                var _ = map.find(TEXTS, values.clone());
                map.rehash(100);
                try (TextKeys all = new TextKeys()) {
                  assertThat(map.retrieveAll(all, Longs.of(values.clone())))
                      .isEqualTo(TEXTS.size());
                }
              }
            });
    assertThat(failures).isGreaterThan(10);
  }

  @Test
  void ofSingleTextsAndCountedOnes() throws Exception {
    byte[] text = String.join(" ", TEXTS).getBytes(StandardCharsets.UTF_8);
    int failures =
        FailingAllocations.ofAll(
            () -> {
              try (TextLongMap map = texts()) {
                for (String key : TEXTS) {
                  var _ = map.merge(key, 1, Apply.ADD);
                }
                var _ = map.countWords(MemorySegment.ofArray(text), Words.NOT_BLANK);
                try (TextCombiner combiner = new TextCombiner(map, Apply.ADD)) {
                  TEXTS.forEach(key -> combiner.add(key, 1));
                }
              }
            });
    assertThat(failures).isGreaterThan(10);
  }

  @Test
  void ofTextsWhoseGapsAreFilled() throws Exception {
    int failures =
        FailingAllocations.ofAll(
            () -> {
              try (TextLongMap map =
                  TextLongMap.builder().workers(1).fixedCapacity(100).textBytes(64).build()) {
                var _ = map.insert(TEXTS, new long[TEXTS.size()]);
              }
            });
    assertThat(failures).isGreaterThan(2);
  }

  @Test
  void ofLoadedMaps() throws Exception {
    Path file = folder.resolve("map");
    try (TextLongMap map = texts()) {
      var _ = map.insert(TEXTS, new long[TEXTS.size()]);
      map.save(file);
    }
    assertThat(FailingAllocations.ofAll(() -> TextLongMap.load(file).close())).isGreaterThan(2);
    try (LongLongMap map = LongLongMap.builder().layout(Layout.REFERENCE).build()) {
      map.save(file);
    }
    assertThat(FailingAllocations.ofAll(() -> LongLongMap.load(file).close())).isGreaterThan(2);
  }

  static Stream<SetAdapter.Kind> sets() {
    return SetAdapter.Kind.all();
  }

  @ParameterizedTest
  @MethodSource("sets")
  void ofSets(SetAdapter.Kind kind) throws Exception {
    Path file = folder.resolve("set");
    int failures =
        FailingAllocations.ofAll(
            () -> {
              try (SetAdapter set = kind.make(null, 1, 8, false)) {
                assertThat(set.add(kind.least())).isTrue();
                assertThat(set.addAll(NUMBERS, BulkOptions.NONE).inserted())
                    .isEqualTo(NUMBERS.length);
                for (long key = 100; key < 200; key++) {
                  assertThat(set.add(key)).isTrue();
                }
                assertThat(set.containsAll(NUMBERS, BulkOptions.NONE).absent()).isZero();
                set.rehash(1_000);
                assertThat(set.retrieved()).hasSize(NUMBERS.length + 101);
                set.save(file);
              }
              kind.load(null, 1, file).close();
            });
    assertThat(failures).isGreaterThan(3);
  }

  /** Whose values are left out, so that there are two tables for a moment. */
  @Test
  void ofALoadedSetThatHadValues() throws Exception {
    URL saved =
        FailingAllocationsTest.class.getResource(
            "/dev/gyre/structures/saved/int-set-packed-with-values.map");
    Path file = Path.of(Objects.requireNonNull(saved).toURI());
    assertThat(FailingAllocations.ofAll(() -> IntSet.load(file).close())).isGreaterThan(1);
  }

  /** A slot's state is wrong, which is found after all memory was taken. */
  @Test
  void aRefusedFileOfTextsLeavesNothing() throws Exception {
    Path file = folder.resolve("map");
    try (TextLongMap map = texts()) {
      map.save(file);
    }
    byte[] forged = Files.readAllBytes(file);
    forged[2 * 64] = 1;
    CorruptedFiles.write(file, forged);
    long before = MemoryLeft.bytes();
    assertThatThrownBy(() -> TextLongMap.load(file)).isInstanceOf(SavedFileException.class);
    assertThat(MemoryLeft.bytes()).isEqualTo(before);
  }
}
