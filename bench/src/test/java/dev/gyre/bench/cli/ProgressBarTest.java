package dev.gyre.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressBarTest {

  @Test
  void showsShareRateAndTimeLeft() {
    assertThat(ProgressBar.line("counting", 25_000_000, 100_000_000, 0.5))
        .isEqualTo(
            "counting  [#######.......................]  25 %  25 of 100 MB  50 MB/s  2 s left");
  }

  @Test
  void withoutATotalShowsWhatIsDone() {
    assertThat(ProgressBar.line("counting", 25_000_000, -1, 0.5))
        .isEqualTo("counting  25 MB  50 MB/s");
  }

  @Test
  void aShortJobShowsNothing() {
    StringWriter terminal = new StringWriter();
    try (ProgressBar bar = new ProgressBar(new PrintWriter(terminal), "counting", true)) {
      bar.update(1, 2);
      bar.update(2, 2);
    }
    assertThat(terminal.toString()).isEmpty();
  }
}
