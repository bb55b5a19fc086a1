package dev.gyre.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.IVersionProvider;

/** {@code gyre --version} says what Maven wrote into the jar. */
class VersionTest {

  @TempDir private Path folder;

  @Test
  void withoutAJarSaysSo() {
    StringWriter out = new StringWriter();
    PrintWriter written = new PrintWriter(out);
    assertThat(Gyre.run(written, written, "--version")).isZero();
    assertThat(out.toString().strip()).isEqualTo("gyre (not run from its jar)");
  }

  @Test
  void isThatOfTheJar() throws Exception {
    Path jar = folder.resolve("gyre.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file, manifest("7.8.9"))) {
      for (Class<?> each : List.of(Gyre.class, Gyre.Version.class)) {
        add(out, each.getName().replace('.', '/') + ".class");
      }
    }
    URL[] urls = {jar.toUri().toURL()};
    try (ChildFirst loader = new ChildFirst(urls)) {
      Class<?> version = loader.loadClass(Gyre.Version.class.getName());
      var constructor = version.getDeclaredConstructor();
      constructor.setAccessible(true);
      assertThat(((IVersionProvider) constructor.newInstance()).getVersion())
          .containsExactly("gyre 7.8.9");
    }
  }

  private static Manifest manifest(String version) {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, version);
    return manifest;
  }

  private static void add(JarOutputStream out, String name) throws IOException {
    out.putNextEntry(new JarEntry(name));
    try (var in = Gyre.class.getClassLoader().getResourceAsStream(name)) {
      out.write(java.util.Objects.requireNonNull(in).readAllBytes());
    }
    out.closeEntry();
  }

  /** Takes the command's own classes from the jar, all others from where they are. */
  private static final class ChildFirst extends URLClassLoader {

    ChildFirst(URL[] urls) {
      super(urls, VersionTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      return name.startsWith(Gyre.class.getName())
          ? findClass(name)
          : super.loadClass(name, resolve);
    }
  }
}
