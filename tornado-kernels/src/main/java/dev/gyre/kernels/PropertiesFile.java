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
 * What was found out about this machine, in a file, for the next process: in the folder {@code
 * gyre} of the one that {@code XDG_CACHE_HOME} names, else of {@code ~/.cache}. A file that cannot
 * be read or written, is damaged or no regular one costs the knowledge, nothing else; of two
 * programs that write at the same time one wins.
 *
 * @param file where it is; null where nothing is kept
 * @param title the first line of the file
 */
@Internal
public record PropertiesFile(@Nullable Path file, String title) {

  /** In a file of this name of the user who runs this. */
  public static PropertiesFile ofUser(String name, String title) {
    Path folder = folderOfUser();
    return new PropertiesFile(folder == null ? null : folder.resolve(name), title);
  }

  /** The folder of the user who runs this; null where no folder can be called so. */
  public static @Nullable Path folderOfUser() {
    String caches = System.getenv("XDG_CACHE_HOME");
    boolean isSet = caches != null && !caches.isBlank();
    return path(isSet ? caches : System.getProperty("user.home") + "/.cache", "gyre");
  }

  /**
   * A file or folder; null where none can be called so: names that are not ASCII are none in the
   * locale C.
   */
  public static @Nullable Path path(String first, String... more) {
    try {
      return Path.of(first, more);
    } catch (InvalidPathException e) {
      return null;
    }
  }

  /** What is known; nothing where the file is not there, or damaged. */
  public Properties read() {
    Properties all = new Properties();
    // What is no regular file may have no end.
    if (file != null && Files.isRegularFile(file)) {
      try (var in = Files.newBufferedReader(file)) {
        all.load(in);
      } catch (IOException | IllegalArgumentException e) {
        all.clear();
      }
    }
    return all;
  }

  /** Writes all that is known in place of what was, which is a regular file if it is there. */
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
        // Nothing is left where it could not be stored or moved.
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
