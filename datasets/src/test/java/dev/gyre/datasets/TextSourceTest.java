package dev.gyre.datasets;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextSourceTest {

  private static final byte[] TEXT = "one two".getBytes(UTF_8);

  @TempDir Path folder;

  private Path file() throws IOException {
    return Files.write(folder.resolve("text"), TEXT);
  }

  private static byte[] bytes(TextSource source, Arena arena) {
    return source.inMemory(arena).orElseThrow().toArray(ValueLayout.JAVA_BYTE);
  }

  @Test
  void oneFileAndATextInMemoryAreInMemory() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      assertThat(bytes(TextSource.ofFiles(List.of(file())), arena)).isEqualTo(TEXT);
      assertThat(bytes(TextSource.ofMemory(MemorySegment.ofArray(TEXT)), arena)).isEqualTo(TEXT);
      TextSource part = TextSource.ofFiles(List.of(file()), text -> text.asSlice(4));
      assertThat(bytes(part, arena)).isEqualTo("two".getBytes(UTF_8));
    }
  }

  @Test
  void severalFilesAndStreamsAreNot() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      assertThat(TextSource.ofFiles(List.of(file(), file())).inMemory(arena)).isEmpty();
      assertThat(TextSource.ofFiles(List.of()).inMemory(arena)).isEmpty();
      TextSource stream = TextSource.ofStream("stream", new ByteArrayInputStream(TEXT));
      assertThat(stream.inMemory(arena)).isEmpty();
    }
  }

  @Test
  void aFileThatIsGoneIsNamed() throws IOException {
    TextSource source = TextSource.ofFiles(List.of(file()));
    Files.delete(file());
    try (Arena arena = Arena.ofConfined()) {
      assertThatThrownBy(() -> source.inMemory(arena))
          .isInstanceOf(BadInputException.class)
          .hasMessageContaining(folder.resolve("text").toString());
    }
  }
}
