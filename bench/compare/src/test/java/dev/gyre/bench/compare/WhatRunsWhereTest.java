package dev.gyre.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

  /** What scripts/what-runs-where would write is what is there, but for classes that went since. */
  @Test
  void thePageIsWrittenFromTheData() throws IOException {
    Path checkout = Path.of("..", "..").toAbsolutePath().normalize();
    String page = Files.readString(checkout.resolve("docs/results/what-runs-where.md"));
    List<String> written = WhatRunsWhere.open(checkout).page().lines().toList();
    assertThat(written)
        .as("docs/results/what-runs-where.md; run scripts/what-runs-where with reports")
        .filteredOn(line -> line.matches("\\| \\w+Test \\|.*"))
        .hasSizeGreaterThan(100)
        .isSubsetOf(page.lines().toList());
  }

  @Test
  void readsReportsOfMaven() {
    TestedClass tested = TestReport.ofXml(XML, "P, 2 cores", folder -> "commit of " + folder);
    assertThat(tested.fields())
        .containsExactly(
            "jvm, as a group",
            "P, 2 cores",
            "Java 25.0.3",
            "commit of /some/checkout",
            "SetRacesTest",
            "3",
            "2",
            "2",
            "no books / in books");
    assertThat(TestedClass.of(tested.fields())).isEqualTo(tested);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TestReport.ofXml("nothing", "", _ -> ""))
        .withMessageStartingWith("not a report of JUnit");
  }

  @Test
  void readsReportsOfDevices() {
    List<TestedClass> tested = TestReport.ofMarkdown(MARKDOWN.formatted("abc").lines().toList());
    assertThat(tested)
        .extracting(TestedClass::test, TestedClass::cell)
        .containsExactlyInAnyOrder(
            tuple("SetRacesTest", "2, **1 failed**"),
            tuple("OtherTest", "0 (1)"),
            tuple("GoneTest", "1"));
    assertThat(TestReport.ofMarkdown(List.of("# Device check: none"))).isEmpty();
  }

  @Test
  void aClassKeepsItsLastReport() throws IOException {
    Path reports = Files.createDirectories(root.resolve("reports"));
    Path tests = Files.createDirectories(root.resolve("module/src/test/java"));
    for (String test : List.of("SetRacesTest", "OtherTest")) {
      Files.writeString(tests.resolve(test + ".java"), "");
    }
    Files.createDirectories(root.resolve("docs/results"));
    for (String commit : List.of("abc", "def")) {
      Files.writeString(reports.resolve("ptx-tests.md"), MARKDOWN.formatted(commit));
      WhatRunsWhere.main(new String[] {root.toString(), reports.toString()});
    }
    String page = Files.readString(root.resolve("docs/results/what-runs-where.md"));
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
    assertThat(WhatRunsWhere.open(root).page()).isEqualTo(page);
  }

  @Test
  void runsBehindTheLastLetterHaveTwo() throws IOException {
    Path tests = Files.createDirectories(root.resolve("module/src/test/java"));
    Files.writeString(tests.resolve("SetRacesTest.java"), "");
    Files.createDirectories(root.resolve("docs/results"));
    Path reports = Files.createDirectories(root.resolve("reports"));
    for (int device = 10; device < 64; device++) {
      String report = MARKDOWN.formatted("abc").replace("H200", "H" + device);
      Files.writeString(reports.resolve("ptx-tests.md"), report);
      WhatRunsWhere.main(new String[] {root.toString(), reports.toString()});
    }
    String page = Files.readString(root.resolve("docs/results/what-runs-where.md"));
    assertThat(page)
        .contains(
            "| Z | ptx | NVIDIA H35 |", "| AA | ptx | NVIDIA H36 |", "| BB | ptx | NVIDIA H63 |")
        .contains(" | Y | Z | AA | AB | ");
  }
}
