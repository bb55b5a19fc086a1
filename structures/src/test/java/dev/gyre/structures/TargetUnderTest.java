package dev.gyre.structures;

import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import org.jspecify.annotations.Nullable;

/**
 * The device on which the conformance suites run: that of {@code -Dgyre.target}, or none, for the
 * JVM. All tests share its launcher, for the sake of what it has compiled.
 */
public final class TargetUnderTest {

  private static final Target TARGET = Target.ofLabel(System.getProperty("gyre.target", "jvm"));

  private static @Nullable Launcher device;

  private TargetUnderTest() {}

  /** The launcher of the device; null where structures are to make their own, for the JVM. */
  public static synchronized @Nullable Launcher device() {
    if (TARGET != Target.JVM && device == null) {
      device = Launchers.open(TARGET);
    }
    return device;
  }
}
