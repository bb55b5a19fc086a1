package dev.gyre.progress.probe;

import dev.gyre.atomics.GyreException;
import dev.gyre.progress.DeviceDescription;
import dev.gyre.progress.probe.ProgressResult.Outcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs progress tests in a separate JVM. If a test says nothing for too long, its process is
 * killed, and another process continues with the following tests.
 *
 * @since 0.1.0
 */
public final class ProgressRuns {

  private static final String OVER = "";

  private final Duration timeout;
  private final String childClass;

  private ProgressRuns(Duration timeout, String childClass) {
    this.timeout = timeout;
    this.childClass = childClass;
  }

  /** Returns runs that give each test a minute, including the start of its process. */
  public static ProgressRuns inChildren() {
    return new ProgressRuns(Duration.ofSeconds(60), ProgressChild.class.getName());
  }

  /** Returns runs with another time limit and main class, for tests of this class. */
  static ProgressRuns inChildren(Duration timeout, String childClass) {
    return new ProgressRuns(timeout, childClass);
  }

  /**
   * Runs tests on a device.
   *
   * @param listener called with each result
   * @throws GyreException if no process can be started
   */
  public List<ProgressResult> run(
      DeviceDescription device, List<ProgressTest> tests, Consumer<ProgressResult> listener) {
    List<ProgressResult> results = new ArrayList<>();
    Consumer<ProgressResult> each =
        result -> {
          results.add(result);
          listener.accept(result);
        };
    while (results.size() < tests.size()) {
      runOnce(device, List.copyOf(tests.subList(results.size(), tests.size())), each);
    }
    return results;
  }

  /** Runs one process; returns at least one result. */
  private void runOnce(
      DeviceDescription device, List<ProgressTest> tests, Consumer<ProgressResult> listener) {
    int ended = 0;
    Process child = start(device, tests);
    try {
      BlockingQueue<String> lines = linesOf(child);
      List<String> errors = new ArrayList<>();
      long begun = System.nanoTime();
      String line = next(lines);
      while (line != null && !line.equals(OVER) && ended < tests.size()) {
        String[] parts = line.split(ProgressChild.SEPARATOR, -1);
        if (parts[0].equals(ProgressChild.END)) {
          listener.accept(parse(parts));
          ended++;
          begun = System.nanoTime();
        } else if (!parts[0].equals(ProgressChild.BEGIN)) {
          errors.add(line);
        }
        line = ended < tests.size() ? next(lines) : OVER;
      }
      if (ended < tests.size()) {
        double seconds = (System.nanoTime() - begun) / 1e9;
        ProgressTest broken = tests.get(ended);
        listener.accept(
            line == null
                ? new ProgressResult(broken, Outcome.HUNG, 0, 0, seconds, "")
                : new ProgressResult(
                    broken, Outcome.FAILED, 0, 0, seconds, "its process ended: " + last(errors)));
      }
    } finally {
      child.destroyForcibly();
    }
  }

  private static String last(List<String> errors) {
    return errors.isEmpty() ? "without a word" : errors.getLast();
  }

  private static ProgressResult parse(String[] parts) {
    return new ProgressResult(
        ProgressTest.valueOf(parts[1]),
        Outcome.valueOf(parts[2]),
        Integer.parseInt(parts[3]),
        Long.parseLong(parts[4]),
        Double.parseDouble(parts[5]),
        parts[6]);
  }

  private @Nullable String next(BlockingQueue<String> lines) {
    try {
      return lines.poll(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new GyreException("interrupted while progress tests ran", e);
    }
  }

  private static BlockingQueue<String> linesOf(Process child) {
    BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    Thread _ =
        Thread.ofPlatform()
            .daemon()
            .name("gyre-progress-reader")
            .start(
                () -> {
                  try (BufferedReader reader = child.inputReader()) {
                    reader.lines().filter(l -> !l.isEmpty()).forEach(lines::add);
                  } catch (IOException | java.io.UncheckedIOException e) {
                    lines.add("cannot be read: " + e.getMessage());
                  }
                  lines.add(OVER);
                });
    return lines;
  }

  private Process start(DeviceDescription device, List<ProgressTest> tests) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      // Debugger, profiler and cache file belong to the parent only.
      if (!argument.startsWith("-agent")
          && !argument.startsWith("-javaagent")
          && !argument.startsWith("-XX:AOT")) {
        command.add(argument);
      }
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), childClass));
    command.add(device.device().target().label());
    tests.forEach(t -> command.add(t.name()));
    try {
      return new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new GyreException("cannot start a process for the progress tests", e);
    }
  }
}
