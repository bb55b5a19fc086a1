package dev.gyre.kernels;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Properties;

/**
 * From how much {@linkplain Work work of a kind} on a device pays on this machine: with less, the
 * JVM is done before a device has begun. Found by what programs took that worked on either, and
 * {@linkplain #note noted} it, in the file {@code gyre/payoff.properties} in the folder that {@code
 * XDG_CACHE_HOME} names, else {@code ~/.cache}. One that cannot be read or written, or is damaged,
 * costs the knowledge, nothing else.
 *
 * <p>Of each side is known how long it takes to begin, from the last program, and how long a byte
 * or a key takes, from the largest work. Where one of them is not known yet, {@value #ASSUMED} of
 * them are assumed.
 */
public final class Payoff {

  /** Kinds of work, each with what it is measured in. */
  public enum Work {
    /** Text whose words are counted, in bytes. */
    TEXT("", "bytes", 8L << 20),

    /** Keys that are brought to a map or looked up there. */
    KEYS("keys.", "keys", 1L << 20);

    private final String prefix;
    private final String unit;

    /** Less than this says nothing of how long one takes. */
    private final long leastNoted;

    Work(String prefix, String unit, long leastNoted) {
      this.prefix = prefix;
      this.unit = unit;
      this.leastNoted = leastNoted;
    }

    /** What it is measured in, in the plural. */
    public String unit() {
      return unit;
    }
  }

  /** What is assumed where it was not measured, of any work. */
  public static final long ASSUMED = 64L << 20;

  private static final String FROM = "pays.from";

  private static final String TITLE =
      "What work took on this machine, and from how much of it a device pays";

  private final KeptProperties kept;
  private final Work work;
  private final Properties known;

  /** In a file of the caller's choice. */
  public Payoff(Path file, Work work) {
    this(new KeptProperties(file, TITLE), work);
  }

  private Payoff(KeptProperties kept, Work work) {
    this.kept = kept;
    this.work = work;
    this.known = kept.read();
  }

  /** That of the user who runs this. */
  public static Payoff ofUser(Work work) {
    return new Payoff(KeptProperties.ofUser("payoff.properties", TITLE), work);
  }

  /** What took so long, with a device or on the JVM. */
  private record Side(double startMillis, double amount, double millis) {
    double millisForOne() {
      return millis / amount;
    }
  }

  private Side side(String name) {
    return new Side(number(name + ".start.ms"), number(amountOf(name)), number(name + ".ms"));
  }

  private double number(String key) {
    try {
      double number = Double.parseDouble(known.getProperty(key, "0"));
      return number > 0 && number < Double.POSITIVE_INFINITY ? number : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private String name(boolean jvm) {
    return work.prefix + (jvm ? "jvm" : "device");
  }

  private String amountOf(String name) {
    return name + "." + work.unit;
  }

  /** Whether both sides were measured. */
  public boolean isMeasured() {
    return side(name(true)).amount() > 0 && side(name(false)).amount() > 0;
  }

  /** From how much on a device pays. */
  public long amount() {
    if (!isMeasured()) {
      return ASSUMED;
    }
    Side jvm = side(name(true));
    Side device = side(name(false));
    double later = device.startMillis() - jvm.startMillis();
    double gain = jvm.millisForOne() - device.millisForOne();
    if (later <= 0 && gain >= 0) {
      return 0;
    }
    return gain <= 0 ? Long.MAX_VALUE : (long) Math.max(0, later / gain);
  }

  /**
   * Notes what a program took.
   *
   * @param amount how much work it was
   * @param start until that began
   * @param took how long it took then
   */
  public void note(Target target, long amount, Duration start, Duration took) {
    if (amount < work.leastNoted) {
      return;
    }
    String name = name(target == Target.JVM);
    put(name + ".start.ms", start.toNanos() / 1e6);
    if (amount >= number(amountOf(name))) {
      put(amountOf(name), (double) amount);
      put(name + ".ms", took.toNanos() / 1e6);
    }
    known.setProperty(work.prefix + FROM, Long.toString(amount()));
    kept.write(known);
  }

  private void put(String key, double value) {
    known.setProperty(key, String.format(Locale.ROOT, "%.3f", value));
  }
}
