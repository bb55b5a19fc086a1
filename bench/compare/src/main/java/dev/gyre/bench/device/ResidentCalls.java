package dev.gyre.bench.device;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Launcher;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.IntSet;
import dev.gyre.structures.map.Ints;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.LongSet;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.MapBuilder;
import java.util.function.LongSupplier;

/**
 * Calls of a map, or of a set, whose keys and values are on the device; each returns how many keys
 * it counted.
 *
 * @param insert of all keys
 * @param add to the values of all
 * @param retrieve of all that is there, behind which memory of absent keys is spoilt
 * @param size how many are there
 * @param rehashed of all that is there
 */
record ResidentCalls(
    Runnable clear,
    LongSupplier insert,
    LongSupplier add,
    LongSupplier find,
    LongSupplier findAbsent,
    LongSupplier retrieve,
    LongSupplier rehashed,
    LongSupplier size,
    Runnable end)
    implements AutoCloseable {

  /**
   * Those of a map of ints in packed slots, or of longs in lines.
   *
   * @param n keys of each memory
   * @param out to which values come
   */
  static ResidentCalls ofMap(
      Launcher launcher,
      boolean ofLongs,
      int n,
      double load,
      Memory keys,
      Memory absent,
      Memory out) {
    return ofLongs
        ? of(
            build(LongLongMap.builder().layout(Layout.LINE), launcher, n, load),
            Longs.onDevice(keys, n),
            Longs.onDevice(absent, n),
            Longs.onDevice(out, n))
        : of(
            build(IntIntMap.builder(), launcher, n, load),
            Ints.onDevice(keys, n),
            Ints.onDevice(absent, n),
            Ints.onDevice(out, n));
  }

  private static <M> M build(MapBuilder<M> builder, Launcher launcher, int n, double load) {
    return builder.capacity(n).launcher(launcher).loadFactor(load).build();
  }

  /** Those of a set that has the keys; it has no values. */
  static ResidentCalls ofSet(
      Launcher launcher,
      boolean ofLongs,
      int n,
      double load,
      Memory keys,
      Memory absent,
      Memory out) {
    return ofLongs
        ? of(
            LongSet.builder().launcher(launcher).capacity(n).loadFactor(load).build(),
            Longs.onDevice(keys, n),
            Longs.onDevice(absent, n),
            Longs.onDevice(out, n))
        : of(
            IntSet.builder().launcher(launcher).capacity(n).loadFactor(load).build(),
            Ints.onDevice(keys, n),
            Ints.onDevice(absent, n),
            Ints.onDevice(out, n));
  }

  private static ResidentCalls of(IntIntMap map, Ints keys, Ints absent, Ints out) {
    return new ResidentCalls(
        map::clear,
        () -> all(map.insert(keys, keys, BulkOptions.NONE)),
        () -> all(map.insertOrApply(keys, keys, Apply.ADD, BulkOptions.NONE)),
        () -> map.find(keys, out, BulkOptions.NONE).found(),
        () -> map.find(absent, out, BulkOptions.NONE).absent(),
        () -> map.retrieveAll(out, absent),
        () -> {
          map.rehash(map.capacity());
          return map.size();
        },
        map::size,
        map::close);
  }

  private static ResidentCalls of(LongLongMap map, Longs keys, Longs absent, Longs out) {
    return new ResidentCalls(
        map::clear,
        () -> all(map.insert(keys, keys, BulkOptions.NONE)),
        () -> all(map.insertOrApply(keys, keys, Apply.ADD, BulkOptions.NONE)),
        () -> map.find(keys, out, BulkOptions.NONE).found(),
        () -> map.find(absent, out, BulkOptions.NONE).absent(),
        () -> map.retrieveAll(out, absent),
        () -> {
          map.rehash(map.capacity());
          return map.size();
        },
        map::size,
        map::close);
  }

  private static ResidentCalls of(IntSet set, Ints keys, Ints absent, Ints out) {
    return new ResidentCalls(
        set::clear,
        () -> all(set.addAll(keys, BulkOptions.NONE)),
        () -> all(set.addAll(keys, BulkOptions.NONE)),
        () -> set.containsAll(keys, BulkOptions.NONE).found(),
        () -> set.containsAll(absent, BulkOptions.NONE).absent(),
        () -> set.retrieveAll(out),
        () -> {
          set.rehash(set.capacity());
          return set.size();
        },
        set::size,
        set::close);
  }

  private static ResidentCalls of(LongSet set, Longs keys, Longs absent, Longs out) {
    return new ResidentCalls(
        set::clear,
        () -> all(set.addAll(keys, BulkOptions.NONE)),
        () -> all(set.addAll(keys, BulkOptions.NONE)),
        () -> set.containsAll(keys, BulkOptions.NONE).found(),
        () -> set.containsAll(absent, BulkOptions.NONE).absent(),
        () -> set.retrieveAll(out),
        () -> {
          set.rehash(set.capacity());
          return set.size();
        },
        set::size,
        set::close);
  }

  private static long all(InsertCounts counts) {
    return counts.inserted() + counts.present();
  }

  @Override
  public void close() {
    end.run();
  }
}
