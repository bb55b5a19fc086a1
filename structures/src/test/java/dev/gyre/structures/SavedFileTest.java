package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.atomics.Memory;
import dev.gyre.datasets.BadInputException;
import dev.gyre.structures.SavedFileException.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavedFileTest {

  private static final SavedFile FORMAT = new SavedFile("GYRETEST", 1, "test");
  private static final byte[] ODD = {1, 2, 3, 4, 5};
  private static final byte[] EVEN = {6, 7, 8, 9, 10, 11, 12, 13};

  /** Where the length of the second section is: after the header, the first one, and its length. */
  private static final int SECOND = 3 * SavedFile.HEADER_BYTES;

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void save() {
    file = folder.resolve("saved");
    FORMAT.save(
        file, SavedFile.header(), List.of(MemorySegment.ofArray(ODD), MemorySegment.ofArray(EVEN)));
  }

  @Test
  void aFileThatMayNotBeWrittenIsRead() throws IOException {
    assertThat(file.toFile().setWritable(false)).isTrue();
    byte[] before = Files.readAllBytes(file);
    SavedFile.Content content = FORMAT.open(file);
    assertHolds(content);
    content.sections().getFirst().segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 99);
    content.sections().forEach(Memory::close);
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  @Test
  void whatIsLoadedStaysWhenTheFileIsShortened() throws IOException {
    SavedFile.Content content = FORMAT.open(file);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(0);
    }
    assertHolds(content);
    content.sections().forEach(Memory::close);
  }

  @Test
  void aFileThatIsShortenedWhileItIsReadIsDamaged() throws IOException {
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length < whole.length; length++) {
      byte[] rest = Arrays.copyOf(whole, length);
      assertDamaged(() -> read(rest, whole.length), "shortened");
    }
  }

  @Test
  void aFileThatIsShorterOrLongerIsRefused() throws IOException {
    byte[] whole = Files.readAllBytes(file);
    assertThat(whole).hasSize(5 * SavedFile.HEADER_BYTES);
    for (int length = 0; length < whole.length + 3 * SavedFile.HEADER_BYTES; length++) {
      byte[] other = Arrays.copyOf(whole, length);
      if (length != whole.length) {
        assertThatThrownBy(() -> read(other, other.length))
            .as("%d bytes", length)
            .isInstanceOfSatisfying(
                SavedFileException.class,
                e ->
                    assertThat(e.kind())
                        .isEqualTo(
                            other.length < SavedFile.HEADER_BYTES ? Kind.NOT_SAVED : Kind.DAMAGED));
      }
    }
    byte[] more = Arrays.copyOf(whole, whole.length + 4);
    assertDamaged(() -> read(more, more.length), "4 bytes follow its last section");
  }

  @Test
  void lengthsOfSectionsThatCannotBeAreRefusedBeforeMemoryIsTaken() throws IOException {
    long[] lengths = {-1, 65, 1L << 40, Long.MAX_VALUE, Long.MAX_VALUE - 63, Long.MIN_VALUE};
    for (long length : lengths) {
      byte[] forged = Files.readAllBytes(file);
      MemorySegment.ofArray(forged).set(ValueLayout.JAVA_LONG_UNALIGNED, SECOND, length);
      assertDamaged(() -> read(forged, forged.length), "longer than the file");
    }
  }

  @Test
  void moreSectionsThanAnyStructureHasAreRefused() throws IOException {
    byte[] header = Arrays.copyOf(Files.readAllBytes(file), SavedFile.HEADER_BYTES);
    byte[] forged = Arrays.copyOf(header, 100 * SavedFile.HEADER_BYTES);
    assertDamaged(() -> read(forged, forged.length), "more than 16 sections");
  }

  @Test
  void whatIsNoFileIsSaidToBeNone() {
    assertThatThrownBy(() -> FORMAT.open(folder))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining(folder + ": is a folder");
    assertThatThrownBy(() -> FORMAT.open(folder.resolve("missing")))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("no such file");
    Path device = Path.of("/dev/zero");
    if (Files.exists(device)) {
      assertThatThrownBy(() -> FORMAT.open(device))
          .isInstanceOf(BadInputException.class)
          .hasMessageContaining("not a regular file");
    }
  }

  /** Reads what is there of a file that was longer when it was opened, or as long. */
  private static void read(byte[] bytes, long length) throws IOException {
    FORMAT
        .read("forged", Channels.newChannel(new ByteArrayInputStream(bytes)), length)
        .sections()
        .forEach(Memory::close);
  }

  private static void assertHolds(SavedFile.Content content) {
    assertThat(content.sections())
        .extracting(m -> m.segment().toArray(ValueLayout.JAVA_BYTE))
        .containsExactly(ODD, EVEN);
  }

  private static void assertDamaged(ThrowingCallable reading, String how) {
    assertThatThrownBy(reading)
        .isInstanceOf(SavedFileException.class)
        .hasMessageContaining("damaged: ")
        .hasMessageContaining(how);
  }
}
