package dev.gyre.bench.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code gyre fuzz} in several processes at once, each with its own seeds and limit of memory. */
final class FuzzProcesses {

  /** Between the seeds of two of them. */
  private static final long APART = 1_000_000_000;

  private static final Pattern LAST =
      Pattern.compile("programs=(\\d+) operations=(\\d+) failed=(\\d+) .*");

  /** What all of them did. */
  record Sum(long programs, long operations, long failed) {
    Sum plus(Sum other) {
      return new Sum(
          programs + other.programs, operations + other.operations, failed + other.failed);
    }
  }

  private FuzzProcesses() {}

  /**
   * Runs them to their end, and passes on what they say.
   *
   * @param arguments without a seed
   */
  static Sum run(int processes, long seed, List<String> arguments, PrintWriter out) {
    List<Process> started = new ArrayList<>();
    Runnable kill = () -> started.forEach(Process::destroyForcibly);
    Thread end = new Thread(kill);
    Runtime.getRuntime().addShutdownHook(end);
    try {
      for (int i = 0; i < processes; i++) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(Gyre.class.getName(), "fuzz", "--seed", "" + (seed + i * APART)));
        command.addAll(arguments);
        started.add(new ProcessBuilder(command).redirectErrorStream(true).start());
      }
      Sum all = new Sum(0, 0, 0);
      try (ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<Sum>> sums =
            started.stream().map(process -> readers.submit(() -> read(process, out))).toList();
        for (Future<Sum> sum : sums) {
          all = all.plus(sum.get());
        }
      }
      return all;
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      kill.run();
      boolean _ = Runtime.getRuntime().removeShutdownHook(end);
    }
  }

  private static Sum read(Process process, PrintWriter out) {
    @Nullable Sum sum = null;
    try (BufferedReader lines = process.inputReader(Charset.defaultCharset())) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher last = LAST.matcher(line);
        if (last.matches()) {
          sum =
              new Sum(
                  Long.parseLong(last.group(1)),
                  Long.parseLong(last.group(2)),
                  Long.parseLong(last.group(3)));
        } else {
          out.println(line);
          out.flush();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (sum == null) {
      out.printf("  process %d ended before its end%n", process.pid());
      return new Sum(0, 0, 1);
    }
    return sum;
  }
}
