package dev.gyre.bench.spark;

import dev.gyre.datasets.BadInputException;
import dev.gyre.datasets.TextFiles;
import dev.gyre.datasets.TextInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.LongAccumulator;
import org.apache.spark.util.SerializableConfiguration;

/**
 * The texts that the arguments of a command mean.
 *
 * <p>Of this machine's files the first bytes say whether they are gzip, and archives and UTF-16 are
 * refused; of others the names say it.
 */
final class SparkTexts {

  private static final String SCHEME = "://";

  private final SparkSession spark;
  private final LongAccumulator unpackedBytes;

  /** As Spark's file systems know them. */
  private final List<String> plain = new ArrayList<>();

  private final List<String> packed = new ArrayList<>();
  private long plainBytes;

  /**
   * Finds texts: files and folders as wordcount does, and what has a scheme as Spark does.
   *
   * @throws BadInputException naming the first that cannot be read
   */
  SparkTexts(SparkSession spark, List<String> arguments) {
    this.spark = spark;
    this.unpackedBytes = spark.sparkContext().longAccumulator("unpacked bytes");
    for (String argument : arguments) {
      if (argument.contains(SCHEME)) {
        addOthers(argument);
      } else {
        TextFiles.resolve(List.of(argument)).forEach(this::add);
      }
    }
  }

  private void add(Path file) {
    String name = "file:" + file.toAbsolutePath().normalize();
    try {
      if (!Files.isRegularFile(file)) {
        throw new BadInputException(
            file.toString(), "is not a regular file, and Spark reads no others");
      }
      if (TextInput.isPacked(file)) {
        packed.add(name);
      } else if (isNamedGzip(name)) {
        throw new BadInputException(
            file.toString(), "not gzip, though it is named so, which is what Spark goes by");
      } else {
        plain.add(escaped(name));
        plainBytes += Files.size(file);
      }
    } catch (IOException e) {
      throw new BadInputException(file.toString(), TextFiles.reasonOf(e, "file"), e);
    }
  }

  /** A name in which no character stands for others. */
  private static String escaped(String name) {
    return name.replaceAll("[\\\\*?\\[\\]{}]", "\\\\$0");
  }

  private static boolean isNamedGzip(String name) {
    return name.endsWith(".gz");
  }

  private void addOthers(String name) {
    try {
      org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(name);
      FileSystem system = path.getFileSystem(spark.sparkContext().hadoopConfiguration());
      FileStatus[] found = system.globStatus(path);
      if (found == null || found.length == 0) {
        throw new BadInputException(name, "no such file or folder");
      }
      List<FileStatus> files = new ArrayList<>();
      for (FileStatus status : found) {
        RemoteIterator<LocatedFileStatus> below = system.listFiles(status.getPath(), true);
        while (below.hasNext()) {
          FileStatus file = below.next();
          if (!isHidden(file.getPath(), status.getPath())) {
            files.add(file);
          }
        }
      }
      add(name, files);
    } catch (IOException | IllegalArgumentException e) {
      throw new BadInputException(name, "not readable: " + e.getMessage(), e);
    }
  }

  /** Whether Spark leaves a file out that is below a folder. */
  private static boolean isHidden(
      org.apache.hadoop.fs.Path file, org.apache.hadoop.fs.Path folder) {
    org.apache.hadoop.fs.Path at = file;
    while (at != null && at.depth() > folder.depth()) {
      if (at.getName().startsWith(".") || at.getName().startsWith("_")) {
        return true;
      }
      at = at.getParent();
    }
    return false;
  }

  private void add(String argument, List<FileStatus> files) {
    boolean anyPacked = files.stream().anyMatch(file -> isNamedGzip(file.getPath().toString()));
    for (FileStatus file : files) {
      String name = file.getPath().toString();
      if (name.endsWith(".zip")) {
        throw new BadInputException(name, "a zip archive; unpack it, and name the files in it");
      }
      if (isNamedGzip(name)) {
        packed.add(name);
      } else {
        plainBytes += file.getLen();
        if (anyPacked) {
          plain.add(escaped(name));
        }
      }
    }
    if (!anyPacked) {
      plain.add(argument);
    }
  }

  /** Returns the size of all texts in bytes; of packed ones, after their lines were read. */
  long bytes() {
    return plainBytes + unpackedBytes.value();
  }

  /** The lines of all texts. */
  Dataset<String> lines() {
    Dataset<String> lines =
        plain.isEmpty()
            ? spark.emptyDataset(Encoders.STRING())
            : spark
                .read()
                .option("recursiveFileLookup", true)
                .textFile(plain.toArray(String[]::new));
    if (packed.isEmpty()) {
      return lines;
    }
    // One task for each: gzip is read from its beginning to its end.
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    var read =
        new PackedLines(
            new SerializableConfiguration(context.hadoopConfiguration()), unpackedBytes);
    return lines.union(
        spark.createDataset(
            context.parallelize(packed, packed.size()).flatMap(read).rdd(), Encoders.STRING()));
  }
}
