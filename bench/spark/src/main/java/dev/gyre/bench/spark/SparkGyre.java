package dev.gyre.bench.spark;

import dev.gyre.bench.cli.Gyre;
import java.util.List;

/** The {@code gyre} command with Spark on its class path. */
public final class SparkGyre {

  private SparkGyre() {}

  /** Runs a command and exits with its code. */
  public static void main(String[] args) {
    Gyre.main(commands(), args);
  }

  /** The commands that need Spark. */
  static List<Object> commands() {
    return List.of(new SparkWordCountCommand());
  }
}
