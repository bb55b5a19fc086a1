package dev.gyre.bench.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The modes that need no device measure the JVM here. */
class DeviceBenchmarkTest {

  @TempDir private Path folder;

  private static List<String> lines(String... arguments) throws IOException {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      DeviceBenchmark.main(arguments);
    } finally {
      System.setOut(before);
    }
    return printed.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static void assertRows(List<String> lines) {
    assertThat(lines).allMatch(line -> line.split(",", -1).length == 13);
    for (String state : List.of("first", "cold", "warm")) {
      assertThat(lines).anyMatch(line -> line.contains("state=" + state + " time=end-to-end"));
    }
  }

  @Test
  void callsAreTakenApart() throws IOException {
    assertThat(lines("probe", "target=jvm")).first().asString().startsWith("@device cpu ");
    List<String> maps = lines("calls", "target=jvm", "n=1000", "runs=1", "cold=1");
    assertThat(maps).hasSize(2 * 3 * 4);
    assertRows(maps);
    Path text = Files.writeString(folder.resolve("text"), "one two two\n".repeat(100));
    assertRows(lines("words", "target=jvm", "text=" + text, "runs=1", "cold=1"));
  }

  @Test
  void mapsStayOnTheDevice() throws IOException {
    for (String type : List.of("int", "long")) {
      List<String> rows =
          lines(
              "resident", "target=jvm", "n=1000", "runs=1", "warm=1", "keys=zipf", "type=" + type);
      assertThat(rows)
          .hasSize(5 * 2)
          .allMatch(line -> line.contains("type=%s keys=zipf load=0.5".formatted(type)));
    }
  }

  @Test
  void whatThereIsNotIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> DeviceBenchmark.main("dance"));
    assertThatIllegalArgumentException().isThrownBy(() -> DeviceBenchmark.main("probe", "jvm"));
  }
}
