package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.kernels.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What TornadoVM 5.2.0 compiles wrong, and what stands in for it. A failure here is good news: a
 * defect was fixed, and docs/tornadovm-defects.md should say so.
 */
@ExtendWith(DeviceUnderTest.class)
class KnownDefectsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      value = {
        "opencl cuda     # b = a >>> 5;",
        "opencl cuda     # c = c >>> 9;",
        "opencl ptx cuda # b = Integer.compareUnsigned(a, b) < 0 ? 1 : 2;",
        "opencl ptx cuda # c = Long.compareUnsigned(c, d) < 0 ? 1 : 2;",
        "opencl ptx cuda # b = a >= 97 && a <= 122 ? a - 97 : -1;",
        "ptx cuda        # b = a << b;",
        "ptx             # b = a >> 7;",
        "ptx cuda        # c = c >> b;",
        "opencl ptx cuda # b = 0x80000000 >> b;",
        "opencl cuda     # if (c >= ((long) a & 0xffffffffL)) { d = 1; }",
        "opencl ptx cuda # if (((long) b & 0xffffffffL) >= c) { d = 1; }",
        "opencl ptx cuda # d = ((long) a & 0xffffffffL); c = (d < c ? c : d);",
        "opencl ptx      # if ((~(a & 0xffff)) < a) { } else { if (a >= 0 && a <= b) {"
            + " longs.set(at, c); } }",
        "opencl ptx cuda # c = Double.doubleToRawLongBits((double) c);",
        "opencl ptx cuda # a = Float.floatToRawIntBits((float) b);",
        "opencl cuda     # a += b > 0 || (c > 7 && d < 5) ? 2 : 0;",
        "opencl cuda     # a += b > 0 && (c > 7 || d < 5) ? 2 : 0;",
        "opencl ptx cuda # f = f * g + 0.1f;",
        "opencl ptx cuda # x = x * y + 0.1;",
        "opencl ptx cuda # f = Math.min(f, g); x = Math.max(x, y);",
        "opencl ptx cuda # a = !(f < g) ? 1 : 2;",
        "opencl ptx cuda # a = (int) f; c = (long) x;",
        "opencl ptx cuda # x = x > y ? Double.NaN : Double.NEGATIVE_INFINITY;"
      })
  void isCompiledWrongAndMended(String wrongOn, String body) {
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      int refused = FuzzRunner.refused();
      assertThat(FuzzRunner.difference(launcher, body)).isEmpty();
      assertThat(FuzzRunner.refused()).as("runs where it is mended").isEqualTo(refused);
      System.setProperty("gyre.unfixed", "true");
      boolean same = FuzzRunner.difference(launcher, body).isEmpty();
      assertThat(same && FuzzRunner.refused() == refused)
          .as("%s is right without being mended: neither wrong nor refused", body)
          .isEqualTo(!wrongOn.contains(DeviceUnderTest.target().label()));
    } finally {
      System.clearProperty("gyre.unfixed");
    }
  }

  /** A condition is used on a branch, and behind it with another. */
  @Test
  void aConditionIsComputedWhereverItIsRead() {
    String body =
        "boolean t = c > 7; if (a == 3) { t = d > 5; }"
            + " if (b > 0 && t) { longs.set(at, c); } a += t && c > 5 ? 1 : 0;";
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      int refused = FuzzRunner.refused();
      assertThat(FuzzRunner.difference(launcher, body)).isEmpty();
      assertThat(FuzzRunner.refused()).isEqualTo(refused);
      System.setProperty("gyre.unfixed", "true");
      var _ = FuzzRunner.difference(launcher, body);
      assertThat(FuzzRunner.refused() > refused)
          .as("refused where it is not mended")
          .isEqualTo(DeviceUnderTest.target() == Target.PTX);
    } finally {
      System.clearProperty("gyre.unfixed");
    }
  }

  /** The same on PTX, with a loop of two exits. */
  @Test
  void aLoopOfTwoExitsIsRefusedWhereItsBranchIsLost() {
    String body =
        "long n = c & 15; while (n > 0 && (d <= 1L || -1 >= a)) { n--; b = a; } a += b < a ? 2 :"
            + " 0;";
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      int refused = FuzzRunner.refused();
      assertThat(FuzzRunner.difference(launcher, body)).isEmpty();
      assertThat(FuzzRunner.refused()).as("refused").isGreaterThan(refused);
    }
  }

  /** Shapes whose control flow the backends that write C lose; PTX has no trouble with them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "if (a >= (Unsigned.lessThan(c, c) ? a : b) && a <= a) { while (d > 0) { d = d >> 1; } }",
        "for (int i = 0; i < ((Unsigned.lessThan(c, d) ? b : 65535) & 7); i++) {"
            + " b = cells.fetchAddRelaxed(at, 1); }"
      })
  void lostControlFlowIsRefused(String body) {
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      int refused = FuzzRunner.refused();
      assertThat(FuzzRunner.difference(launcher, body)).isEmpty();
      assertThat(FuzzRunner.refused() > refused)
          .as("refused")
          .isEqualTo(DeviceUnderTest.target() != Target.PTX);
    }
  }
}
