package dev.gyre.kernels.tornadovm;

import java.io.File;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** TornadoVM's native library for the driver of a target. */
final class NativeLibrary {

  private static final Pattern NOT_FOUND =
      Pattern.compile("([\\w+.-]+): cannot open shared object file");

  /** Origin of libraries that are not in the JDK or the SDK. */
  private static final Map<String, String> FROM =
      Map.of(
          "libcuda", "NVIDIA's driver",
          "libnvrtc", "the CUDA toolkit",
          "libOpenCL", "an OpenCL loader, such as Debian's ocl-icd-libopencl1");

  private NativeLibrary() {}

  /**
   * Returns why the library of a target cannot be loaded; empty if it can, or does not exist.
   * TornadoVM itself may not report it.
   */
  @SuppressWarnings("restricted") // The purpose of this method is to load a library.
  static String problem(String target) {
    String name = System.mapLibraryName("tornado-" + target);
    for (String folder : System.getProperty("java.library.path", "").split(File.pathSeparator, 0)) {
      Path library = Path.of(folder, name);
      if (library.toFile().isFile()) {
        try {
          System.load(library.toAbsolutePath().toString());
        } catch (UnsatisfiedLinkError e) {
          return problem(name, String.valueOf(e.getMessage()));
        }
      }
    }
    return "";
  }

  /**
   * Returns advice for a library that cannot be loaded.
   *
   * @param message message of the linker, which for missing files is that of glibc
   */
  static String problem(String library, String message) {
    Matcher missing = NOT_FOUND.matcher(message);
    if (!missing.find()) {
      return "%s cannot be loaded: %s".formatted(library, message);
    }
    String name = missing.group(1);
    String from =
        FROM.entrySet().stream()
            .filter(e -> name.startsWith(e.getKey() + "."))
            .map(Map.Entry::getValue)
            .findFirst()
            .orElse("the package it is in");
    return "%s needs %s, which is not found; install %s, or add its folder to LD_LIBRARY_PATH"
        .formatted(library, name, from);
  }
}
