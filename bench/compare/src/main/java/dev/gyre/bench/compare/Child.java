package dev.gyre.bench.compare;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A program that is run to its end, or to the end of its time. */
final class Child {

  /** Exit code of what took too long. */
  static final int TOO_LONG = 124;

  /** Exit code of what could not be started. */
  static final int NOT_STARTED = 127;

  private Child() {}

  /**
   * Runs a program and gives each line of its output, errors among them, to an action.
   *
   * @param folder where it runs
   * @param seconds after which it is ended
   * @return its exit code, {@link #TOO_LONG} or {@link #NOT_STARTED}
   */
  static int run(List<String> command, Path folder, double seconds, Consumer<String> lines) {
    Process process;
    try {
      process =
          new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
      process.getOutputStream().close();
    } catch (IOException e) {
      lines.accept(String.valueOf(e.getMessage()));
      return NOT_STARTED;
    }
    Thread reader = Thread.ofVirtual().start(() -> read(process, lines));
    int[] code = {TOO_LONG};
    try {
      unlessStopped(
          () -> {
            if (process.waitFor((long) (seconds * 1000), TimeUnit.MILLISECONDS)) {
              code[0] = process.exitValue();
            } else {
              endWithChildren(process);
            }
            reader.join();
          },
          () -> endWithChildren(process));
    } catch (InterruptedException e) {
      endWithChildren(process);
      Thread.currentThread().interrupt();
    }
    return code[0];
  }

  /** What may fail in its own way. */
  @FunctionalInterface
  interface Action<E extends Exception> {
    void run() throws E;
  }

  /** Runs an action, and another one if the user stops this program meanwhile. */
  static <E extends Exception> void unlessStopped(Action<E> action, Runnable stopped) throws E {
    Thread hook = new Thread(stopped);
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      action.run();
    } finally {
      try {
        boolean _ = Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException _) {
        // This program is being stopped, and the hook runs.
      }
    }
  }

  private static void read(Process process, Consumer<String> lines) {
    try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        lines.accept(line);
      }
    } catch (IOException _) {
      // Ended from outside: there is nothing more to read.
    }
  }

  private static void endWithChildren(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    Process _ = process.destroyForcibly();
  }
}
