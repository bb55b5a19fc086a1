package dev.gyre.datasets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryInUseException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TextChunksTest {

  @TempDir Path folder;

  private final byte[] all256 = new byte[256];

  TextChunksTest() {
    for (int i = 0; i < all256.length; i++) {
      all256[i] = (byte) i;
    }
  }

  @Test
  void everyChunkSizeGivesTheWholeTextCutBetweenWords() throws IOException {
    List<String> texts =
        List.of(
            "", "a", " ", "one two\nthree", "abcdefghijklmnop", "a b c d ", "\n\n x \n", "end ");
    for (String text : texts) {
      Path file = write("text", text.getBytes(StandardCharsets.US_ASCII));
      for (int chunkBytes = 1; chunkBytes <= text.length() + 3; chunkBytes++) {
        assertChunks(TextSource.ofFiles(List.of(file)), chunkBytes, text);
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        assertChunks(
            TextSource.ofStream("stream", new ByteArrayInputStream(bytes)), chunkBytes, text);
        assertChunks(TextSource.ofMemory(MemorySegment.ofArray(bytes)), chunkBytes, text);
      }
    }
  }

  @Test
  void filesAreReadAsIfANewlineStoodBetweenThem() throws IOException {
    List<String> texts = List.of("one", "", "two words", "", "end\n", "x");
    List<Path> files = new ArrayList<>();
    for (String text : texts) {
      files.add(write("f" + files.size(), text.getBytes(StandardCharsets.US_ASCII)));
    }
    String joined = String.join("\n", texts);
    for (int chunkBytes = 1; chunkBytes <= joined.length() + 3; chunkBytes++) {
      assertChunks(TextSource.ofFiles(files), chunkBytes, joined);
    }
  }

  @Test
  void smallFilesShareAChunk() throws IOException {
    List<Path> files = List.of(write("a", new byte[] {'a'}), write("b", new byte[] {'b'}));
    try (TextChunks chunks =
        TextChunks.open(
            TextSource.ofFiles(files),
            TextChunks.DEFAULT_CHUNK_BYTES,
            TextChunksTest::notALetter,
            ByteProgress.NONE)) {
      TextChunk chunk = chunks.next();
      assertThat(chunk).isNotNull();
      assertThat(text(chunk)).isEqualTo("a\nb");
      assertThat(chunk.sourceBytes()).isEqualTo(2);
      assertThat(chunks.next()).isNull();
      assertThat(chunks.next()).isNull();
      assertThat(chunks.sourceBytesDone()).isEqualTo(2);
    }
  }

  @Test
  void binaryDataComesThroughUnchanged() throws IOException {
    byte[] binary = new byte[100_000];
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < binary.length; i++) {
      binary[i] = (byte) random.nextLong();
    }
    System.arraycopy(all256, 0, binary, 0, 256);
    Path file = write("binary", binary);
    for (int chunkBytes : new int[] {1 << 10, 4095, 4096, 99_999, 100_000, 100_001}) {
      assertThat(join(TextSource.ofFiles(List.of(file)), chunkBytes)).isEqualTo(binary);
    }
  }

  @Test
  void aWordLongerThanAChunkMakesTheChunkGrow() {
    byte[] text = new byte[10_000_000];
    java.util.Arrays.fill(text, (byte) 'w');
    text[0] = ' ';
    text[text.length - 2] = ' ';
    TextSource source = TextSource.ofMemory(MemorySegment.ofArray(text));
    try (TextChunks chunks =
        TextChunks.open(source, 1000, TextChunksTest::notALetter, ByteProgress.NONE)) {
      List<Long> lengths = new ArrayList<>();
      for (TextChunk chunk = chunks.next(); chunk != null; chunk = chunks.next()) {
        lengths.add(chunk.length());
      }
      assertThat(lengths).containsExactly(1L, 9_999_999L);
    }
  }

  @Test
  void aHugeFileIsReadInTwoBuffers() throws IOException {
    Path sparse = folder.resolve("sparse");
    long size = 300L << 20;
    try (FileChannel channel =
        FileChannel.open(sparse, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      channel.write(java.nio.ByteBuffer.wrap(new byte[] {'z'}), size - 1);
    }
    Set<Memory> memories = new HashSet<>();
    List<Long> seen = new ArrayList<>();
    TextSource source = TextSource.ofFiles(List.of(sparse));
    ByteProgress progress =
        (done, total) -> {
          assertThat(total).isEqualTo(size);
          seen.add(done);
        };
    try (TextChunks chunks =
        TextChunks.open(source, 1 << 20, TextChunksTest::notALetter, progress)) {
      for (TextChunk chunk = chunks.next(); chunk != null; chunk = chunks.next()) {
        memories.add(chunk.memory());
        assertThat(chunk.memory().byteSize()).isEqualTo(1 << 20);
      }
      assertThat(chunks.sourceBytesDone()).isEqualTo(size);
    }
    assertThat(memories).hasSize(2).allMatch(Memory::isClosed);
    assertThat(seen).isSorted().endsWith(size);
  }

  @Test
  void anErrorOfTheReaderReachesTheCallerAfterTheChunksBefore() {
    InputStream failing =
        new InputStream() {
          private int count;

          @Override
          public int read() throws IOException {
            if (count == 10) {
              throw new IOException("disk on fire");
            }
            count++;
            return count % 2 == 0 ? ' ' : 'a';
          }

          @Override
          public int read(byte[] into, int from, int length) throws IOException {
            into[from] = (byte) read();
            return 1;
          }
        };
    TextSource source = TextSource.ofStream("pipe", failing);
    try (TextChunks chunks =
        TextChunks.open(source, 4, TextChunksTest::notALetter, ByteProgress.NONE)) {
      assertThat(text(Objects.requireNonNull(chunks.next()))).isEqualTo("a a ");
      assertThat(text(Objects.requireNonNull(chunks.next()))).isEqualTo("a a ");
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(chunks::next)
            .isInstanceOf(BadInputException.class)
            .hasMessage("pipe: not readable: disk on fire");
      }
    }
  }

  @Test
  void aFileThatIsGoneIsNamed() throws IOException {
    Path file = write("gone", new byte[3]);
    TextSource source = TextSource.ofFiles(List.of(file));
    Files.delete(file);
    try (TextChunks chunks =
        TextChunks.open(
            source,
            TextChunks.DEFAULT_CHUNK_BYTES,
            TextChunksTest::notALetter,
            ByteProgress.NONE)) {
      assertThatThrownBy(chunks::next)
          .isInstanceOf(BadInputException.class)
          .hasMessage(file + ": no such file");
    }
    assertThatThrownBy(() -> TextSource.ofFiles(List.of(file)))
        .isInstanceOf(BadInputException.class)
        .hasMessage(file + ": no such file");
  }

  @Test
  void aFileThatOpensButCannotBeReadIsNamed() {
    // A folder is such a file, for the superuser too.
    TextSource source = TextSource.ofFiles(List.of(folder));
    try (TextChunks chunks =
        TextChunks.open(
            source,
            TextChunks.DEFAULT_CHUNK_BYTES,
            TextChunksTest::notALetter,
            ByteProgress.NONE)) {
      assertThatThrownBy(chunks::next)
          .isInstanceOf(BadInputException.class)
          .hasMessageStartingWith(folder + ": not readable: ");
    }
  }

  @Test
  void aRuntimeErrorOfAStreamReachesTheCaller() {
    InputStream broken =
        new InputStream() {
          @Override
          public int read() {
            throw new IllegalArgumentException("broken");
          }

          @Override
          public int read(byte[] into, int from, int length) {
            return read();
          }
        };
    try (TextChunks chunks =
        TextChunks.open(
            TextSource.ofStream("broken", broken),
            TextChunks.DEFAULT_CHUNK_BYTES,
            TextChunksTest::notALetter,
            ByteProgress.NONE)) {
      assertThatThrownBy(chunks::next)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("broken");
    }
  }

  @Test
  void closeEndsAReadThatWaits() throws IOException {
    try (PipedOutputStream never = new PipedOutputStream();
        PipedInputStream waiting = new PipedInputStream(never)) {
      TextChunks chunks =
          TextChunks.open(
              TextSource.ofStream("pipe", waiting),
              TextChunks.DEFAULT_CHUNK_BYTES,
              TextChunksTest::notALetter,
              ByteProgress.NONE);
      chunks.close();
      chunks.close();
      assertThatThrownBy(chunks::next).isInstanceOf(ClosedException.class);
    }
  }

  @Test
  void closeBeforeTheEndFreesTheMemory() throws IOException {
    Path file = write("text", new byte[1 << 20]);
    Memory memory;
    try (TextChunks chunks =
        TextChunks.open(
            TextSource.ofFiles(List.of(file)),
            1 << 10,
            TextChunksTest::notALetter,
            ByteProgress.NONE)) {
      TextChunk chunk = chunks.next();
      assertThat(chunk).isNotNull();
      memory = chunk.memory();
      assertThat(memory.isClosed()).isFalse();
    }
    assertThat(memory.isClosed()).isTrue();
  }

  @Test
  void aBufferThatADeviceWorksOnKeepsNoOtherFromBeingFreed() {
    AtomicBoolean working = new AtomicBoolean(true);
    List<Memory> seen = new CopyOnWriteArrayList<>();
    List<Memory> freed = new CopyOnWriteArrayList<>();
    Consumer<Memory> use =
        memory -> {
          boolean first = seen.isEmpty();
          seen.add(memory);
          memory.beforeFree(
              () -> {
                if (first && working.get()) {
                  throw new MemoryInUseException("at work", null);
                }
                freed.add(memory);
              });
        };
    TextChunks chunks =
        TextChunks.open(
            TextSource.ofMemory(
                MemorySegment.ofArray("one two three".getBytes(StandardCharsets.ISO_8859_1))),
            8,
            TextChunksTest::notALetter,
            ByteProgress.NONE,
            use);
    assertThat(chunks.next()).isNotNull();
    // Both buffers are there once this is not the first.
    assertThat(chunks.next()).isNotNull();
    assertThatThrownBy(chunks::close).isInstanceOf(MemoryInUseException.class);
    assertThat(freed).containsExactly(seen.get(1));
    working.set(false);
    chunks.close();
    assertThat(freed).containsExactly(seen.get(1), seen.getFirst());
  }

  @Test
  void aBufferGrowsThoughADeviceWorksOnTheSmallerOne() {
    AtomicBoolean working = new AtomicBoolean(true);
    AtomicInteger freed = new AtomicInteger();
    ChunkBuffer buffer = new ChunkBuffer(8);
    Memory small = buffer.memory();
    small.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 'a');
    small.beforeFree(
        () -> {
          if (working.get()) {
            throw new MemoryInUseException("at work", null);
          }
          freed.getAndIncrement();
        });
    buffer.grow(9, 1);
    assertThat(buffer.memory().segment().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 'a');
    assertThatThrownBy(buffer::close).isInstanceOf(MemoryInUseException.class);
    working.set(false);
    buffer.close();
    buffer.close();
    assertThat(freed).hasValue(1);
  }

  @Test
  void anInterruptEndsTheWaitAndIsKept() throws IOException {
    try (PipedOutputStream never = new PipedOutputStream();
        PipedInputStream waiting = new PipedInputStream(never);
        TextChunks chunks =
            TextChunks.open(
                TextSource.ofStream("pipe", waiting),
                TextChunks.DEFAULT_CHUNK_BYTES,
                TextChunksTest::notALetter,
                ByteProgress.NONE)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(chunks::next).isInstanceOf(CancellationException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void badArgumentsAreRefused() {
    TextSource source = TextSource.ofMemory(MemorySegment.ofArray(new byte[1]));
    assertThatThrownBy(
            () -> TextChunks.open(source, 0, TextChunksTest::notALetter, ByteProgress.NONE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> TextChunks.open(source, 1, value -> value == ' ', ByteProgress.NONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("newline");
  }

  private static boolean notALetter(int value) {
    return !(value >= 'a' && value <= 'z');
  }

  /** Chunks must join to the text, lie within bounds, be cut between words and count the source. */
  private static void assertChunks(TextSource source, int chunkBytes, String text) {
    StringBuilder joined = new StringBuilder();
    long sourceBytes = 0;
    try (TextChunks chunks =
        TextChunks.open(source, chunkBytes, TextChunksTest::notALetter, ByteProgress.NONE)) {
      for (TextChunk chunk = chunks.next(); chunk != null; chunk = chunks.next()) {
        String now = text(chunk);
        assertThat(now).isNotEmpty();
        joined.append(now);
        sourceBytes += chunk.sourceBytes();
        int at = joined.length();
        boolean end = at == text.length();
        assertThat(end || notALetter(joined.charAt(at - 1)))
            .as("cut at %s of '%s', chunks of %s", at, text, chunkBytes)
            .isTrue();
      }
      assertThat(chunks.sourceBytesDone()).isEqualTo(sourceBytes);
    }
    assertThat(joined).hasToString(text);
    assertThat(sourceBytes).isEqualTo(text.length() - (source.parts().size() - 1));
  }

  private static byte[] join(TextSource source, int chunkBytes) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    try (TextChunks chunks =
        TextChunks.open(source, chunkBytes, TextChunksTest::notALetter, ByteProgress.NONE)) {
      for (TextChunk chunk = chunks.next(); chunk != null; chunk = chunks.next()) {
        joined.writeBytes(bytes(chunk));
      }
    }
    return joined.toByteArray();
  }

  private static String text(TextChunk chunk) {
    assertThat(chunk).isNotNull();
    return new String(bytes(chunk), StandardCharsets.US_ASCII);
  }

  private static byte[] bytes(TextChunk chunk) {
    return chunk.memory().segment().asSlice(0, chunk.length()).toArray(ValueLayout.JAVA_BYTE);
  }

  private Path write(String name, byte[] bytes) throws IOException {
    return Files.write(folder.resolve(name), bytes);
  }

  /** Gives some words and fails; to close it takes until it may end, and fails too. */
  private static final class Unclosable implements ReadableByteChannel {
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);
    private int left = 64;

    @Override
    public int read(ByteBuffer into) throws IOException {
      if (left == 0) {
        throw new IOException("broken");
      }
      int count = Math.min(left, into.remaining());
      left -= count;
      into.put(" word".repeat(count).getBytes(StandardCharsets.US_ASCII), 0, count);
      return count;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {
      closing.countDown();
      boolean waiting = true;
      while (waiting) {
        try {
          go.await();
          waiting = false;
        } catch (InterruptedException e) {
          // By close() of the chunks.
        }
      }
      throw new IllegalStateException("not to be closed");
    }
  }

  private static TextChunks open(Unclosable channel) {
    return TextChunks.open(
        TextSource.ofChannel("channel", channel),
        64,
        b -> b == ' ' || b == '\n',
        ByteProgress.NONE);
  }

  @Test
  void anErrorOfCloseDoesNotHideThatOfTheRead() {
    Unclosable channel = new Unclosable();
    channel.go.countDown();
    try (TextChunks chunks = open(channel)) {
      assertThat(chunks.next()).isNotNull();
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(chunks::next)
            .isInstanceOf(BadInputException.class)
            .hasMessageContaining("broken");
      }
    }
  }

  /** An interrupt keeps close() from waiting for a reader that takes its time to end. */
  @Test
  void aReaderThatIsAboutToEndFreesTheMemory() throws InterruptedException {
    Unclosable channel = new Unclosable();
    TextChunks chunks = open(channel);
    Memory memory = Objects.requireNonNull(chunks.next()).memory();
    channel.closing.await();
    Thread.currentThread().interrupt();
    chunks.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(memory.isClosed()).isFalse();
    channel.go.countDown();
    while (!memory.isClosed()) {
      Thread.sleep(1);
    }
  }

  @Test
  void closeEndsTheWaitForAChunk() throws IOException, InterruptedException {
    try (PipedOutputStream never = new PipedOutputStream();
        PipedInputStream waiting = new PipedInputStream(never)) {
      TextChunks chunks =
          TextChunks.open(
              TextSource.ofStream("pipe", waiting),
              TextChunks.DEFAULT_CHUNK_BYTES,
              TextChunksTest::notALetter,
              ByteProgress.NONE);
      FutureTask<TextChunk> next = new FutureTask<>(chunks::next);
      Thread thread = Thread.ofPlatform().daemon().start(next);
      while (thread.getState() != Thread.State.WAITING) {
        Thread.sleep(1);
      }
      chunks.close();
      assertThatThrownBy(next::get)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(ClosedException.class);
    }
  }
}
