package dev.gyre.kernels;

import dev.gyre.atomics.Memory;
import dev.gyre.atomics.MemoryRange;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Several launchers that work on one structure together, such as those of all GPUs of a host. A
 * trie takes it as any other launcher: it counts pieces of a text on all of them at the same time,
 * each in nodes of its own, which are merged when something is asked. A sharded map or set has an
 * ordinary one on each of them; an ordinary one refuses a group.
 *
 * <p>A group is a list, not a device that does not exist: a kernel of the user's runs on one of the
 * {@link #parts}, and {@link #start} says so. Of memory that a strategy of the user's reads, such
 * as a fold or a predicate, each part has a copy; what one writes there, others do not see.
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
   * A launcher of a group; closing it closes its parts. One launcher alone is itself.
   *
   * @param launchers of devices of any targets; several may be of one device
   * @throws IllegalArgumentException if there are none, or one is there twice
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

  /** The target of the first part, the names of all and their units in sum. */
  @Override
  public Device device() {
    return device;
  }

  /** That of the first part. */
  @Override
  public LaunchShape shapeFor(long items) {
    return parts.getFirst().shapeFor(items);
  }

  /**
   * Refuses a kernel.
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

  /** Memory that the first part makes. */
  @Override
  public Memory memory(MemoryKind kind, long bytes) {
    return parts.getFirst().memory(kind, bytes);
  }

  @Override
  public void requireOpen() {
    parts.forEach(Launcher::requireOpen);
  }

  /** Closes all parts, the last one first, whatever becomes of the others. */
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
