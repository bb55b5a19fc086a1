package dev.gyre.kernels.tornadovm;

import dev.gyre.kernels.LauncherProvider;
import dev.gyre.kernels.Target;
import java.util.ServiceLoader;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The first device of the target that this JVM was started for ({@code -Dgyre.target}); tests that
 * need it are skipped, with one line that says why, where there is none.
 */
final class DeviceUnderTest implements ExecutionCondition {

  private static final Target TARGET = Target.ofLabel(System.getProperty("gyre.target", "opencl"));
  private static final LauncherProvider PROVIDER = provider();
  private static boolean told;

  static {
    // Tests are of what is compiled now.
    System.setProperty(KernelCache.PROPERTY, KernelCache.OFF);
  }

  private static LauncherProvider provider() {
    return ServiceLoader.load(LauncherProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(p -> p.target() == TARGET)
        .findFirst()
        .orElseThrow();
  }

  static Target target() {
    return TARGET;
  }

  /** A launcher for the device. */
  static TornadoLauncher open() {
    return (TornadoLauncher) PROVIDER.open(0);
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if (!PROVIDER.devices().isEmpty()) {
      return ConditionEvaluationResult.enabled("a device is there");
    }
    String why = "Tests on " + TARGET.label() + " are skipped: " + PROVIDER.problem();
    if (!told) {
      told = true;
      System.out.println(why);
    }
    return ConditionEvaluationResult.disabled(why);
  }
}
