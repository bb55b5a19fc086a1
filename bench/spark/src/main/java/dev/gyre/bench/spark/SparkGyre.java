package dev.gyre.bench.spark;

import dev.gyre.bench.cli.Gyre;
import picocli.CommandLine;

/** The {@code gyre} command with Spark on its class path. */
public final class SparkGyre {

  private SparkGyre() {}

  /** Runs a command and exits with its code. */
  public static void main(String[] args) {
    Gyre.main(program(), args);
  }

  /** Returns the command with the commands that need Spark. */
  static CommandLine program() {
    return new CommandLine(new Gyre()).addSubcommand(new SparkWordCountCommand());
  }
}
