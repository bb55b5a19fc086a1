package dev.gyre.bench.cli;

import dev.gyre.bench.fuzz.FuzzProgram;
import dev.gyre.bench.fuzz.FuzzSetting;
import dev.gyre.bench.fuzz.FuzzSubject;
import dev.gyre.bench.fuzz.FuzzSubjects;
import dev.gyre.bench.fuzz.Fuzzer;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Target;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code gyre fuzz}: random operations on every structure, against plain models. */
@Command(
    name = "fuzz",
    description = "Runs random operations on every structure, against plain models.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "A program is a sequence of operations on one structure, which its seed determines;"
          + " every result is compared, and all entries after each fourth. Saved files are loaded"
          + " with a byte changed, structures are closed, interrupted and left without memory,"
          + " texts and CSV come from grammars.",
      "A program that fails is made smaller and printed, with the command that runs it"
          + " again; then its structure has no further turn.",
      "The last line is programs=N operations=N failed=N seed=N target=T seconds=S.",
      "Exit codes: 0 no difference; 2 bad usage; 141 standard output is read no more;"
          + " 1 a difference, or anything else."
    })
final class FuzzCommand extends UserCommand implements Callable<Integer> {

  private static final int MOST_THREADS = 8;

  @Mixin private final DeviceOptions device = new DeviceOptions();

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Of the first program; the next ones count up. By default 1.")
  private long seed = 1;

  @Option(names = "--seconds", paramLabel = "S", description = "How long; by default 10.")
  private double seconds = 10;

  @Option(
      names = "--programs",
      paramLabel = "N",
      description = "How many programs of each structure, at most.")
  private long programs = Long.MAX_VALUE;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Threads of each structure, and that call it at once; by default 1 to 8.")
  private @Nullable Integer threads;

  @Option(
      names = "--only",
      paramLabel = "TEXT",
      description = "Only structures whose name has this text in it.")
  private String only = "";

  @Option(
      names = "--processes",
      paramLabel = "N",
      description = "So many at once, with seeds 10^9 apart; by default 1, this one.")
  private int processes = 1;

  private long ran;
  private long operations;

  @Override
  public Integer call() {
    List<FuzzSubject> subjects =
        new ArrayList<>(FuzzSubjects.ALL.stream().filter(s -> s.name().contains(only)).toList());
    if (subjects.isEmpty()) {
      throw usage("--only: no structure has '" + only + "' in its name");
    }
    boolean any = threads == null || (threads >= 1 && threads <= 1024);
    if (!any || !(seconds > 0) || programs < 1) {
      throw usage("--threads, --seconds and --programs must be more than 0, threads at most 1024");
    }
    if (processes < 1 || processes > 1024) {
      throw usage("--processes must be from 1 to 1024");
    }
    // Short runs of different seeds begin with different structures.
    Collections.rotate(subjects, (int) -(seed % subjects.size()));
    Fuzzer.limitMemory();
    Target target = device.resolve(true);
    long start = System.nanoTime();
    long failed = processes == 1 ? here(subjects, target, start) : elsewhere(target);
    out()
        .printf(
            Locale.ROOT,
            "programs=%d operations=%d failed=%d seed=%d target=%s seconds=%.1f%n",
            ran,
            operations,
            failed,
            seed,
            target.label(),
            seconds(start));
    return failed == 0 ? Gyre.OK : Gyre.FAILED;
  }

  private long elsewhere(Target target) {
    List<String> arguments = new ArrayList<>(List.of("--target", target.label()));
    arguments.addAll(List.of("--seconds", "" + seconds, "--programs", "" + programs));
    arguments.addAll(List.of("--only", only));
    if (threads != null) {
      arguments.addAll(List.of("--threads", "" + threads));
    }
    FuzzProcesses.Sum sum = FuzzProcesses.run(processes, seed, arguments, out());
    ran = sum.programs();
    operations = sum.operations();
    return sum.failed();
  }

  private long here(List<FuzzSubject> subjects, Target target, long start) {
    long failed = 0;
    Path folder = temporary();
    try (Launcher launcher = target == Target.JVM ? null : device.open(target)) {
      for (long i = 0; i < programs && !subjects.isEmpty() && seconds(start) < seconds; i++) {
        for (FuzzSubject subject : List.copyOf(subjects)) {
          if (seconds(start) < seconds && !passes(subject, seed + i, launcher, folder, target)) {
            failed++;
            subjects.remove(subject);
          }
        }
      }
    } finally {
      delete(folder);
    }
    return failed;
  }

  private boolean passes(
      FuzzSubject subject, long of, @Nullable Launcher launcher, Path folder, Target target) {
    int workers = threads == null ? 1 + (int) Math.floorMod(of, (long) MOST_THREADS) : threads;
    Fuzzer fuzzer = new Fuzzer(new FuzzSetting(workers, launcher, folder));
    FuzzProgram program = Fuzzer.program(subject, of);
    ran++;
    operations += program.steps().stream().mapToLong(s -> 1 + s.keys().length).sum();
    if (fuzzer.failure(subject, program) == null) {
      return true;
    }
    FuzzProgram smallest = fuzzer.shrink(subject, program);
    Throwable failure = fuzzer.failure(subject, smallest);
    out().printf("%s%n", smallest);
    out().printf("  fails: %s%n", failure == null ? "not in every run" : failure);
    out()
        .printf(
            "  again: gyre fuzz --target %s --only %s --programs 1 --threads %d --seed %d%n",
            target.label(), subject.name(), workers, of);
    if (failure != null) {
      failure.printStackTrace(err());
    }
    out().flush();
    return false;
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  private static Path temporary() {
    try {
      return Files.createTempDirectory("gyre-fuzz");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
