package dev.gyre.structures.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gyre.kernels.Device;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.LauncherProvider;
import dev.gyre.kernels.Target;
import dev.gyre.structures.trie.WordTrie;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Executors that Spark gives a GPU, which two tasks share: one that passes for a GPU; and, with
 * {@code -Dgyre.target}, such as {@code ptx}, where structures/tornadovm was built, one of
 * TornadoVM's devices.
 */
class GpuClusterTest {

  private static final String HOST = "127.0.0.1";

  @TempDir private Path folder;
  private Path opened;

  /** Two GPUs, each of which has a worker of the JVM do its work, and leaves a file when opened. */
  public static final class Gpus implements LauncherProvider {

    private static final String OPENED = "gyre.test.opened";

    @Override
    public Target target() {
      return Target.PTX;
    }

    @Override
    public List<Device> devices() {
      return List.of(new Device(target(), "first", 1), new Device(target(), "second", 1));
    }

    @Override
    public String problem() {
      return "";
    }

    @Override
    public Map<String, String> facts(int index) {
      return Map.of(KIND, GPU);
    }

    @Override
    public Launcher open(int index) {
      try {
        Files.createTempFile(Path.of(System.getProperty(OPENED)), index + "-", "");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return JvmLauncher.ofWorkers(1);
    }
  }

  @BeforeEach
  void make() throws IOException {
    opened = Files.createDirectory(folder.resolve("opened"));
  }

  /** The words of four partitions, counted where a worker has a GPU of that address. */
  private Map<String, Long> words(String address, List<Path> classes, String options)
      throws IOException {
    String text =
        """
        #!/bin/sh
        echo '{"name": "gpu", "addresses": ["%s"]}'
        """
            .formatted(address);
    Path script = Files.writeString(folder.resolve("gpus.sh"), text);
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    Map<String, String> gpu =
        Map.of(
            "spark.worker.resource.gpu.amount",
            "1",
            "spark.worker.resource.gpu.discoveryScript",
            script.toString());
    List<String> path =
        Stream.concat(classes.stream(), Stream.of(ownPath())).map(Object::toString).toList();
    try (LocalCluster cluster = LocalCluster.open(folder, List.of(HOST), 2, gpu);
        SparkSession spark =
            LocalCluster.session(cluster.url())
                .config("spark.executor.cores", 2)
                .config("spark.executor.resource.gpu.amount", 1)
                .config("spark.task.resource.gpu.amount", 0.5)
                .config("spark.task.maxFailures", 1)
                .config("spark.executor.extraClassPath", String.join(File.pathSeparator, path))
                .config("spark.executor.extraJavaOptions", options)
                .getOrCreate()) {
      JavaRDD<String> texts =
          JavaSparkContext.fromSparkContext(spark.sparkContext())
              .parallelize(IntStream.range(0, 4_000).boxed().toList(), 4)
              .map(i -> "the whale and the sea " + (i % 2 == 0 ? "even" : "odd"));
      Tally<String, WordTrie> tally =
          GyreSpark.countWords(texts, SparkOptions.DEFAULTS.withPieces(2));
      return Map.copyOf(tally.rdd().collectAsMap());
    }
  }

  private static String ownPath() {
    return System.getProperty("java.class.path");
  }

  private static void requireAll(Map<String, Long> words) {
    assertThat(words)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "the", 8_000L, "whale", 4_000L, "and", 4_000L, "sea", 4_000L, "even", 2_000L, "odd",
                2_000L));
  }

  private Path provider() throws IOException {
    Path services = Files.createDirectories(folder.resolve("provider/META-INF/services"));
    Files.writeString(services.resolve(LauncherProvider.class.getName()), Gpus.class.getName());
    return folder.resolve("provider");
  }

  private List<String> opened() throws IOException {
    try (Stream<Path> files = Files.list(opened)) {
      return files.map(file -> file.getFileName().toString().substring(0, 2)).toList();
    }
  }

  @Test
  void eachTaskCountsOnTheGpuThatSparkGivesIt() throws IOException {
    requireAll(words("1", List.of(provider()), "-D%s=%s".formatted(Gpus.OPENED, opened)));
    assertThat(opened()).hasSize(4).containsOnly("1-");
  }

  @Test
  void aCountFailsWhereItsGpuIsNotThere() throws IOException {
    Path provider = provider();
    assertThatThrownBy(
            () -> words("2", List.of(provider), "-D%s=%s".formatted(Gpus.OPENED, opened)))
        .isInstanceOf(SparkException.class)
        .hasMessageContaining("Spark gives this task GPU '2', but target ptx has no device 2");
    assertThat(opened()).isEmpty();
  }

  @Test
  void eachTaskCountsOnADeviceOfTornadoVm() throws IOException {
    String target = System.getProperty("gyre.target", "");
    assumeTrue(
        !target.isEmpty(), "skipped: -Dgyre.target names no target that executors are to use");
    Path modules = Path.of("..", "..").toAbsolutePath().normalize();
    Path arguments = modules.resolve("structures/tornadovm/target/" + target + ".arguments");
    assumeTrue(Files.exists(arguments), "skipped: structures/tornadovm was not built");
    List<Path> classes =
        Stream.of("atomics-shim", "tornado-kernels")
            .map(module -> modules.resolve(module + "/tornadovm/target/classes"))
            .toList();
    String options = "@%s -D%s=%s".formatted(arguments, Workplace.TARGET_PROPERTY, target);
    requireAll(words("0", classes, options));
    assertThatThrownBy(() -> words("99", classes, options))
        .isInstanceOf(SparkException.class)
        .hasMessageContaining("target %s has no device 99; it has those from 0".formatted(target));
  }
}
