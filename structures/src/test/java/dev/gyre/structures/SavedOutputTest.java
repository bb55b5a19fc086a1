package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.trie.WordTrie;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CompletableFuture;
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
    CompletableFuture<byte[]> read =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return Files.newInputStream(pipe).readAllBytes();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    Path file = folder.resolve("file");
    try (LongLongMap map = LongLongMap.create()) {
      map.putIfAbsent(1, 2);
      map.save(pipe);
      map.save(file);
    }
    assertThat(read.get(30, TimeUnit.SECONDS)).isEqualTo(Files.readAllBytes(file));
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
