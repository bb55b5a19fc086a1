package dev.gyre.structures.spark;

import dev.gyre.atomics.GyreException;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.network.util.JavaUtils;

/**
 * Share of a task in the off-heap memory of its executor.
 *
 * @param executorBytes memory of the executor, in bytes
 * @param tasks number of tasks that an executor runs at a time
 */
record TaskShare(long executorBytes, int tasks) {

  private static final String ENABLED = "spark.memory.offHeap.enabled";
  private static final String SIZE = "spark.memory.offHeap.size";

  /**
   * Returns the share by the settings of a context.
   *
   * @throws GyreException if Spark has no off-heap memory
   */
  static TaskShare of(SparkContext context) {
    SparkConf conf = context.getConf();
    return of(conf.get(ENABLED, "false"), conf.get(SIZE, "0"), tasks(context, conf));
  }

  static TaskShare of(String enabled, String size, int tasks) {
    long bytes = JavaUtils.byteStringAsBytes(size);
    if (!Boolean.parseBoolean(enabled) || bytes <= 0) {
      throw new GyreException(
          "structures are off-heap, and Spark has no memory there: set %s=true and %s, such as 1g for each core of an executor"
              .formatted(ENABLED, SIZE));
    }
    return new TaskShare(bytes, tasks);
  }

  private static int tasks(SparkContext context, SparkConf conf) {
    int cores =
        context.isLocal()
            ? context.defaultParallelism()
            : conf.getInt("spark.executor.cores", Runtime.getRuntime().availableProcessors());
    return Math.max(1, cores / Math.max(1, conf.getInt("spark.task.cpus", 1)));
  }

  /**
   * Returns the bytes that a structure may take.
   *
   * @param most limit, unless 0
   */
  long bytes(long most) {
    // The other half is for earlier operations of the same task.
    long half = executorBytes / tasks / 2;
    return most == 0 ? half : Math.min(most, executorBytes / tasks);
  }
}
