package dev.gyre.structures.map;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.structures.Waiting;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Builds a map. Each method sets one thing and returns this builder.
 *
 * @param <M> the type of map
 */
public final class MapBuilder<M> {

  private static final long DEFAULT_CAPACITY = 1 << 10;
  private static final double DEFAULT_LOAD_FACTOR = 0.5;
  private static final long TEXT_BYTES_PER_KEY = 16;

  private final Function<MapSettings, M> build;
  private Layout layout;
  private long capacity = DEFAULT_CAPACITY;
  private boolean fixed;
  private double loadFactor = DEFAULT_LOAD_FACTOR;
  private long seed = ThreadLocalRandom.current().nextLong();
  private long pollLimit;
  private Waiting waiting = Waiting.AUTO;
  private long textBytes;
  private @Nullable Launcher launcher;
  private int threads = Runtime.getRuntime().availableProcessors();

  MapBuilder(Layout layout, Function<MapSettings, M> build) {
    this.layout = layout;
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

  /** How slots lie in memory. */
  public MapBuilder<M> layout(Layout layout) {
    this.layout = Objects.requireNonNull(layout, "layout");
    return this;
  }

  /** The seed of the hash; random unless set, so that nobody can choose keys that collide. */
  public MapBuilder<M> seed(long seed) {
    this.seed = seed;
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
   * Number of JVM threads that a bulk operation works with; as many as there are cores unless set.
   *
   * @throws IllegalArgumentException if it is not from 1 to {@link JvmLauncher#MAX_WORKERS}
   */
  public MapBuilder<M> threads(int threads) {
    if (threads < 1 || threads > JvmLauncher.MAX_WORKERS) {
      throw new IllegalArgumentException(
          "threads must be from 1 to " + JvmLauncher.MAX_WORKERS + ", not " + threads);
    }
    this.threads = threads;
    this.launcher = null;
    return this;
  }

  /**
   * Runs bulk operations with a launcher that others may use too, of any target; the map does not
   * close it. On a device the table stays there; one key at a time costs a launch.
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
   */
  public M build() {
    return build(null);
  }

  /**
   * Builds a map of what is in a file that {@code save} wrote: its entries, layout, capacity and
   * seed. The file is mapped, not read, and privately: what is inserted later does not reach it.
   * Nobody may change the file while the map is open.
   *
   * @throws dev.gyre.datasets.BadInputException if the file cannot be read
   * @throws dev.gyre.structures.SavedFileException if it is no whole map of this type
   */
  public M load(Path file) {
    SavedMap saved = MapFile.open(file);
    try {
      layout = saved.layout();
      capacity = saved.capacity();
      seed = saved.seed();
      return build(saved);
    } catch (RuntimeException | Error e) {
      saved.close();
      throw e;
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
    long text = textBytes > 0 ? textBytes : Math.clamp(capacity, 1, 1L << 56) * TEXT_BYTES_PER_KEY;
    Launcher used = given == null ? JvmLauncher.ofWorkers(threads) : given;
    long polls = pollLimit == 0 ? used.device().target().pollLimit() : pollLimit;
    try {
      return build.apply(
          new MapSettings(
              layout,
              capacity,
              fixed,
              loadFactor,
              seed,
              polls,
              waiting,
              used,
              given == null,
              text,
              saved));
    } catch (RuntimeException | Error e) {
      if (given == null) {
        used.close();
      }
      throw e;
    }
  }
}
