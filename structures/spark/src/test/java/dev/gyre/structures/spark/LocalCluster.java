package dev.gyre.structures.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.master.Master;
import org.apache.spark.deploy.worker.Worker;
import org.apache.spark.rpc.RpcEnv;
import org.apache.spark.sql.SparkSession;
import scala.Option;

/**
 * A cluster of Spark's own on this machine, for tests: a master and workers within this process,
 * whose executors are processes of their own.
 */
final class LocalCluster implements AutoCloseable {

  private final List<RpcEnv> parts = new ArrayList<>();
  private final String url;

  private LocalCluster(Path folder, List<String> hosts, int cores, SparkConf conf) {
    RpcEnv master = Master.startRpcEnvAndEndpoint(hosts.getFirst(), 0, 0, conf)._1();
    parts.add(master);
    this.url = "spark://" + hosts.getFirst() + ":" + master.address().port();
    for (int i = 0; i < hosts.size(); i++) {
      parts.add(
          Worker.startRpcEnvAndEndpoint(
              hosts.get(i),
              0,
              0,
              cores,
              1024,
              new String[] {url},
              folder.toString(),
              Option.apply(i),
              conf,
              Option.empty()));
    }
  }

  /**
   * A master on the first host, and a worker on each.
   *
   * @param folder that workers work in
   * @param cores of a worker
   * @param settings of master and workers
   */
  static LocalCluster open(
      Path folder, List<String> hosts, int cores, Map<String, String> settings) {
    SparkConf conf = new SparkConf().set("spark.master.rest.enabled", "false");
    settings.forEach(conf::set);
    return new LocalCluster(folder, hosts, cores, conf);
  }

  /** Where the master is. */
  String url() {
    return url;
  }

  /** A Spark whose executors have the class path of this process. */
  static SparkSession.Builder session(String master) throws IOException {
    // Where an executor looks for Spark's jars, all of which are on that class path.
    Path home = Path.of(System.getenv("SPARK_HOME"));
    Files.createDirectories(home.resolve("jars"));
    return LocalSpark.session(master)
        .config("spark.home", home.toString())
        .config("spark.executor.memory", "512m")
        .config("spark.executor.extraClassPath", System.getProperty("java.class.path"));
  }

  @Override
  public void close() {
    parts.reversed().forEach(RpcEnv::shutdown);
    parts.forEach(RpcEnv::awaitTermination);
  }
}
