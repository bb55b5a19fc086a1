package dev.gyre.kernels;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryRange;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Several launchers for one structure, for example all GPUs of a host.
 *
 * <pre>{@code
 * try (Launcher all = Launchers.openAll(Target.CUDA);
 *     WordTrie trie = WordTrie.builder().launcher(all).build()) {
 *   trie.add(Path.of("large.txt"));
 * }
 * }</pre>
 *
 * <p>A trie counts pieces of a text on all launchers at the same time, each in separate nodes, and
 * merges them when it is queried. A sharded map or set has an ordinary one on each launcher. An
 * ordinary map or set refuses a group.
 *
 * <p>A group is a list, not a device: a user's kernel runs on one of the {@link #parts}, and {@link
 * #start} throws. Each part has a copy of the memory that a user's strategy reads, such as a fold
 * or a predicate. What it writes there is not visible to other parts.
 *
 * @since 0.1.0
 */
public final class LauncherGroup implements Launcher {

  private final List<Launcher> parts;
  private final Device device;

  private LauncherGroup(List<Launcher> parts) {
    this.parts = parts;
    Device first = parts.getFirst().device();
    String names =
        parts.stream().map(p -> p.device().name()).distinct().collect(Collectors.joining(", "));
    int units = parts.stream().mapToInt(p -> p.device().units()).sum();
    this.device = new Device(first.target(), parts.size() + " devices: " + names, units);
  }

  /**
   * Returns a group of launchers; closing it closes its parts. A single launcher is returned
   * itself.
   *
   * @param launchers launchers of devices of any targets; several may be of one device
   * @throws IllegalArgumentException if the list is empty or contains a launcher twice
   */
  public static Launcher of(List<? extends Launcher> launchers) {
    List<Launcher> parts =
        launchers.stream().flatMap(launcher -> launcher.parts().stream()).toList();
    Set<Launcher> different = new HashSet<>(parts);
    if (parts.isEmpty() || different.size() < parts.size()) {
      throw new IllegalArgumentException(
          parts.isEmpty()
              ? "a group has one launcher or more"
              : "a launcher is in a group once; open another one of its device");
    }
    return parts.size() == 1 ? parts.getFirst() : new LauncherGroup(parts);
  }

  @Override
  public List<Launcher> parts() {
    return parts;
  }

  /** Returns the target of the first part, the names of all parts and the sum of their units. */
  @Override
  public Device device() {
    return device;
  }

  /** Returns the shape of the first part. */
  @Override
  public LaunchShape shapeFor(long items) {
    return parts.getFirst().shapeFor(items);
  }

  /**
   * Throws: a group runs no kernel.
   *
   * @throws LaunchException always
   */
  @Override
  public Launch start(Kernel kernel, LaunchShape shape, LaunchMode mode) {
    throw new LaunchException(
        kernel.name(),
        device,
        "a kernel runs on one device: start it on one of the parts() of the group, to which"
            + " copyTo copies a structure",
        null);
  }

  @Override
  public void hostWrote(MemoryRange... ranges) {
    parts.forEach(part -> part.hostWrote(ranges));
  }

  /** Returns memory of the first part. */
  @Override
  public Memory memory(MemoryKind kind, long bytes) {
    return parts.getFirst().memory(kind, bytes);
  }

  @Override
  public void requireOpen() {
    parts.forEach(Launcher::requireOpen);
  }

  /** Closes all parts, the last one first, even if one of them throws. */
  @Override
  public void close() {
    close(parts);
  }

  static void close(List<Launcher> launchers) {
    if (!launchers.isEmpty()) {
      try (Launcher _ = launchers.getFirst()) {
        close(launchers.subList(1, launchers.size()));
      }
    }
  }
}
