package dev.gyre.structures.map;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.SpecializedCode;
import dev.gyre.kernels.map.Hash;
import dev.gyre.kernels.map.KeyHash;
import dev.gyre.kernels.map.TextHash;
import dev.gyre.structures.SavedFile;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.file.HashName;
import dev.gyre.structures.map.file.MapFile;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.table.MapSettings;
import dev.gyre.structures.map.table.SlotFormat;
import dev.gyre.structures.map.table.TableSeed;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Settings for new maps and sets; each has a default.
 *
 * <pre>{@code
 * try (var map = LongLongMap.builder().capacity(1_000_000).workers(4).build()) {
 *   map.insert(keys, values);
 * }
 * }</pre>
 *
 * <p>Each method sets one property and returns this builder. A builder may build any number of
 * maps. Not thread-safe.
 *
 * @param <M> the type of map
 * @since 0.1.0
 */
public final class MapBuilder<M> {

  private static final long DEFAULT_CAPACITY = 1 << 10;
  private static final double DEFAULT_LOAD_FACTOR = 0.5;
  private static final long TEXT_BYTES_PER_KEY = 16;

  private final Function<MapSettings, M> build;
  private final SavedMap.Kind kind;
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
  private boolean removable;
  private @Nullable Launcher launcher;
  private int workers = Runtime.getRuntime().availableProcessors();

  /** Creates a builder for maps of a kind, whose default layout they have. */
  MapBuilder(SavedMap.Kind kind, Function<MapSettings, M> build) {
    this.kind = kind;
    this.build = build;
  }

  /**
   * Sets the number of keys that fit before the map grows; 1024 by default.
   *
   * @throws IllegalArgumentException if {@code keys} is less than 1
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
   * Sets a fixed number of keys. The map does not grow. Further keys of a bulk insert are counted
   * as FULL, or the insert throws if its options say so ({@link BulkOptions#throwIfFull}); an
   * operation on a single key throws a {@link MapFullException}.
   *
   * @throws IllegalArgumentException if {@code keys} is less than 1
   */
  public MapBuilder<M> fixedCapacity(long keys) {
    capacity(keys);
    this.fixed = true;
    return this;
  }

  /**
   * Sets the largest number of keys per slot, more than 0 and at most 1; 0.5 by default. One slot
   * in sixteen always stays empty, so that lookups of absent keys end early.
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

  /**
   * Sets how slots lie in memory; see {@link Layout}. Sets ignore it. The default is PACKED for a
   * map of ints. For a map of longs, it is LINE if keys can be removed, otherwise REFERENCE.
   */
  public MapBuilder<M> layout(Layout layout) {
    this.layout = Objects.requireNonNull(layout, "layout");
    return this;
  }

  /**
   * Sets the seed of the hash; random by default.
   *
   * <p>Each map mixes another number into the seed, so that no attacker can choose keys that
   * collide. Keys in the order of one map are in no particular order for another map with the same
   * seed. Results do not depend on the seed; the order of entries does.
   */
  public MapBuilder<M> seed(long seed) {
    this.seed = seed;
    return this;
  }

  /**
   * Lets keys be removed, one by one or many at once.
   *
   * <p>The slot of a removed key is not used again until the table is rebuilt: it counts as used
   * capacity, not as {@link HashTable#size()}. A table without capacity is rebuilt in the same size
   * if at most half of its capacity holds keys, otherwise in a larger one. If the capacity is
   * fixed, it is rebuilt in the same size as soon as a removed key gives room for a new one.
   * Removed texts give their bytes back at a rebuild. A map with a constant number of keys
   * therefore has a constant size, however many keys pass through it.
   *
   * <p>A rebuild stops all threads. Therefore, if several threads insert keys one by one, a table
   * with removed keys also grows until it takes about 256 KiB per thread, but for no more threads
   * than processors. On the JVM, a map keeps the memory of the previous table, of at most 32 MiB,
   * for the next rebuild.
   *
   * <p>Without this option, methods that remove keys throw {@link UnsupportedOperationException}. A
   * set of numbers has one slot more with it. Files note the option: the map of a file from which
   * keys could be removed is loaded with it.
   */
  public MapBuilder<M> removable() {
    this.removable = true;
    return this;
  }

  /** Sets the exact seed of the table, for tests that choose keys which collide. */
  MapBuilder<M> tableSeed(long exact) {
    this.tableSeed = exact;
    return this;
  }

  /**
   * Sets another hash for a map or set of numbers: a record that is compiled into the kernels. A
   * file notes the hash, and only a builder with the same hash loads it.
   *
   * @throws dev.gyre.kernels.KernelException if the hash is not a record of handles and numbers, or
   *     uses static state, such as an enum
   */
  public MapBuilder<M> hash(Hash hash) {
    SpecializedCode.require(Hash.class, Objects.requireNonNull(hash, "hash"));
    this.hash = hash;
    return this;
  }

  /**
   * Sets another hash, and optionally another equality, for a map or set of texts; otherwise as
   * {@link #hash(Hash)}. This method tests the hash with a few texts.
   *
   * @throws dev.gyre.kernels.KernelException if the hash is not a record of handles and numbers, or
   *     uses static state, such as an enum
   * @throws IllegalArgumentException if the hash declares two texts equal and hashes them
   *     differently
   */
  public MapBuilder<M> textHash(TextHash hash) {
    SpecializedCode.require(TextHash.class, Objects.requireNonNull(hash, "hash"));
    HashName.requireAgreement(hash);
    this.hash = hash;
    return this;
  }

  /**
   * Sets how many times a thread polls a slot that another thread has claimed, with back-off,
   * before the operation throws {@link StuckException}. The default is {@link
   * dev.gyre.kernels.Target#pollLimit} of the launcher's target.
   *
   * @throws IllegalArgumentException if {@code polls} is less than 1
   */
  public MapBuilder<M> pollLimit(long polls) {
    if (polls < 1) {
      throw new IllegalArgumentException("the poll limit must be 1 or more, not " + polls);
    }
    this.pollLimit = polls;
    return this;
  }

  /**
   * Sets what threads of a launch do if they need a slot that another thread has claimed; {@link
   * Waiting#AUTO} by default. {@link Layout#PACKED} has no claimed slots. There it matters only to
   * an almost full map of fixed capacity, whose threads wait for each other's last reservations.
   */
  public MapBuilder<M> waiting(Waiting waiting) {
    this.waiting = Objects.requireNonNull(waiting, "waiting");
    return this;
  }

  /**
   * Sets the number of JVM threads of bulk operations; the number of cores by default. Replaces a
   * launcher that was set before.
   *
   * @throws IllegalArgumentException if it is not from 1 to {@link JvmLauncher#MAX_WORKERS}
   */
  public MapBuilder<M> workers(int workers) {
    this.workers = JvmLauncher.requireWorkers(workers);
    this.launcher = null;
    return this;
  }

  /**
   * Sets the launcher of bulk operations. Replaces workers that were set before.
   *
   * <p>Several structures may share a launcher of any target. The caller closes it, after the map.
   * On a device the table stays there, and an operation on a single key costs one launch. For a
   * {@link dev.gyre.kernels.LauncherGroup}, use the maps and sets of {@code
   * dev.gyre.structures.map.sharded}.
   */
  public MapBuilder<M> launcher(Launcher launcher) {
    this.launcher = Objects.requireNonNull(launcher, "launcher");
    return this;
  }

  /**
   * Builds a map.
   *
   * @throws IllegalArgumentException if the layout does not suit the type of map, or the capacity
   *     needs too many slots
   * @throws dev.gyre.atomics.MemoryExhaustedException if the memory is not available
   * @throws dev.gyre.progress.ProgressUnavailableException if {@link Waiting#BLOCKING} is set and
   *     the device does not guarantee parallel forward progress
   * @throws dev.gyre.atomics.ClosedException if the launcher is closed
   * @throws dev.gyre.structures.StructureException if the launcher is a group
   */
  public M build() {
    return build(null);
  }

  /**
   * Loads a map from a file that {@code save} wrote, after checking the whole file.
   *
   * <p>Each entry is inserted into a new table, so that a corrupted file with a valid checksum
   * cannot make an invalid map. Until the end there must be memory for both tables. Later changes
   * of the map or of the file do not affect each other.
   *
   * <p>Entries, layout and capacity come from the file, everything else from this builder. If a
   * layout or a hash is set, it must be that of the file; a set is converted from any layout. A
   * capacity that is set is ignored: use {@code rehash} for a larger one. The loaded map grows,
   * unless {@link #fixedCapacity} is set to the capacity of the file. A text map of fixed capacity
   * has no further capacity for texts of more than 8 bytes, except for gaps in the file.
   *
   * @throws dev.gyre.datasets.BadInputException if the file cannot be read
   * @throws dev.gyre.structures.SavedFileException if the file is not a complete map of this type
   * @throws IllegalArgumentException if layout, fixed capacity or hash differ from the file's
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted
   */
  public M load(Path file) {
    return load(MapFile.FORMAT.open(Objects.requireNonNull(file, "file")));
  }

  /**
   * Loads a map from the bytes that {@link LongLongMap#save(java.io.OutputStream)} wrote, or of a
   * saved file, as {@link #load(Path)} does. The bytes are copied.
   *
   * @throws dev.gyre.structures.SavedFileException if the bytes are not a complete map of this type
   * @throws IllegalArgumentException if layout, fixed capacity or hash differ from those in the
   *     bytes
   */
  public M load(MemorySegment saved) {
    return load(MapFile.FORMAT.open(Objects.requireNonNull(saved, "saved")));
  }

  /**
   * Loads a map from a stream of the bytes that {@link LongLongMap#save(java.io.OutputStream)}
   * wrote, as {@link #load(Path)} does. Reads the stream to its end and does not close it.
   *
   * @throws dev.gyre.datasets.BadInputException if the stream cannot be read
   * @throws dev.gyre.structures.SavedFileException if the bytes are not a complete map of this type
   * @throws dev.gyre.atomics.MemoryExhaustedException if there is no memory for the bytes
   * @throws IllegalArgumentException if layout, fixed capacity or hash differ from those in the
   *     bytes
   * @throws dev.gyre.kernels.LaunchCancelledException if the thread is interrupted
   */
  public M load(InputStream in) {
    return load(MapFile.FORMAT.open(Objects.requireNonNull(in, "in")));
  }

  private M load(SavedFile.Content content) {
    try (SavedMap saved = MapFile.read(content)) {
      String file = saved.file();
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
   * Sets the bytes of text that fit before the arena of a text map grows, or at all if its capacity
   * is fixed. The default is 16 bytes per key of the capacity. Only keys of more than 8 bytes
   * count, each rounded up to a multiple of 8. Other maps ignore it.
   *
   * @throws IllegalArgumentException if {@code bytes} is less than 1
   */
  public MapBuilder<M> textBytes(long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException(
          "the capacity for text must be 1 byte or more, not " + bytes);
    }
    this.textBytes = bytes;
    return this;
  }

  private M build(@Nullable SavedMap saved) {
    Launcher given = launcher;
    Launcher used = given == null ? JvmLauncher.ofWorkers(workers) : given;
    used.requireOpen();
    try {
      return build.apply(settings(used, saved));
    } catch (RuntimeException | Error e) {
      if (given == null) {
        used.close();
      }
      throw e;
    }
  }

  private long newTableSeed() {
    Long exact = tableSeed;
    return exact == null
        ? TableSeed.next(seed == null ? ThreadLocalRandom.current().nextLong() : seed)
        : exact;
  }

  private MapSettings settings(Launcher used, @Nullable SavedMap saved) {
    Layout asked = layout == null ? SlotFormat.layout(kind, removable) : layout;
    long keys = saved == null ? capacity : saved.capacity();
    return new MapSettings(
        new MapSettings.Options(
            saved == null ? asked : saved.layout(),
            fixed,
            loadFactor,
            waiting,
            textBytes > 0 ? textBytes : Math.clamp(keys, 1, 1L << 56) * TEXT_BYTES_PER_KEY,
            removable || (saved != null && saved.removable())),
        keys,
        newTableSeed(),
        hash,
        pollLimit == 0 ? used.device().target().pollLimit() : pollLimit,
        used,
        launcher == null,
        saved,
        "");
  }
}
