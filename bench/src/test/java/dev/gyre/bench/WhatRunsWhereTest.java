package dev.gyre.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WhatRunsWhereTest {

  private static final String XML =
      """
      <testsuite name="dev.gyre.structures.map.SetRacesTest" tests="7" errors="1" skipped="2" failures="1">
        <properties>
          <property name="java.runtime.version" value="25.0.3"/>
          <property name="user.dir" value="/some/checkout"/>
          <property name="gyre.group" value="2"/>
        </properties>
        <testcase name="one"><skipped message="no books | in /home/me/books"/></testcase>
        <testcase name="two"><skipped message="no books | in /home/me/books"/></testcase>
      </testsuite>
      """;

  private static final String MARKDOWN =
      """
      # Device check: NVIDIA H200, ptx

      Driver 580, TornadoVM 5.2.0, Java 25.0.3, commit %s. 3 passed, 1 failed.

      | test | result | ms |
      |---|---|---|
      | SetRacesTest claims [1] | in=two | passed | 97 |
      | SetRacesTest claims [2] | passed | 7 |
      | SetRacesTest loses | **failed**: why | 5 |
      | OtherTest | skipped: no lanes | 0 |
      | GoneTest is | passed | 1 |
      """;

  @TempDir private Path root;

  private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();

  /** Runs the program on a folder of sources and one of reports, and returns what it printed. */
  private static String run(Path sources, Path reports) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                CHECKOUT.resolve(".config/WhatRunsWhere.java").toString(),
                sources.toString(),
                reports.toString())
            .redirectErrorStream(true)
            .start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.waitFor();
    return code == 0 ? printed : "ended with " + code + ": " + printed;
  }

  private String page() throws IOException {
    return Files.readString(root.resolve("docs/results/what-runs-where.md"));
  }

  private Path reports(String... classes) throws IOException {
    Path tests = Files.createDirectories(root.resolve("module/src/test/java"));
    for (String test : classes) {
      Path _ = Files.writeString(tests.resolve(test + ".java"), "");
    }
    Path _ = Files.createDirectories(root.resolve("docs/results"));
    return Files.createDirectories(root.resolve("reports"));
  }

  /** The committed page has been written from the committed data. */
  @Test
  void thePageIsWrittenFromTheData() throws Exception {
    String page = Files.readString(CHECKOUT.resolve("docs/results/what-runs-where.md"));
    List<String> classes =
        page.lines()
            .filter(line -> line.matches("\\| \\w+Test \\|.*"))
            .map(line -> line.replaceAll("\\| (\\w+) .*", "$1"))
            .toList();
    Path none = Files.createDirectories(reports(classes.toArray(String[]::new)).resolve("none"));
    Path _ =
        Files.copy(
            CHECKOUT.resolve("docs/results/what-runs-where.csv"),
            root.resolve("docs/results/what-runs-where.csv"));
    assertThat(run(root, none)).doesNotContain("ended with");
    assertThat(page().lines())
        .filteredOn(line -> line.matches("\\| \\w+Test \\|.*"))
        .hasSizeGreaterThan(100)
        .isSubsetOf(page.lines().toList());
  }

  @Tag("slow")
  @Test
  void readsReportsOfMaven() throws Exception {
    Path reports = reports("SetRacesTest");
    Path xml = Files.writeString(reports.resolve("TEST-dev.gyre.SetRacesTest.xml"), XML);
    assertThat(run(root, reports)).contains("1 more test classes");
    assertThat(page())
        .contains("| A | jvm, as a group | ", " cores | Java 25.0.3 | unknown | 1 | 3 | 2 | 2 |")
        .contains("| SetRacesTest | 3, **2 failed** (2) |")
        .contains("| A | no books / in books | SetRacesTest |");
    Path _ = Files.writeString(xml, "nothing");
    assertThat(run(root, reports)).contains("is no report of JUnit");
  }

  @Tag("slow")
  @Test
  void aClassKeepsItsLastReport() throws Exception {
    Path reports = reports("SetRacesTest", "OtherTest");
    for (String commit : List.of("abc", "def")) {
      Path _ = Files.writeString(reports.resolve("ptx-tests.md"), MARKDOWN.formatted(commit));
      assertThat(run(root, reports)).doesNotContain("ended with");
    }
    String page = page();
    assertThat(page)
        .contains(
            "| A | ptx | NVIDIA H200 | Driver 580, TornadoVM 5.2.0, Java 25.0.3 | def | 2 | 2 | 1 |"
                + " 1 |",
            "## module\n\n"
                + "| test | A |\n"
                + "|---|---|\n"
                + "| OtherTest | 0 (1) |\n"
                + "| SetRacesTest | 2, **1 failed** |",
            "| A | no lanes | OtherTest |")
        .doesNotContain("abc", "GoneTest");
    Path none = Files.createDirectories(root.resolve("none"));
    Path _ = Files.writeString(none.resolve("ptx-tests.md"), "# Device check: none");
    assertThat(run(root, none)).contains("0 more test classes");
    assertThat(page()).isEqualTo(page);
  }

  @Tag("slow")
  @Test
  void runsBehindTheLastLetterHaveTwo() throws Exception {
    Path reports = reports("SetRacesTest");
    for (int device = 10; device < 64; device++) {
      Path folder = Files.createDirectories(reports.resolve("H" + device));
      String report = MARKDOWN.formatted("abc").replace("H200", "H" + device);
      Path _ = Files.writeString(folder.resolve("ptx-tests.md"), report);
    }
    assertThat(run(root, reports)).contains("54 more test classes");
    assertThat(page())
        .contains(
            "| Z | ptx | NVIDIA H35 |", "| AA | ptx | NVIDIA H36 |", "| BB | ptx | NVIDIA H63 |")
        .contains(" | Y | Z | AA | AB | ");
  }
}
