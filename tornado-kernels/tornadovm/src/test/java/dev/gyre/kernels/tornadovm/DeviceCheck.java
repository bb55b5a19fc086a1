package dev.gyre.kernels.tornadovm;

import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import dev.gyre.kernels.LauncherProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs tests without a build, on a machine that has only a Java runtime: {@code DeviceCheck REPORT
 * DRIVER SDK COMMIT [CLASS-PATTERN]}. The pattern chooses among the test classes of all of Gyre;
 * without it those of this package run. The report is a table in Markdown, written anew after each
 * test, so that one that never ends leaves the others' lines. Ends with 1 if a test failed or no
 * device was found.
 */
public final class DeviceCheck implements TestExecutionListener {

  private static final int MOST_SAID = 300;

  private final String[] args;
  private final String device = deviceName();
  private final List<String> rows = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();
  private long started;
  private int passed;

  private DeviceCheck(String[] args) {
    this.args = args;
  }

  public static void main(String[] args) throws IOException {
    DeviceCheck check = new DeviceCheck(args);
    String own = DeviceCheck.class.getPackageName().replace(".", "\\.") + "\\..*Test";
    String pattern = args.length > 4 ? args[4] : own;
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectPackage("dev.gyre"))
                .filters(includeClassNamePatterns(pattern))
                .build(),
            check);
    check.write();
    check.failures.forEach(System.out::println);
    System.out.println(
        check.passed + " passed, " + check.failures.size() + " failed on " + check.device);
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

  private void write() throws IOException {
    Files.writeString(Path.of(args[0]), report(args[1], args[2], args[3]));
  }

  private String report(String driver, String sdk, String commit) {
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
    row(test, "skipped: " + line(reason));
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
      case ABORTED -> row(test, "not applicable: " + line(cause == null ? "" : cause.getMessage()));
      case FAILED -> {
        String why = line(String.valueOf(cause));
        failures.add("FAILED " + name(test) + ": " + why);
        row(test, "**failed**: " + why);
        if (cause != null) {
          cause.printStackTrace(System.out);
        }
      }
    }
  }

  private void row(TestIdentifier test, String outcome) {
    long ms = (System.nanoTime() - started) / 1_000_000;
    rows.add("| %s | %s | %d |".formatted(name(test), outcome, ms));
    try {
      write();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String name(TestIdentifier test) {
    return name(test.getUniqueId(), test.getDisplayName());
  }

  /** The class, the method and what they were given: the class first, without its package. */
  static String name(String uniqueId, String displayName) {
    String name =
        uniqueId
            .replaceAll(".*\\[class(-template)?:[a-zA-Z.]*\\.", "")
            .replaceAll("\\]/\\[[a-z-]*:", " ")
            .replaceAll("\\(.*", "");
    return displayName.startsWith("[") ? line(name + " " + displayName) : name;
  }

  /** What is said on several lines, of which the first may be empty, on one of a table. */
  static String line(@Nullable String said) {
    String line =
        String.valueOf(said)
            .lines()
            .map(String::strip)
            .filter(l -> !l.isEmpty())
            .collect(Collectors.joining(" "))
            .replace("|", "/");
    return line.substring(0, Math.min(line.length(), MOST_SAID));
  }
}
