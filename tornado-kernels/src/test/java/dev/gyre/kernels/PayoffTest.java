package dev.gyre.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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

  private void note(Target target, long bytes, long startMillis, long millis) {
    new Payoff(file).note(target, bytes, Duration.ofMillis(startMillis), Duration.ofMillis(millis));
  }

  @Test
  void untilBothSidesAreMeasuredItIsAssumed() {
    assertThat(new Payoff(file).bytes()).isEqualTo(Payoff.ASSUMED_BYTES);
    note(Target.JVM, GB, 100, 1_000);
    assertThat(new Payoff(file).isMeasured()).isFalse();
    assertThat(new Payoff(file).bytes()).isEqualTo(Payoff.ASSUMED_BYTES);
  }

  @Test
  void aDevicePaysWhereWhatItGainsMakesUpForItsBegin() {
    note(Target.JVM, GB, 100, 1_000);
    note(Target.PTX, GB, 600, 500);
    Payoff payoff = new Payoff(file);
    assertThat(payoff.isMeasured()).isTrue();
    // Half a second later, and half a second gained for each GB.
    assertThat(payoff.bytes()).isEqualTo(GB);
    // What begins sooner pays sooner; small work says nothing of how long a byte takes.
    note(Target.PTX, GB / 10, 350, 400);
    assertThat(new Payoff(file).bytes()).isEqualTo(GB / 2);
    note(Target.PTX, 1_000, 100, 10);
    assertThat(new Payoff(file).bytes()).isEqualTo(GB / 2);
  }

  @Test
  void aSlowDeviceNeverPays() {
    note(Target.JVM, GB, 100, 500);
    note(Target.CUDA, GB, 600, 600);
    assertThat(new Payoff(file).bytes()).isEqualTo(Long.MAX_VALUE);
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
    Files.writeString(file, "jvm.bytes=much\ndevice.bytes=\\u00zz\n");
    assertThat(new Payoff(file).bytes()).isEqualTo(Payoff.ASSUMED_BYTES);
    note(Target.JVM, GB, 100, 1_000);
    note(Target.PTX, GB, 600, 500);
    assertThat(new Payoff(file).bytes()).isEqualTo(GB);
  }
}
