package dev.gyre.structures.map.table;

import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.KeyHash;
import dev.gyre.structures.StructureException;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.file.SavedMap;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a map.
 *
 * @param options what copies of the map share
 * @param capacity initial or fixed capacity in keys
 * @param seed seed of the hash of its tables; see {@link TableSeed}
 * @param hash hash of the user, or null for the default
 * @param pollLimit polls after which a wait for another thread gives up
 * @param launcher launcher of bulk operations
 * @param ownsLauncher whether the launcher is closed with the map
 * @param saved file that the map is loaded from, or null
 * @param schema schema of records, or empty
 */
public record MapSettings(
    Options options,
    long capacity,
    long seed,
    @Nullable KeyHash hash,
    long pollLimit,
    Launcher launcher,
    boolean ownsLauncher,
    @Nullable SavedMap saved,
    String schema) {

  /**
   * Settings that a map shares with its copies.
   *
   * @param layout how slots lie in memory
   * @param fixed whether the map never grows
   * @param loadFactor largest number of keys per slot
   * @param waiting whether threads of a launch wait for each other
   * @param textBytes initial or fixed capacity of the arena, in bytes
   * @param removable whether keys can be removed
   */
  public record Options(
      Layout layout,
      boolean fixed,
      double loadFactor,
      Waiting waiting,
      long textBytes,
      boolean removable) {

    /** Returns the words of an arena for text. */
    public long textWords() {
      return Math.max(1, Math.ceilDiv(textBytes, Long.BYTES));
    }
  }

  /**
   * Returns these settings for record keys, with a hash of the numbers in which they are packed.
   */
  public MapSettings with(String itsSchema, @Nullable KeyHash ofPacked) {
    return new MapSettings(
        options, capacity, seed, ofPacked, pollLimit, launcher, ownsLauncher, saved, itsSchema);
  }

  /**
   * Returns these settings, if a table of one device can have them: throws for a group of
   * launchers, with the name of the sharded type, and for a file of other keys.
   */
  public MapSettings requireFor(String name, SavedMap.Kind kind) {
    if (launcher.parts().size() > 1) {
      // There is no sharded map of ints and longs; one of longs holds both.
      String type = name.replaceFirst("IntLong|LongInt|LongLong", "Long");
      throw new StructureException(
          "%s is for one device: for a group of launchers, make a Sharded%s"
              .formatted(name, type.replaceFirst("(Int|Text)(Int|Long)", "$1")));
    }
    if (saved != null) {
      saved.requireKind(kind, schema);
    }
    return this;
  }

  /** Returns these settings for a copy of a table on another launcher, which the caller closes. */
  public MapSettings copied(Launcher other, SavedMap table) {
    long usual = launcher.device().target().pollLimit();
    long polls = pollLimit == usual ? other.device().target().pollLimit() : pollLimit;
    return new MapSettings(
        options, table.capacity(), TableSeed.next(seed), hash, polls, other, false, table, schema);
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
