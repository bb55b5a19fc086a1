package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What TornadoVM 5.2.0 compiles wrong, and what stands in for it. A failure here is good news: a
 * defect was mended, and docs/tornadovm.md should say so.
 */
@ExtendWith(DeviceUnderTest.class)
class KnownDefectsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "b = a >>> 5;",
        "c = c >>> 9;",
        "b = Integer.compareUnsigned(a, b) < 0 ? 1 : 2;",
        "c = Long.compareUnsigned(c, d) < 0 ? 1 : 2;",
        "b = a >= 'a' && a <= 'z' ? a - 'a' : -1;"
      })
  void isWrongOnOpenClAndMended(String body) {
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      assertThat(FuzzRunner.difference(launcher, body)).isEmpty();
      System.setProperty("gyre.unmended", "true");
      assertThat(FuzzRunner.difference(launcher, body).isEmpty())
          .as("%s is right without being mended", body)
          .isEqualTo(DeviceUnderTest.target() == Target.PTX);
    } finally {
      System.clearProperty("gyre.unmended");
    }
  }
}
