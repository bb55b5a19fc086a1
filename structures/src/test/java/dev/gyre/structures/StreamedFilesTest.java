package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.MemoryExhaustedException;
import dev.gyre.datasets.BadInputException;
import dev.gyre.kernels.LaunchCancelledException;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.IntSet;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.map.RecordMap;
import dev.gyre.structures.map.RecordSchema;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.map.TextSet;
import dev.gyre.structures.trie.WordTrie;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Structures from streams of the bytes that they wrote to streams, and tries from folders. */
class StreamedFilesTest {

  /** Gives few bytes at a time, and notices if it is closed. */
  private static final class Trickle extends FilterInputStream {
    private boolean closed;

    Trickle(byte[] bytes) {
      super(new ByteArrayInputStream(bytes));
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
      return super.read(to, from, Math.min(length, 7));
    }

    @Override
    public void close() throws IOException {
      closed = true;
      super.close();
    }
  }

  private static byte[] saved() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (LongLongMap map = LongLongMap.create()) {
      var _ = map.insert(new long[] {1, 2, 3}, new long[] {4, 5, 6});
      map.save(out);
    }
    return out.toByteArray();
  }

  @Test
  void everyStructureIsLoadedFromTheBytesThatItWrote() {
    record Key(long first, int second) {}
    record Value(double mean) {}
    try (LongLongMap longs = LongLongMap.create();
        IntIntMap ints = IntIntMap.create();
        TextLongMap texts = TextLongMap.create();
        RecordMap<Key, Value> records = RecordMap.create(Key.class, Value.class);
        LongSet longSet = LongSet.create();
        IntSet intSet = IntSet.create();
        TextSet textSet = TextSet.create();
        WordTrie trie = WordTrie.create()) {
      longs.putAll(Map.of(1L, -1L, 2L, -2L));
      ints.putAll(Map.of(1, -1, 2, -2));
      texts.putAll(Map.of("", 1L, "a longer text", 2L));
      records.putAll(Map.of(new Key(1, 2), new Value(0.5)));
      var _ = longSet.addAll(new long[] {1, 2});
      var _ = intSet.addAll(new int[] {1, 2});
      var _ = textSet.addAll(List.of("", "a longer text"));
      trie.add("the best of times, the worst of times");
      try (LongLongMap loaded = LongLongMap.load(written(longs::save))) {
        assertThat(loaded.asMap()).isEqualTo(longs.asMap());
      }
      try (IntIntMap loaded = IntIntMap.load(written(ints::save))) {
        assertThat(loaded.asMap()).isEqualTo(ints.asMap());
      }
      try (TextLongMap loaded = TextLongMap.load(written(texts::save))) {
        assertThat(loaded.asMap()).isEqualTo(texts.asMap());
      }
      try (RecordMap<Key, Value> loaded =
          RecordMap.builder(RecordSchema.of(Key.class, Value.class)).load(written(records::save))) {
        assertThat(loaded.asMap()).isEqualTo(records.asMap());
      }
      try (LongSet loaded = LongSet.load(written(longSet::save))) {
        assertThat(loaded.asSet()).isEqualTo(longSet.asSet());
      }
      try (IntSet loaded = IntSet.load(written(intSet::save))) {
        assertThat(loaded.asSet()).isEqualTo(intSet.asSet());
      }
      try (TextSet loaded = TextSet.load(written(textSet::save))) {
        assertThat(loaded.asSet()).isEqualTo(textSet.asSet());
      }
      try (WordTrie loaded = WordTrie.load(written(trie::save))) {
        assertThat(loaded.top(9)).isEqualTo(trie.top(9));
      }
    }
  }

  private interface Saving {
    void to(ByteArrayOutputStream out);
  }

  private static InputStream written(Saving saving) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    saving.to(out);
    return new Trickle(out.toByteArray());
  }

  @Test
  void aStreamIsReadToItsEndAndStaysOpen() throws IOException {
    Trickle in = new Trickle(saved());
    LongLongMap.load(in).close();
    assertThat(in.closed).isFalse();
    assertThat(in.read()).isNegative();
  }

  @Test
  void incompleteOrOtherBytesAreRefused() {
    byte[] all = saved();
    assertRefused(new byte[0], SavedFileException.Kind.NOT_SAVED);
    assertRefused(
        "no map at all, but a text of more than 64 bytes, as a header has"
            .repeat(2)
            .getBytes(StandardCharsets.US_ASCII),
        SavedFileException.Kind.NOT_SAVED);
    for (int length : new int[] {1, 63, 65, 127, 129, all.length - 64, all.length - 1}) {
      assertRefused(Arrays.copyOf(all, length), SavedFileException.Kind.DAMAGED);
    }
    // All bytes of some sections: without the last one, the checksum differs.
    assertRefused(Arrays.copyOf(all, 64), SavedFileException.Kind.DAMAGED);
    assertRefused(Arrays.copyOf(all, all.length + 1), SavedFileException.Kind.DAMAGED);
    assertRefused(Arrays.copyOf(all, all.length + 64), SavedFileException.Kind.DAMAGED);
    byte[] changed = all.clone();
    changed[all.length / 2] ^= 1;
    assertRefused(changed, SavedFileException.Kind.DAMAGED);
  }

  private static void assertRefused(byte[] bytes, SavedFileException.Kind kind) {
    assertThatThrownBy(() -> LongLongMap.load(new Trickle(bytes)))
        .isInstanceOfSatisfying(
            SavedFileException.class, e -> assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind))
        .hasMessageStartingWith("saved bytes of a stream: ");
  }

  /** The length of a section says how much memory it needs, before its bytes are read. */
  @Test
  void aLengthThatIsTooLargeIsRefused() {
    byte[] bytes = saved();
    for (long length : new long[] {-1, 1L << 50, Long.MAX_VALUE}) {
      ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).putLong(64, length);
      assertThatThrownBy(() -> LongLongMap.load(new Trickle(bytes)))
          .isInstanceOfAny(SavedFileException.class, MemoryExhaustedException.class);
    }
  }

  @Test
  void aStreamThatFailsIsBadInput() {
    InputStream failing =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("the line is dead");
          }

          @Override
          public int read(byte[] to, int from, int count) throws IOException {
            return read();
          }
        };
    assertThatThrownBy(() -> WordTrie.load(failing))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("the line is dead");
  }

  @Test
  void anInterruptEndsALoadAndClosesNothing() {
    Trickle in = new Trickle(saved());
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> LongLongMap.load(in)).isInstanceOf(LaunchCancelledException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(in.closed).isFalse();
  }

  @Test
  void aTrieCountsTheFilesOfAFolder(@TempDir Path folder) throws IOException {
    Files.createDirectories(folder.resolve("b/deep"));
    Files.createDirectories(folder.resolve(".hidden"));
    Files.createDirectory(folder.resolve("empty"));
    Files.writeString(folder.resolve("a.txt"), "one two");
    Files.writeString(folder.resolve("b/deep/c.txt"), "two three");
    Files.writeString(folder.resolve("z"), "three");
    Files.writeString(folder.resolve(".hidden/d"), "four");
    Files.writeString(folder.resolve(".e"), "four");
    Path single = Files.writeString(folder.resolve("file"), "five");
    try (WordTrie trie = WordTrie.create()) {
      trie.add(folder).add(single, folder.resolve("b"));
      assertThat(trie.count("one")).isEqualTo(1);
      assertThat(trie.count("two")).isEqualTo(3);
      assertThat(trie.count("three")).isEqualTo(3);
      assertThat(trie.count("four")).isZero();
      assertThat(trie.count("five")).isEqualTo(2);
      assertThatThrownBy(() -> trie.add(folder.resolve("empty")))
          .isInstanceOf(BadInputException.class)
          .hasMessageContaining("a folder without files");
      assertThatThrownBy(() -> trie.add(folder.resolve("none")))
          .isInstanceOf(BadInputException.class);
      assertThat(trie.total()).isEqualTo(9);
    }
  }
}
