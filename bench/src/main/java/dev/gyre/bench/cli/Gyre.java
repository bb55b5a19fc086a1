package dev.gyre.bench.cli;

import dev.gyre.atomics.GyreException;
import dev.gyre.atomics.SettingException;
import dev.gyre.datasets.BadInputException;
import dev.gyre.datasets.BrokenPipeException;
import dev.gyre.datasets.FileNames;
import dev.gyre.kernels.TargetUnavailableException;
import dev.gyre.progress.DeviceUnavailableException;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.PrintWriter;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.TypeConversionException;

/** The {@code gyre} command. */
@Command(
    name = "gyre",
    description = "Concurrent data structures, on all cores or on a GPU.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "gyre doctor checks the machine, and says how to get what is missing.",
      "gyre spark-wordcount counts words on Apache Spark (docs/spark.md)."
    },
    subcommands = {
      WordCountCommand.class,
      MapCommand.class,
      GroupCommand.class,
      JoinCommand.class,
      MeasurementsCommand.class,
      DevicesCommand.class,
      LitmusCommand.class
    })
public final class Gyre extends UserCommand implements Runnable {

  /** Done. */
  public static final int OK = 0;

  /** Something else than usage or input was wrong. */
  public static final int FAILED = 1;

  /** Bad usage or bad input. */
  public static final int BAD_USAGE = 2;

  /** Standard output was a pipe whose reader ended: what a shell says of those whom that ends. */
  public static final int BROKEN_PIPE = 141;

  /** The version of this build, which Maven writes into the manifest of the jar. */
  static final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
      String built = Gyre.class.getPackage().getImplementationVersion();
      return new String[] {"gyre " + (built == null ? "(not run from its jar)" : built)};
    }
  }

  /** Runs a command and exits with its code. */
  public static void main(String[] args) {
    main(new CommandLine(new Gyre()), args);
  }

  /** Runs one of the commands of this program, or a program of its own, and exits with its code. */
  @SuppressWarnings("resource") // The process has one standard input.
  public static void main(CommandLine program, String... args) {
    // Unlike the stream that is there, a channel can be closed while another thread reads it.
    System.setIn(Channels.newInputStream(new FileInputStream(FileDescriptor.in).getChannel()));
    PrintWriter out = StandardOutput.writer();
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    System.exit(runToEnd(program, out, err, FileNames.arguments(args)));
  }

  /** Runs a command; a code of success also says that all output was written. */
  static int runToEnd(CommandLine program, PrintWriter out, PrintWriter err, String... args) {
    int code = run(program, out, err, args);
    try {
      // Flushes, too: other writers than that of main throw nothing, they remember.
      if (!out.checkError() || code != OK) {
        return code;
      }
      err.println(program.getCommandName() + ": standard output cannot be written");
      return FAILED;
    } catch (GyreException e) {
      // An earlier one was reported.
      return code == OK ? failed(e, program.getCommandName(), err) : code;
    }
  }

  /**
   * Runs a command.
   *
   * @return its exit code
   */
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    return run(new CommandLine(new Gyre()), out, err, args);
  }

  /**
   * Runs a command of a program.
   *
   * @return its exit code
   */
  public static int run(CommandLine program, PrintWriter out, PrintWriter err, String... args) {
    return program
        .setOut(out)
        .setErr(err)
        // A file whose name begins so is a text like any other.
        .setExpandAtFiles(false)
        .registerConverter(Path.class, Gyre::path)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler((e, _) -> badUsage(e))
        .setExecutionExceptionHandler((e, command, _) -> failed(e, command))
        .setExecutionStrategy(Gyre::execute)
        .execute(args);
  }

  /** Help is printed outside of what the handler of exceptions looks after. */
  private static int execute(ParseResult parsed) {
    try {
      return new RunLast().execute(parsed);
    } catch (GyreException e) {
      return failed(e, parsed.commandSpec().commandLine());
    } catch (OutOfMemoryError e) {
      String hint = "; GYRE_JAVA_OPTIONS=-Xmx4g sets a heap of 4 GiB";
      GyreException full = new GyreException("not enough memory: " + e.getMessage() + hint, e);
      return failed(full, parsed.asCommandLineList().getLast());
    }
  }

  /** The file of an option's name. */
  private static Path path(String name) {
    try {
      if (!name.isEmpty()) {
        return FileNames.path(name);
      }
    } catch (InvalidPathException e) {
      throw new TypeConversionException("not the name of a file: " + e.getReason());
    }
    throw new TypeConversionException("an empty name is not a file");
  }

  private static int badUsage(ParameterException e) {
    CommandLine command = e.getCommandLine();
    command
        .getErr()
        .println(
            "%s: %s (see %1$s --help)"
                .formatted(command.getCommandSpec().qualifiedName(), problem(e, command)));
    return BAD_USAGE;
  }

  /** What is wrong; of a word that is not known, that comes before what is missing. */
  private static String problem(ParameterException e, CommandLine command) {
    String message = String.valueOf(e.getMessage());
    List<String> unknown = command.getUnmatchedArguments();
    if (unknown.isEmpty()) {
      return message;
    }
    String typed = unknown.getFirst();
    CommandSpec spec = command.getCommandSpec();
    if (typed.startsWith("-")) {
      String name = typed.replaceFirst("=.*", "");
      Stream<OptionSpec> options = spec.options().stream().filter(option -> !option.hidden());
      return "no such option: '%s'%s"
          .formatted(
              name,
              Typo.meant(name, options.flatMap(option -> Stream.of(option.names())).toList()));
    }
    return spec.subcommands().isEmpty()
        ? message
        : "no such command: '%s'%s"
            .formatted(typed, Typo.meant(typed, spec.subcommands().keySet()));
  }

  private static int failed(Exception e, CommandLine command) {
    return failed(e, command.getCommandSpec().qualifiedName(), command.getErr());
  }

  private static int failed(Exception e, String name, PrintWriter err) {
    if (e instanceof BrokenPipeException) {
      return BROKEN_PIPE;
    }
    err.println(name + ": " + (e instanceof GyreException ? e.getMessage() : e));
    if (Boolean.getBoolean("gyre.trace")) {
      e.printStackTrace(err);
    }
    return switch (e) {
      case BadInputException _,
          SettingException _,
          TargetUnavailableException _,
          DeviceUnavailableException _ ->
          BAD_USAGE;
      default -> FAILED;
    };
  }

  @Override
  public void run() {
    line().usage(out());
  }
}
