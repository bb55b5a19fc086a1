package dev.gyre.structures;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.LauncherGroup;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The device on which the conformance suites run: that of {@code -Dgyre.target}, or none, for the
 * JVM; with {@code -Dgyre.group}, a group of so many launchers of it, or of the JVM. All tests
 * share its launcher, for the sake of what it has compiled.
 */
public final class TargetUnderTest implements ExecutionCondition {

  private static final Target TARGET = Target.ofLabel(System.getProperty("gyre.target", "jvm"));

  private static final int GROUP = Integer.getInteger("gyre.group", 1);

  /** What launchers of devices look at when they are made. */
  private static final String DEVICE_LIMIT = "gyre.device.memory.limit";

  private static @Nullable Launcher device;
  private static boolean told;

  static {
    // Tests are of what is compiled now.
    System.setProperty("gyre.kernel.cache", "off");
  }

  TargetUnderTest() {}

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    String why = TARGET == Target.JVM ? "" : problem();
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

  /** Whether it is another one than the JVM, or a group, where structures work as on a device. */
  public static boolean isDevice() {
    return TARGET != Target.JVM || isGroup();
  }

  /** Whether it is a group of launchers. */
  public static boolean isGroup() {
    return GROUP > 1;
  }

  /** Ends a test of what a group refuses, where this is one. */
  public static void assumeAlone() {
    assumeFalse(isGroup(), "a group refuses that");
  }

  /** The launcher of the device; null where structures are to make their own, for the JVM. */
  public static synchronized @Nullable Launcher device() {
    if (isDevice() && device == null) {
      device = LauncherGroup.of(IntStream.range(0, GROUP).mapToObj(TargetUnderTest::open).toList());
    }
    return device;
  }

  /** Two launchers of the target as a group, which the caller closes. */
  public static Launcher group() {
    return LauncherGroup.of(List.of(open(0), open(1)));
  }

  /**
   * Another launcher of the target, which the caller closes: of a device with so much memory, or
   * where the target is the JVM of what passes for one.
   *
   * @param index of the device; several are different, as far as there are any
   */
  public static synchronized Launcher openLimited(int index, long bytes) {
    if (TARGET == Target.JVM) {
      return new LimitedDevice(bytes);
    }
    String before = System.getProperty(DEVICE_LIMIT);
    System.setProperty(DEVICE_LIMIT, Long.toString(bytes));
    try {
      return open(index);
    } finally {
      if (before == null) {
        System.clearProperty(DEVICE_LIMIT);
      } else {
        System.setProperty(DEVICE_LIMIT, before);
      }
    }
  }

  /** Several are of different devices, as far as there are any. */
  private static Launcher open(int index) {
    return TARGET == Target.JVM
        ? JvmLauncher.ofWorkers(2)
        : Launchers.open(TARGET, index % Launchers.find(TARGET).devices().size());
  }
}
