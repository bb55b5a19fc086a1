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

  @Test
  void aRowBeginsWithTheClassAlsoOfOneThatIsGivenSomething() {
    String invocation =
        "[engine:junit-jupiter]/[class-template:dev.gyre.ATest]/[class-template-invocation:#2]"
            + "/[test-template:counts(java.lang.String)]/[test-template-invocation:#1]";
    assertThat(DeviceCheck.name(invocation, "[1] text=\nab | c"))
        .isEqualTo("ATest #2 counts [1] text= ab / c");
    assertThat(
            DeviceCheck.name(
                "[engine:junit-jupiter]/[class:dev.gyre.ATest]/[method:waits()]", "waits()"))
        .isEqualTo("ATest waits");
  }
}
