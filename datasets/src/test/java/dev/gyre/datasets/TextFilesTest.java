package dev.gyre.datasets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextFilesTest {

  @TempDir Path folder;

  @Test
  void filesKeepTheirOrderAndFoldersAreSortedByPath() throws IOException {
    Path b = file("in/b.txt");
    Path a = file("in/a.txt");
    Path deep = file("in/a/z.txt");
    Path single = file("single.txt");
    file("in/.hidden");
    file("in/.git/config");

    assertThat(resolve(single, folder.resolve("in"), single))
        .containsExactly(single, a, deep, b, single);
  }

  @Test
  void aHiddenFileThatIsNamedIsTaken() throws IOException {
    Path hidden = file(".hidden");
    assertThat(resolve(hidden)).containsExactly(hidden);
  }

  @Test
  void aLinkToAFolderAboveIsNotFollowed() throws IOException {
    Path a = file("in/a.txt");
    Files.createSymbolicLink(folder.resolve("in/up"), folder.resolve("in"));
    assertThat(resolve(folder.resolve("in"))).containsExactly(a);
  }

  @Test
  void aDeviceIsTaken() {
    assertThat(TextFiles.resolve(List.of("/dev/null"))).containsExactly(Path.of("/dev/null"));
  }

  @Test
  void aMissingFileIsNamed() {
    Path missing = folder.resolve("missing.txt");
    assertThatThrownBy(() -> resolve(missing))
        .isInstanceOf(BadInputException.class)
        .hasMessage(missing + ": no such file or folder");
  }

  @Test
  void aFolderWithoutFilesIsNamed() throws IOException {
    Files.createDirectories(folder.resolve("in/deeper"));
    file("in/.hidden");
    assertThatThrownBy(() -> resolve(folder.resolve("in")))
        .isInstanceOf(BadInputException.class)
        .hasMessage(folder.resolve("in") + ": a folder without files");
  }

  @Test
  void namesThatAreNoPathsAreRefused() {
    assertThatThrownBy(() -> TextFiles.resolve(List.of(""))).isInstanceOf(BadInputException.class);
    assertThatThrownBy(() -> TextFiles.resolve(List.of("a\0b")))
        .isInstanceOf(BadInputException.class);
  }

  @Test
  void anUnreadableFileIsNamed() throws IOException {
    Path secret = file("in/secret.txt");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("---------"));
    assumeFalse(Files.isReadable(secret), "root reads every file");
    assertThatThrownBy(() -> resolve(folder.resolve("in")))
        .isInstanceOf(BadInputException.class)
        .hasMessage(secret + ": not readable: permission denied");
  }

  private Path file(String name) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, name);
  }

  private static List<Path> resolve(Path... arguments) {
    return TextFiles.resolve(List.of(arguments).stream().map(Path::toString).toList());
  }

  @Test
  void aFileInAFolderThatMayNotBeEnteredSaysSo() throws IOException {
    assumeTrue(!System.getProperty("user.name").equals("root"), "root may enter every folder");
    Path closed = Files.createDirectory(folder.resolve("closed"));
    Path file = Files.writeString(closed.resolve("file"), "words");
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rw-rw-rw-"));
    try {
      assertThatThrownBy(() -> TextFiles.resolve(List.of(file.toString())))
          .isInstanceOf(BadInputException.class)
          .hasMessage(file + ": not readable: permission denied");
      assertThatThrownBy(() -> TextSource.ofFiles(List.of(file)))
          .isInstanceOf(BadInputException.class)
          .hasMessage(file + ": not readable: permission denied");
    } finally {
      Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwxrwxrwx"));
    }
  }
}
