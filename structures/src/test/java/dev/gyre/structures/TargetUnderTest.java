package dev.gyre.structures;

import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The device on which the conformance suites run: that of {@code -Dgyre.target}, or none, for the
 * JVM. All tests share its launcher, for the sake of what it has compiled.
 */
public final class TargetUnderTest implements ExecutionCondition {

  private static final Target TARGET = Target.ofLabel(System.getProperty("gyre.target", "jvm"));

  private static @Nullable Launcher device;
  private static boolean told;

  TargetUnderTest() {}

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    String why = isDevice() ? problem() : "";
    if (why.isEmpty()) {
      return ConditionEvaluationResult.enabled("the target is there");
    }
    if (!told) {
      told = true;
      System.out.println("Suites on " + TARGET.label() + " are skipped: " + why);
    }
    return ConditionEvaluationResult.disabled(why);
  }

  private static String problem() {
    return Launchers.all().stream()
        .filter(f -> f.target() == TARGET)
        .map(Launchers.Found::problem)
        .findFirst()
        .orElseThrow();
  }

  /** Whether it is another one than the JVM. */
  public static boolean isDevice() {
    return TARGET != Target.JVM;
  }

  /** The launcher of the device; null where structures are to make their own, for the JVM. */
  public static synchronized @Nullable Launcher device() {
    if (isDevice() && device == null) {
      device = Launchers.open(TARGET);
    }
    return device;
  }
}
