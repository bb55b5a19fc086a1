package dev.gyre.kernels;

import dev.gyre.atomics.Internal;
import dev.gyre.kernels.KernelTree.Branch;
import dev.gyre.kernels.KernelTree.Leaf;
import dev.gyre.kernels.KernelTree.Node;
import dev.gyre.kernels.KernelTree.Shared;
import dev.gyre.kernels.SpecializedCode.CannotCopyException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * Identifies the code of a kernel, so that a launcher can cache it for other processes. For
 * launchers.
 *
 * <p>The identity consists of the names in the kernel's tree and the bytes of all classes that
 * {@code run} reaches. It does not include the JDK and the classes that all launchers share ({@code
 * dev.gyre.atomics}, {@link Kernel}, {@link LaunchShape}). A cache must check them itself.
 *
 * @since 0.1.0
 */
@Internal
public final class KernelClasses {

  private KernelClasses() {}

  /**
   * Returns a tree as text. Trees that {@link Branch#equals} distinguishes have different texts.
   */
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
   * Returns the fingerprints of the classes that a kernel reaches, by name.
   *
   * <p>The result is empty if they do not identify the code in another process. This is the case if
   * the bytes of a class cannot be read, if the kernel's loader finds another class under its name,
   * or if a class reads a static field, whose value may differ.
   */
  public static Map<String, Long> fingerprints(Branch tree) {
    Map<String, Long> prints = new TreeMap<>();
    try {
      ClassClosure reached = ClassClosure.of(Kernel.class, tree);
      boolean found = !reached.readsStatics();
      for (Class<?> type : reached.copied()) {
        byte[] bytes = reached.bytes(type);
        found = found && bytes != null && isFound(type, tree.type());
        prints.put(type.getName(), bytes == null ? 0 : fingerprint(bytes));
      }
      return found ? prints : Map.of();
    } catch (CannotCopyException e) {
      return Map.of();
    }
  }

  /** Returns whether the classes that a kernel reaches have these fingerprints. */
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

  /**
   * Returns the fingerprint of the class that the loader of another class finds under a name, or
   * empty.
   */
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
   * Returns the fingerprint of some bytes: two checksums of 32 bits, which do not resist attacks. A
   * new process computes them faster than it loads a message digest.
   */
  public static long fingerprint(byte[] bytes) {
    CRC32 first = new CRC32();
    first.update(bytes);
    CRC32C second = new CRC32C();
    second.update(bytes);
    return first.getValue() << 32 | second.getValue();
  }
}
