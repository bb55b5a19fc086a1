package dev.gyre.datasets;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts that are packed, or in other encodings than UTF-8. */
class PackedTextsTest {

  /** Of several buffers of the unpacker, and hard to pack. */
  private static final byte[] LONG = longText();

  @TempDir Path folder;

  private static byte[] longText() {
    Random random = new Random(1);
    byte[] text = new byte[1 << 20];
    for (int i = 0; i < text.length; i++) {
      text[i] = (byte) (random.nextInt(6) == 0 ? ' ' : 'a' + random.nextInt(26));
    }
    return text;
  }

  private static byte[] gzip(byte[] text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(text);
    }
    return packed.toByteArray();
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private Path file(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("text"), bytes);
  }

  private static byte[] read(TextSource source) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    long sourceBytes = 0;
    try (TextChunks chunks =
        TextChunks.open(source, 1 << 16, value -> value <= ' ', ByteProgress.NONE)) {
      for (TextChunk chunk = chunks.next(); chunk != null; chunk = chunks.next()) {
        byte[] text = chunk.memory().segment().toArray(ValueLayout.JAVA_BYTE);
        all.write(text, 0, (int) chunk.length());
        sourceBytes += chunk.sourceBytes();
      }
    }
    assertThat(sourceBytes).isLessThanOrEqualTo(all.size());
    return all.toByteArray();
  }

  private void assertRefused(byte[] bytes, String reason) throws IOException {
    Path file = file(bytes);
    assertThatThrownBy(() -> read(TextSource.ofFiles(List.of(file))))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith(file + ": ")
        .hasMessageContaining(reason);
    assertThatThrownBy(() -> read(TextSource.ofStream("-", new ByteArrayInputStream(bytes))))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("-: ")
        .hasMessageContaining(reason);
  }

  @Test
  void gzipIsUnpackedFromFilesAndStreams() throws IOException {
    for (byte[] text : List.of(new byte[0], "one two".getBytes(UTF_8), LONG)) {
      byte[] packed = gzip(text);
      assertThat(read(TextSource.ofFiles(List.of(file(packed))))).isEqualTo(text);
      assertThat(read(TextSource.ofStream("-", new ByteArrayInputStream(packed)))).isEqualTo(text);
    }
  }

  @Test
  void allMembersAreUnpackedAndZerosAfterThemArePadding() throws IOException {
    byte[] members = joined(gzip("one ".getBytes(UTF_8)), gzip(new byte[0]), gzip(LONG));
    byte[] text = joined("one ".getBytes(UTF_8), LONG);
    assertThat(read(TextSource.ofFiles(List.of(file(members))))).isEqualTo(text);
    byte[] padded = joined(members, new byte[1 << 17]);
    assertThat(read(TextSource.ofFiles(List.of(file(padded))))).isEqualTo(text);
  }

  @Test
  void aHeaderMayHaveAllItsFields() throws IOException {
    byte[] plain = gzip("one".getBytes(UTF_8));
    byte[] fields = {2, 0, 7, 7, 'n', 0, 'c', 0, 9, 9};
    byte[] packed = joined(Arrays.copyOf(plain, 10), fields, Arrays.copyOfRange(plain, 10, 99));
    packed[3] = 0x1e;
    // What is copied beyond the end of the member is zeros: padding.
    assertThat(read(TextSource.ofFiles(List.of(file(packed))))).isEqualTo("one".getBytes(UTF_8));
    packed[3] = 0x20;
    assertRefused(packed, "corrupted gzip");
  }

  @Test
  void truncatedGzipIsRefusedWhereverItEnds() throws IOException {
    byte[] one = gzip("one two three".getBytes(UTF_8));
    for (int length = 2; length < one.length; length++) {
      assertRefused(Arrays.copyOf(one, length), "truncated gzip");
      assertRefused(joined(one, Arrays.copyOf(one, length)), "truncated gzip");
    }
    byte[] large = gzip(LONG);
    assertRefused(Arrays.copyOf(large, large.length - 1), "truncated gzip");
  }

  @Test
  void corruptedGzipIsRefused() throws IOException {
    byte[] packed = gzip(LONG);
    for (int at : new int[] {packed.length - 1, packed.length - 8, packed.length / 2}) {
      byte[] changed = packed.clone();
      changed[at] ^= 1;
      assertRefused(changed, "corrupted gzip");
    }
    byte[] method = packed.clone();
    method[2] = 7;
    assertRefused(method, "corrupted gzip");
    assertRefused(joined(packed, "more".getBytes(UTF_8)), "corrupted gzip");
  }

  @Test
  void theSizeOfGzipIsNotKnownAndItIsNotInMemory() throws IOException {
    TextSource source = TextSource.ofFiles(List.of(file(gzip(LONG))));
    assertThat(source.byteSize()).isEqualTo(ByteProgress.UNKNOWN);
    try (Arena arena = Arena.ofConfined()) {
      assertThat(source.inMemory(arena)).isEmpty();
    }
  }

  @Test
  void aPartOfGzipIsOfItsText() throws IOException {
    List<Path> files = List.of(file(gzip("one two".getBytes(UTF_8))));
    assertThat(read(TextSource.ofFiles(files, text -> text.asSlice(4))))
        .isEqualTo("two".getBytes(UTF_8));
  }

  @Test
  void zipArchivesAreRefusedAlsoWithinGzip() throws IOException {
    ByteArrayOutputStream archive = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(archive)) {
      zip.putNextEntry(new ZipEntry("a.txt"));
      zip.write("one".getBytes(UTF_8));
    }
    assertRefused(archive.toByteArray(), "zip archive");
    assertRefused(gzip(archive.toByteArray()), "zip archive");
    ByteArrayOutputStream empty = new ByteArrayOutputStream();
    new ZipOutputStream(empty).close();
    assertRefused(empty.toByteArray(), "zip archive");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"})
  void otherUnicodeWithAByteOrderMarkIsRefused(String name) throws IOException {
    byte[] text = "\ufeffcafé".getBytes(Charset.forName(name));
    assertRefused(text, "UTF-16 or UTF-32");
    assertRefused(gzip(text), "UTF-16 or UTF-32");
  }

  @Test
  void textsThatOnlyBeginLikeOthersAreRead() throws IOException {
    for (byte[] text :
        List.of(
            "PK is no archive".getBytes(UTF_8),
            "\ufeffcafé".getBytes(UTF_8),
            new byte[] {0x1f},
            "café".getBytes(UTF_16BE))) {
      assertThat(read(TextSource.ofFiles(List.of(file(text))))).isEqualTo(text);
    }
  }
}
