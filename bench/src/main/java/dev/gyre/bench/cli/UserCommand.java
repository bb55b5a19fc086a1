package dev.gyre.bench.cli;

import dev.gyre.datasets.OutputFile;
import dev.gyre.kernels.Target;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that users type, or options that several commands share. */
@Command(versionProvider = Gyre.Version.class)
public abstract class UserCommand {

  /** The last line of the help of commands. */
  public static final String EXIT_CODES =
      "Exit codes: 0 success; 2 bad usage or bad input; 141 the reader of standard output ended;"
          + " 1 any other failure.";

  /** Stands for standard input. */
  static final String STANDARD_INPUT = "-";

  @Spec private @Nullable CommandSpec own;

  /** The command that has these options; null of a command. */
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec user;

  /** What it was typed in. */
  protected final CommandLine line() {
    return Objects.requireNonNull(user == null ? own : user).commandLine();
  }

  /** Standard output. */
  protected final PrintWriter out() {
    return line().getOut();
  }

  /** Standard error. */
  protected final PrintWriter err() {
    return line().getErr();
  }

  /** Returns where text is printed: on standard error if a file is called {@code -}. */
  final PrintWriter text(@Nullable Path... files) {
    return Arrays.asList(files).contains(Outputs.STANDARD) ? err() : out();
  }

  /** Prints the last line of a command: on standard error if its output is on standard output. */
  @SuppressWarnings("AnnotateFormatMethod") // Its module has no such annotation.
  final void printLast(OutputFile output, String format, Object... values) {
    (output.isStandardOutput() ? err() : out()).printf(Locale.ROOT, format, values);
  }

  /**
   * Refuses to write over what is read.
   *
   * @throws ParameterException naming option and file
   */
  final void requireNotRead(String option, @Nullable OutputFile file, Path read) {
    if (file != null && file.replaces(read)) {
      throw usage("%s is to write %s, which is to be read".formatted(option, read));
    }
  }

  /**
   * Refuses two options that name the same file.
   *
   * @throws ParameterException naming both
   */
  final void requireDifferent(
      String option, @Nullable OutputFile file, String other, @Nullable OutputFile otherFile) {
    if (file != null && otherFile != null && file.isSameAs(otherFile)) {
      throw usage("%s and %s are to write the same file, %s".formatted(option, other, otherFile));
    }
  }

  /** What is wrong with what was typed. */
  protected final ParameterException usage(String problem) {
    return new ParameterException(line(), problem);
  }

  /** Returns a bar, which is shown on a terminal only. */
  final ProgressBar bar(String label, boolean quiet) {
    return new ProgressBar(err(), label, !quiet && Boolean.getBoolean("gyre.terminal"));
  }

  /**
   * Returns the target of a label that was typed.
   *
   * @param besides other possible labels, for the end of the error message
   * @throws ParameterException if there is no such target
   */
  final Target target(String label, String besides) {
    try {
      return Target.ofLabel(label);
    } catch (IllegalArgumentException e) {
      throw usage("--target: " + e.getMessage() + besides);
    }
  }
}
