package dev.gyre.progress;

import dev.gyre.kernels.PropertiesFile;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;

/**
 * File of measured classifications.
 *
 * <p>The file is {@code gyre/progress.properties} in the folder that {@code XDG_CACHE_HOME} names,
 * or in {@code ~/.cache}. The key is the device with its driver, so that a new driver is measured
 * again. If the file cannot be read or written, the only cost is another measurement.
 *
 * @since 0.1.0
 */
public final class ClassificationCache {

  private static final String TITLE = "Forward progress of devices, as gyre litmus found it";

  private final PropertiesFile kept;

  /** Creates a cache in a given file. */
  public ClassificationCache(Path file) {
    this(new PropertiesFile(file, TITLE));
  }

  private ClassificationCache(PropertiesFile kept) {
    this.kept = kept;
  }

  /** Returns the cache of the current user. */
  public static ClassificationCache ofUser() {
    return new ClassificationCache(PropertiesFile.ofUser("progress.properties", TITLE));
  }

  /** Returns the cached classification of a device, or empty. */
  public Optional<Classification> find(DeviceDescription device) {
    String found = kept.read().getProperty(device.key());
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

  /**
   * Stores a measured classification. If two programs store at the same time, either one may win.
   */
  public void remember(DeviceDescription device, Classification measured) {
    Properties all = kept.read();
    all.setProperty(
        device.key(),
        "%s|%s|%s"
            .formatted(
                measured.withinBlocks().label(),
                measured.acrossBlocks().label(),
                measured.because()));
    kept.write(all);
  }
}
