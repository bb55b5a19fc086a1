package dev.gyre.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every commit that README and docs cite can be checked out: it is in the history. */
class CitedCommitsTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /**
   * An abbreviated hash; of digits alone it could be any number. Commits of other repositories are
   * written as {@code owner/name@hash}.
   */
  private static final Pattern COMMIT =
      Pattern.compile("(?<!@)\\b(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,10}\\b");

  private static final List<String> TEXTS = List.of(".md", ".csv", ".properties");

  @Test
  void everyCommitIsInTheHistory() throws Exception {
    assumeTrue(
        git("rev-parse", "--is-shallow-repository").equals(List.of("false")),
        "the whole history is not here: a shallow clone, or no repository");
    NavigableSet<String> history = new TreeSet<>(git("rev-list", "HEAD"));
    Map<String, Path> cited = cited();
    assertThat(cited).hasSizeGreaterThan(10);
    cited.keySet().removeIf(commit -> isIn(history, commit));
    assertThat(cited).as("commits that are not in the history, and where they are cited").isEmpty();
  }

  private static boolean isIn(NavigableSet<String> history, String commit) {
    String next = history.ceiling(commit);
    return next != null && next.startsWith(commit);
  }

  private static Map<String, Path> cited() throws IOException {
    Map<String, Path> cited = new TreeMap<>();
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      List<Path> files =
          Stream.concat(Stream.of(ROOT.resolve("README.md")), docs)
              .filter(file -> TEXTS.stream().anyMatch(file.toString()::endsWith))
              .toList();
      for (Path file : files) {
        Matcher commits = COMMIT.matcher(Files.readString(file));
        while (commits.find()) {
          cited.putIfAbsent(commits.group(), ROOT.relativize(file));
        }
      }
    }
    return cited;
  }

  /** The lines that git prints; none where it fails or is not there. */
  private static List<String> git(String... arguments) throws Exception {
    ProcessBuilder git =
        new ProcessBuilder(Stream.concat(Stream.of("git"), Stream.of(arguments)).toList())
            .directory(ROOT.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    try {
      Process process = git.start();
      String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return process.waitFor() == 0 ? printed.lines().toList() : List.of();
    } catch (IOException e) {
      return List.of();
    }
  }
}
