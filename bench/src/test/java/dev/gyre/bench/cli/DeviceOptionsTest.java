package dev.gyre.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The options {@code --target} and {@code --device}, where there are two devices. */
@Timeout(60)
class DeviceOptionsTest {

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(List<String> command, String... more) {
    List<String> arguments = new ArrayList<>(command);
    arguments.addAll(List.of(more));
    return TwoDevices.with(
        folder,
        () ->
            Gyre.run(new PrintWriter(out), new PrintWriter(err), arguments.toArray(String[]::new)));
  }

  private List<String> command(String name) throws IOException {
    Path table = Files.writeString(folder.resolve("table.csv"), "key,value\n7,70\n");
    Path found = folder.resolve("found.csv");
    return name.equals("map")
        ? List.of("map", table.toString(), "--lookup", table.toString(), "--out", found.toString())
        : List.of("wordcount", table.toString());
  }

  @ParameterizedTest
  @CsvSource({"wordcount,0", "wordcount,1", "map,0", "map,1"})
  void theDeviceOfThatNumberWorks(String name, int device) throws IOException {
    assertThat(run(command(name), "--target", "opencl", "--device", String.valueOf(device)))
        .isZero();
    assertThat(TwoDevices.opened()).containsExactly(device);
    assertThat(err.toString()).isEmpty();
    assertThat(out.toString()).contains(" target=opencl ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"wordcount", "map"})
  void allDevicesWorkTogether(String name) throws IOException {
    assertThat(run(command(name), "--target", "opencl", "--device", "all")).isZero();
    assertThat(TwoDevices.opened()).containsExactly(0, 1);
    assertThat(err.toString()).isEmpty();
    assertThat(out.toString()).contains(" target=opencl ");
  }

  @Test
  void allDevicesCountWhatOneCounts() throws IOException {
    Path text = folder.resolve("text");
    Files.writeString(text, "some words and others, some more\n".repeat(3_000));
    List<String> command = List.of("wordcount", text.toString(), "--target", "opencl");
    assertThat(run(command)).isZero();
    String one = out.toString().replaceAll("seconds=.*", "");
    out.getBuffer().setLength(0);
    assertThat(run(command, "--device", "all")).isZero();
    assertThat(out.toString().replaceAll("seconds=.*", "")).isEqualTo(one);
  }

  @ParameterizedTest
  @CsvSource({
    "wordcount,opencl,2",
    "wordcount,opencl,none",
    "wordcount,opencl,-1",
    "map,opencl,2",
    "map,jvm,1",
    "wordcount,auto,1"
  })
  void aNumberThatIsNotThereIsBadUsage(String name, String target, String device)
      throws IOException {
    assertThat(run(command(name), "--target", target, "--device=" + device)).isEqualTo(2);
    assertThat(TwoDevices.opened()).isEmpty();
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines().toList().getLast())
        .contains("--device", "has no device " + device, "gyre devices");
  }

  @Test
  void aTargetWithoutDevicesSaysWhy() throws IOException {
    assertThat(run(command("map"), "--target", "ptx", "--device", "1")).isEqualTo(Gyre.BAD_USAGE);
    assertThat(err.toString()).contains("target ptx cannot be used");
  }

  @Test
  void devicesPrintsTheNumbers() {
    assertThat(run(List.of("devices", "--quiet"))).isZero();
    assertThat(out.toString().lines())
        .anyMatch(line -> line.matches("target +no +device .*"))
        .anyMatch(line -> line.matches("opencl +0 +first .*"))
        .anyMatch(line -> line.matches("opencl +1 +second .*"));
  }

  /** Those that are are listed: there is nothing to choose. */
  @Test
  void devicesAreOfATargetThatIsNamed() {
    assertThat(run(List.of("devices", "--quiet"), "--target", "auto")).isEqualTo(Gyre.BAD_USAGE);
    assertThat(err.toString())
        .contains("--target: unknown target 'auto'; the targets are jvm, opencl, ptx, cuda")
        .doesNotContain("cuda, auto");
  }

  @Test
  void threadsOfTheJvmAreNoneOfADevice() throws IOException {
    assertThat(run(command("map"), "--target", "opencl", "--threads", "2")).isEqualTo(2);
    assertThat(TwoDevices.opened()).isEmpty();
    assertThat(err.toString()).contains("--threads is for --target jvm");
  }
}
