package dev.gyre.structures.fuzz;

import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The fuzzer's main: runs random operations on every structure, against plain models, for as long
 * as asked. It needs no JUnit, since the machines with devices have none.
 */
public final class Fuzz {

  static final int OK = 0;
  static final int FAILED = 1;
  static final int BAD_USAGE = 2;

  private static final int MOST_THREADS = 8;

  private final FuzzOptions options;
  private final PrintWriter out;
  private final List<FuzzTarget> targets;
  private final long start = System.nanoTime();
  private long ran;
  private long operations;
  private long failed;

  private Fuzz(FuzzOptions options, PrintWriter out) {
    this.options = options;
    this.out = out;
    this.targets =
        new ArrayList<>(
            FuzzTargets.ALL.stream().filter(t -> t.name().contains(options.only())).toList());
    if (targets.isEmpty()) {
      throw new IllegalArgumentException(
          "--only: no structure has '%s' in its name".formatted(options.only()));
    }
    // Short runs of different seeds begin with different structures.
    Collections.rotate(targets, (int) -(options.seed() % targets.size()));
  }

  /** See {@link FuzzOptions#USAGE}. */
  public static void main(String... arguments) throws IOException {
    Fuzzer.limitMemory();
    PrintWriter out = new PrintWriter(System.out, true, Charset.defaultCharset());
    System.exit(run(out, arguments));
  }

  /** Runs it, and returns the exit code. */
  static int run(PrintWriter out, String... arguments) throws IOException {
    if (List.of(arguments).contains("--help")) {
      out.println(FuzzOptions.USAGE);
      return OK;
    }
    Fuzz fuzz;
    try {
      fuzz = new Fuzz(FuzzOptions.parse(arguments), out);
    } catch (IllegalArgumentException e) {
      out.println("fuzz: " + e.getMessage());
      return BAD_USAGE;
    }
    fuzz.run();
    return fuzz.failed == 0 ? OK : FAILED;
  }

  private void run() throws IOException {
    runPrograms();
    out.printf(
        Locale.ROOT,
        "programs=%d operations=%d failed=%d seed=%d target=%s seconds=%.1f%n",
        ran,
        operations,
        failed,
        options.seed(),
        options.target().label(),
        seconds());
  }

  private void runPrograms() throws IOException {
    Path folder = Files.createTempDirectory("gyre-fuzz");
    try (Launcher launcher = open()) {
      for (long i = 0; i < options.programs() && goesOn(); i++) {
        for (FuzzTarget target : List.copyOf(targets)) {
          if (goesOn() && !passes(target, options.seed() + i, launcher, folder)) {
            failed++;
            targets.remove(target);
          }
        }
      }
    } finally {
      delete(folder);
    }
  }

  /** A launcher of the device; null on the JVM, where structures make their own. */
  private @Nullable Launcher open() {
    return options.target() == Target.JVM
        ? null
        : Launchers.open(options.target(), options.device());
  }

  private boolean goesOn() {
    return !targets.isEmpty() && seconds() < options.seconds() && operations < options.operations();
  }

  private boolean passes(FuzzTarget target, long of, @Nullable Launcher launcher, Path folder) {
    int workers =
        options.threads() == 0
            ? 1 + (int) Math.floorMod(of, (long) MOST_THREADS)
            : options.threads();
    Fuzzer fuzzer = new Fuzzer(new FuzzSetting(workers, launcher, folder));
    FuzzProgram program = Fuzzer.program(target, of);
    ran++;
    operations += program.steps().stream().mapToLong(s -> 1 + s.keys().length).sum();
    if (fuzzer.failure(target, program) == null) {
      return true;
    }
    FuzzProgram smallest = fuzzer.shrink(target, program);
    Throwable failure = fuzzer.failure(target, smallest);
    out.printf("%s%n", smallest);
    out.printf("  fails: %s%n", failure == null ? "not in every run" : failure);
    out.printf(
        "  again: --target=%s --only=%s --programs=1 --threads=%d --seed=%d%n",
        options.target().label(), target.name(), workers, of);
    if (failure != null) {
      failure.printStackTrace(out);
    }
    out.flush();
    return false;
  }

  private double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
