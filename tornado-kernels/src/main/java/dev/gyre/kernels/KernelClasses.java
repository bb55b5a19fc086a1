package dev.gyre.kernels;

import dev.gyre.kernels.KernelTree.Branch;
import dev.gyre.kernels.KernelTree.Leaf;
import dev.gyre.kernels.KernelTree.Node;
import dev.gyre.kernels.KernelTree.Shared;
import dev.gyre.kernels.OwnCode.CannotCopyException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * What the code of a kernel comes from, so that a launcher may keep it for another process: the
 * names in its tree, and the bytes of all classes that its {@code run} reaches. For launchers.
 *
 * <p>Of the JDK, and of what launchers share ({@code dev.gyre.atomics}, {@link Kernel}, {@link
 * LaunchShape}), nothing is said here: who keeps code tells those apart.
 */
public final class KernelClasses {

  private KernelClasses() {}

  /** A tree in words; two that differ in what {@link Branch#equals} compares have other words. */
  public static String describe(Branch tree) {
    return tree.components().stream()
        .map(KernelClasses::describe)
        .collect(Collectors.joining(" ", tree.type().getName() + "(", ")"));
  }

  private static String describe(Node node) {
    return switch (node) {
      case Branch branch -> describe(branch);
      case Leaf leaf -> leaf.type().getName();
      case Shared shared -> shared.type().getName() + ":" + shared.byteSize();
    };
  }

  /**
   * Fingerprints of the classes that a kernel reaches, by name; empty where another process could
   * not tell by them that its code is the same: a class has no bytes to be read, is not the one
   * that the kernel's loader finds by its name, or reads a static field, which may have another
   * value there.
   */
  public static Map<String, Long> fingerprints(Branch tree) {
    Map<String, Long> prints = new TreeMap<>();
    try {
      ReachedClasses reached = ReachedClasses.of(Kernel.class, tree);
      boolean told = !reached.readsStatics();
      for (Class<?> type : reached.copied()) {
        byte[] bytes = reached.bytes(type);
        told = told && bytes != null && isFound(type, tree.type());
        prints.put(type.getName(), bytes == null ? 0 : fingerprint(bytes));
      }
      return told ? prints : Map.of();
    } catch (CannotCopyException e) {
      return Map.of();
    }
  }

  /** Whether the classes that a kernel reaches are those of these fingerprints. */
  public static boolean haveNow(Branch tree, Map<String, Long> fingerprints) {
    return isFoundAll(tree, tree.type())
        && fingerprints.containsKey(tree.type().getName())
        && fingerprints.entrySet().stream()
            .allMatch(
                e -> {
                  OptionalLong now = fingerprint(tree.type(), e.getKey());
                  return now.isPresent() && now.getAsLong() == e.getValue();
                });
  }

  private static boolean isFoundAll(Branch tree, Class<?> by) {
    return isFound(tree.type(), by)
        && tree.components().stream()
            .allMatch(node -> !(node instanceof Branch inner) || isFoundAll(inner, by));
  }

  private static boolean isFound(Class<?> type, Class<?> by) {
    try {
      return Class.forName(type.getName(), false, by.getClassLoader()).equals(type);
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  /** Fingerprint of the class that another one's loader finds by a name; none if it has none. */
  public static OptionalLong fingerprint(Class<?> by, String name) {
    ClassLoader loader = by.getClassLoader();
    String file = name.replace('.', '/') + ".class";
    try (InputStream in =
        loader == null
            ? ClassLoader.getSystemResourceAsStream(file)
            : loader.getResourceAsStream(file)) {
      return in == null ? OptionalLong.empty() : OptionalLong.of(fingerprint(in.readAllBytes()));
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  /**
   * What bytes are told apart by, for those who do not try to deceive: two checksums of 32 bits,
   * which a process that has just begun computes faster than it finds a message digest.
   */
  public static long fingerprint(byte[] bytes) {
    CRC32 first = new CRC32();
    first.update(bytes);
    CRC32C second = new CRC32C();
    second.update(bytes);
    return first.getValue() << 32 | second.getValue();
  }
}
