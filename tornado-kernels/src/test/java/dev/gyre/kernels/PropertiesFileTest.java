package dev.gyre.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where nothing can be kept, nothing is known, and nothing fails. */
class PropertiesFileTest {

  @TempDir Path folder;

  private static Properties some() {
    Properties all = new Properties();
    all.setProperty("a", "b");
    return all;
  }

  @Test
  void whatIsWrittenIsRead() {
    PropertiesFile kept = new PropertiesFile(folder.resolve("a folder").resolve("a file"), "some");
    assertThat(kept.read()).isEmpty();
    kept.write(some());
    assertThat(kept.read()).isEqualTo(some());
  }

  @Test
  void aFolderIsNoFileNotEvenTheLast() {
    for (Path each : new Path[] {folder, folder.getRoot()}) {
      PropertiesFile kept = new PropertiesFile(each, "some");
      kept.write(some());
      assertThat(kept.read()).isEmpty();
    }
  }

  @Test
  void aDeviceIsNotReplaced() throws IOException {
    Path nothing = Path.of("/dev/null");
    assumeTrue(Files.exists(nothing));
    Path link = Files.createSymbolicLink(folder.resolve("link"), nothing);
    new PropertiesFile(link, "some").write(some());
    assertThat(link).isSymbolicLink();
    Files.delete(link);
  }

  @Test
  void aNameThatNoFileCanHaveIsNone() {
    PropertiesFile kept = new PropertiesFile(PropertiesFile.path("a\0b"), "some");
    assertThat(kept.file()).isNull();
    kept.write(some());
    assertThat(kept.read()).isEmpty();
  }
}
