package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What TornadoVM 5.2.0 compiles wrong, and what stands in for it. A failure here is good news: a
 * defect was mended, and docs/tornadovm.md should say so.
 */
@ExtendWith(DeviceUnderTest.class)
class KnownDefectsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "b = a >>> 5;            | b = Unsigned.shiftRight(a, 5);",
        "c = c >>> 9;            | c = Unsigned.shiftRight(c, 9);",
        "b = Integer.compareUnsigned(a, b) < 0 ? 1 : 2; | b = Unsigned.lessThan(a, b) ? 1 : 2;",
        "c = Long.compareUnsigned(c, d) < 0 ? 1 : 2;    | c = Unsigned.lessThan(c, d) ? 1 : 2;"
      })
  void isWrongOnOpenClAndRightWithTheShim(String wrong, String right) {
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      assertThat(FuzzRunner.difference(launcher, right)).isEmpty();
      assertThat(FuzzRunner.difference(launcher, wrong).isEmpty())
          .as("%s agrees with the JVM", wrong)
          .isEqualTo(DeviceUnderTest.target() == Target.PTX);
    }
  }
}
