package dev.gyre.structures.trie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.structures.SavedFileException;
import dev.gyre.structures.SavedFileException.Kind;
import dev.gyre.structures.StructureException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tries that are saved to streams and loaded from memory: the bytes are those of a file. */
class TrieInMemoryTest {

  private static final String TEXT = "Wale, wale; Wal und Fisch. Äpfel und ΩΜΈΓΑ";

  @TempDir private Path folder;

  private static WordTrie trie(Alphabet alphabet) {
    return WordTrie.builder().alphabet(alphabet).workers(1).build();
  }

  private static byte[] saved(WordTrie trie) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    trie.save(out);
    return out.toByteArray();
  }

  private static byte[] saved(Alphabet alphabet) {
    try (WordTrie trie = trie(alphabet)) {
      return saved(trie.add(TEXT));
    }
  }

  private static void assertLoads(Alphabet alphabet, MemorySegment bytes) {
    try (WordTrie loaded = WordTrie.builder().alphabet(alphabet).load(bytes);
        WordTrie asked = trie(alphabet).add(TEXT)) {
      assertThat(loaded.top(100)).isEqualTo(asked.top(100)).isNotEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void bytesAreThoseOfAFile(Alphabet alphabet) throws IOException {
    Path file = folder.resolve("trie");
    try (WordTrie trie = trie(alphabet)) {
      trie.add(TEXT).save(file);
      assertThat(saved(trie)).isEqualTo(Files.readAllBytes(file));
    }
  }

  @ParameterizedTest
  @EnumSource
  void loadsFromAnyMemory(Alphabet alphabet) {
    byte[] bytes = saved(alphabet);
    assertLoads(alphabet, MemorySegment.ofArray(bytes));
    ByteBuffer within = ByteBuffer.allocate(bytes.length + 3).position(3);
    assertLoads(alphabet, MemorySegment.ofBuffer(within.put(bytes).flip().position(3)));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment outside = arena.allocate(bytes.length + 1).asSlice(1);
      assertLoads(alphabet, outside.copyFrom(MemorySegment.ofArray(bytes)).asReadOnly());
    }
  }

  /** The thread that saves would wait for itself. */
  @Test
  void theStreamMustNotChangeTheTrie() {
    try (WordTrie trie = trie(Alphabet.ASCII_LETTERS).add(TEXT)) {
      for (Runnable change :
          List.<Runnable>of(
              () -> trie.add("other"),
              () -> trie.add("other words ".repeat(2_000)),
              () -> trie.addWord("other", 2),
              trie::clear,
              trie::close)) {
        OutputStream changing =
            new OutputStream() {
              @Override
              public void write(int b) {
                change.run();
              }
            };
        assertThatThrownBy(() -> trie.save(changing))
            .isInstanceOf(StructureException.class)
            .hasMessageContaining("the stream that it is saved to");
      }
      assertThat(trie.count("other")).isZero();
      assertThat(saved(trie)).isEqualTo(saved(Alphabet.ASCII_LETTERS));
    }
  }

  @Test
  void whatBecomesOfTheBytesLaterDoesNotMatter() {
    byte[] bytes = saved(Alphabet.ASCII_LETTERS);
    try (WordTrie loaded = WordTrie.load(MemorySegment.ofArray(bytes))) {
      Arrays.fill(bytes, (byte) -1);
      assertThat(loaded.add("wale").count("wale")).isEqualTo(3);
    }
  }

  @Test
  void whatIsNoWholeTrieIsRefused() {
    byte[] bytes = saved(Alphabet.ASCII_LETTERS);
    byte[] bad = bytes.clone();
    bad[bytes.length - 1] ^= 1;
    assertRefused(bad, Kind.DAMAGED);
    assertRefused(Arrays.copyOf(bytes, bytes.length - 1), Kind.DAMAGED);
    assertRefused(Arrays.copyOf(bytes, bytes.length + 1), Kind.DAMAGED);
    assertRefused(new byte[0], Kind.NOT_SAVED);
    assertRefused(saved(Alphabet.UNICODE_LETTERS), Kind.OTHER_TYPE);
  }

  private static void assertRefused(byte[] bytes, Kind kind) {
    assertThatThrownBy(() -> WordTrie.load(MemorySegment.ofArray(bytes)))
        .isInstanceOfSatisfying(SavedFileException.class, e -> assertThat(e.kind()).isEqualTo(kind))
        .hasMessageStartingWith("saved bytes: ");
  }

  /** A stream that takes so many bytes, and knows whether it was closed. */
  private static final class Full extends OutputStream {
    private int left;
    private boolean closed;

    Full(int left) {
      this.left = left;
    }

    @Override
    public void write(int b) throws IOException {
      if (left-- == 0) {
        throw new IOException("full");
      }
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @Test
  void aStreamThatFailsIsToldAndTheTrieGoesOn() {
    try (WordTrie trie = trie(Alphabet.ASCII_LETTERS).add(TEXT)) {
      for (int left : new int[] {0, 70, 200}) {
        assertThatThrownBy(() -> trie.save(new Full(left)))
            .isInstanceOf(StructureException.class)
            .hasMessage("word trie: cannot save to a stream: java.io.IOException: full");
      }
      Full enough = new Full(1 << 20);
      trie.save(enough);
      assertThat(enough.closed).isFalse();
      assertThat(trie.add("wale").count("wale")).isEqualTo(3);
    }
  }
}
