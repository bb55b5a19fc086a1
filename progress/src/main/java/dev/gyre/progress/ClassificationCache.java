package dev.gyre.progress;

import dev.gyre.kernels.PropertiesFile;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;

/**
 * Classifications that were measured, in a file: {@code gyre/progress.properties} in the folder
 * that {@code XDG_CACHE_HOME} names, else {@code ~/.cache}. The key is the device and its driver: a
 * new driver is measured anew. A file that cannot be read or written costs a measurement, nothing
 * else.
 */
public final class ClassificationCache {

  private static final String TITLE = "Forward progress of devices, as gyre litmus found it";

  private final PropertiesFile kept;

  /** A cache in a file of the caller's choice. */
  public ClassificationCache(Path file) {
    this(new PropertiesFile(file, TITLE));
  }

  private ClassificationCache(PropertiesFile kept) {
    this.kept = kept;
  }

  /** The cache of the user who runs this. */
  public static ClassificationCache ofUser() {
    return new ClassificationCache(PropertiesFile.ofUser("progress.properties", TITLE));
  }

  /** What is remembered of a device. */
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

  /** Remembers what was measured; another program that does so at the same time may win. */
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
