import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.spi.ToolProvider;

/**
 * Makes a Java runtime with what Gyre and TornadoVM need, by the jlink of the JDK that runs this.
 */
final class Runtime {

  private static final List<String> MODULES =
      List.of(
          "java.base",
          "java.desktop",
          "java.instrument",
          "java.logging",
          "java.management",
          "java.net.http",
          "java.sql",
          "java.xml",
          "jdk.attach",
          "jdk.compiler",
          "jdk.graal.compiler",
          "jdk.httpserver",
          "jdk.incubator.vector",
          "jdk.internal.vm.ci",
          "jdk.jfr",
          "jdk.management",
          "jdk.unsupported",
          "jdk.zipfs");

  private Runtime() {}

  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    if (Files.exists(folder)) {
      try (var files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
    int code =
        ToolProvider.findFirst("jlink")
            .orElseThrow()
            .run(
                System.out,
                System.err,
                "--add-modules=" + String.join(",", MODULES),
                "--compress=zip-9",
                "--strip-debug",
                "--no-header-files",
                "--no-man-pages",
                // The API of former versions, for javac --release.
                "--exclude-files=**/ct.sym",
                "--output=" + folder);
    System.exit(code);
  }
}
