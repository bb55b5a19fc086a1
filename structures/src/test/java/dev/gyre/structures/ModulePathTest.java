package dev.gyre.structures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.atomics.Internal;
import dev.gyre.atomics.Memory;
import dev.gyre.datasets.TextSource;
import dev.gyre.kernels.Kernel;
import dev.gyre.progress.Progress;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Gyre on the module path, and in a runtime image that jlink makes. */
class ModulePathTest {

  private static final String MODULE =
      """
      module org.example {
        requires dev.gyre.structures;
        opens org.example to dev.gyre.kernels, dev.gyre.structures;
      }
      """;

  /**
   * The nest host of the kernel has an interface in a package that is not exported: the copy of the
   * host needs the original interface.
   */
  private static final String NAMED =
      """
      package org.example;

      public interface Named {}
      """;

  private static final String PROGRAM =
      """
      package org.example;

      import dev.gyre.kernels.Kernel;
      import dev.gyre.kernels.LaunchShape;
      import dev.gyre.kernels.map.Hash;
      import dev.gyre.kernels.map.MapCodes;
      import dev.gyre.kernels.map.RecordHash;
      import dev.gyre.kernels.map.KeyParts;
      import dev.gyre.structures.launch.LongMapRef;
      import dev.gyre.structures.map.*;
      import dev.gyre.structures.trie.WordTrie;

      public final class Program implements Named {
        interface Step {
          long of(long key);
        }

        private record Times(long factor) implements Step {
          @Override
          public long of(long key) {
            return key * factor;
          }
        }

        private record Range(long items) {}

        private record Fill(LongMapRef map, Step step, Range range) implements Kernel {
          @Override
          public void run(int thread, LaunchShape shape) {
            for (long i = thread; i < range.items; i += shape.threads()) {
              map.merge(i % 10, step.of(i), MapCodes.ADD);
            }
          }
        }

        private record Backwards() implements Hash {
          @Override
          public long hash(long key, long seed) {
            return Long.reverse(key);
          }
        }

        private record EitherWay() implements RecordHash {
          @Override
          public long hash(KeyParts key, long seed) {
            return key.first() + key.second();
          }
        }

        private record Edge(int from, int to) {}

        private record Weight(double sum) {}

        public static void main(String[] args) {
          try (var map = LongLongMap.builder().hash(new Backwards()).build();
              var edges =
                  RecordMap.builder(
                          RecordSchema.of(Edge.class, Weight.class).hash(new EitherWay()))
                      .build();
              var words = WordTrie.create()) {
            map.launch(
                ref -> new Fill(ref, new Times(3), new Range(1000)), LaunchShape.ofThreads(8));
            map.put(10, 1);
            edges.put(new Edge(1, 2), new Weight(3));
            words.add("as simple as that");
            System.out.println(map.size() + " " + map.getOrDefault(7, 0) + " "
                + edges.get(new Edge(1, 2)) + " " + words.top(1).get(0).word() + " " + Program.class.getModule());
          }
        }
      }
      """;

  private static final String PRINTED = "11 150600 Optional[Weight[sum=3.0]] as module org.example";

  private static final List<String> NATIVE_ACCESS =
      List.of("--illegal-native-access=deny", "--enable-native-access=dev.gyre.atomics");

  /** A class of each module, by the folder of the module's sources; in the order of building. */
  private static final Map<String, Class<?>> GYRE = new LinkedHashMap<>();

  static {
    GYRE.put("atomics-shim", Memory.class);
    GYRE.put("datasets", TextSource.class);
    GYRE.put("tornado-kernels", Kernel.class);
    GYRE.put("progress", Progress.class);
    GYRE.put("structures", StructureException.class);
  }

  @TempDir static Path folder;
  private static String path;

  @BeforeAll
  static void compile() throws IOException {
    path = placeOf(NullMarked.class).toString();
    for (Map.Entry<String, Class<?>> module : GYRE.entrySet()) {
      path += File.pathSeparator + jar(module.getKey(), placeOf(module.getValue()));
    }
    Path sources = Files.createDirectories(folder.resolve("src/org/example"));
    Files.writeString(sources.resolve("Named.java"), NAMED);
    Files.writeString(sources.resolve("Program.java"), PROGRAM);
    Files.writeString(folder.resolve("src/module-info.java"), MODULE);
    run(
        "javac",
        "-Xlint:all",
        "-Werror",
        "-d",
        folder.resolve("out").toString(),
        "--module-path",
        path,
        folder.resolve("src/module-info.java").toString(),
        sources.resolve("Named.java").toString(),
        sources.resolve("Program.java").toString());
    path += File.pathSeparator + folder.resolve("out");
  }

  /** Returns the jar of a module, with its descriptor, as the build makes it of its classes. */
  private static Path jar(String name, Path classes) throws IOException {
    if (Files.isRegularFile(classes)) {
      return classes;
    }
    Path source = Path.of("..", name, "src/module/java/module-info.java");
    Matcher module = Pattern.compile("module (\\S+) \\{").matcher(Files.readString(source));
    assertThat(module.find()).isTrue();
    String descriptor = folder.resolve(name).toString();
    String patch = module.group(1) + "=" + classes;
    run("javac", "-d", descriptor, "-p", path, "--patch-module", patch, source.toString());
    Path jar = folder.resolve(name + ".jar");
    run(
        "jar",
        "--create",
        "--file",
        jar.toString(),
        "-C",
        classes.toString(),
        ".",
        "-C",
        descriptor,
        "module-info.class");
    return jar;
  }

  private static Path placeOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private static void run(String tool, String... arguments) {
    StringWriter told = new StringWriter();
    PrintWriter to = new PrintWriter(told, true);
    int code = ToolProvider.findFirst(tool).orElseThrow().run(to, to, arguments);
    assertThat(code).as("%s", told).isZero();
  }

  private static String output(Path home, String... options)
      throws IOException, InterruptedException {
    List<String> command =
        Stream.of(
                Stream.of(home.resolve("bin/java").toString()),
                NATIVE_ACCESS.stream(),
                Stream.of(options),
                Stream.of("-m", "org.example/org.example.Program"))
            .flatMap(parts -> parts)
            .toList();
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(told).isZero();
    return told.strip();
  }

  @Test
  void runsKernelsAndSpecializedCode() throws Exception {
    assertThat(output(Path.of(System.getProperty("java.home")), "-p", path)).isEqualTo(PRINTED);
  }

  @Test
  void runsInAnImage() throws Exception {
    Path image = folder.resolve("image");
    run("jlink", "-p", path, "--add-modules", "org.example", "--output", image.toString());
    assertThat(output(image)).isEqualTo(PRINTED);
  }

  /** A public package is exported to all; an internal package, to modules of Gyre at most. */
  @Test
  void exportsPublicPackages() throws ClassNotFoundException {
    Path[] jars = Stream.of(path.split(File.pathSeparator)).map(Path::of).toArray(Path[]::new);
    List<ModuleDescriptor> modules =
        ModuleFinder.of(jars).findAll().stream()
            .map(ModuleReference::descriptor)
            .filter(module -> module.name().startsWith("dev.gyre."))
            .toList();
    assertThat(modules).hasSameSizeAs(GYRE.keySet());
    for (ModuleDescriptor module : modules) {
      Set<String> exported =
          module.exports().stream()
              .filter(e -> !e.isQualified())
              .map(ModuleDescriptor.Exports::source)
              .collect(Collectors.toSet());
      Set<String> open = new TreeSet<>();
      for (String name : module.packages()) {
        // The generator of handles shares this package, which may name no other: not @Internal.
        if (!name.equals("dev.gyre.atomics.table")
            && !Class.forName(name + ".package-info").isAnnotationPresent(Internal.class)) {
          open.add(name);
        }
      }
      assertThat(module.isAutomatic()).isFalse();
      assertThat(exported).as("%s", module.name()).isEqualTo(open);
    }
  }
}
