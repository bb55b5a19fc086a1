package dev.gyre.kernels;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Locale;
import java.util.Properties;

/**
 * From how much work on a device pays on this machine: with less, the JVM is done before a device
 * has begun. Found by what programs took that worked on either, and {@linkplain #note noted} it, in
 * the file {@code gyre/payoff.properties} in the folder that {@code XDG_CACHE_HOME} names, else
 * {@code ~/.cache}. One that cannot be read or written costs the knowledge, nothing else.
 *
 * <p>Of each side is known how long it takes to begin, from the last program, and how long a byte
 * takes, from the largest work. Where one of them is not known yet, {@value #ASSUMED_BYTES} bytes
 * are assumed.
 */
public final class Payoff {

  /** What is assumed where it was not measured. */
  public static final long ASSUMED_BYTES = 64L << 20;

  /** Less work than this says nothing of how long a byte takes. */
  private static final long LEAST_NOTED = 8L << 20;

  private static final String FROM = "pays.from";

  private final Path file;
  private final Properties known = new Properties();

  /** In a file of the caller's choice. */
  public Payoff(Path file) {
    this.file = file;
    if (Files.isReadable(file)) {
      try (var in = Files.newBufferedReader(file)) {
        known.load(in);
      } catch (IOException | IllegalArgumentException e) {
        known.clear();
      }
    }
  }

  /** That of the user who runs this. */
  public static Payoff ofUser() {
    String caches = System.getenv("XDG_CACHE_HOME");
    Path home = Path.of(System.getProperty("user.home"), ".cache");
    Path folder = caches == null || caches.isBlank() ? home : Path.of(caches);
    return new Payoff(folder.resolve("gyre").resolve("payoff.properties"));
  }

  /** What took so long, with a device or on the JVM. */
  private record Side(double startMillis, double bytes, double millis) {
    double millisPerByte() {
      return millis / bytes;
    }
  }

  private Side side(String name) {
    return new Side(number(name + ".start.ms"), number(name + ".bytes"), number(name + ".ms"));
  }

  private double number(String key) {
    try {
      return Double.parseDouble(known.getProperty(key, "0"));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static String name(Target target) {
    return target == Target.JVM ? "jvm" : "device";
  }

  /** Whether both sides were measured. */
  public boolean isMeasured() {
    return side("jvm").bytes() > 0 && side("device").bytes() > 0;
  }

  /** From how many bytes on a device pays. */
  public long bytes() {
    if (!isMeasured()) {
      return ASSUMED_BYTES;
    }
    Side jvm = side("jvm");
    Side device = side("device");
    double later = device.startMillis() - jvm.startMillis();
    double gain = jvm.millisPerByte() - device.millisPerByte();
    if (later <= 0 && gain >= 0) {
      return 0;
    }
    return gain <= 0 ? Long.MAX_VALUE : (long) Math.max(0, later / gain);
  }

  /**
   * Notes what a program took.
   *
   * @param start until its work began
   * @param work for it
   */
  public void note(Target target, long bytes, Duration start, Duration work) {
    if (bytes < LEAST_NOTED) {
      return;
    }
    String name = name(target);
    put(name + ".start.ms", start.toNanos() / 1e6);
    if (bytes >= number(name + ".bytes")) {
      put(name + ".bytes", (double) bytes);
      put(name + ".ms", work.toNanos() / 1e6);
    }
    known.setProperty(FROM, Long.toString(bytes()));
    try {
      Path folder = file.toAbsolutePath().getParent();
      var _ = Files.createDirectories(folder);
      Path part = Files.createTempFile(folder, "payoff", ".part");
      try {
        try (var out = Files.newBufferedWriter(part)) {
          known.store(out, "What work took on this machine, and from how many bytes a device pays");
        }
        var _ = Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        boolean _ = Files.deleteIfExists(part);
      }
    } catch (IOException e) {
      System.getLogger(Payoff.class.getName())
          .log(System.Logger.Level.DEBUG, "cannot note in " + file, e);
    }
  }

  private void put(String key, double value) {
    known.setProperty(key, String.format(Locale.ROOT, "%.3f", value));
  }
}
