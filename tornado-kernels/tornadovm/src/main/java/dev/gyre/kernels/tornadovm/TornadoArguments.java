package dev.gyre.kernels.tornadovm;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.FindException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Writes the arguments with which {@code java} runs TornadoVM with one backend: {@code
 * TornadoArguments (opencl|ptx|cuda) SDK FILE}, for {@code java @FILE}. It is the main class of
 * this module's jar, and needs only the JDK, so that a build can run it as a source file.
 *
 * <p>In place of a backend, {@code jar} writes a jar to compile against, and {@code check SDK}
 * writes nothing. {@code tests SDK FOLDER} writes a file for each backend, such as {@code
 * ptx.arguments}. A backend that the SDK lacks is replaced by another, so that tests start and are
 * skipped.
 *
 * <p>The arguments follow from the declarations of the SDK and this JDK: required modules, class
 * file versions, the SDK's version and its lists of exports. Only one backend's driver is on the
 * module path, because each loads its native library when it is found. An invalid SDK is refused in
 * one line, with exit code 2.
 */
public final class TornadoArguments {

  /** Line of TornadoVM versions that Gyre is built for. */
  private static final String LINE = "5.2";

  private static final List<String> BACKENDS = List.of("opencl", "ptx", "cuda");

  private static final String JARS = "share/java/tornado";
  private static final String COMPILER_JARS = "share/java/graalJars";

  private static final Pattern VERSION =
      Pattern.compile("(\\d+\\.\\d+)[^-]*(?:-jdk(\\d+)(plus)?)?.*");
  private static final Pattern COMPILER_PACKAGE =
      Pattern.compile("jdk\\.(?:graal\\.compiler|internal\\.vm\\.ci)/[a-zA-Z0-9.]+");

  /** Offset in a class file of the mark for preview features. */
  private static final int MINOR_VERSION = 4;

  private static final int PREVIEW = 0xFFFF;

  private final Path sdk;
  private final ModuleFinder modules;
  private final ModuleFinder compiler;

  private TornadoArguments(Path sdk) throws IOException {
    this.sdk = sdk;
    this.modules = ModuleFinder.of(folder(sdk, JARS));
    this.compiler = ModuleFinder.of(folder(sdk, COMPILER_JARS));
  }

  public static void main(String[] args) throws IOException {
    boolean checks = args.length == 2 && args[0].equals("check");
    String what = args.length == 0 ? "" : args[0];
    boolean writes =
        args.length == 3 && (BACKENDS.contains(what) || List.of("jar", "tests").contains(what));
    if (!checks && !writes) {
      System.err.println(
          "usage: TornadoArguments (opencl|ptx|cuda|jar) SDK FILE, tests SDK FOLDER, or check SDK");
      System.exit(2);
    }
    try {
      requireVersion(Path.of(args[1]).toAbsolutePath());
      TornadoArguments sdk = new TornadoArguments(Path.of(args[1]).toAbsolutePath());
      if (checks) {
        sdk.check();
      } else {
        sdk.write(what, Path.of(args[2]));
      }
    } catch (IOException | FindException e) {
      System.err.println(e.getMessage() + "; TORNADOVM_HOME must be the folder of an SDK");
      System.exit(2);
    }
  }

  private void write(String what, Path file) throws IOException {
    if (file.getParent() != null) {
      Files.createDirectories(file.getParent());
    }
    if (what.equals("jar")) {
      writeJar(file);
    } else if (what.equals("tests")) {
      Files.createDirectories(file);
      for (String backend : BACKENDS) {
        Files.write(file.resolve(backend + ".arguments"), arguments(thereOrAnother(backend)));
      }
    } else {
      Files.write(file, arguments(what));
    }
  }

  /** Returns the backends whose drivers exist. */
  private List<String> backends() throws IOException {
    List<String> there =
        BACKENDS.stream().filter(b -> modules.find(driver(b)).isPresent()).toList();
    if (there.isEmpty()) {
      throw new IOException("no tornado-drivers-*.jar of a backend in " + sdk.resolve(JARS));
    }
    return there;
  }

  /** Checks that everything that these backends need exists. */
  private void check() throws IOException {
    for (String backend : backends()) {
      List<String> _ = arguments(backend);
    }
  }

  /** Returns a backend, or another one if its driver does not exist. */
  private String thereOrAnother(String backend) throws IOException {
    return backends().contains(backend) ? backend : backends().getFirst();
  }

  /** Returns the version that the SDK declares, such as {@code 5.2.0-jdk25}. */
  private static String version(Path sdk) throws IOException {
    Path release = sdk.resolve("etc/tornado.release");
    if (Files.isReadable(release)) {
      for (String line : Files.readAllLines(release)) {
        if (line.startsWith("version=")) {
          return line.substring("version=".length()).strip();
        }
      }
    }
    String api = "tornado-api-";
    try (Stream<Path> all = Files.list(folder(sdk, JARS))) {
      return all.map(p -> p.getFileName().toString())
          .filter(name -> name.startsWith(api) && name.endsWith(".jar"))
          .map(name -> name.substring(api.length(), name.length() - ".jar".length()))
          .findFirst()
          .orElseThrow(() -> new IOException("no " + api + "*.jar in " + sdk.resolve(JARS)));
    }
  }

  private static void requireVersion(Path sdk) throws IOException {
    String version = version(sdk);
    Matcher m = VERSION.matcher(version);
    if (!m.matches() || !m.group(1).equals(LINE)) {
      throw new IOException(
          "Gyre is built for TornadoVM %s, and %s is version %s".formatted(LINE, sdk, version));
    }
    int here = Runtime.version().feature();
    int built = m.group(2) == null ? here : Integer.parseInt(m.group(2));
    if (built > here || (built < here && m.group(3) == null)) {
      throw new IOException(
          "%s is TornadoVM %s for JDK %d, and this is JDK %d".formatted(sdk, version, built, here));
    }
  }

  /** Writes an empty jar whose class path is all jars of the SDK, for any version of javac. */
  private void writeJar(Path file) throws IOException {
    StringJoiner jars = new StringJoiner(" ");
    for (String name : List.of(JARS, COMPILER_JARS)) {
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

  private List<String> arguments(String backend) throws IOException {
    Path library = sdk.resolve("lib").resolve(System.mapLibraryName("tornado-" + backend));
    if (!Files.isRegularFile(library)) {
      throw new IOException("no " + library);
    }
    Map<String, Path> jars = required(backend);
    List<String> lines = new ArrayList<>();
    if (ModuleFinder.ofSystem().find("jdk.internal.vm.ci").isPresent()) {
      lines.add("-XX:+UnlockExperimentalVMOptions");
      lines.add("-XX:+EnableJVMCI");
    }
    if (isPreview(Objects.requireNonNull(jars.get("tornado.api")))) {
      lines.add("--enable-preview");
    }
    lines.addAll(
        List.of(
            "-Djava.library.path=" + sdk.resolve("lib"),
            load("api", "uk.ac.manchester.tornado.runtime.tasks.TornadoTaskGraph"),
            load("runtime", "uk.ac.manchester.tornado.runtime.TornadoCoreRuntime"),
            load("tornado", "uk.ac.manchester.tornado.runtime.common.Tornado"),
            load("annotation", "uk.ac.manchester.tornado.annotation.ASMClassVisitor"),
            load("annotation.parallel", "uk.ac.manchester.tornado.api.annotations.Parallel"),
            "-Dtornado.recover.bailout=False",
            // Kernels with many calls are inlined completely or not at all.
            "-Djdk.graal.MethodInlineBailoutLimit=0",
            "--module-path",
            quoted(
                String.join(
                    File.pathSeparator, jars.values().stream().map(Path::toString).toList())),
            "--upgrade-module-path",
            quoted(folder(sdk, COMPILER_JARS)),
            "--add-modules",
            "ALL-SYSTEM,tornado.runtime,tornado.annotation,tornado.drivers.common,"
                + driver(backend),
            "--enable-native-access=ALL-UNNAMED," + driver(backend),
            // For compiled code of the driver that is cached for later processes.
            "--add-opens=%1$s/uk.ac.manchester.%1$s=ALL-UNNAMED".formatted(driver(backend))));
    List<String> exports = exports(backend);
    lines.addAll(exports);
    // Classes on the class path use the compiler like TornadoVM's modules.
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

  private static String driver(String backend) {
    return "tornado.drivers." + backend;
  }

  private static String load(String what, String implementation) {
    return what.equals("annotation.parallel")
        ? "-Dtornado.load.annotation.parallel=" + implementation
        : "-Dtornado.load." + what + ".implementation=" + implementation;
  }

  /**
   * Returns the SDK's modules that a backend requires, with their jars. Modules of the compiler and
   * of the JDK are found automatically.
   */
  private Map<String, Path> required(String backend) throws IOException {
    Map<String, Path> found = new TreeMap<>();
    Set<String> seen = new TreeSet<>();
    Deque<String> wanted =
        new ArrayDeque<>(
            List.of(
                "tornado.runtime",
                "tornado.annotation",
                "tornado.drivers.common",
                driver(backend)));
    // ALL-SYSTEM, which includes them, resolves all of them.
    compiler.findAll().forEach(module -> wanted.add(module.descriptor().name()));
    while (!wanted.isEmpty()) {
      String name = wanted.pop();
      if (seen.add(name)) {
        ModuleReference module =
            Stream.of(compiler, modules, ModuleFinder.ofSystem())
                .flatMap(finder -> finder.find(name).stream())
                .findFirst()
                .orElseThrow(() -> new IOException("no jar of module " + name + " in " + sdk));
        if (module.location().orElseThrow().getScheme().equals("file")
            && compiler.find(name).isEmpty()) {
          found.put(name, Path.of(module.location().orElseThrow()));
        }
        for (ModuleDescriptor.Requires r : module.descriptor().requires()) {
          if (!r.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC)) {
            wanted.add(r.name());
          }
        }
      }
    }
    return found;
  }

  /** Returns whether the classes of a jar need preview features, which the JVM must enable. */
  private static boolean isPreview(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      String name =
          file.stream()
              .map(entry -> entry.getName())
              .filter(entry -> entry.endsWith(".class") && !entry.endsWith("-info.class"))
              .findFirst()
              .orElseThrow(() -> new IOException("no class in " + jar));
      try (InputStream in = file.getInputStream(file.getJarEntry(name))) {
        byte[] head = in.readNBytes(MINOR_VERSION + 2);
        return ((head[MINOR_VERSION] & 0xFF) << 8 | (head[MINOR_VERSION + 1] & 0xFF)) == PREVIEW;
      }
    }
  }

  private List<String> exports(String backend) throws IOException {
    Path lists = folder(sdk, "etc/exportLists");
    List<String> lines = new ArrayList<>();
    for (String name : List.of("common-exports", backend + "-exports")) {
      if (!Files.isReadable(lists.resolve(name))) {
        throw new IOException("no " + lists.resolve(name));
      }
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

  /** Returns a quoted argument: in argument files, backslashes are escapes and spaces separate. */
  private static String quoted(Object text) {
    return '"' + text.toString().replace("\\", "\\\\") + '"';
  }
}
