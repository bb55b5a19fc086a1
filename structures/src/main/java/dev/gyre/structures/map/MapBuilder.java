package dev.gyre.structures.map;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.structures.Waiting;
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

  private final Function<MapSettings, M> build;
  private Layout layout;
  private long capacity = DEFAULT_CAPACITY;
  private boolean fixed;
  private double loadFactor = DEFAULT_LOAD_FACTOR;
  private long seed = ThreadLocalRandom.current().nextLong();
  private long pollLimit;
  private Waiting waiting = Waiting.AUTO;
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
   * Waiting#AUTO} unless set. With {@link Layout#PACKED} there are no such slots.
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
    Launcher given = launcher;
    Launcher used = given == null ? JvmLauncher.ofWorkers(threads) : given;
    long polls = pollLimit == 0 ? used.device().target().pollLimit() : pollLimit;
    try {
      return build.apply(
          new MapSettings(
              layout, capacity, fixed, loadFactor, seed, polls, waiting, used, given == null));
    } catch (RuntimeException e) {
      if (given == null) {
        used.close();
      }
      throw e;
    }
  }
}
