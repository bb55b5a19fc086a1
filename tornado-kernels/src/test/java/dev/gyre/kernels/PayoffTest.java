package dev.gyre.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gyre.kernels.Payoff.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PayoffTest {

  private static final long GB = 1_000_000_000;

  @TempDir Path folder;
  private Path file = Path.of("");

  @BeforeEach
  void inFolder() {
    file = folder.resolve("a folder").resolve("payoff.properties");
  }

  private Payoff text() {
    return new Payoff(file, Work.TEXT);
  }

  private void note(Target target, long bytes, long startMillis, long millis) {
    text().note(target, bytes, Duration.ofMillis(startMillis), Duration.ofMillis(millis));
  }

  @Test
  void untilBothSidesAreMeasuredItIsAssumed() {
    assertThat(text().amount()).isEqualTo(Payoff.ASSUMED);
    note(Target.JVM, GB, 100, 1_000);
    assertThat(text().isMeasured()).isFalse();
    assertThat(text().amount()).isEqualTo(Payoff.ASSUMED);
  }

  @Test
  void aDevicePaysWhereWhatItGainsMakesUpForItsBegin() {
    note(Target.JVM, GB, 100, 1_000);
    note(Target.PTX, GB, 600, 500);
    Payoff payoff = text();
    assertThat(payoff.isMeasured()).isTrue();
    // Half a second later, and half a second gained for each GB.
    assertThat(payoff.amount()).isEqualTo(GB);
    // What begins sooner pays sooner; small work says nothing of how long a byte takes.
    note(Target.PTX, GB / 10, 350, 400);
    assertThat(text().amount()).isEqualTo(GB / 2);
    note(Target.PTX, 1_000, 100, 10);
    assertThat(text().amount()).isEqualTo(GB / 2);
  }

  @Test
  void aSlowDeviceNeverPays() {
    note(Target.JVM, GB, 100, 500);
    note(Target.CUDA, GB, 600, 600);
    assertThat(text().amount()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void aScriptReadsIt() throws IOException {
    note(Target.JVM, GB, 100, 1_000);
    note(Target.PTX, GB, 600, 500);
    assertThat(Files.readAllLines(file)).contains("pays.from=" + GB);
  }

  @Test
  void whatIsDamagedIsNotKnown() throws IOException {
    note(Target.JVM, GB, 100, 1_000);
    note(Target.PTX, GB, 600, 500);
    for (String bad :
        List.of(
            "jvm.bytes=much\ndevice.bytes=\\u00zz\n",
            "jvm.bytes=much\ndevice.bytes=1e9\n",
            "jvm.bytes=Infinity\ndevice.bytes=1e9\n",
            "jvm.bytes=NaN\ndevice.bytes=-1\n")) {
      Files.writeString(file, bad);
      assertThat(text().amount()).as(bad).isEqualTo(Payoff.ASSUMED);
    }
    note(Target.JVM, GB, 100, 1_000);
    note(Target.PTX, GB, 600, 500);
    assertThat(text().amount()).isEqualTo(GB);
  }

  @Test
  void keysAreMeasuredApartFromTexts() throws IOException {
    note(Target.JVM, GB, 100, 1_000);
    note(Target.PTX, GB, 600, 500);
    Payoff keys = new Payoff(file, Work.KEYS);
    assertThat(keys.isMeasured()).isFalse();
    assertThat(keys.amount()).isEqualTo(Payoff.ASSUMED);
    keys.note(Target.JVM, 1 << 21, Duration.ofMillis(100), Duration.ofMillis(800));
    new Payoff(file, Work.KEYS)
        .note(Target.CUDA, 1 << 21, Duration.ofMillis(200), Duration.ofMillis(600));
    assertThat(new Payoff(file, Work.KEYS).amount()).isEqualTo(1 << 20);
    assertThat(text().amount()).isEqualTo(GB);
    assertThat(Files.readAllLines(file)).contains("keys.pays.from=" + (1 << 20));
  }

  @Test
  void workOfANegativeSizeIsRefused() {
    assertThatThrownBy(() -> Launchers.autoFor(Work.KEYS, -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("work is 0 keys or more, not -1");
    assertThat(Launchers.autoFor(Work.KEYS, 0).target()).isEqualTo(Target.JVM);
  }
}
