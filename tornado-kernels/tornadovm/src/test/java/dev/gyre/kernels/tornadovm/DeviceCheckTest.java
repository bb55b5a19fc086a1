package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.junit.jupiter.api.Test;

class DeviceCheckTest {

  @Test
  void aFailureSaysOnOneLineWhatWasExpected() {
    Throwable failure = catchThrowable(() -> assertThat("a|b").as("both").isEqualTo("c"));
    assertThat(DeviceCheck.line(failure.toString()))
        .contains("AssertionFailedError: [both] ", "expected: \"c\" but was: \"a/b\"")
        .hasLineCount(1);
    assertThat(DeviceCheck.line("long ".repeat(1_000))).hasSize(300);
  }
}
