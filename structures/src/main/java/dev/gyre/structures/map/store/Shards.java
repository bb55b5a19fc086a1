package dev.gyre.structures.map.store;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.GroupLaunchException;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.KernelTree;
import dev.gyre.kernels.Launcher;
import dev.gyre.structures.map.table.FixedTable;
import dev.gyre.structures.map.table.MapSettings;
import dev.gyre.structures.map.work.Scratch;
import dev.gyre.structures.map.work.SharedRoom;
import dev.gyre.structures.map.work.SteppedSplit;
import dev.gyre.structures.map.work.Workers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The stores that a map is spread over, an ordinary one for each part of a group of launchers. A
 * key belongs to one of them by the upper bits of a hash, of another seed than that of their
 * tables: else the keys of each would lie in one place of its table.
 */
final class Shards implements SharedRoom.Stores, SteppedSplit.Stores<Store<?, ?>>, AutoCloseable {

  /** Changes the seed of tables into that of the hash which says where a key belongs. */
  private static final long OTHER = 0x9e3779b97f4a7c15L;

  /** Keys that are cut no further. */
  private static final int SMALLEST = 1 << 12;

  /** Most keys for each store, on average: so that hardly any takes a second piece there. */
  private static final int LARGEST = (1 << 18) - (1 << 12);

  /** What the number of keys of a store differs from the average by, at most, in its root. */
  private static final int DEVIATIONS = 4;

  private final Launcher group;
  private final long seedOfTables;
  private final List<Store<?, ?>> stores;

  /** Of a map of fixed capacity. */
  private final @Nullable SharedRoom room;

  /** Lets as many operations use a store at a time as it keeps scratch memory for. */
  private final List<Semaphore> turns;

  /** Stores that are there. */
  Shards(
      Launcher group,
      long seedOfTables,
      List<? extends Store<?, ?>> stores,
      @Nullable SharedRoom room) {
    this.room = room;
    this.group = group;
    this.seedOfTables = seedOfTables;
    this.stores = List.copyOf(stores);
    this.turns = stores.stream().map(s -> new Semaphore(s.workers().batchesAtOnce())).toList();
  }

  /** Room of one store where all have room for so many keys. */
  static long share(long keys, int count) {
    long even = Math.ceilDiv(keys, count);
    long more = DEVIATIONS * (long) Math.ceil(Math.sqrt((double) even));
    return count == 1 ? keys : Math.min(even, Long.MAX_VALUE - more) + more;
  }

  /** What inserts ask for room; null if the map grows. */
  @Nullable SharedRoom room() {
    return room;
  }

  /** For how many keys there is room in all, if they are shared as they should be. */
  long capacity() {
    return room == null ? sum(store -> even(store.capacity())) : room.capacity();
  }

  /**
   * Number of keys. Inserts under way count for a while keys of theirs that are there already; of a
   * fixed capacity there are never more than that.
   */
  long keys() {
    return Math.min(size(), room == null ? Long.MAX_VALUE : room.capacity());
  }

  /** For how many words of text there is, of a map of fixed capacity. */
  long words() {
    return room == null ? 0 : room.words();
  }

  /** Takes all keys out. */
  void clear() {
    forEach(Store::clear);
    if (room != null) {
      room.cleared();
    }
  }

  /** For how many keys on average one has room, of which {@link #share} makes this. */
  private static long even(long share) {
    double root = Math.sqrt((double) DEVIATIONS * DEVIATIONS / 4 + share) - DEVIATIONS / 2.0;
    return Math.max(1, (long) (root * root));
  }

  @Override
  public int count() {
    return stores.size();
  }

  /** What the parts belong to. */
  Launcher group() {
    return group;
  }

  /** What they were made with. */
  MapSettings settings() {
    return stores.getFirst().settings();
  }

  /** Whether none of them is in memory of the JVM's. */
  boolean areOnDevices() {
    return stores.stream().noneMatch(Store::onJvm);
  }

  /** Whether equal keys are to be taken in their order, so one piece after the other. */
  boolean isInOrder() {
    return stores.stream().anyMatch(Store::defers);
  }

  long seedOfTables() {
    return seedOfTables;
  }

  /** The seed of the hash by which a key belongs to a store. */
  long seed() {
    return seedOfTables ^ OTHER;
  }

  /** Keys that are shared out at a time, of so many. */
  @Override
  public int lengthFor(long keys) {
    return Math.clamp(Math.ceilDiv(keys, 4L * count()), SMALLEST, LARGEST * count());
  }

  /** How many share keys out side by side: one where equal keys are to be taken in their order. */
  @Override
  public int lanes() {
    return isInOrder() ? 1 : Math.max(2 * count(), Runtime.getRuntime().availableProcessors());
  }

  /** Has one store do something; a launch that fails names its part. */
  @Override
  public <R> R on(int index, Function<Store<?, ?>, R> operation) {
    Semaphore turn = turns.get(index);
    turn.acquireUninterruptibly();
    try {
      return named(index, operation);
    } finally {
      turn.release();
    }
  }

  /** The same of one who brings scratch memory, and need not wait for a turn. */
  <R> R named(int index, Function<Store<?, ?>, R> operation) {
    try {
      return operation.apply(stores.get(index));
    } catch (RuntimeException e) {
      throw group.parts().size() > 1 ? GroupLaunchException.of(e, group, index) : e;
    }
  }

  /** Has each store do something, one after the other. */
  void forEach(Consumer<Store<?, ?>> action) {
    for (int i = 0; i < count(); i++) {
      boolean _ =
          on(
              i,
              store -> {
                action.accept(store);
                return true;
              });
    }
  }

  /** The same, where it may take long, and anything may be done with the stores meanwhile. */
  void forEachBeside(Consumer<Store<?, ?>> action) {
    stores.forEach(action);
  }

  /** Says that keys came which the stores did not have. */
  void filled() {
    if (room != null) {
      room.filled();
    }
  }

  /** Gives all stores room for so many keys. */
  void rehash(long capacity) {
    long keys = sum(Store::size);
    if (capacity < keys) {
      throw new IllegalArgumentException(
          "a capacity of %d is too small for the %d keys of the map".formatted(capacity, keys));
    }
    forEach(store -> store.rehash(Math.max(share(capacity, count()), store.size())));
    if (room != null) {
      room.setCapacity(capacity);
    }
  }

  /**
   * Has each store run a body of the user's, one after the other: what it writes to memory, the
   * next one sees, and the host has at the end.
   */
  boolean forEach(Object body, Consumer<Store<?, ?>> action) {
    List<Memory> memories = KernelTree.of(body).memories();
    Memory[] all = memories.toArray(Memory[]::new);
    forEach(
        store -> {
          Workers workers = store.workers();
          workers.hostWrote(all);
          action.accept(store);
          workers.readBack(all);
        });
    return true;
  }

  @Override
  public long size() {
    return sum(Store::size);
  }

  @Override
  public long liveWords() {
    long[] words = new long[1];
    forEach(store -> words[0] += store.words());
    return words[0];
  }

  @Override
  public void settle() {
    forEach(Store::settle);
  }

  long sum(ToLongFunction<Store<?, ?>> number) {
    return stores.stream().mapToLong(number).sum();
  }

  @Override
  public void close() {
    close(stores);
  }

  /** Closes all of them. */
  static void close(List<Store<?, ?>> stores) {
    if (!stores.isEmpty()) {
      try (Store<?, ?> _ = stores.getFirst()) {
        close(stores.subList(1, stores.size()));
      }
    }
  }

  /**
   * How the keys of a store come to those of a group's parts, and from there to one: each is
   * inserted anew.
   *
   * @param <T> tables of the store
   * @param <S> its scratch memory
   */
  static final class Spreading<T extends FixedTable, S extends Scratch> {

    private final MapSettings settings;
    private final Function<MapSettings, Store<T, S>> part;

    /**
     * Of a store.
     *
     * @param part makes an empty store of the same kind
     */
    Spreading(MapSettings settings, Function<MapSettings, Store<T, S>> part) {
      this.settings = settings;
      this.part = part;
    }

    /** Whether a launcher is several. */
    static boolean isGroup(Launcher launcher) {
      return launcher.parts().size() > 1;
    }

    /**
     * Empty stores for all parts of a group, with room for so many keys in all.
     *
     * @param seed of their tables, as of the one whose keys they are to have: one that was chosen
     *     for a map stays it, and walks go by it
     * @param words of text that there is room for, if the capacity is fixed
     */
    Shards over(Launcher group, long keys, long seed, long words) {
      SharedRoom room = settings.fixed() ? new SharedRoom(keys, words) : null;
      int count = group.parts().size();
      List<Store<T, S>> made = new ArrayList<>();
      try {
        for (Launcher launcher : group.parts()) {
          made.add(part.apply(settings.part(launcher, Shards.share(keys, count), seed)));
        }
        return new Shards(group, seed, made, room);
      } catch (RuntimeException | Error e) {
        try (Shards _ = new Shards(group, seed, made, null)) {
          throw e;
        }
      }
    }

    /** An empty store. */
    Store<T, S> empty(Launcher launcher, long seed) {
      return part.apply(settings.on(launcher, 1, seed));
    }

    /** Stores for all parts of a group, with what is in a file. */
    Shards loaded(Launcher group) {
      try (JvmLauncher jvm = JvmLauncher.create();
          Store<T, S> one = part.apply(settings.on(jvm))) {
        T table = one.table();
        Shards all = over(group, table.capacity, table.seed, table.words());
        try {
          one.copyTo(all);
          all.filled();
          return all;
        } catch (RuntimeException | Error e) {
          try (all) {
            throw e;
          }
        }
      }
    }

    /**
     * A store with all that others have.
     *
     * @param leave closes it where that fails
     */
    Store<T, S> gathered(Shards all, Launcher launcher, Consumer<? super Store<T, S>> leave) {
      MapSettings its = settings.on(launcher, all.capacity(), all.seedOfTables);
      Store<T, S> one = part.apply(all.room == null ? its : its.withText(all.words()));
      Shards alone = new Shards(launcher, all.seedOfTables, List.of(one), null);
      try {
        all.forEach(store -> store.copyTo(alone));
        return one;
      } catch (RuntimeException | Error e) {
        leave.accept(one);
        throw e;
      }
    }

    /** Reads a table of the JVM's with all that stores have. */
    <R> R read(Shards all, Function<T, R> read) {
      try (JvmLauncher jvm = JvmLauncher.create();
          Store<T, S> one = gathered(all, jvm, Store::close)) {
        return one.quiescent(read);
      }
    }
  }
}
