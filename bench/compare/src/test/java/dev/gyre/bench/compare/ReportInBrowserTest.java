package dev.gyre.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The report in headless Chromium, as wide as a phone and as a window: no text overlaps another, is
 * cut or too small; nothing is wider than the page; the table sorts and becomes CSV. Pictures are
 * left in the folder that the system property {@code gyre.screenshots} names.
 */
@Tag("browser")
class ReportInBrowserTest {

  private static final double SECONDS = 60;

  @TempDir private Path folder;

  private String chromium(String... arguments) {
    List<String> command = new ArrayList<>(List.of("chromium", "--headless", "--no-sandbox"));
    command.add("--disable-gpu");
    command.add("--user-data-dir=" + folder.resolve("profile"));
    command.addAll(List.of(arguments));
    StringBuilder output = new StringBuilder();
    int code = Child.run(command, folder, SECONDS, line -> output.append(line).append('\n'));
    boolean there = code != Child.NOT_STARTED;
    if (!there) {
      System.out.println("The report is not looked at: there is no chromium on the PATH.");
    }
    assumeTrue(there, "no chromium on the PATH");
    return output.toString();
  }

  @ParameterizedTest
  @ValueSource(ints = {390, 1280})
  void canBeRead(int width) throws IOException {
    RunFile run =
        RunFile.begin(
            folder.resolve("run"),
            Map.of("processor", "AMD EPYC 7763 64-Core Processor", "cores", "2", "jobs", "3"));
    run.addLoad(1.5, true);
    run.finish("all", Rows.all());
    Report.write(run, null);
    Path report = run.folder().resolve(Report.FILE);
    String page = Files.readString(report);
    Path checked = folder.resolve("checked.html");
    try (InputStream script = getClass().getResourceAsStream("check-report.js")) {
      assertThat(script).isNotNull();
      Files.writeString(
          checked,
          page.replace(
              "</script>",
              new String(script.readAllBytes(), StandardCharsets.UTF_8) + "</script>"));
    }
    // A window is no narrower than 500 pixels, but a frame is.
    Path frame = folder.resolve("frame.html");
    Files.writeString(
        frame,
        """
        <!DOCTYPE html><body style="margin:0"><pre id="result"></pre>
        <script>onmessage = e => document.querySelector("#result").textContent = e.data</script>
        <iframe src="checked.html" width="%d" height="5000" style="border:0"></iframe>
        """
            .formatted(width));
    String dom = chromium("--window-size=1400,900", "--dump-dom", frame.toUri().toString());
    String result = dom.replaceAll("(?s).*<pre id=\"result\">(.*?)</pre>.*", "$1").strip();
    assertThat(result).matches("checked [1-9][0-9]+ texts");
    String pictures = System.getProperty("gyre.screenshots", "");
    if (!pictures.isEmpty()) {
      String _ =
          chromium(
              "--window-size=%d,%d".formatted(Math.max(500, width), 3200),
              "--screenshot=" + Path.of(pictures).resolve("report-" + width + ".png"),
              frame.toUri().toString());
    }
  }
}
