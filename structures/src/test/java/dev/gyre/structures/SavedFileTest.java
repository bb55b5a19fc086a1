package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Memory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavedFileTest {

  private static final SavedFile FORMAT = new SavedFile("GYRETEST", 1, "test");

  @TempDir private Path folder;

  /**
   * By the owner's rights and, for whoever has all rights, by the way that is taken without them.
   */
  @Test
  void aFileThatMayNotBeWrittenIsReadInstead() throws IOException {
    Path file = folder.resolve("saved");
    byte[] odd = {1, 2, 3, 4, 5};
    byte[] even = {6, 7, 8, 9, 10, 11, 12, 13};
    FORMAT.save(
        file, SavedFile.header(), List.of(MemorySegment.ofArray(odd), MemorySegment.ofArray(even)));
    assertThat(file.toFile().setWritable(false)).isTrue();
    byte[] before = Files.readAllBytes(file);
    for (SavedFile.Content content : List.of(FORMAT.open(file), FORMAT.openToRead(file))) {
      assertThat(content.sections())
          .extracting(m -> m.segment().toArray(ValueLayout.JAVA_BYTE))
          .containsExactly(odd, even);
      content.sections().getFirst().segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 99);
      content.sections().forEach(Memory::close);
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }
}
