package dev.gyre.kernels;

import dev.gyre.atomics.Internal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;

/**
 * What was found out about this machine, in a file, for the next process: in the folder {@code
 * gyre} of the one that {@code XDG_CACHE_HOME} names, else of {@code ~/.cache}. A file that cannot
 * be read or written, or is damaged, costs the knowledge, nothing else; of two programs that write
 * at the same time one wins.
 *
 * @param file where it is
 * @param title the first line of the file
 */
@Internal
public record KeptProperties(Path file, String title) {

  /** In a file of this name of the user who runs this. */
  public static KeptProperties ofUser(String name, String title) {
    String caches = System.getenv("XDG_CACHE_HOME");
    Path home = Path.of(System.getProperty("user.home"), ".cache");
    Path folder = caches == null || caches.isBlank() ? home : Path.of(caches);
    return new KeptProperties(folder.resolve("gyre").resolve(name), title);
  }

  /** What is known; nothing where the file is not there, or damaged. */
  public Properties read() {
    Properties all = new Properties();
    if (Files.isReadable(file)) {
      try (var in = Files.newBufferedReader(file)) {
        all.load(in);
      } catch (IOException | IllegalArgumentException e) {
        all.clear();
      }
    }
    return all;
  }

  /** Writes all that is known in place of what was. */
  public void write(Properties all) {
    try {
      Path folder = file.toAbsolutePath().getParent();
      var _ = Files.createDirectories(folder);
      Path part = Files.createTempFile(folder, "kept", ".part");
      try {
        try (var out = Files.newBufferedWriter(part)) {
          all.store(out, title);
        }
        move(part);
      } finally {
        // Nothing is left where it could not be stored or moved.
        boolean _ = Files.deleteIfExists(part);
      }
    } catch (IOException | UncheckedIOException e) {
      System.getLogger(KeptProperties.class.getName())
          .log(System.Logger.Level.DEBUG, "cannot write " + file, e);
    }
  }

  private void move(Path part) throws IOException {
    try {
      var _ = Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      var _ = Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
