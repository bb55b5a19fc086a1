package dev.gyre.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Holds what comes and goes with a backend of TornadoVM's, or with the compiler below it, in one
 * package each: classes of a driver in that of the backend, those of Graal and JVMCI in {@code
 * graal}. It reads sources, since without an SDK there are no classes of these modules.
 */
final class TornadoSeamsTest {

  private static final Pattern DRIVER =
      Pattern.compile("\\btornado\\.drivers\\.(opencl|ptx|cuda|spirv|metal)\\b");
  private static final Pattern COMPILER =
      Pattern.compile("\\b(jdk\\.graal|jdk\\.vm\\.ci|org\\.graalvm|tornado\\.graal)\\b");
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\| .* \\| (\\d+) \\|$");
  private static final String SHIM = "dev.gyre.atomics.tornadovm.";

  /** What a source names that belongs into another package, each in words. */
  private static List<String> outside(String source) {
    Matcher declared = PACKAGE.matcher(source);
    String name = declared.find() ? declared.group(1) : "";
    List<String> found = new ArrayList<>();
    DRIVER
        .matcher(source)
        .results()
        .filter(driver -> !name.equals(SHIM + driver.group(1)))
        .forEach(driver -> found.add(driver.group() + " in " + name));
    COMPILER
        .matcher(source)
        .results()
        .filter(compiler -> !name.endsWith(".tornadovm.graal"))
        .forEach(compiler -> found.add(compiler.group() + " in " + name));
    return found;
  }

  @Test
  void backendsAndTheCompilerAreNamedInTheirPackagesOnly() throws IOException {
    List<String> found = new ArrayList<>();
    List<Path> sources = new ArrayList<>();
    for (String module : List.of("atomics-shim", "tornado-kernels")) {
      try (Stream<Path> all = Files.walk(Path.of("..", module, "tornadovm", "src"))) {
        sources.addAll(all.filter(p -> p.toString().endsWith(".java")).toList());
      }
    }
    for (Path source : sources) {
      outside(Files.readString(source)).forEach(what -> found.add(source + ": " + what));
    }
    assertThat(sources).as("sources").hasSizeGreaterThan(50);
    assertThat(found).isEmpty();
  }

  @Test
  void theDocumentationSaysHowManyClassesABackendCosts() throws IOException {
    Path shim = Path.of("../atomics-shim/tornadovm/src/main/java/dev/gyre/atomics/tornadovm");
    SortedMap<String, Integer> classes = new TreeMap<>();
    try (Stream<Path> packages = Files.list(shim)) {
      for (Path folder : packages.filter(Files::isDirectory).toList()) {
        try (Stream<Path> sources = Files.list(folder)) {
          int count = (int) sources.filter(p -> !p.endsWith("package-info.java")).count();
          classes.put(folder.getFileName().toString(), count);
        }
      }
    }
    SortedMap<String, Integer> said = new TreeMap<>();
    ROW.matcher(Files.readString(Path.of("../docs/tornadovm.md")))
        .results()
        .forEach(row -> said.put(row.group(1), Integer.valueOf(row.group(2))));
    assertThat(said).isEqualTo(classes);
  }

  @Test
  void anImportInAnotherPackageIsFound() {
    assertThat(
            outside(
                """
                package dev.gyre.atomics.tornadovm.ptx;
                import jdk.graal.compiler.nodes.ValueNode;
                import uk.ac.manchester.tornado.drivers.opencl.OCLTargetDevice;
                import uk.ac.manchester.tornado.drivers.ptx.PTXDevice;
                """))
        .containsExactly(
            "tornado.drivers.opencl in dev.gyre.atomics.tornadovm.ptx",
            "jdk.graal in dev.gyre.atomics.tornadovm.ptx");
  }
}
