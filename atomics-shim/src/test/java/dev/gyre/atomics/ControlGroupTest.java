package dev.gyre.atomics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlGroupTest {

  @TempDir private Path folder;

  @Test
  void theLeastLimitOfTheGroupsAboveCounts() throws IOException {
    group("a", "max");
    group("a/b", "268435456");
    group("a/b/c", "1073741824");
    assertThat(limitIn("0::/a/b/c")).isEqualTo(268435456);
    assertThat(limitIn("0::/a")).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aGroupWithoutMemoryControllerHasThatOfItsParent() throws IOException {
    group("a", "268435456");
    Files.createDirectory(folder.resolve("root/a/b"));
    assertThat(limitIn("0::/a/b")).isEqualTo(268435456);
  }

  @Test
  void inANamespaceTheRootIsTheContainer() throws IOException {
    group("", "1073741824");
    assertThat(limitIn("0::/")).isEqualTo(1073741824);
    // A process that was moved out of its namespace.
    assertThat(limitIn("0::/../elsewhere")).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void withoutSuchGroupsThereIsNoLimit() throws IOException {
    group("a", "268435456");
    assertThat(limitIn("5:memory:/a")).isEqualTo(Long.MAX_VALUE);
    assertThat(ControlGroup.memoryLimit(folder.resolve("none"), folder)).isEqualTo(Long.MAX_VALUE);
  }

  private void group(String name, String limit) throws IOException {
    Path group = Files.createDirectories(folder.resolve("root").resolve(name));
    Files.writeString(group.resolve("memory.max"), limit + "\n");
  }

  private long limitIn(String line) throws IOException {
    Path groups = Files.writeString(folder.resolve("cgroup"), line + "\n");
    return ControlGroup.memoryLimit(groups, folder.resolve("root"));
  }
}
