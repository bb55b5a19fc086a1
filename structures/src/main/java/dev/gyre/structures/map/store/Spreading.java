package dev.gyre.structures.map.store;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.structures.StructureException;
import dev.gyre.structures.map.table.FixedTable;
import dev.gyre.structures.map.table.MapSettings;
import dev.gyre.structures.map.work.Scratch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * How the keys of a store come to those of a group's parts, and from there to one: each is inserted
 * anew.
 *
 * @param <T> tables of the store
 * @param <S> its scratch memory
 */
final class Spreading<T extends FixedTable, S extends Scratch> {

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

  /** Empty stores for all parts of a group, with room for so many keys in all. */
  Shards over(Launcher group, long keys) {
    if (settings.fixed()) {
      throw new StructureException(
          "a map of fixed capacity is not spread over a group of launchers: set its capacity, or"
              + " give it one of the group's parts()");
    }
    int count = group.parts().size();
    List<Store<T, S>> made = new ArrayList<>();
    try {
      for (Launcher launcher : group.parts()) {
        made.add(empty(launcher, Shards.share(keys, count)));
      }
      return new Shards(group, settings.seed(), made);
    } catch (RuntimeException | Error e) {
      try (Shards _ = new Shards(group, settings.seed(), made)) {
        throw e;
      }
    }
  }

  /** An empty store. */
  Store<T, S> empty(Launcher launcher, long keys) {
    return part.apply(settings.on(launcher, keys));
  }

  /** A store with all that others have. */
  Store<T, S> gathered(Shards all, Launcher launcher) {
    Store<T, S> one = empty(launcher, all.capacity());
    Shards alone = new Shards(launcher, settings.seed(), List.of(one));
    try {
      all.forEach(store -> store.copyTo(alone));
      return one;
    } catch (RuntimeException | Error e) {
      try (one) {
        throw e;
      }
    }
  }

  /** Reads a table of the JVM's with all that stores have. */
  <R> R read(Shards all, Function<T, R> read) {
    try (JvmLauncher jvm = JvmLauncher.create();
        Store<T, S> one = gathered(all, jvm)) {
      return one.quiescent(read);
    }
  }
}
