package dev.gyre.kernels.tornadovm;

import java.io.File;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The library of TornadoVM's by which a target reaches its driver. */
final class NativeLibrary {

  private static final Pattern NOT_FOUND =
      Pattern.compile("([\\w+.-]+): cannot open shared object file");

  /** Where libraries come from that are part of no JDK and no SDK. */
  private static final Map<String, String> FROM =
      Map.of(
          "libcuda", "NVIDIA's driver",
          "libnvrtc", "the CUDA toolkit",
          "libOpenCL", "an OpenCL loader, such as Debian's ocl-icd-libopencl1");

  private NativeLibrary() {}

  /**
   * Why the library of a target cannot be loaded; empty where it can, or is not there. TornadoVM
   * itself may not say it.
   */
  @SuppressWarnings("restricted") // To load a library is what this is for.
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
   * What is to be done about a library that cannot be loaded.
   *
   * @param message the linker's, whose words for what is missing are glibc's
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
