package dev.gyre.atomics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Memory limits of the Linux control groups (version 2) that this process is in. The JDK's
 * management bean knows the limit of the process's own group alone; one of a group above it, such
 * as a slice of systemd, ends the process just as well.
 */
final class ControlGroup {

  private static final String UNIFIED = "0::/";

  private ControlGroup() {}

  /** The least limit in bytes; {@link Long#MAX_VALUE} if there is none, or no such system. */
  static long memoryLimit() {
    return memoryLimit(Path.of("/proc/self/cgroup"), Path.of("/sys/fs/cgroup"));
  }

  /**
   * The same of other places.
   *
   * @param groups a file that names the process's groups
   * @param root where the file system of groups is mounted
   */
  static long memoryLimit(Path groups, Path root) {
    long least = Long.MAX_VALUE;
    for (String line : lines(groups)) {
      if (line.startsWith(UNIFIED)) {
        Path group = root.resolve(line.substring(UNIFIED.length())).normalize();
        while (group != null && group.startsWith(root)) {
          least = Math.min(least, limit(group.resolve("memory.max")));
          group = group.getParent();
        }
      }
    }
    return least;
  }

  /** A group without a limit has the word "max" here; one without a memory controller, no file. */
  private static long limit(Path file) {
    List<String> lines = lines(file);
    return lines.isEmpty() || !lines.getFirst().matches("\\d{1,18}")
        ? Long.MAX_VALUE
        : Long.parseLong(lines.getFirst());
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }
}
