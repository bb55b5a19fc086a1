package dev.gyre.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The processor of this machine. */
public final class Processor {

  private Processor() {}

  /** What its maker calls it, or its architecture where that cannot be found out. */
  public static String name() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/cpuinfo"))) {
        if (line.startsWith("model name")) {
          return line.substring(line.indexOf(':') + 1).strip().replace(',', ' ');
        }
      }
    } catch (IOException _) {
      // Not Linux: the architecture must do.
    }
    return System.getProperty("os.arch", "processor");
  }
}
