package dev.gyre.structures.map;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Fold;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.OpenItems;
import dev.gyre.structures.launch.IntMapRef;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A map of ints.
 *
 * @param sources where the arrays of the next call lie
 */
public record IntMapAdapter(IntIntMap map, Supplier<Sources> sources) implements MapAdapter {

  public static final TableType<IntIntMap, MapAdapter> TYPE =
      new TableType<>(
          "IntIntMap", n -> (int) n, n -> (int) n, IntIntMap::builder, IntMapAdapter::new);

  IntMapAdapter(IntIntMap map) {
    this(map, Sources::arrays);
  }

  /** Does one of {@link MapAdapter.InKernel} to each key. */
  record Each(
      IntMapRef map,
      OpenItems open,
      DeviceInts keys,
      DeviceInts values,
      DeviceLongs found,
      int items,
      int what)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < items; i += shape.threads()) {
        if (open.isOpen(i)) {
          int outcome = MapCodes.PRESENT;
          if (what == InKernel.ADD) {
            outcome = map.merge(keys.get(i), values.get(i), MapCodes.ADD);
          } else if (what == InKernel.FOLD) {
            outcome = map.merge(keys.get(i), values.get(i), new LargerUnsigned());
          } else if (what == InKernel.INSERT) {
            outcome = map.insert(keys.get(i), values.get(i));
          } else {
            var there = map.find(keys.get(i));
            int both = map.contains(keys.get(i)) == MapCodes.FOUND ? 1 : 0;
            found.set(i, there.isFound() ? there.value() + both : -both);
          }
          open.note(i, outcome);
        }
      }
    }
  }

  /** An insert of keys and values that lie where the sources say. */
  private interface Insert {
    InsertCounts of(Ints keys, Ints values);
  }

  private InsertCounts insert(long[] keys, long[] values, Insert insert) {
    try (Sources s = sources.get()) {
      return insert.of(s.ints(keys, false), s.ints(values, false));
    }
  }

  private static OptionalLong widened(OptionalInt value) {
    return value.isPresent() ? OptionalLong.of(value.getAsInt()) : OptionalLong.empty();
  }

  private static long retrieved(
      long[] keys, long[] values, ToLongBiFunction<int[], int[]> retrieve) {
    int[] k = Sources.narrowed(keys);
    int[] v = Sources.narrowed(values);
    long count = retrieve.applyAsLong(k, v);
    Sources.widen(k, keys);
    Sources.widen(v, values);
    return count;
  }

  @Override
  public TableType<IntIntMap, MapAdapter> type() {
    return TYPE;
  }

  @Override
  public long reservedSlots() {
    return map.reservedSlots();
  }

  @Override
  public IntMapAdapter with(Supplier<Sources> others) {
    return new IntMapAdapter(map, others);
  }

  @Override
  public InsertCounts insert(long[] keys, long[] values, BulkOptions options) {
    return insert(keys, values, (k, v) -> map.insert(k, v, options));
  }

  @Override
  public InsertCounts insertOrAssign(long[] keys, long[] values, BulkOptions options) {
    return insert(keys, values, (k, v) -> map.insertOrAssign(k, v, options));
  }

  @Override
  public InsertCounts insertOrApply(long[] keys, long[] values, Apply change, BulkOptions options) {
    return insert(keys, values, (k, v) -> map.insertOrApply(k, v, change, options));
  }

  @Override
  public InsertCounts insertOrApply(long[] keys, long[] values, Fold change, BulkOptions options) {
    return insert(keys, values, (k, v) -> map.insertOrApply(k, v, change, options));
  }

  @Override
  public InsertCounts insertAndFind(long[] keys, long[] values, long[] found, BulkOptions options) {
    try (Sources s = sources.get()) {
      InsertCounts counts =
          map.insertAndFind(
              s.ints(keys, false), s.ints(values, false), s.ints(found, true), options);
      s.back();
      return counts;
    }
  }

  @Override
  public FindCounts find(long[] keys, long @Nullable [] found, BulkOptions options) {
    try (Sources s = sources.get()) {
      Ints all = s.ints(keys, false);
      FindCounts counts =
          found == null ? map.contains(all, options) : map.find(all, s.ints(found, true), options);
      s.back();
      return counts;
    }
  }

  @Override
  public BulkOptions where(BulkOptions options, long than) {
    return options.where(new Larger(than));
  }

  @Override
  public OptionalLong get(long key) {
    return widened(map.get((int) key));
  }

  @Override
  public long getOrDefault(long key, long otherwise) {
    return map.getOrDefault((int) key, (int) otherwise);
  }

  @Override
  public boolean containsKey(long key) {
    return map.containsKey((int) key);
  }

  @Override
  public OptionalLong put(long key, long value) {
    return widened(map.put((int) key, (int) value));
  }

  @Override
  public OptionalLong putIfAbsent(long key, long value) {
    return widened(map.putIfAbsent((int) key, (int) value));
  }

  @Override
  public OptionalLong replace(long key, long value) {
    return widened(map.replace((int) key, (int) value));
  }

  @Override
  public boolean replace(long key, long expected, long value) {
    return map.replace((int) key, (int) expected, (int) value);
  }

  @Override
  public long merge(long key, long value, Apply change) {
    return map.merge((int) key, (int) value, change);
  }

  @Override
  public long merge(long key, long value, Fold change) {
    return map.merge((int) key, (int) value, change);
  }

  @Override
  public long retrieve(long[] keys, long[] values) {
    return retrieved(keys, values, map::retrieveAll);
  }

  @Override
  public long retrieveLarger(long[] keys, long[] values, long than) {
    return retrieved(keys, values, (k, v) -> map.retrieveIf(k, v, new Larger(than)));
  }

  @Override
  public OptionalLong remove(long key) {
    return widened(map.remove((int) key));
  }

  @Override
  public boolean remove(long key, long value) {
    return map.remove((int) key, (int) value);
  }

  @Override
  public FindCounts removeAll(long[] keys, long @Nullable [] found, BulkOptions options) {
    try (Sources s = sources.get()) {
      Ints all = s.ints(keys, false);
      FindCounts counts =
          found == null
              ? map.removeAll(all, options)
              : map.removeAndFind(all, s.ints(found, true), options);
      s.back();
      return counts;
    }
  }

  @Override
  public long removeLarger(long than) {
    return map.removeIf(new Larger(than));
  }

  /** Removes each key. */
  record RemoveEach(IntMapRef map, OpenItems open, DeviceInts keys, DeviceLongs found, int items)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < items; i += shape.threads()) {
        if (open.isOpen(i)) {
          var gone = map.remove(keys.get(i));
          if (gone.isFound()) {
            found.set(i, gone.value() + 1);
          }
          open.note(i, gone.outcome());
        }
      }
    }
  }

  @Override
  public long[] launchRemoval(Sources with, long[] keys) {
    OpenItems open = with.open(keys.length);
    DeviceInts k = with.kernelInts(keys);
    DeviceLongs found = with.kernelLongs(new long[keys.length]);
    map.launchUntilDone(
        ref -> new RemoveEach(ref, open, k, found, keys.length), with.shape(keys.length));
    return with.read(found);
  }

  @Override
  public void forEach(LongLongConsumer action) {
    map.forEach(action::accept);
  }

  @Override
  public MapView<Integer, Integer> view() {
    return new MapView<>(
        map.asMap(),
        number -> (int) number,
        number -> (int) number,
        Integer::longValue,
        Integer::longValue);
  }

  @Override
  public void visit(DeviceLongs sums) {
    map.visit(new AddUp(sums));
  }

  @Override
  public long[] launch(Sources with, long[] keys, long[] values, int what) {
    OpenItems open = with.open(keys.length);
    DeviceInts k = with.kernelInts(keys);
    DeviceInts v = with.kernelInts(values);
    DeviceLongs found = with.kernelLongs(new long[keys.length]);
    map.launchUntilDone(
        ref -> new Each(ref, open, k, v, found, keys.length, what), with.shape(keys.length));
    return with.read(found);
  }
}
