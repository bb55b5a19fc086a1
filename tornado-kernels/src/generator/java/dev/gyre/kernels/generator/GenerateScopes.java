package dev.gyre.kernels.generator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Generates classes that differ between scopes only in their handles: {@code GenerateScopes SOURCES
 * TARGET PACKAGE... SOURCES TARGET PACKAGE...}, repeated per folder of sources.
 *
 * <p>A class of the packages whose name contains {@code Device} is written by hand for device
 * scope. Its variants for block and system scope are generated from its text.
 */
public final class GenerateScopes {

  private static final String WRITTEN = "Device";
  private static final List<String> MADE = List.of("Block", "System");

  private GenerateScopes() {}

  public static void main(String[] args) throws IOException {
    List<Group> groups = new ArrayList<>();
    for (int i = 0; i < args.length; i++) {
      if (args[i].contains("/")) {
        groups.add(new Group(Path.of(args[i]), Path.of(args[++i]), new ArrayList<>()));
      } else {
        groups.getLast().packages().add(args[i]);
      }
    }
    // Variants call variants, also of other packages.
    TreeSet<String> names = new TreeSet<>();
    for (Group group : groups) {
      for (String name : group.packages()) {
        names.addAll(read(group.sources().resolve(folder(name))).keySet());
      }
    }
    for (Group group : groups) {
      group.write(names);
    }
  }

  /** Packages of one folder of sources, and the folder for their variants. */
  private record Group(Path sources, Path target, List<String> packages) {
    void write(Set<String> names) throws IOException {
      Set<Path> written = new TreeSet<>();
      for (String name : packages) {
        Path folder = folder(name);
        TreeMap<String, String> classes = read(sources.resolve(folder));
        Path made = Files.createDirectories(target.resolve(folder));
        for (String scope : MADE) {
          for (var c : classes.entrySet()) {
            Path file = made.resolve(c.getKey().replace(WRITTEN, scope) + ".java");
            GenerateScopes.write(file, specialized(c.getValue(), scope, names));
            written.add(file);
          }
        }
      }
      deleteOthers(written);
    }

    /** Deletes the variants of classes that no longer exist. */
    private void deleteOthers(Set<Path> written) throws IOException {
      try (Stream<Path> files = Files.walk(target)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          if (!written.contains(file)) {
            Files.delete(file);
          }
        }
      }
    }
  }

  private static Path folder(String name) {
    return Path.of(name.replace('.', '/'));
  }

  private static TreeMap<String, String> read(Path folder) throws IOException {
    TreeMap<String, String> classes = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        if (name.contains(WRITTEN)) {
          classes.put(name, Files.readString(file));
        }
      }
    }
    return classes;
  }

  private static String specialized(String text, String scope, Set<String> classes) {
    String specialized =
        text.replace("DeviceInts", scope + "Ints")
            .replace("Meeting.ofDevice", "Meeting.of" + scope)
            .replace("Fences.device", "Fences." + scope.toLowerCase(Locale.ROOT))
            .replace("device scope", scope.toLowerCase(Locale.ROOT) + " scope");
    for (String name : classes) {
      specialized = specialized.replaceAll("\\b" + name + "\\b", name.replace(WRITTEN, scope));
    }
    return specialized;
  }

  /** Writes only what changed, so that unchanged classes are not compiled again. */
  private static void write(Path file, String text) throws IOException {
    if (!Files.exists(file) || !Files.readString(file).equals(text)) {
      Files.writeString(file, text);
    }
  }
}
