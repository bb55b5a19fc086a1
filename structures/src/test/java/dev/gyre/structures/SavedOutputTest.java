package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.trie.WordTrie;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Structures are saved where a name leads, and leave what is there as it is. */
@Timeout(60)
class SavedOutputTest {

  @TempDir private Path folder;

  @Test
  void whatALinkLeadsToIsReplacedWithItsPermissions() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "before");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("file"));
    try (WordTrie trie = WordTrie.create()) {
      trie.add("one two two").save(link);
    }
    assertThat(link).isSymbolicLink();
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    try (WordTrie loaded = WordTrie.load(file)) {
      assertThat(loaded.count("two")).isEqualTo(2);
    }
  }

  @Test
  void aPipeIsWrittenInto() throws Exception {
    Path pipe = folder.resolve("pipe");
    assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0);
    Path file = folder.resolve("file");
    try (LongLongMap map = LongLongMap.create();
        // In both directions: that waits for nobody.
        FileChannel reader =
            FileChannel.open(pipe, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      map.putIfAbsent(1, 2);
      map.save(file);
      ByteBuffer read = ByteBuffer.allocate((int) Files.size(file));
      FutureTask<Integer> reading =
          new FutureTask<>(
              () -> {
                while (read.hasRemaining()) {
                  int _ = reader.read(read);
                }
                return read.position();
              });
      Thread.ofPlatform().daemon().start(reading);
      map.save(pipe);
      assertThat(reading.get(30, TimeUnit.SECONDS)).isEqualTo(read.capacity());
      assertThat(read.array()).isEqualTo(Files.readAllBytes(file));
    }
    assertThat(Files.isRegularFile(pipe)).isFalse();
  }

  @Test
  void whatCannotBeWrittenIsNamedWithTheReason() {
    try (LongLongMap map = LongLongMap.create()) {
      assertThatThrownBy(() -> map.save(folder))
          .isInstanceOf(StructureException.class)
          .hasMessageContaining(folder + ": is a folder");
      Path none = folder.resolve("none/file");
      assertThatThrownBy(() -> map.save(none))
          .isInstanceOf(StructureException.class)
          .hasMessageContaining(none + ": its folder does not exist");
    }
  }
}
