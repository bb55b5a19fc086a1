package dev.gyre.structures.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.structures.AnyCase;
import dev.gyre.structures.CorruptedFiles;
import dev.gyre.structures.SavedFile;
import dev.gyre.structures.SavedFileException;
import dev.gyre.structures.trie.WordTrie;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Files that were saved once and for all: this version reads them, and writes the same bytes. Those
 * of maps are of version 1, from which version 2 differs in the header alone. A file that a change
 * of a format makes needless stays, to be loaded; {@code -Dgyre.saved.formats=FOLDER} has this
 * version's written there.
 */
class SavedFormatsTest {

  private static final long[] LONGS = {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40};
  private static final int[] INTS = {0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 20};

  /** Of words in several scripts, with common beginnings. */
  private static final String TEXT = "sea the Sea then seal süß über ЖИЗНЬ жить x x x";

  @TempDir private Path folder;

  private Path fresh(String name) {
    return Path.of(System.getProperty("gyre.saved.formats", folder.toString())).resolve(name);
  }

  private static Path kept(String name) throws URISyntaxException {
    var found = SavedFormatsTest.class.getResource("/dev/gyre/structures/saved/" + name);
    return Path.of(Objects.requireNonNull(found, name).toURI());
  }

  @ParameterizedTest
  @EnumSource
  void ofMaps(SavedMaps map) throws IOException, URISyntaxException {
    String name = map.name().toLowerCase(Locale.ROOT).replace('_', '-') + ".map";
    Path file = fresh(name);
    map.save(file);
    assertThat(Files.readAllBytes(file)).isEqualTo(asVersion2(kept(name)));
    assertLoaded(map, kept(name));
    assertLoaded(map, file);
  }

  /** A file of version 1 with the header of version 2, which has no seed. */
  private static byte[] asVersion2(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    assertThat(header.getInt(12)).isEqualTo(1);
    header.putInt(12, 2).putLong(48, 0);
    CorruptedFiles.seal(bytes);
    return bytes;
  }

  /** Numbers by a hash that ignores the seed: their slots were in its order in version 1. */
  record Thrice() implements Hash {
    @Override
    public long hash(long key, long seed) {
      return (3 * key) << 61;
    }
  }

  @Test
  void ofMapsWithAHashOfTheUsers() throws URISyntaxException {
    try (LongLongMap map =
            LongLongMap.builder().hash(new Thrice()).load(kept("longs-other-hash.map"));
        TextLongMap texts =
            TextLongMap.builder().textHash(new AnyCase(-1)).load(kept("texts-other-hash.map"))) {
      for (int i = 0; i < 6; i++) {
        assertThat(map.get(SavedMaps.LONGS[i])).hasValue(SavedMaps.value(i));
        assertThat(texts.get(SavedMaps.WORDS[i])).hasValue(SavedMaps.value(i));
      }
      assertThat(map.size()).isEqualTo(6);
      assertThat(texts.size()).isEqualTo(6);
    }
  }

  @Test
  void ofPackedMapsWithKeysAboveTheirValues() throws URISyntaxException {
    assertLoaded(SavedMaps.INTS_PACKED, kept("ints-packed-key-above.map"));
  }

  private static void assertLoaded(SavedMaps map, Path file) {
    try (SavedMaps.Loaded loaded = map.load(file)) {
      Map<Object, Long> entries = new HashMap<>();
      loaded.forEach(entries::put);
      assertThat(entries).hasSize(6).isEqualTo(expected(map));
      entries.forEach((key, value) -> assertThat(loaded.get(key)).isEqualTo(value));
    }
  }

  private static Map<Object, Long> expected(SavedMaps map) {
    Map<Object, Long> expected = new HashMap<>();
    for (int i = 0; i < 6; i++) {
      Object key =
          switch (map) {
            case TEXTS ->
                new String(
                    SavedMaps.WORDS[i].getBytes(StandardCharsets.UTF_8),
                    StandardCharsets.ISO_8859_1);
            case LONGS_LINE, LONGS_REFERENCE -> SavedMaps.LONGS[i];
            case INTS_REFERENCE, INTS_PACKED -> SavedMaps.INTS[i];
          };
      expected.put(key, (long) SavedMaps.value(i));
    }
    return expected;
  }

  @ParameterizedTest
  @EnumSource
  void ofSets(Layout layout) throws IOException, URISyntaxException {
    try (LongSet longs =
            LongSet.builder().layout(layout).workers(1).capacity(8).tableSeed(7).build();
        IntSet ints = IntSet.builder().layout(layout).workers(1).capacity(8).tableSeed(7).build()) {
      var _ = longs.addAll(LONGS);
      var _ = ints.addAll(INTS);
      longs.save(fresh("long-set-packed.map"));
      ints.save(fresh("int-set-packed.map"));
      assertThat(Files.readAllBytes(fresh("long-set-packed.map")))
          .isEqualTo(asVersion2(kept("long-set-packed.map")));
      assertThat(Files.readAllBytes(fresh("int-set-packed.map")))
          .isEqualTo(asVersion2(kept("int-set-packed.map")));
    }
  }

  /** Sets that earlier versions saved in other layouts, without values and with them. */
  @Test
  void setsOfOtherLayoutsAreConverted() throws IOException, URISyntaxException {
    for (String saved : List.of("", "-with-values", "-line")) {
      // No set of ints in lines is read any more.
      String ofInts = saved.equals("-line") ? "" : saved;
      try (LongSet longs = LongSet.load(kept("long-set" + saved + ".map"));
          IntSet ints =
              IntSet.builder().layout(Layout.REFERENCE).load(kept("int-set" + ofInts + ".map"))) {
        assertThat(longs.size()).isEqualTo(LONGS.length);
        assertThat(longs.containsAll(LONGS).found()).isEqualTo(LONGS.length);
        assertThat(longs.byteSize()).isEqualTo(8 * (longs.store.slots() + 1));
        assertThat(ints.containsAll(INTS).found()).isEqualTo(ints.size()).isEqualTo(INTS.length);
        assertThat(ints.byteSize()).isEqualTo(4 * (ints.store.slots() + 1));
        Path again = folder.resolve("again" + saved);
        longs.save(again);
        try (LongSet reloaded = LongSet.load(again)) {
          assertThat(reloaded.containsAll(LONGS).found()).isEqualTo(LONGS.length);
        }
        // Beside a key that is there, and grown into another table.
        for (long more = 100; more < 200; more++) {
          assertThat(longs.add(more) && ints.add((int) more)).isTrue();
        }
        assertThat(longs.containsAll(LONGS).found()).isEqualTo(LONGS.length);
        assertThat(ints.containsAll(INTS).found()).isEqualTo(INTS.length);
      }
    }
  }

  @Test
  void ofPackedSets() throws IOException, URISyntaxException {
    try (LongSet longs = LongSet.load(kept("long-set-packed.map"))) {
      assertThat(longs.containsAll(LONGS).found()).isEqualTo(longs.size()).isEqualTo(LONGS.length);
      assertThat(longs.byteSize()).isEqualTo(8 * (longs.store.slots() + 1));
    }
    // What was saved with values is loaded without them.
    for (String saved : List.of("", "-with-values")) {
      try (IntSet ints = IntSet.load(kept("int-set-packed" + saved + ".map"))) {
        assertThat(ints.containsAll(INTS).found()).isEqualTo(ints.size()).isEqualTo(INTS.length);
        assertThat(ints.byteSize()).isEqualTo(4 * (ints.store.slots() + 1));
        for (int more = 100; more < 200; more++) {
          assertThat(ints.add(more)).isTrue();
        }
        assertThat(ints.containsAll(INTS).found()).isEqualTo(INTS.length);
      }
    }
  }

  /** Whatever stands in a side slot says that its one key is there, and no more. */
  @Test
  void aSideSlotHasItsOwnKey() throws IOException, URISyntaxException {
    for (String name : List.of("long-set-packed.map", "int-set-packed.map")) {
      byte[] bytes = Files.readAllBytes(kept(name));
      int element = name.startsWith("long") ? Long.BYTES : Integer.BYTES;
      // Behind the headers of file and section, and all other slots.
      int side = 2 * SavedFile.HEADER_BYTES + bytes[40] * element;
      assertThat(bytes[side]).isEqualTo((byte) 1);
      bytes[side] = 5;
      Path forged = folder.resolve("forged");
      CorruptedFiles.write(forged, bytes);
      if (element == Long.BYTES) {
        try (LongSet set = LongSet.load(forged)) {
          assertThat(set.containsAll(LONGS).found()).isEqualTo(set.size()).isEqualTo(LONGS.length);
        }
      } else {
        try (IntSet set = IntSet.load(forged)) {
          assertThat(set.containsAll(INTS).found()).isEqualTo(set.size()).isEqualTo(INTS.length);
        }
      }
    }
  }

  /** Also if the builder asks for that layout. */
  @Test
  void intsInLinesAreRefusedByAMessageThatSaysWhatToDo() throws URISyntaxException {
    Path map = kept("ints-line.map");
    Path set = kept("int-set-line.map");
    List<ThrowingCallable> loads =
        List.of(
            () -> IntIntMap.load(map),
            () -> IntIntMap.builder().layout(Layout.LINE).load(map),
            () -> IntSet.load(set));
    for (ThrowingCallable load : loads) {
      assertThatThrownBy(load)
          .isInstanceOfSatisfying(
              SavedFileException.class,
              e -> assertThat(e.kind()).isEqualTo(SavedFileException.Kind.OLDER))
          .hasMessageContainingAll("-line.map", "layout LINE", "3a399ce6", "PACKED", "save");
    }
  }

  @Test
  void aMapHasValues() throws IOException, URISyntaxException {
    byte[] bytes = Files.readAllBytes(kept("longs-reference.map"));
    bytes[20] = 3;
    Path forged = folder.resolve("forged");
    CorruptedFiles.write(forged, bytes);
    assertThatThrownBy(() -> LongLongMap.load(forged))
        .isInstanceOf(SavedFileException.class)
        .hasMessageContaining("kind is wrong");
  }

  @ParameterizedTest
  @EnumSource
  void ofTries(Alphabet alphabet) throws IOException, URISyntaxException {
    String name = alphabet.name().toLowerCase(Locale.ROOT).replace('_', '-') + ".trie";
    Path file = fresh(name);
    try (WordTrie trie = WordTrie.builder().alphabet(alphabet).workers(1).build()) {
      trie.add(TEXT);
      trie.save(file);
      assertThat(Files.readAllBytes(kept(name))).isEqualTo(Files.readAllBytes(file));
      try (WordTrie loaded = WordTrie.builder().alphabet(alphabet).load(kept(name))) {
        Map<String, Long> words = new HashMap<>();
        Map<String, Long> read = new HashMap<>();
        trie.forEach(word -> words.put(word.word(), word.count()));
        loaded.forEach(word -> read.put(word.word(), word.count()));
        assertThat(read).isEqualTo(words).containsEntry("sea", 2L).containsEntry("x", 3L);
      }
    }
  }
}
