package dev.gyre.progress;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.Properties;

/**
 * Classifications that were measured, in a file: {@code gyre/progress.properties} in the folder
 * that {@code XDG_CACHE_HOME} names, else {@code ~/.cache}. The key is the device and its driver: a
 * new driver is measured anew. A file that cannot be read or written costs a measurement, nothing
 * else.
 */
public final class ClassificationCache {

  private final Path file;

  /** A cache in a file of the caller's choice. */
  public ClassificationCache(Path file) {
    this.file = file;
  }

  /** The cache of the user who runs this. */
  public static ClassificationCache ofUser() {
    String home = System.getenv("XDG_CACHE_HOME");
    Path caches =
        home == null || home.isBlank()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(home);
    return new ClassificationCache(caches.resolve("gyre").resolve("progress.properties"));
  }

  /** What is remembered of a device. */
  public Optional<Classification> find(DeviceDescription device) {
    String found = read().getProperty(device.key());
    if (found == null) {
      return Optional.empty();
    }
    String[] parts = found.split("\\|", 3);
    try {
      return Optional.of(
          new Classification(
              Guarantee.ofLabel(parts[0]),
              Guarantee.ofLabel(parts[1]),
              Classification.Source.REMEMBERED,
              parts[2]));
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  /** Remembers what was measured; another program that does so at the same time may win. */
  public void remember(DeviceDescription device, Classification measured) {
    Properties all = read();
    all.setProperty(
        device.key(),
        "%s|%s|%s"
            .formatted(
                measured.withinBlocks().label(),
                measured.acrossBlocks().label(),
                measured.because()));
    try {
      Path folder = file.toAbsolutePath().getParent();
      Files.createDirectories(folder);
      Path written = Files.createTempFile(folder, "progress", ".part");
      try {
        try (var out = Files.newBufferedWriter(written)) {
          all.store(out, "Forward progress of devices, as gyre litmus found it");
        }
        move(written);
      } finally {
        // Nothing is left where it could not be stored or moved.
        boolean _ = Files.deleteIfExists(written);
      }
    } catch (IOException | UncheckedIOException e) {
      System.getLogger(ClassificationCache.class.getName())
          .log(System.Logger.Level.DEBUG, "cannot remember in " + file, e);
    }
  }

  private void move(Path written) throws IOException {
    try {
      Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private Properties read() {
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
}
