package dev.gyre.atomics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads the memory limits of the Linux control groups (version 2) of this process.
 *
 * <p>The management bean of the JDK knows only the limit of the process's own group. A limit of a
 * parent group, such as a slice of systemd, ends the process just as well.
 */
final class ControlGroup {

  private static final String UNIFIED = "0::/";

  private ControlGroup() {}

  /**
   * Returns the least limit of all groups, in bytes; {@link Long#MAX_VALUE} if no group has a limit
   * or the system has no such groups.
   */
  static long memoryLimit() {
    return memoryLimit(Path.of("/proc/self/cgroup"), Path.of("/sys/fs/cgroup"));
  }

  /**
   * Returns the least limit, as read from other paths.
   *
   * @param groups a file that names the groups of the process
   * @param root mount point of the file system of control groups
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

  /**
   * Reads the limit of a group. A group without a limit has the word "max" in this file; a group
   * without a memory controller does not have the file.
   */
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
