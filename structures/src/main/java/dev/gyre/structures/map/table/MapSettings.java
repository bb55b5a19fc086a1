package dev.gyre.structures.map.table;

import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.KeyHash;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.file.SavedMap;
import org.jspecify.annotations.Nullable;

/**
 * What a map was built with.
 *
 * @param layout how slots lie in memory
 * @param capacity keys that there is room for, at first or for ever
 * @param fixed whether the map never grows
 * @param loadFactor keys per slot, at most
 * @param seed of the hash of its tables; see {@link TableSeed}
 * @param hash the user's, or null for ours
 * @param pollLimit polls after which a wait for another thread gives up
 * @param waiting whether threads of a launch wait for each other
 * @param launcher what runs bulk operations
 * @param ownsLauncher whether the launcher is closed with the map
 * @param textBytes of keys that there is room for in an arena, at first or for ever
 * @param saved where the map comes from a file
 * @param schema of keys and values that are records, else empty
 */
public record MapSettings(
    Layout layout,
    long capacity,
    boolean fixed,
    double loadFactor,
    long seed,
    @Nullable KeyHash hash,
    long pollLimit,
    Waiting waiting,
    Launcher launcher,
    boolean ownsLauncher,
    long textBytes,
    @Nullable SavedMap saved,
    String schema) {

  /** The same for keys that are records, with a hash of numbers that they are packed in. */
  public MapSettings with(String itsSchema, @Nullable KeyHash ofPacked) {
    return new MapSettings(
        layout,
        capacity,
        fixed,
        loadFactor,
        seed,
        ofPacked,
        pollLimit,
        waiting,
        launcher,
        ownsLauncher,
        textBytes,
        saved,
        itsSchema);
  }

  /** The same for a copy of a table on another launcher, which the caller closes. */
  public MapSettings copied(Launcher other, SavedMap table) {
    long usual = launcher.device().target().pollLimit();
    return new MapSettings(
        layout,
        table.capacity(),
        fixed,
        loadFactor,
        TableSeed.next(seed),
        hash,
        pollLimit == usual ? other.device().target().pollLimit() : pollLimit,
        waiting,
        other,
        false,
        textBytes,
        table,
        schema);
  }

  /**
   * The user's hash, which is one of a map's keys, or null for ours.
   *
   * @param keys what they are called
   */
  public <H extends KeyHash> @Nullable H hashOf(Class<H> type, String keys) {
    if (hash != null && !type.isInstance(hash)) {
      throw new IllegalArgumentException(
          "%s cannot hash %s; give the map a %s"
              .formatted(hash.getClass().getName(), keys, type.getSimpleName()));
    }
    return type.cast(hash);
  }

  /** Words of an arena for keys' text. */
  public long textWords() {
    return Math.max(1, Math.ceilDiv(textBytes, Long.BYTES));
  }

  /** One slot in so many stays EMPTY, whatever the load factor, so that searches end early. */
  private static final long SPARE = 16;

  /**
   * Number of slots for a number of keys.
   *
   * @throws IllegalArgumentException if that is more than {@code maxSlots}
   */
  static long slots(long capacity, double loadFactor, long maxSlots) {
    double wanted = Math.ceil(capacity / loadFactor);
    if (capacity > maxSlots - capacity / SPARE - 1 || wanted > maxSlots) {
      throw new IllegalArgumentException(
          "a capacity of %d keys at a load factor of %s needs more than %d slots, the most there can be"
              .formatted(capacity, loadFactor, maxSlots));
    }
    return Math.max((long) wanted, capacity + capacity / SPARE + 1);
  }
}
