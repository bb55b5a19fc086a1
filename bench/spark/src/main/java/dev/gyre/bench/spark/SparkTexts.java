package dev.gyre.bench.spark;

import dev.gyre.datasets.BadInputException;
import dev.gyre.datasets.TextFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.SparkSession;

/**
 * The texts that the arguments of a command mean.
 *
 * @param names as Spark's file systems know them
 * @param bytes of all
 */
record SparkTexts(List<String> names, long bytes) {

  private static final String SCHEME = "://";

  /**
   * Finds texts: files and folders as wordcount does, and what has a scheme as Spark does.
   *
   * @throws BadInputException naming the first that cannot be read
   */
  static SparkTexts of(SparkSession spark, List<String> arguments) {
    List<String> names = new ArrayList<>();
    long bytes = 0;
    for (String argument : arguments) {
      if (argument.contains(SCHEME)) {
        names.add(argument);
        bytes += bytesOf(argument, spark.sparkContext().hadoopConfiguration());
      } else {
        for (Path file : TextFiles.resolve(List.of(argument))) {
          names.add("file:" + escaped(file.toAbsolutePath().normalize().toString()));
          bytes += bytesOf(file);
        }
      }
    }
    return new SparkTexts(List.copyOf(names), bytes);
  }

  /** A name in which no character stands for others. */
  private static String escaped(String name) {
    return name.replaceAll("[\\\\*?\\[\\]{}]", "\\\\$0");
  }

  private static long bytesOf(Path file) {
    try {
      if (!Files.isRegularFile(file)) {
        throw new BadInputException(
            file.toString(), "is no regular file, and Spark reads no others");
      }
      return Files.size(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long bytesOf(String name, Configuration configuration) {
    try {
      org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(name);
      FileSystem system = path.getFileSystem(configuration);
      FileStatus[] found = system.globStatus(path);
      if (found == null || found.length == 0) {
        throw new BadInputException(name, "no such file or folder");
      }
      long bytes = 0;
      for (FileStatus status : found) {
        bytes += system.getContentSummary(status.getPath()).getLength();
      }
      return bytes;
    } catch (IOException | IllegalArgumentException e) {
      throw new BadInputException(name, "not readable: " + e.getMessage(), e);
    }
  }

  /** The lines of all texts. */
  Dataset<String> lines(SparkSession spark) {
    return spark.read().option("recursiveFileLookup", true).textFile(names.toArray(String[]::new));
  }
}
