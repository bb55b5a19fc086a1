package dev.gyre.bench.map;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The maps of numbers that all benchmarks compare. */
public enum MapRival {
  GYRE_REFERENCE("gyre-reference", "gyre", true, true),
  /** For longs only. */
  GYRE_LINE("gyre-line", "gyre", true, true),
  /** For ints only. */
  GYRE_PACKED("gyre-packed", "gyre", true, true),
  CONCURRENT_HASH_MAP("ConcurrentHashMap", "jdk", true, false),
  JCTOOLS("JCTools", "jctools-core", true, false),
  FASTUTIL("fastutil", "fastutil-core", false, true),
  AGRONA("Agrona", "agrona", false, true),
  ECLIPSE("Eclipse Collections", "eclipse-collections", false, false),
  HPPC("HPPC", "hppc", false, true);

  /** Keys and values. */
  public enum KeyType {
    INT,
    LONG
  }

  /**
   * How a map is made.
   *
   * @param capacity keys that the map has slots for
   * @param loadFactor keys per slot; maps without such a setting take their own
   * @param threads that operations use
   */
  public record Setup(int capacity, double loadFactor, int threads) {}

  private final String label;
  private final String artifact;
  private final boolean concurrent;
  private final boolean takesLoadFactor;

  MapRival(String label, String artifact, boolean concurrent, boolean takesLoadFactor) {
    this.label = label;
    this.artifact = artifact;
    this.concurrent = concurrent;
    this.takesLoadFactor = takesLoadFactor;
  }

  /** Returns the name in results. */
  public String label() {
    return label;
  }

  /** Returns the name of the jar that the map comes in, {@code jdk} or {@code gyre}. */
  public String artifact() {
    return artifact;
  }

  /** Returns whether several threads may use the map; the others are measured with one. */
  public boolean isConcurrent() {
    return concurrent;
  }

  /** Returns whether the caller can set how full the table may be. */
  public boolean takesLoadFactor() {
    return takesLoadFactor;
  }

  /** Returns the maps that exist for a type of keys. */
  public static List<MapRival> of(KeyType type) {
    Set<MapRival> lacking =
        type == KeyType.INT ? EnumSet.of(GYRE_LINE, JCTOOLS) : EnumSet.of(GYRE_PACKED);
    return Arrays.stream(values()).filter(rival -> !lacking.contains(rival)).toList();
  }

  /**
   * Makes the map for longs.
   *
   * @throws IllegalArgumentException if none exists, or if it does not support that number of
   *     threads
   */
  public RivalMap<long[]> ofLongs(Setup setup) {
    require(KeyType.LONG, setup);
    return LongMaps.of(this, setup);
  }

  /**
   * Makes the map for ints.
   *
   * @throws IllegalArgumentException if none exists, or if it does not support that number of
   *     threads
   */
  public RivalMap<int[]> ofInts(Setup setup) {
    require(KeyType.INT, setup);
    return IntMaps.of(this, setup);
  }

  private void require(KeyType type, Setup setup) {
    if (!of(type).contains(this)) {
      throw new IllegalArgumentException(label + " is not for " + type.name() + " keys");
    }
    if (!concurrent && setup.threads() != 1) {
      throw new IllegalArgumentException(label + " is for one thread");
    }
  }
}
