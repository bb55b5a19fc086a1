package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.gyre.datasets.BadInputException;
import dev.gyre.structures.SavedFileException;
import dev.gyre.structures.StructureException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Maps in files. */
class SavedMapTest {

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource(names = {"REFERENCE", "PACKED"})
  void comesBackAsItWas(Layout layout) {
    Path file = folder.resolve("map");
    int[] keys = new SplittableRandom(5).ints(10_000).toArray();
    keys[0] = Integer.MIN_VALUE;
    try (IntIntMap map = IntIntMap.builder().layout(layout).capacity(8).build()) {
      var _ = map.insertOrAssign(keys, keys);
      map.save(file);
      try (IntIntMap loaded = IntIntMap.load(file)) {
        assertThat(loaded.asMap()).isEqualTo(map.asMap());
        assertThat(loaded.capacity()).isEqualTo(map.capacity());
        assertThat(loaded.find(keys, new int[keys.length]).absent()).isZero();
        for (int i = 0; i < 20_000; i++) {
          var _ = loaded.merge(i, 1, Apply.ADD);
        }
        assertThat(loaded.size()).isGreaterThan(map.size());
      }
      // What was inserted did not reach the file.
      try (IntIntMap again = IntIntMap.load(file)) {
        assertThat(again.asMap()).isEqualTo(map.asMap());
      }
    }
  }

  @Test
  void anEmptyMapAndOneOfLongs() {
    Path file = folder.resolve("map");
    for (Layout layout : new Layout[] {Layout.REFERENCE, Layout.LINE}) {
      try (LongLongMap map = LongLongMap.builder().layout(layout).build()) {
        map.save(file);
        assertThat(sizeOf(file)).isZero();
        var _ = map.putIfAbsent(Long.MIN_VALUE, Long.MAX_VALUE);
        map.save(file);
        try (LongLongMap loaded = LongLongMap.load(file)) {
          assertThat(loaded.getOrDefault(Long.MIN_VALUE, 0)).isEqualTo(Long.MAX_VALUE);
        }
      }
    }
  }

  private static long sizeOf(Path file) {
    try (LongLongMap map = LongLongMap.load(file)) {
      return map.size();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"REFERENCE", "PACKED"})
  void aFileWithAnyByteChangedIsRefused(Layout layout) throws IOException {
    Path file = folder.resolve("map");
    try (IntIntMap map = IntIntMap.builder().layout(layout).fixedCapacity(5).build()) {
      var _ = map.insert(new int[] {1, 2, 3}, new int[] {4, 5, 6});
      map.save(file);
    }
    byte[] whole = Files.readAllBytes(file);
    SplittableRandom random = new SplittableRandom(7);
    for (int at = 0; at < whole.length; at++) {
      byte[] changed = whole.clone();
      changed[at] ^= (byte) random.nextInt(1, 256);
      Files.write(file, changed);
      assertThatThrownBy(() -> IntIntMap.load(file).close())
          .as("byte %d", at)
          .isInstanceOf(SavedFileException.class)
          .hasMessageContaining(file.toString());
    }
  }

  static Stream<Arguments> ofEveryKind() {
    List<Function<MemorySegment, HashTable<?, ?, ?>>> loads =
        List.of(
            IntIntMap::load,
            LongLongMap::load,
            TextLongMap::load,
            IntSet::load,
            LongSet::load,
            TextSet::load,
            RecordMap.builder(RecordSchema.of(Pair.class, Pair.class))::load,
            IntLongMap::load,
            LongIntMap::load);
    IntIntMap ints = IntIntMap.builder().capacity(5).build();
    LongLongMap longs = LongLongMap.builder().layout(Layout.LINE).capacity(5).build();
    TextLongMap texts = TextLongMap.builder().capacity(5).build();
    IntSet intSet = IntSet.builder().capacity(5).build();
    LongSet longSet = LongSet.builder().capacity(5).build();
    TextSet textSet = TextSet.builder().capacity(5).build();
    RecordMap<Pair, Pair> records =
        RecordMap.builder(RecordSchema.of(Pair.class, Pair.class)).capacity(5).build();
    IntLongMap intLongs = IntLongMap.builder().capacity(5).build();
    LongIntMap longInts = LongIntMap.builder().capacity(5).build();
    for (int i = 0; i < 5; i++) {
      var _ = ints.putIfAbsent(i, -i);
      var _ = longs.putIfAbsent(i, -i);
      var _ = texts.putIfAbsent("a key of many bytes " + i, -i);
      var _ = intSet.add(i);
      var _ = longSet.add(i);
      var _ = textSet.add("another key of many bytes " + i);
      var _ = records.putIfAbsent(new Pair(i, 2), new Pair(i, 3));
      var _ = intLongs.putIfAbsent(i, -i);
      var _ = longInts.putIfAbsent(i, -i);
    }
    List<HashTable<?, ?, ?>> saved =
        List.of(ints, longs, texts, intSet, longSet, textSet, records, intLongs, longInts);
    return IntStream.range(0, saved.size()).mapToObj(i -> Arguments.of(saved.get(i), loads.get(i)));
  }

  @Test
  void aMapOfOtherNumbersIsRefusedByItsTypes() {
    Path file = folder.resolve("ints to longs");
    try (IntLongMap map = IntLongMap.create()) {
      assertThat(map.put(1, Long.MIN_VALUE)).isEmpty();
      map.save(file);
    }
    try (IntLongMap map = IntLongMap.load(file)) {
      assertThat(map.get(1)).hasValue(Long.MIN_VALUE);
    }
    List<Function<Path, HashTable<?, ?, ?>>> others =
        List.of(LongLongMap::load, IntIntMap::load, LongIntMap::load);
    for (Function<Path, HashTable<?, ?, ?>> other : others) {
      assertThatThrownBy(() -> other.apply(file).close())
          .isInstanceOf(SavedFileException.class)
          .hasMessageContaining("holds a map from int to long, not a map from ");
    }
  }

  /** Keys and values of a map of records. */
  record Pair(long one, int two) {}

  @ParameterizedTest
  @MethodSource("ofEveryKind")
  void aStreamHasTheBytesOfAFileAndMakesTheSameAgain(
      HashTable<?, ?, ?> saved, Function<MemorySegment, HashTable<?, ?, ?>> load)
      throws IOException {
    Path file = folder.resolve("saved");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (saved) {
      saved.save(out);
      saved.save(file);
      byte[] bytes = out.toByteArray();
      assertThat(file).hasBinaryContent(bytes);
      // Neither on the heap nor where longs lie.
      MemorySegment elsewhere = Arena.ofAuto().allocate(bytes.length + 1L).asSlice(1);
      elsewhere.copyFrom(MemorySegment.ofArray(bytes));
      for (MemorySegment from : List.of(MemorySegment.ofArray(bytes), elsewhere)) {
        try (HashTable<?, ?, ?> loaded = load.apply(from.asReadOnly())) {
          assertThat(loaded.size()).isEqualTo(5);
          assertThat(loaded.capacity()).isEqualTo(saved.capacity());
          assertThat(loaded.store.slots()).isEqualTo(saved.store.slots());
        }
      }
      for (int at = 0; at < bytes.length; at++) {
        bytes[at] ^= 2;
        assertThatThrownBy(() -> load.apply(MemorySegment.ofArray(bytes)).close())
            .isInstanceOf(SavedFileException.class)
            .hasMessageStartingWith("saved bytes: ");
        bytes[at] ^= 2;
      }
      assertThatThrownBy(() -> load.apply(elsewhere.asSlice(0, bytes.length - 1)).close())
          .isInstanceOf(SavedFileException.class);
    }
  }

  @Test
  void aStreamThatTakesNotAllIsAnErrorAndTheMapIsAsItWas() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("no room");
          }
        };
    try (LongLongMap map = LongLongMap.create()) {
      var _ = map.putIfAbsent(1, 2);
      assertThatThrownBy(() -> map.save(full))
          .isInstanceOf(StructureException.class)
          .hasMessageContaining("no room");
      assertThat(map.merge(1, 3, Apply.ADD)).isEqualTo(5);
    }
  }

  @Test
  void aFileThatIsTooShortOrTooLongIsRefused() throws IOException {
    Path file = folder.resolve("map");
    try (IntIntMap map = IntIntMap.create()) {
      map.save(file);
    }
    byte[] whole = Files.readAllBytes(file);
    for (int length : new int[] {0, 7, 63, 64, 65, 128, whole.length - 64, whole.length - 1}) {
      Files.write(file, java.util.Arrays.copyOf(whole, length));
      assertThat(kindOf(file)).isNotNull();
    }
    Files.write(file, java.util.Arrays.copyOf(whole, whole.length + 64));
    assertThat(kindOf(file)).isEqualTo(SavedFileException.Kind.DAMAGED);
  }

  private static SavedFileException.Kind kindOf(Path file) {
    return catchThrowableOfType(SavedFileException.class, () -> IntIntMap.load(file).close())
        .kind();
  }

  @Test
  void otherFilesAreRefused() throws IOException {
    Path file = folder.resolve("map");
    assertThatThrownBy(() -> LongLongMap.load(file)).isInstanceOf(BadInputException.class);
    Files.writeString(file, "key,value\n");
    assertThat(kindOf(file)).isEqualTo(SavedFileException.Kind.NOT_SAVED);
    try (LongLongMap map = LongLongMap.create()) {
      map.save(file);
      assertThat(kindOf(file)).isEqualTo(SavedFileException.Kind.OTHER_TYPE);
      byte[] newer = Files.readAllBytes(file);
      newer[12]++;
      Files.write(file, newer);
      assertThat(kindOf(file)).isEqualTo(SavedFileException.Kind.NEWER);
      assertThatThrownBy(() -> map.save(folder.resolve("none").resolve("map")))
          .isInstanceOf(StructureException.class);
    }
  }

  @Test
  void aBuilderIsAsItWasAfterLoading() {
    Path file = folder.resolve("map");
    try (IntIntMap map = IntIntMap.builder().layout(Layout.REFERENCE).capacity(77).build()) {
      var _ = map.putIfAbsent(1, 2);
      map.save(file);
    }
    MapBuilder<IntIntMap> builder = IntIntMap.builder().capacity(5);
    try (IntIntMap loaded = builder.load(file)) {
      assertThat(loaded.capacity()).isEqualTo(77);
    }
    try (IntIntMap fresh = builder.build()) {
      assertThat(fresh.size()).isZero();
      assertThat(fresh.capacity()).isEqualTo(5);
      fresh.save(file);
    }
    // Of the layout that maps of ints have by themselves, not of the one that was loaded.
    builder.layout(Layout.PACKED).load(file).close();
  }

  @Test
  void whatTheFileSaysCannotBeAskedForOtherwise() {
    Path file = folder.resolve("map");
    try (IntIntMap map = IntIntMap.builder().layout(Layout.REFERENCE).capacity(9).build()) {
      map.save(file);
    }
    IntIntMap.builder().layout(Layout.REFERENCE).fixedCapacity(9).load(file).close();
    assertThatThrownBy(() -> IntIntMap.builder().layout(Layout.PACKED).load(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("layout REFERENCE", "PACKED");
    assertThatThrownBy(() -> IntIntMap.builder().fixedCapacity(8).load(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("fixed capacity 9");
  }

  @Test
  void aLoadedMapGrowsUnlessItIsAskedNotTo() {
    Path file = folder.resolve("map");
    int[] keys = {1, 2, 3};
    try (IntIntMap map = IntIntMap.builder().fixedCapacity(2).build()) {
      assertThat(map.insert(keys, keys).full()).isEqualTo(1);
      map.save(file);
    }
    try (IntIntMap growing = IntIntMap.load(file);
        IntIntMap fixed = IntIntMap.builder().fixedCapacity(2).load(file)) {
      assertThat(growing.insert(keys, keys)).isEqualTo(new InsertCounts(1, 2, 0));
      assertThat(fixed.insert(keys, keys)).isEqualTo(new InsertCounts(0, 2, 1));
    }
  }
}
