package dev.gyre.kernels;

import dev.gyre.atomics.Internal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * File of facts about this machine, for later processes.
 *
 * <p>It is in the folder {@code gyre} of {@code XDG_CACHE_HOME}, or of {@code ~/.cache}. If a file
 * cannot be read or written, or is damaged or not a regular file, only the facts are lost. If two
 * programs write at the same time, one of them wins.
 *
 * @param file path; null if nothing is stored
 * @param title first line of the file
 */
@Internal
public record PropertiesFile(@Nullable Path file, String title) {

  /** Returns the file of the current user with a given name. */
  public static PropertiesFile ofUser(String name, String title) {
    Path folder = folderOfUser();
    return new PropertiesFile(folder == null ? null : folder.resolve(name), title);
  }

  /** Returns the folder of the current user; null if its name is invalid. */
  public static @Nullable Path folderOfUser() {
    String caches = System.getenv("XDG_CACHE_HOME");
    boolean isSet = caches != null && !caches.isBlank();
    return path(isSet ? caches : System.getProperty("user.home") + "/.cache", "gyre");
  }

  /** Returns a path; null if it is invalid: in the locale C, names must be ASCII. */
  public static @Nullable Path path(String first, String... more) {
    try {
      return Path.of(first, more);
    } catch (InvalidPathException e) {
      return null;
    }
  }

  /** Returns the facts; empty if the file does not exist or is damaged. */
  public Properties read() {
    Properties all = new Properties();
    // A file that is not regular may have no end.
    if (file != null && Files.isRegularFile(file)) {
      try (var in = Files.newBufferedReader(file)) {
        all.load(in);
      } catch (IOException | IllegalArgumentException e) {
        all.clear();
      }
    }
    return all;
  }

  /** Replaces all facts in the file. */
  public void write(Properties all) {
    if (file == null || (Files.exists(file) && !Files.isRegularFile(file))) {
      return;
    }
    try {
      Path folder = file.toAbsolutePath().getParent();
      var _ = Files.createDirectories(folder);
      Path part = Files.createTempFile(folder, "kept", ".part");
      try {
        try (var out = Files.newBufferedWriter(part)) {
          all.store(out, title);
        }
        move(part, file);
      } finally {
        // Nothing is left if it could not be stored or moved.
        boolean _ = Files.deleteIfExists(part);
      }
    } catch (IOException | UncheckedIOException e) {
      System.getLogger(PropertiesFile.class.getName())
          .log(System.Logger.Level.DEBUG, "cannot write " + file, e);
    }
  }

  private static void move(Path part, Path file) throws IOException {
    try {
      var _ = Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      var _ = Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
