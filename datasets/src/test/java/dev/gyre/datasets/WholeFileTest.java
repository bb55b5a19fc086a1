package dev.gyre.datasets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {

  @TempDir private Path folder;

  private long files() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.count();
    }
  }

  @Test
  void whatWasThereIsReplacedAtTheEnd() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "before");
    WholeFile.write(
        file,
        unfinished -> {
          Files.writeString(unfinished, "after");
          assertThat(file).hasContent("before");
        });
    assertThat(file).hasContent("after");
    assertThat(files()).isEqualTo(1);
  }

  @Test
  void whatWasThereStaysWhereWritingFails() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "before");
    assertThatThrownBy(
            () ->
                WholeFile.write(
                    file,
                    unfinished -> {
                      Files.writeString(unfinished, "af");
                      throw new IOException("disk full");
                    }))
        .hasMessage("disk full");
    assertThat(file).hasContent("before");
    assertThat(files()).isEqualTo(1);
  }

  @Test
  void othersMayReadItAsTheyMayReadOtherFiles() throws IOException {
    Assumptions.assumeTrue(
        Files.getFileStore(folder).supportsFileAttributeView("posix"), "no POSIX permissions here");
    Path plain = Files.writeString(folder.resolve("plain"), "");
    Path file = folder.resolve("file");
    WholeFile.write(file, unfinished -> Files.writeString(unfinished, "text"));
    assertThat(Files.getPosixFilePermissions(file)).isEqualTo(Files.getPosixFilePermissions(plain));
  }
}
