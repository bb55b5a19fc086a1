package dev.gyre.kernels.tornadovm;

import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import dev.gyre.kernels.LauncherProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs this package's tests without a build, on a machine that has only a Java runtime: {@code
 * DeviceCheck REPORT DRIVER SDK COMMIT [CLASS-PATTERN]}. The report is a table in Markdown. Ends
 * with 1 if a test failed or no device was found.
 */
public final class DeviceCheck implements TestExecutionListener {

  private final List<String> rows = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private long started;
  private int passed;

  private DeviceCheck() {}

  public static void main(String[] args) throws IOException {
    DeviceCheck check = new DeviceCheck();
    String pattern = args.length > 4 ? args[4] : ".*Test";
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectPackage(DeviceCheck.class.getPackageName()))
                .filters(includeClassNamePatterns(pattern))
                .build(),
            check);
    String device = deviceName();
    Files.writeString(Path.of(args[0]), check.report(device, args[1], args[2], args[3]));
    check.failures.forEach(System.out::println);
    System.out.println(check.passed + " passed, " + check.failures.size() + " failed on " + device);
    // TornadoVM leaves threads behind that would keep the JVM running.
    System.exit(check.failures.isEmpty() && check.passed > 0 ? 0 : 1);
  }

  private static String deviceName() {
    for (LauncherProvider p : ServiceLoader.load(LauncherProvider.class)) {
      if (p.target() == DeviceUnderTest.target()) {
        if (p.devices().isEmpty()) {
          return "none: " + p.problem();
        }
        return p.devices().getFirst().name() + ", " + p.target().label();
      }
    }
    return "none";
  }

  private String report(String device, String driver, String sdk, String commit) {
    return """
    # Device check: %s

    Driver %s, TornadoVM %s, Java %s, commit %s. %d passed, %d failed.

    | test | result | ms |
    |---|---|---|
    %s
    """
        .formatted(
            device,
            driver,
            sdk,
            Runtime.version(),
            commit,
            passed,
            failures.size(),
            String.join("\n", rows));
  }

  @Override
  public void executionStarted(TestIdentifier test) {
    if (test.isTest()) {
      started = System.nanoTime();
    }
  }

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    row(test, "skipped: " + reason);
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    Throwable cause = result.getThrowable().orElse(null);
    switch (result.getStatus()) {
      case SUCCESSFUL -> {
        if (test.isTest()) {
          passed++;
          row(test, "passed");
        }
      }
      case ABORTED -> row(test, "not applicable: " + message(cause));
      case FAILED -> {
        failures.add("FAILED " + name(test) + ": " + cause);
        row(test, "**failed**: " + message(cause));
        if (cause != null) {
          cause.printStackTrace(System.out);
        }
      }
    }
  }

  private void row(TestIdentifier test, String outcome) {
    long ms = (System.nanoTime() - started) / 1_000_000;
    rows.add("| %s | %s | %d |".formatted(name(test), outcome, ms));
  }

  private static String name(TestIdentifier test) {
    return test.getUniqueId()
            .replaceAll(".*\\[class:[a-zA-Z.]*\\.", "")
            .replaceAll("\\]/\\[[a-z-]*:", " ")
            .replaceAll("\\(.*", "")
        + (test.getDisplayName().startsWith("[") ? " " + test.getDisplayName() : "");
  }

  private static String message(@Nullable Throwable cause) {
    String text = String.valueOf(cause == null ? "" : cause.getMessage());
    String line = text.lines().findFirst().orElse("").replace("|", "/");
    return line.length() > 160 ? line.substring(0, 160) : line;
  }
}
