package dev.gyre.datasets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class OutputFileTest {

  @TempDir private Path folder;

  private long files() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.count();
    }
  }

  private static void print(FileChannel to, String text) throws IOException {
    int _ = to.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static void write(Path file, String text) throws IOException {
    OutputFile.of(file).write(to -> print(to, text));
  }

  /** Runs a tool of Unix, and skips the test where there is none or it may not. */
  private static void unix(String... command) throws Exception {
    try {
      Process process = new ProcessBuilder(command).inheritIO().start();
      assumeTrue(process.waitFor() == 0, "skipped: this user cannot " + command[0]);
    } catch (IOException e) {
      assumeTrue(false, "skipped: no " + command[0]);
    }
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private void assertRefused(Path file, String reason) throws IOException {
    long before = files();
    assertThatThrownBy(() -> OutputFile.of(file))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith(file.toString())
        .hasMessageContaining(reason);
    assertThat(files()).isEqualTo(before);
  }

  @Test
  void whatWasThereIsReplacedAtTheEnd() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "before");
    OutputFile.of(file)
        .write(
            to -> {
              print(to, "after");
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
                OutputFile.of(file)
                    .write(
                        to -> {
                          print(to, "af");
                          throw new IOException("disk full");
                        }))
        .hasMessage("disk full");
    assertThat(file).hasContent("before");
    assertThat(files()).isEqualTo(1);
  }

  @Test
  void tryingChangesNothing() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "before");
    var _ = OutputFile.of(file);
    var _ = OutputFile.of(folder.resolve("other"));
    assertThat(file).hasContent("before");
    assertThat(files()).isEqualTo(1);
  }

  @Test
  void whatCannotBeWrittenIsRefusedBeforeTheWork() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "before");
    assertRefused(folder, "is a folder");
    assertRefused(folder.resolve("none/file"), "its folder does not exist");
    assertRefused(file.resolve("below"), "Not a directory");
    Path loop = Files.createSymbolicLink(folder.resolve("loop"), Path.of("loop"));
    assertRefused(loop, "too many symbolic links");
    assertRefused(Files.createSymbolicLink(folder.resolve("dir"), Path.of(".")), "is a folder");
  }

  @Test
  void rightsThatAreMissingAreSaid() throws IOException {
    assumeTrue(!isRoot(), "skipped: root may write everything");
    Path kept = Files.writeString(folder.resolve("kept"), "before");
    Files.setPosixFilePermissions(kept, PosixFilePermissions.fromString("r--r--r--"));
    assertRefused(kept, "permission denied");
    Path closed = Files.createDirectory(folder.resolve("closed"));
    Path open = Files.writeString(closed.resolve("file"), "before");
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-xr-xr-x"));
    assertRefused(open, "its folder is not writable");
    assertRefused(closed.resolve("new"), "its folder is not writable");
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertRefused(open, "permission denied");
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  @Test
  void aLinkStaysAndWhatItLeadsToIsReplaced() throws IOException {
    Path below = Files.createDirectory(folder.resolve("below"));
    Path file = Files.writeString(below.resolve("file"), "before");
    Path near = Files.createSymbolicLink(below.resolve("near"), Path.of("file"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("below/near"));
    write(link, "after");
    assertThat(link).isSymbolicLink();
    assertThat(near).isSymbolicLink();
    assertThat(Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)).isTrue();
    assertThat(file).hasContent("after");
  }

  @Test
  void aLinkToNothingMakesWhatItLeadsTo() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("file"));
    write(link, "text");
    assertThat(link).isSymbolicLink();
    assertThat(folder.resolve("file")).hasContent("text");
  }

  @Test
  void permissionsStayAsTheyWere() throws IOException {
    assumeTrue(
        Files.getFileStore(folder).supportsFileAttributeView("posix"), "no POSIX permissions here");
    for (String permissions : new String[] {"rw-------", "rwxr-x--x", "rw-rw-rw-"}) {
      Path file = Files.writeString(folder.resolve("file"), "before");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
      OutputFile.of(file)
          .write(
              to -> {
                print(to, "after");
                assertNobodyElseReads();
              });
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo(permissions);
      Files.delete(file);
    }
  }

  private void assertNobodyElseReads() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      Path part = all.filter(f -> f.toString().endsWith(".part")).findFirst().orElseThrow();
      Path file = folder.resolve("file");
      assertThat(Files.getPosixFilePermissions(part))
          .isEqualTo(Files.getPosixFilePermissions(file));
    }
  }

  @Test
  void othersMayReadANewFileAsTheyMayReadOtherFiles() throws IOException {
    assumeTrue(
        Files.getFileStore(folder).supportsFileAttributeView("posix"), "no POSIX permissions here");
    Path plain = Files.writeString(folder.resolve("plain"), "");
    Path file = folder.resolve("file");
    write(file, "text");
    assertThat(Files.getPosixFilePermissions(file)).isEqualTo(Files.getPosixFilePermissions(plain));
  }

  @Test
  void theOwnerStays() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "before");
    unix("chown", "12345:23456", file.toString());
    write(file, "after");
    assertThat(file).hasContent("after");
    assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(12345);
    assertThat(Files.getAttribute(file, "unix:gid")).isEqualTo(23456);
  }

  /** A pipe with a reader: to open it in both directions waits for nobody. */
  private static FileChannel readerOf(Path pipe) throws Exception {
    unix("mkfifo", pipe.toString());
    return FileChannel.open(pipe, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  @Test
  void aPipeIsWrittenInto() throws Exception {
    Path pipe = folder.resolve("pipe");
    try (FileChannel reader = readerOf(pipe)) {
      write(pipe, "text");
      ByteBuffer read = ByteBuffer.allocate(8);
      assertThat(reader.read(read)).isEqualTo(4);
      assertThat(read.array()).startsWith('t', 'e', 'x', 't');
    }
    assertThat(Files.isRegularFile(pipe)).isFalse();
    assertThat(files()).isEqualTo(1);
  }

  @Test
  void aPipeThatNobodyReadsAnyMoreIsNoOtherError() throws Exception {
    Path pipe = folder.resolve("pipe");
    FileChannel reader = readerOf(pipe);
    assertThatThrownBy(
            () ->
                OutputFile.of(pipe)
                    .write(
                        to -> {
                          reader.close();
                          print(to, "text");
                        }))
        .isInstanceOf(BrokenPipeException.class);
  }

  @Test
  void aDeviceIsWrittenInto() throws Exception {
    Path device = folder.resolve("full");
    // As /dev/full: whoever writes is told that there is no space.
    unix("mknod", device.toString(), "c", "1", "7");
    OutputFile output = OutputFile.of(device);
    assertThatThrownBy(() -> output.write(to -> print(to, "text")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("No space");
    assertThat(Files.isRegularFile(device)).isFalse();
    assertThat(files()).isEqualTo(1);
  }

  @Test
  void aDescriptorIsWrittenIntoAlsoWhereItIsAFile() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "before");
    assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "no descriptors to see here");
    try (FileOutputStream open = new FileOutputStream(file.toFile());
        Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      Path descriptor = all.filter(d -> leadsTo(d, file)).findFirst().orElseThrow();
      Path link = Files.createSymbolicLink(folder.resolve("link"), descriptor);
      write(link, "text");
      assertThat(file).hasContent("text");
      // It is the same file still.
      open.write("T".getBytes(StandardCharsets.US_ASCII));
    }
    assertThat(file).hasContent("Text");
  }

  private static boolean leadsTo(Path link, Path file) {
    try {
      return Files.readSymbolicLink(link).equals(file.toRealPath());
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void namesMayBeAsLongAsNamesCanBe() throws IOException {
    Path file = folder.resolve("x".repeat(255));
    write(file, "text");
    write(file, "again");
    assertThat(file).hasContent("again");
  }

  @Test
  void namesThatLeadToOneFileAreTheSame() throws IOException {
    Path file = folder.resolve("file");
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    OutputFile free = OutputFile.of(file);
    assertThat(free.isSameAs(OutputFile.of(folder.resolve("./file")))).isTrue();
    assertThat(free.isSameAs(OutputFile.of(link))).isTrue();
    assertThat(free.isSameAs(OutputFile.of(folder.resolve("other")))).isFalse();
    Files.createFile(file);
    Path hard = Files.createLink(folder.resolve("hard"), file);
    assertThat(OutputFile.of(file).isSameAs(OutputFile.of(hard))).isTrue();
  }
}
