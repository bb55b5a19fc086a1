package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.trie.WordTrie;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cause of a save that fails is the IOException, whatever it is saved to. */
class SaveFailureTest {

  private static void assertFails(ThrowingCallable save) {
    assertThatThrownBy(save)
        .isInstanceOf(StructureException.class)
        .hasCauseInstanceOf(IOException.class);
  }

  @Test
  void theCauseIsTheIoException(@TempDir Path folder) throws IOException {
    Path inNoFolder = folder.resolve("missing").resolve("file");
    Path inAFile = Files.createFile(folder.resolve("file")).resolve("saved");
    try (LongLongMap map = LongLongMap.create();
        WordTrie trie = WordTrie.create()) {
      OutputStream closed = OutputStream.nullOutputStream();
      closed.close();
      for (Path file : new Path[] {inNoFolder, inAFile}) {
        assertFails(() -> map.save(file));
        assertFails(() -> trie.save(file));
      }
      assertFails(() -> map.save(closed));
      assertFails(() -> trie.save(closed));
    }
  }
}
