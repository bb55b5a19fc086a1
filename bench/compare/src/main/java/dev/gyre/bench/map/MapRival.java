package dev.gyre.bench.map;

import dev.gyre.structures.map.Layout;
import java.util.Arrays;
import java.util.List;

/** The maps that all benchmarks of maps compare. */
public enum MapRival {
  GYRE_REFERENCE("gyre-reference", true, true),
  GYRE_LINE("gyre-line", true, true),
  /** For ints only. */
  GYRE_PACKED("gyre-packed", true, true),
  CONCURRENT_HASH_MAP("ConcurrentHashMap", true, false),
  /** For longs only. */
  JCTOOLS("JCTools", true, false),
  FASTUTIL("fastutil", false, true),
  AGRONA("Agrona", false, true),
  ECLIPSE("Eclipse Collections", false, false),
  HPPC("HPPC", false, true);

  /** Keys and values. */
  public enum KeyType {
    INT,
    LONG
  }

  /**
   * How a map is made.
   *
   * @param capacity keys that there is room for
   * @param loadFactor keys per slot; maps without such a setting take their own
   * @param threads that bulk operations work with
   */
  public record Setup(int capacity, double loadFactor, int threads) {}

  private final String label;
  private final boolean concurrent;
  private final boolean takesLoadFactor;

  MapRival(String label, boolean concurrent, boolean takesLoadFactor) {
    this.label = label;
    this.concurrent = concurrent;
    this.takesLoadFactor = takesLoadFactor;
  }

  /** The name in results. */
  public String label() {
    return label;
  }

  /** Whether several threads may use it; the others are measured with one. */
  public boolean isConcurrent() {
    return concurrent;
  }

  /** Whether it can be told how full its table may be. */
  public boolean takesLoadFactor() {
    return takesLoadFactor;
  }

  /** Those that there are for a type of keys. */
  public static List<MapRival> of(KeyType type) {
    MapRival lacking = type == KeyType.INT ? JCTOOLS : GYRE_PACKED;
    return Arrays.stream(values()).filter(rival -> rival != lacking).toList();
  }

  /**
   * Makes the map for longs.
   *
   * @throws IllegalArgumentException if there is none, or it is not for so many threads
   */
  public RivalMap<long[]> ofLongs(Setup setup) {
    requireThreads(setup);
    return switch (this) {
      case GYRE_REFERENCE -> new GyreLongMap(Layout.REFERENCE, setup);
      case GYRE_LINE -> new GyreLongMap(Layout.LINE, setup);
      case CONCURRENT_HASH_MAP -> new BoxedLongMap(setup);
      case JCTOOLS -> new JcToolsMap(setup);
      case FASTUTIL -> new FastutilLongMap(setup);
      case AGRONA -> new AgronaLongMap(setup);
      case ECLIPSE -> new EclipseLongMap(setup);
      case HPPC -> new HppcLongMap(setup);
      case GYRE_PACKED -> throw new IllegalArgumentException(label + " is not for longs");
    };
  }

  /**
   * Makes the map for ints.
   *
   * @throws IllegalArgumentException if there is none, or it is not for so many threads
   */
  public RivalMap<int[]> ofInts(Setup setup) {
    requireThreads(setup);
    return switch (this) {
      case GYRE_REFERENCE -> new GyreIntMap(Layout.REFERENCE, setup);
      case GYRE_LINE -> new GyreIntMap(Layout.LINE, setup);
      case GYRE_PACKED -> new GyreIntMap(Layout.PACKED, setup);
      case CONCURRENT_HASH_MAP -> new BoxedIntMap(setup);
      case FASTUTIL -> new FastutilIntMap(setup);
      case AGRONA -> new AgronaIntMap(setup);
      case ECLIPSE -> new EclipseIntMap(setup);
      case HPPC -> new HppcIntMap(setup);
      case JCTOOLS -> throw new IllegalArgumentException(label + " is not for ints");
    };
  }

  private void requireThreads(Setup setup) {
    if (!concurrent && setup.threads() != 1) {
      throw new IllegalArgumentException(label + " is for one thread");
    }
  }
}
