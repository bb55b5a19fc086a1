package dev.gyre.structures.map;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.OwnCode;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.KeyHash;
import dev.gyre.kernels.map.TextHash;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.file.HashName;
import dev.gyre.structures.map.file.MapFile;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.table.MapSettings;
import dev.gyre.structures.map.table.TableSeed;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a map is made with; all settings have defaults. Each method sets one thing and returns this
 * builder, which may build any number of maps.
 *
 * @param <M> the type of map
 */
public final class MapBuilder<M> {

  private static final long DEFAULT_CAPACITY = 1 << 10;
  private static final double DEFAULT_LOAD_FACTOR = 0.5;
  private static final long TEXT_BYTES_PER_KEY = 16;

  private final Function<MapSettings, M> build;
  private final Layout ownLayout;
  private @Nullable Layout layout;
  private long capacity = DEFAULT_CAPACITY;
  private boolean fixed;
  private double loadFactor = DEFAULT_LOAD_FACTOR;
  private @Nullable Long seed;
  private @Nullable Long tableSeed;
  private @Nullable KeyHash hash;
  private long pollLimit;
  private Waiting waiting = Waiting.AUTO;
  private long textBytes;
  private @Nullable Launcher launcher;
  private int workers = Runtime.getRuntime().availableProcessors();

  /** Settings of maps that have a layout unless another one is asked for. */
  MapBuilder(Layout ownLayout, Function<MapSettings, M> build) {
    this.ownLayout = ownLayout;
    this.build = build;
  }

  /**
   * Number of keys that the map has room for before it grows; 1024 unless set.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  public MapBuilder<M> capacity(long keys) {
    if (keys < 1) {
      throw new IllegalArgumentException("the capacity must be 1 or more, not " + keys);
    }
    this.capacity = keys;
    this.fixed = false;
    return this;
  }

  /**
   * Number of keys that the map ever has room for: it does not grow, and reports FULL for more.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  public MapBuilder<M> fixedCapacity(long keys) {
    capacity(keys);
    this.fixed = true;
    return this;
  }

  /**
   * Keys per slot, at most, from more than 0 to 1; 0.5 unless set. Whatever it is, one slot in
   * sixteen stays empty, so that looking for an absent key ends early.
   *
   * @throws IllegalArgumentException if it is out of range
   */
  public MapBuilder<M> loadFactor(double keysPerSlot) {
    if (!(keysPerSlot > 0 && keysPerSlot <= 1)) {
      throw new IllegalArgumentException(
          "the load factor must be more than 0 and at most 1, not " + keysPerSlot);
    }
    this.loadFactor = keysPerSlot;
    return this;
  }

  /** How slots lie in memory. A set has keys alone, whatever is set here; see {@link Layout}. */
  public MapBuilder<M> layout(Layout layout) {
    this.layout = Objects.requireNonNull(layout, "layout");
    return this;
  }

  /**
   * The seed of the hash; random unless set. Each map mixes a number of its own into it. So nobody
   * can choose keys that collide, and keys that come in the order of one map are in no order for
   * another, even if both have one seed. Results do not depend on the seed; the order of entries
   * does.
   */
  public MapBuilder<M> seed(long seed) {
    this.seed = seed;
    return this;
  }

  /** The very seed of the table, for tests that choose keys which collide. */
  MapBuilder<M> tableSeed(long exact) {
    this.tableSeed = exact;
    return this;
  }

  /**
   * Another hash than ours, for a map or set of numbers: a record that is compiled into the
   * kernels. A file says which hash its table has, and is loaded with that one only.
   *
   * @throws dev.gyre.kernels.KernelException if it is no record of handles and numbers, or reaches
   *     static state, such as an enum
   */
  public MapBuilder<M> hash(Hash hash) {
    OwnCode.require(Hash.class, Objects.requireNonNull(hash, "hash"));
    this.hash = hash;
    return this;
  }

  /**
   * Another hash than ours, and another equality if it says so, for a map or set of texts; else as
   * {@link #hash(Hash)}. It is tried on a few texts here.
   *
   * @throws dev.gyre.kernels.KernelException if it is no record of handles and numbers, or reaches
   *     static state, such as an enum
   * @throws IllegalArgumentException if it says of texts of a test that they are the same, and
   *     hashes them differently
   */
  public MapBuilder<M> textHash(TextHash hash) {
    OwnCode.require(TextHash.class, Objects.requireNonNull(hash, "hash"));
    HashName.requireAgreement(hash);
    this.hash = hash;
    return this;
  }

  /**
   * How often a thread looks at a slot that another thread has reserved, backing off in between,
   * before the operation fails with {@link StuckException}; {@link
   * dev.gyre.kernels.Target#pollLimit} of the launcher's target unless set.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  public MapBuilder<M> pollLimit(long polls) {
    if (polls < 1) {
      throw new IllegalArgumentException("the poll limit must be 1 or more, not " + polls);
    }
    this.pollLimit = polls;
    return this;
  }

  /**
   * What threads of a launch do where they meet a slot that another thread has reserved; {@link
   * Waiting#AUTO} unless set. With {@link Layout#PACKED} there are no such slots; there it matters
   * to a map of fixed capacity that is nearly full, where threads wait for each other's last room.
   */
  public MapBuilder<M> waiting(Waiting waiting) {
    this.waiting = Objects.requireNonNull(waiting, "waiting");
    return this;
  }

  /**
   * Number of JVM threads that work on a bulk operation; as many as there are cores unless set.
   * Takes the place of a launcher that was given before.
   *
   * @throws IllegalArgumentException if it is not from 1 to {@link JvmLauncher#MAX_WORKERS}
   */
  public MapBuilder<M> workers(int workers) {
    if (workers < 1 || workers > JvmLauncher.MAX_WORKERS) {
      throw new IllegalArgumentException(
          "workers must be from 1 to " + JvmLauncher.MAX_WORKERS + ", not " + workers);
    }
    this.workers = workers;
    this.launcher = null;
    return this;
  }

  /**
   * Runs bulk operations with a launcher that others may use too, of any target; the caller closes
   * it, after the map. Takes the place of workers that were asked for before. On a device the table
   * stays there; one key at a time costs a launch. For a {@link dev.gyre.kernels.LauncherGroup}
   * there are the maps and sets of {@code dev.gyre.structures.map.sharded}.
   */
  public MapBuilder<M> launcher(Launcher launcher) {
    this.launcher = Objects.requireNonNull(launcher, "launcher");
    return this;
  }

  /**
   * Builds the map.
   *
   * @throws IllegalArgumentException if the layout is none for the map's type, or the capacity
   *     needs more slots than there can be
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is not as much memory
   * @throws dev.gyre.progress.ProgressUnavailableException if the map is to be BLOCKING on a device
   *     whose threads may not go on while others wait for them
   * @throws dev.gyre.atomics.ClosedException if the launcher was closed
   * @throws dev.gyre.structures.StructureException if the launcher is a group
   */
  public M build() {
    return build(null);
  }

  /**
   * Builds a map of what is in a file that {@code save} wrote, having checked all of it: what is
   * inserted later does not reach the file, and what becomes of the file later does not matter.
   * Entries are inserted one by one into a new table, so a file whose checksum was forged makes no
   * map that others could not be, either. Until that is done, there is memory for both tables.
   *
   * <p>From the file come the entries, layout and capacity; this builder says all else, and is as
   * it was afterwards. A layout that was set on it must be that of the file, and so must the hash;
   * a set is converted from whatever layout the file has. A capacity that was set is not asked for;
   * a map that is to have more room than the file says is rehashed.
   *
   * <p>Whether the map grows is not in the file: it does, unless {@link #fixedCapacity} says the
   * file's capacity. A map with text keys that does not grow has room for no further text, that of
   * keys of more than 8 bytes, but for gaps in the file.
   *
   * @throws dev.gyre.datasets.BadInputException if the file cannot be read
   * @throws dev.gyre.structures.SavedFileException if it is no whole map of this type
   * @throws IllegalArgumentException if layout or fixed capacity were set and are not those of the
   *     file, or the hash is not
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted
   */
  public M load(Path file) {
    return load(MapFile.open(Objects.requireNonNull(file, "file")));
  }

  /**
   * Builds a map of what another one wrote to a stream or a file, as {@link #load(Path)} does of a
   * file: the bytes are copied.
   *
   * @throws dev.gyre.structures.SavedFileException if they are no whole map of this type
   * @throws IllegalArgumentException if layout or fixed capacity were set and are not those of the
   *     bytes, or the hash is not
   */
  public M load(MemorySegment saved) {
    return load(MapFile.open(Objects.requireNonNull(saved, "saved")));
  }

  private M load(SavedMap saved) {
    String file = saved.file();
    try (saved) {
      if (saved.kind().hasLayouts()) {
        requireSame(file, "layout", layout, saved.layout());
      }
      requireSameHash(file, HashName.of(hash), saved.hash());
      requireSame(file, "fixed capacity", fixed ? (Long) capacity : null, saved.capacity());
      return build(saved);
    }
  }

  private static void requireSameHash(String file, HashName asked, HashName found) {
    if (!asked.equals(found)) {
      throw new IllegalArgumentException(
          "the map in %s has %s; the builder has %s".formatted(file, found, asked));
    }
  }

  private static void requireSame(String file, String what, @Nullable Object asked, Object found) {
    if (asked != null && !asked.equals(found)) {
      throw new IllegalArgumentException(
          "the map in %s has the %s %s; the builder asks for %s"
              .formatted(file, what, found, asked));
    }
  }

  /**
   * Bytes of text that a map with text keys has room for before its arena grows, or for ever where
   * the capacity is fixed: those of keys of more than 8 bytes, each rounded up to a multiple of 8.
   * 16 per key of the capacity unless set; of no effect on other maps.
   *
   * @throws IllegalArgumentException if it is less than 1
   */
  public MapBuilder<M> textBytes(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("the room for text must be 1 byte or more, not " + bytes);
    }
    this.textBytes = bytes;
    return this;
  }

  private M build(@Nullable SavedMap saved) {
    Launcher given = launcher;
    Launcher used = given == null ? JvmLauncher.ofWorkers(workers) : given;
    used.requireOpen();
    try {
      return build.apply(saved == null ? fresh(used) : loaded(used, saved));
    } catch (RuntimeException | Error e) {
      if (given == null) {
        used.close();
      }
      throw e;
    }
  }

  private MapSettings fresh(Launcher used) {
    return settings(used, layout == null ? ownLayout : layout, capacity, null);
  }

  private MapSettings loaded(Launcher used, SavedMap saved) {
    return settings(used, saved.layout(), saved.capacity(), saved);
  }

  private long newTableSeed() {
    Long exact = tableSeed;
    return exact == null
        ? TableSeed.next(seed == null ? ThreadLocalRandom.current().nextLong() : seed)
        : exact;
  }

  private MapSettings settings(Launcher used, Layout slots, long keys, @Nullable SavedMap saved) {
    return new MapSettings(
        slots,
        keys,
        fixed,
        loadFactor,
        newTableSeed(),
        hash,
        pollLimit == 0 ? used.device().target().pollLimit() : pollLimit,
        waiting,
        used,
        launcher == null,
        textBytes > 0 ? textBytes : Math.clamp(keys, 1, 1L << 56) * TEXT_BYTES_PER_KEY,
        saved,
        "");
  }
}
