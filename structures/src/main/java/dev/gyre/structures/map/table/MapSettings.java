package dev.gyre.structures.map.table;

import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.KeyHash;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.file.SavedMap;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a map.
 *
 * @param layout how slots lie in memory
 * @param capacity initial or fixed capacity in keys
 * @param fixed whether the map never grows
 * @param loadFactor largest number of keys per slot
 * @param seed seed of the hash of its tables; see {@link TableSeed}
 * @param hash hash of the user, or null for the default
 * @param pollLimit polls after which a wait for another thread gives up
 * @param waiting whether threads of a launch wait for each other
 * @param launcher launcher of bulk operations
 * @param ownsLauncher whether the launcher is closed with the map
 * @param textBytes initial or fixed capacity of the arena, in bytes
 * @param saved file that the map is loaded from, or null
 * @param schema schema of records, or empty
 * @param removable whether keys can be removed
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
    String schema,
    boolean removable) {

  /**
   * Returns these settings for record keys, with a hash of the numbers in which they are packed.
   */
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
        itsSchema,
        removable);
  }

  /** Returns these settings for a copy of a table on another launcher, which the caller closes. */
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
        schema,
        removable);
  }

  /**
   * Returns the hash of the user, which suits a type of keys, or null for the default.
   *
   * @param keys name of the keys, for messages
   */
  public <H extends KeyHash> @Nullable H hashOf(Class<H> type, String keys) {
    if (hash != null && !type.isInstance(hash)) {
      throw new IllegalArgumentException(
          "%s cannot hash %s; give the map a %s"
              .formatted(hash.getClass().getName(), keys, type.getSimpleName()));
    }
    return type.cast(hash);
  }

  /** Returns the words of an arena for text. */
  public long textWords() {
    return Math.max(1, Math.ceilDiv(textBytes, Long.BYTES));
  }

  /** One slot in so many always stays EMPTY, so that searches end early. */
  private static final long SPARE = 16;

  /**
   * Returns the number of slots for a capacity.
   *
   * @throws IllegalArgumentException if it is more than {@code maxSlots}
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
