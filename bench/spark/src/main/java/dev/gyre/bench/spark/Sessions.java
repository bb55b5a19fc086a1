package dev.gyre.bench.spark;

import dev.gyre.atomics.GyreException;
import java.io.File;
import java.util.Arrays;
import org.apache.spark.SparkConf;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Sessions of Spark for the command line, and what goes wrong in them. */
final class Sessions {

  private Sessions() {}

  /**
   * Opens a session; settings come from system properties, as with {@code spark-submit}.
   *
   * @param memory off-heap, of each executor
   * @throws ParameterException if master or memory are not understood
   */
  static SparkSession open(CommandLine command, String master, String memory) {
    if (!isSize(memory)) {
      throw new ParameterException(
          command,
          "--memory: '%s' is no size; say how many bytes, such as 500m or 2g".formatted(memory));
    }
    try {
      return SparkSession.builder().config(conf(master, memory)).getOrCreate();
    } catch (Exception e) {
      // Scala declares none.
      if (String.valueOf(e.getMessage()).contains("Master")) {
        throw new ParameterException(
            command, "--master: Spark knows none such as '%s'; local[2] is one".formatted(master));
      }
      throw translated(e);
    }
  }

  /** Whether Spark takes it for a number of bytes. */
  private static boolean isSize(String memory) {
    try {
      return JavaUtils.byteStringAsBytes(memory) > 0;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /** Returns the settings of a session. */
  static SparkConf conf(String master, String memory) {
    SparkConf conf =
        new SparkConf()
            .setMaster(master)
            .setIfMissing("spark.app.name", "gyre spark-wordcount")
            .setIfMissing("spark.ui.enabled", "false")
            .setIfMissing("spark.ui.showConsoleProgress", "false")
            .set("spark.memory.offHeap.enabled", "true")
            .set("spark.memory.offHeap.size", memory);
    if (master.startsWith("local[") || master.equals("local")) {
      // The address need not be known to other machines.
      conf.setIfMissing("spark.driver.host", "localhost")
          .setIfMissing("spark.driver.bindAddress", "127.0.0.1");
    } else {
      conf.setJars(
          Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
              .filter(jar -> new File(jar).getName().startsWith("gyre-"))
              .toArray(String[]::new));
    }
    return conf;
  }

  /**
   * Returns the exception to report for a failure: the message of this library or, without one, the
   * first line of Spark's.
   */
  static GyreException translated(Exception failure) {
    Throwable cause = failure;
    while (cause.getCause() != null && !(cause instanceof GyreException)) {
      cause = cause.getCause();
    }
    if (cause instanceof GyreException own) {
      return own;
    }
    String message = String.valueOf(failure.getMessage());
    return new GyreException("Spark: " + message.lines().findFirst().orElse(""), failure);
  }
}
