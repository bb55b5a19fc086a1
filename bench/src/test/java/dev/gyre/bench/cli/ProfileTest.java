package dev.gyre.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileTest {

  @TempDir private Path folder;

  /** Runs a command on the JVM, and returns the lines of its profile. */
  private static List<String> profile(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = Gyre.run(new PrintWriter(out), new PrintWriter(err), arguments);
    assertThat(code).as("%s", err).isZero();
    return err.toString().lines().toList();
  }

  private Path file(String name, String contents) throws IOException {
    return Files.writeString(folder.resolve(name), contents);
  }

  @Test
  void aCountOfWordsSaysWhatTookItsTime() throws IOException {
    String text = file("a.txt", "the whale and the sea ".repeat(100_000)).toString();
    List<String> lines = profile("wordcount", "--target", "jvm", "--quiet", "--profile", text);
    assertThat(lines.getFirst()).matches("profile of [0-9,.]+ ms, threads added up:");
    assertThat(lines)
        .anyMatch(line -> line.matches("kernel +TrieWorkers +[1-9][0-9]* +[0-9.,]+ *"));
    assertThat(lines)
        .as("bytes, their rate, and no limit for growth")
        .anyMatch(
            line -> line.matches("growth +word trie +[0-9]+ +[0-9.,]+ +[0-9.,]+ +[0-9.,]+ *"));
    assertThat(profile("wordcount", "--target", "jvm", "--quiet", text)).isEmpty();
  }

  @Test
  void aJoinByAMapSaysWhatTookItsTime() throws IOException {
    StringBuilder rows = new StringBuilder("key,value\n");
    StringBuilder wanted = new StringBuilder("key\n");
    for (int i = 0; i < 20_000; i++) {
      rows.append(i).append(',').append(2 * i).append('\n');
      wanted.append(i).append('\n');
    }
    List<String> lines =
        profile(
            "map",
            file("load.csv", rows.toString()).toString(),
            "--lookup",
            file("keys.csv", wanted.toString()).toString(),
            "--out",
            folder.resolve("found.csv").toString(),
            "--target",
            "jvm",
            "--quiet",
            "--profile");
    assertThat(lines).anyMatch(line -> line.startsWith("kernel ") && line.contains("insert"));
    assertThat(lines).anyMatch(line -> line.matches("staging +keys( +[0-9.,]+){5} *"));
    assertThat(lines).anyMatch(line -> line.startsWith("growth   LongLongMap "));
  }
}
