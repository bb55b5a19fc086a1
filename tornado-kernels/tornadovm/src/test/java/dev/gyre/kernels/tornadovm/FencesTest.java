package dev.gyre.kernels.tornadovm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gyre.atomics.table.Fence;
import dev.gyre.atomics.table.OperationTable;
import dev.gyre.atomics.table.Scope;
import dev.gyre.atomics.tornadovm.UnsupportedByDeviceException;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Fences and unsigned arithmetic are compiled to their texts, not to their bodies in Java. */
@ExtendWith(DeviceUnderTest.class)
class FencesTest {

  private static final Map<String, String> UNSIGNED =
      Map.of(
          "SHIFT_RIGHT_INT", "a = Unsigned.shiftRight(a, b);",
          "SHIFT_RIGHT_LONG", "c = Unsigned.shiftRight(c, b);",
          "LESS_THAN_INT", "a = Unsigned.lessThan(a, b) ? 1 : 2;",
          "LESS_THAN_LONG", "a = Unsigned.lessThan(c, d) ? 1 : 2;",
          "MULTIPLY_HIGH", "c = Unsigned.multiplyHigh(c, d);",
          "TO_LONG", "c = Unsigned.toLong(a);");

  @ParameterizedTest
  @EnumSource
  void everyFenceIsCompiledToItsText(Scope scope) {
    List<Fence> fences = OperationTable.fences().stream().filter(f -> f.scope() == scope).toList();
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      assumeTrue(fences.stream().noneMatch(f -> refuses(launcher, f)), "the device refuses them");
      StringBuilder body = new StringBuilder();
      for (Fence f : fences) {
        body.append("Fences.").append(f.method()).append("(); cells.set(at, a);\n");
      }
      String source = FuzzRunner.source(launcher, body.toString());
      int at = 0;
      for (Fence f : fences) {
        String text = launcher.lowering().text(f);
        int found = source.indexOf(text, at);
        assertThat(found).as("%s: %s in%n%s", f, text, source).isNotNegative();
        at = found + text.length();
      }
    }
  }

  private static boolean refuses(TornadoLauncher launcher, Fence fence) {
    try {
      String _ = launcher.lowering().text(fence);
      return false;
    } catch (UnsupportedByDeviceException e) {
      return true;
    }
  }

  @Test
  void unsignedArithmeticIsCompiledToItsText() {
    try (TornadoLauncher launcher = DeviceUnderTest.open()) {
      Map<String, String> texts = launcher.lowering().unsignedTexts();
      assertThat(UNSIGNED).containsOnlyKeys(texts.keySet());
      UNSIGNED.forEach(
          (name, body) -> {
            String text = texts.getOrDefault(name, "no text");
            String source = FuzzRunner.source(launcher, body);
            Matcher m = OperationsTest.pattern(text).matcher(source);
            assertThat(m.find()).as("%s: %s in%n%s", name, text, source).isTrue();
          });
    }
  }
}
