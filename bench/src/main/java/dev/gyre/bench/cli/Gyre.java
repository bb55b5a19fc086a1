package dev.gyre.bench.cli;

import dev.gyre.atomics.GyreException;
import dev.gyre.datasets.BadInputException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code gyre} command. */
@Command(
    name = "gyre",
    description = "Concurrent data structures, on every core of the JVM or on a GPU.",
    mixinStandardHelpOptions = true,
    versionProvider = Gyre.Version.class,
    subcommands = {
      WordCountCommand.class,
      MapCommand.class,
      DevicesCommand.class,
      LitmusCommand.class
    })
public final class Gyre implements Runnable {

  /** Done. */
  public static final int OK = 0;

  /** Something else than usage or input was wrong. */
  public static final int FAILED = 1;

  /** Bad usage or bad input. */
  public static final int BAD_USAGE = 2;

  /** The version of this build, which Maven writes into the manifest of the jar. */
  static final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
      String built = Gyre.class.getPackage().getImplementationVersion();
      return new String[] {"gyre " + (built == null ? "(not run from its jar)" : built)};
    }
  }

  @Spec private @org.jspecify.annotations.Nullable CommandSpec spec;

  /** Runs a command and exits with its code. */
  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    System.exit(runToEnd(out, err, args));
  }

  /** Runs a command; a code of success also says that all output was written. */
  static int runToEnd(PrintWriter out, PrintWriter err, String... args) {
    int code = run(out, err, args);
    // Flushes, too: a PrintWriter throws nothing, it remembers.
    if (out.checkError() && code == OK) {
      err.println("gyre: standard output cannot be written");
      return FAILED;
    }
    return code;
  }

  /**
   * Runs a command.
   *
   * @return its exit code
   */
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    return new CommandLine(new Gyre())
        .setOut(out)
        .setErr(err)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler((e, _) -> badUsage(e))
        .setExecutionExceptionHandler((e, command, _) -> failed(e, command))
        .execute(args);
  }

  private static int badUsage(ParameterException e) {
    CommandLine command = e.getCommandLine();
    command
        .getErr()
        .println(
            "%s: %s (see %1$s --help)"
                .formatted(command.getCommandSpec().qualifiedName(), e.getMessage()));
    return BAD_USAGE;
  }

  private static int failed(Exception e, CommandLine command) {
    String name = command.getCommandSpec().qualifiedName();
    command.getErr().println(name + ": " + (e instanceof GyreException ? e.getMessage() : e));
    if (Boolean.getBoolean("gyre.trace")) {
      e.printStackTrace(command.getErr());
    }
    return e instanceof BadInputException ? BAD_USAGE : FAILED;
  }

  @Override
  public void run() {
    CommandSpec command = java.util.Objects.requireNonNull(spec);
    throw new ParameterException(command.commandLine(), "a subcommand is missing");
  }
}
