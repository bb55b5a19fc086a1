package dev.gyre.structures.spark;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.structures.StructureException;
import dev.gyre.structures.trie.WordTrie;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/** Counts the words of texts with a trie. A word ends with its text. */
final class WordFiller extends Filler {

  private static final int LEAST_BATCH = 1 << 14;
  private static final int MOST_BATCH = 1 << 20;

  /**
   * Batches that are counted together while the trie is small, as a multiple of the smallest batch.
   */
  private static final long MORE = 4;

  /** Largest batch for a device, in bytes, which keeps it busy. */
  private static final int MOST_DEVICE_BATCH = 1 << 25;

  /** Share of the memory for the first nodes: growth copies them. */
  private static final int FIRST_SHARE = 32;

  private static final long FIRST = 1L << 17;

  /** Scratch memory of counting threads, in bytes. */
  private static final long SCRATCH_BYTES = 2L << 20;

  private final Alphabet alphabet;
  private final long bytesPerByte;
  private final WordTrie trie;

  /** Smallest batch that must fit besides the counted words, in bytes. */
  private final int least;

  private Memory batch;
  private int filled;

  /** Bytes of the batch that are counted together. */
  private int limit;

  WordFiller(Alphabet alphabet, Launcher launcher, long memory, Runnable full) {
    super(memory, full);
    this.alphabet = alphabet;
    this.bytesPerByte = nodesPerByte(alphabet) * NodeSize.LARGE.bytes();
    int most = launcher.device().target() == Target.JVM ? MOST_BATCH : MOST_DEVICE_BATCH;
    this.least = batchBytes(memory, bytesPerByte, LEAST_BATCH, most);
    this.batch = Memory.ofBytes(Math.min(MORE * least, most));
    try {
      this.trie =
          WordTrie.builder()
              .alphabet(alphabet)
              .launcher(launcher)
              .initialNodes(Math.clamp(memory / FIRST_SHARE / NodeSize.LARGE.bytes(), 1, FIRST))
              .build();
    } catch (RuntimeException | Error e) {
      batch.close();
      throw e;
    }
    this.limit = limit();
  }

  /** Returns the largest batch that fits besides the counted words: larger batches are faster. */
  private int limit() {
    int most = (int) Math.max(filled, batch.byteSize());
    return Math.clamp(free() / bytesPerByte, Math.max(filled, least), most);
  }

  /**
   * Returns the largest number of nodes that a byte of text can need: one for ASCII, five for three
   * bytes of other letters.
   */
  private static long nodesPerByte(Alphabet alphabet) {
    return switch (alphabet) {
      case ASCII_LETTERS -> 1;
      case UNICODE_LETTERS -> 2;
    };
  }

  @Override
  void add(Rows row) {
    UTF8String text = row.text();
    int from = 0;
    while (from < text.numBytes()) {
      int count = Math.min(freeBytes(), text.numBytes() - from);
      long to = batch.segment().asSlice(filled, count).address();
      Platform.copyMemory(text.getBaseObject(), text.getBaseOffset() + from, null, to, count);
      filled += count;
      from += count;
    }
    int _ = freeBytes();
    batch.segment().set(ValueLayout.JAVA_BYTE, filled++, (byte) '\n');
  }

  /** Returns the free bytes of the batch, more than 0. */
  private int freeBytes() {
    if (filled == limit) {
      count(endOfWords());
    }
    if (filled == limit) {
      enlarge();
    }
    return limit - filled;
  }

  private int endOfWords() {
    MemorySegment text = batch.segment();
    int end = filled;
    while (end > 0 && !alphabet.separates(text.get(ValueLayout.JAVA_BYTE, end - 1) & 0xff)) {
      end--;
    }
    return end;
  }

  /** Enlarges the batch for a longer word. */
  private void enlarge() {
    long doubled = 2L * limit;
    if (doubled > Integer.MAX_VALUE) {
      throw new StructureException("a word of more than " + filled + " bytes is too long to count");
    }
    require(doubled * bytesPerByte);
    limit = (int) doubled;
    if (limit <= batch.byteSize()) {
      return;
    }
    Memory larger = Memory.ofBytes(doubled);
    MemorySegment.copy(batch.segment(), 0, larger.segment(), 0, filled);
    batch.close();
    batch = larger;
  }

  private void count(int length) {
    if (length > 0) {
      require(length * bytesPerByte);
      trie.add(batch, length);
      MemorySegment.copy(batch.segment(), length, batch.segment(), 0, filled - length);
      filled -= length;
      limit = limit();
    }
  }

  @Override
  void flush() {
    count(filled);
  }

  @Override
  long held() {
    return trie.nodes() * NodeSize.LARGE.bytes();
  }

  @Override
  long overheadBytes() {
    return batch.byteSize() + SCRATCH_BYTES;
  }

  @Override
  boolean isEmpty() {
    return trie.nodes() == 1;
  }

  @Override
  void drain(Entries to) {
    trie.forEach(
        w -> {
          byte[] word = w.word().getBytes(StandardCharsets.UTF_8);
          to.add(word, word.length, w.count());
        });
    trie.clear();
  }

  @Override
  public void close() {
    try (trie) {
      batch.close();
    }
  }
}
