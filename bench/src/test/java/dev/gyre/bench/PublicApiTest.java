package dev.gyre.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The public API is what docs/api says, and what users get of it is in the changelog. */
class PublicApiTest {

  private static final Path ROOT = root(Path.of("").toAbsolutePath());
  private static final Path FOLDER = ROOT.resolve("docs/api");

  /** A type that is in no other one. */
  private static final Pattern HELD =
      Pattern.compile(
          "^public"
              + " .*\\bdev\\.gyre\\.structures\\.(?:launch|map|map\\.sharded|sync|trie)\\.(\\w+)(?=[<\\s])",
          Pattern.MULTILINE);

  /** How the changelog names the API that it is of. */
  private static final Pattern DIGEST = Pattern.compile("\\[API\\]\\(docs/api\\) `(\\w+)`");

  private static Path root(Path folder) {
    return Files.exists(folder.resolve(".mvn"))
        ? folder
        : root(Objects.requireNonNull(folder.getParent()));
  }

  @Test
  void isWhatIsWrittenDown() throws IOException {
    List<String> changes = new ArrayList<>();
    for (Map.Entry<String, String> module : PublicApi.texts().entrySet()) {
      Path file = FOLDER.resolve(module.getKey() + ".txt");
      if (Boolean.getBoolean("gyre.api.write")) {
        Files.createDirectories(FOLDER);
        Files.writeString(file, module.getValue());
      }
      List<String> written = Files.exists(file) ? Files.readAllLines(file) : List.of();
      changes.addAll(changes(written, module.getValue().lines().toList()));
    }
    assertThat(changes)
        .as("what came (+) and went (-): say it in CHANGELOG.md, and run scripts/public-api")
        .isEmpty();
  }

  /** Lines under the head of their paragraph, which is their type. */
  private static List<String> changes(List<String> before, List<String> after) {
    List<String> changes = new ArrayList<>(ofTypes(before));
    List<String> came = new ArrayList<>(ofTypes(after));
    came.removeAll(Set.copyOf(changes));
    changes.removeAll(Set.copyOf(ofTypes(after)));
    changes.replaceAll(line -> "- " + line);
    came.forEach(line -> changes.add("+ " + line));
    return changes;
  }

  private static List<String> ofTypes(List<String> lines) {
    List<String> all = new ArrayList<>();
    String type = "";
    for (String line : lines) {
      type = line.startsWith(" ") ? type : line.replaceAll(" : .*|.* (?=dev\\.gyre)", "");
      all.add(line.startsWith(" ") ? type + ":" + line : line);
    }
    return all;
  }

  /** The first one in the changelog is of what is unreleased, or else of the last release. */
  @Test
  void theChangelogIsOfThisApi() throws IOException {
    String digest = digest(PublicApi.texts());
    assertThat(DIGEST.matcher(Files.readString(ROOT.resolve("CHANGELOG.md"))).results().limit(1))
        .extracting(named -> named.group(1))
        .as(
            "the API that CHANGELOG.md is of: say there, under Unreleased, what users get, lose or"
                + " must change; then name `%s`",
            digest)
        .containsExactly(digest);
  }

  private static String digest(Map<String, String> texts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      texts.values().forEach(text -> digest.update(text.getBytes(StandardCharsets.UTF_8)));
      return HexFormat.of().formatHex(digest.digest(), 0, 6);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void saysWhatCameAndWent() {
    List<String> before =
        List.of("public class dev.gyre.A", "  public int a()", "", "public class dev.gyre.B");
    List<String> after =
        List.of("public class dev.gyre.A", "  public long a()", "", "public class dev.gyre.B");
    assertThat(changes(before, after))
        .containsExactly("- dev.gyre.A:  public int a()", "+ dev.gyre.A:  public long a()");
    assertThat(changes(after, after)).isEmpty();
  }

  @Test
  void eachTypeOfTheStructuresIsInTheChangelog() throws IOException {
    String changelog = Files.readString(ROOT.resolve("CHANGELOG.md"));
    Set<String> words = new HashSet<>(List.of(changelog.split("\\W+")));
    assertThat(HELD.matcher(PublicApi.texts().get("structures")).results())
        .extracting(type -> type.group(1))
        .as("types that CHANGELOG.md must name, under Unreleased if it does not yet")
        .hasSizeGreaterThan(30)
        .isSubsetOf(words);
  }

  @Test
  void whatIsInternalIsLeftOut() {
    assertThat(PublicApi.texts().get("structures"))
        .contains("dev.gyre.structures.map.LongLongMap :", "  public long size()")
        .doesNotContain("dev.gyre.structures.map.store", "dev.gyre.structures.GroupWork");
  }
}
