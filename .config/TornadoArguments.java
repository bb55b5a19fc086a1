import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the arguments with which {@code java} runs TornadoVM with one backend: {@code
 * TornadoArguments.java (opencl|ptx) SDK FILE}, for {@code java @FILE}. In place of a backend
 * {@code jar} writes a jar to compile against.
 *
 * <p>They follow from the SDK's own layout: its jars, its libraries and its lists of exports. Only
 * one backend's driver is on the module path, since each loads its native library when found. Where
 * the SDK is not what it should be, this says what is missing.
 */
final class TornadoArguments {

  /**
   * What the runtime needs of the jars, by the start of their names; the driver comes with them.
   */
  private static final List<String> JARS =
      List.of(
          "tornado-api-",
          "tornado-runtime-",
          "tornado-annotation-",
          "tornado-drivers-common-",
          "asm-",
          "commons-math3-",
          "snmp4j-",
          "nativeimage-");

  private static final Pattern COMPILER_PACKAGE =
      Pattern.compile("jdk\\.(?:graal\\.compiler|internal\\.vm\\.ci)/[a-zA-Z0-9.]+");

  private TornadoArguments() {}

  public static void main(String[] args) throws IOException {
    if (args.length != 3 || !List.of("opencl", "ptx", "jar").contains(args[0])) {
      System.err.println("usage: TornadoArguments.java (opencl|ptx|jar) SDK FILE");
      System.exit(2);
    }
    try {
      write(args[0], Path.of(args[1]).toAbsolutePath(), Path.of(args[2]));
    } catch (IOException e) {
      System.err.println(e.getMessage() + "; TORNADOVM_HOME must be the folder of an SDK");
      System.exit(2);
    }
  }

  private static void write(String what, Path sdk, Path file) throws IOException {
    if (file.getParent() != null) {
      Files.createDirectories(file.getParent());
    }
    if (what.equals("jar")) {
      writeJar(sdk, file);
    } else {
      Files.write(file, arguments(what, sdk));
    }
  }

  /**
   * An empty jar whose class path is all jars of the SDK: what javac needs, of whatever version.
   */
  private static void writeJar(Path sdk, Path file) throws IOException {
    StringJoiner jars = new StringJoiner(" ");
    for (String name : List.of("share/java/tornado", "share/java/graalJars")) {
      try (Stream<Path> all = Files.list(folder(sdk, name))) {
        all.filter(p -> p.toString().endsWith(".jar"))
            .sorted()
            .forEach(p -> jars.add(p.toString()));
      }
    }
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, jars.toString());
    new JarOutputStream(Files.newOutputStream(file), manifest).close();
  }

  private static List<String> arguments(String backend, Path sdk) throws IOException {
    List<String> jars = new ArrayList<>(JARS);
    jars.add("tornado-drivers-" + backend + "-");
    List<String> lines =
        new ArrayList<>(
            List.of(
                "-XX:+UnlockExperimentalVMOptions",
                "-XX:+EnableJVMCI",
                "--enable-preview",
                "-Djava.library.path=" + sdk.resolve("lib"),
                load("api", "uk.ac.manchester.tornado.runtime.tasks.TornadoTaskGraph"),
                load("runtime", "uk.ac.manchester.tornado.runtime.TornadoCoreRuntime"),
                load("tornado", "uk.ac.manchester.tornado.runtime.common.Tornado"),
                load("annotation", "uk.ac.manchester.tornado.annotation.ASMClassVisitor"),
                load("annotation.parallel", "uk.ac.manchester.tornado.api.annotations.Parallel"),
                "-Dtornado.recover.bailout=False",
                "--module-path",
                quoted(modulePath(sdk, jars)),
                "--upgrade-module-path",
                quoted(folder(sdk, "share/java/graalJars")),
                "--add-modules",
                "ALL-SYSTEM,tornado.runtime,tornado.annotation,tornado.drivers.common,"
                    + "tornado.drivers."
                    + backend,
                "--enable-native-access=ALL-UNNAMED,tornado.drivers." + backend));
    List<String> exports = exports(sdk, backend);
    lines.addAll(exports);
    // Classes on the class path use the compiler as TornadoVM's modules do.
    TreeSet<String> packages = new TreeSet<>();
    for (String line : exports) {
      Matcher m = COMPILER_PACKAGE.matcher(line);
      if (m.find()) {
        packages.add(m.group());
      }
    }
    packages.forEach(p -> lines.add("--add-exports=" + p + "=ALL-UNNAMED"));
    return lines;
  }

  private static String load(String what, String implementation) {
    return what.equals("annotation.parallel")
        ? "-Dtornado.load.annotation.parallel=" + implementation
        : "-Dtornado.load." + what + ".implementation=" + implementation;
  }

  private static String modulePath(Path sdk, List<String> prefixes) throws IOException {
    Path jars = folder(sdk, "share/java/tornado");
    List<String> found = new ArrayList<>();
    for (String prefix : prefixes) {
      try (Stream<Path> all = Files.list(jars)) {
        found.add(
            all.filter(p -> p.getFileName().toString().matches(Pattern.quote(prefix) + ".*\\.jar"))
                .findFirst()
                .orElseThrow(() -> new IOException("no " + prefix + "*.jar in " + jars))
                .toString());
      }
    }
    return found.stream().collect(Collectors.joining(File.pathSeparator));
  }

  private static List<String> exports(Path sdk, String backend) throws IOException {
    Path lists = folder(sdk, "etc/exportLists");
    List<String> lines = new ArrayList<>();
    for (String name : List.of("common-exports", backend + "-exports")) {
      for (String line : Files.readAllLines(lists.resolve(name))) {
        if (!line.isBlank() && !line.strip().startsWith("#")) {
          lines.add(line.strip());
        }
      }
    }
    return lines;
  }

  private static Path folder(Path sdk, String name) throws IOException {
    Path folder = sdk.resolve(name);
    if (!Files.isDirectory(folder)) {
      throw new IOException("no TornadoVM SDK: " + folder + " is missing");
    }
    return folder;
  }

  /** Argument files take backslashes for escapes, and spaces for ends. */
  private static String quoted(Object text) {
    return '"' + text.toString().replace("\\", "\\\\") + '"';
  }
}
