package dev.gyre.bench.cli;

import java.io.PrintWriter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that users type. */
public abstract class UserCommand {

  @Spec private @Nullable CommandSpec spec;

  /** What it was typed in. */
  protected final CommandLine line() {
    return Objects.requireNonNull(spec).commandLine();
  }

  /** Standard output. */
  protected final PrintWriter out() {
    return line().getOut();
  }

  /** Standard error. */
  protected final PrintWriter err() {
    return line().getErr();
  }

  /** What is wrong with what was typed. */
  protected final ParameterException usage(String problem) {
    return new ParameterException(line(), problem);
  }
}
