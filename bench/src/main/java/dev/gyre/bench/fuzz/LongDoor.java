package dev.gyre.bench.fuzz;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.OpenItems;
import dev.gyre.structures.launch.LongMapRef;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.LongLongConsumer;
import dev.gyre.structures.map.LongLongMap;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A map of longs.
 *
 * @param sources of the next call
 */
record LongDoor(LongLongMap map, Supplier<FuzzSources> sources) implements MapDoor {

  /** Does one of {@link MapDoor.InKernel} to each key. */
  record Each(
      LongMapRef map,
      OpenItems open,
      DeviceLongs keys,
      DeviceLongs values,
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

  /** Made by the builder, in a layout of the seed's. */
  record Kind(FuzzWays ways) implements MapDoor.Kind {

    private static final List<Layout> LAYOUTS = List.of(Layout.REFERENCE, Layout.LINE);

    @Override
    public String name() {
      return "LongLongMap";
    }

    @Override
    public long key(long number) {
      return number;
    }

    @Override
    public LongDoor create(long seed, FuzzSetting setting, @Nullable Long fixedCapacity) {
      Layout layout = LAYOUTS.get((int) Long.remainderUnsigned(seed, LAYOUTS.size()));
      return new LongDoor(
          MapDoor.Kind.build(LongLongMap.builder().layout(layout), seed, setting, fixedCapacity),
          ways);
    }

    @Override
    public LongDoor load(Path file) {
      return new LongDoor(LongLongMap.load(file), ways);
    }

    @Override
    public LongDoor load(MemorySegment saved) {
      return new LongDoor(LongLongMap.load(saved), ways);
    }
  }

  @Override
  public InsertCounts insert(long[] keys, long[] values, BulkOptions options) {
    try (FuzzSources s = sources.get()) {
      return s.areArrays() && options == BulkOptions.NONE
          ? map.insert(keys, values)
          : map.insert(s.longs(keys, false), s.longs(values, false), options);
    }
  }

  @Override
  public InsertCounts insertOrAssign(long[] keys, long[] values, BulkOptions options) {
    try (FuzzSources s = sources.get()) {
      return s.areArrays() && options == BulkOptions.NONE
          ? map.insertOrAssign(keys, values)
          : map.insertOrAssign(s.longs(keys, false), s.longs(values, false), options);
    }
  }

  @Override
  public InsertCounts insertAndFind(long[] keys, long[] values, long[] found, BulkOptions options) {
    try (FuzzSources s = sources.get()) {
      InsertCounts counts =
          s.areArrays() && options == BulkOptions.NONE
              ? map.insertAndFind(keys, values, found)
              : map.insertAndFind(
                  s.longs(keys, false), s.longs(values, false), s.longs(found, true), options);
      s.back();
      return counts;
    }
  }

  @Override
  public InsertCounts insertOrApply(long[] keys, long[] values, Apply change, BulkOptions options) {
    try (FuzzSources s = sources.get()) {
      return s.areArrays() && options == BulkOptions.NONE
          ? map.insertOrApply(keys, values, change)
          : map.insertOrApply(s.longs(keys, false), s.longs(values, false), change, options);
    }
  }

  @Override
  public InsertCounts insertOrFold(long[] keys, long[] values) {
    try (FuzzSources s = sources.get()) {
      return s.areArrays()
          ? map.insertOrApply(keys, values, new LargerUnsigned())
          : map.insertOrApply(
              s.longs(keys, false), s.longs(values, false), new LargerUnsigned(), BulkOptions.NONE);
    }
  }

  @Override
  public InsertCounts insertLarger(long[] keys, long[] values, long than) {
    try (FuzzSources s = sources.get()) {
      return s.areArrays()
          ? map.insertIf(keys, values, new Larger(than))
          : map.insertIf(s.longs(keys, false), s.longs(values, false), new Larger(than));
    }
  }

  @Override
  public FindCounts find(long[] keys, long[] found, BulkOptions options) {
    try (FuzzSources s = sources.get()) {
      FindCounts counts =
          s.areArrays() && options == BulkOptions.NONE
              ? map.find(keys, found)
              : map.find(s.longs(keys, false), s.longs(found, true), options);
      s.back();
      return counts;
    }
  }

  @Override
  public FindCounts contains(long[] keys, BulkOptions options) {
    try (FuzzSources s = sources.get()) {
      return s.areArrays() && options == BulkOptions.NONE
          ? map.contains(keys)
          : map.contains(s.longs(keys, false), options);
    }
  }

  @Override
  public FindCounts findLarger(long[] keys, long[] found, long than) {
    try (FuzzSources s = sources.get()) {
      FindCounts counts =
          s.areArrays()
              ? map.findIf(keys, found, new Larger(than))
              : map.findIf(s.longs(keys, false), s.longs(found, true), new Larger(than));
      s.back();
      return counts;
    }
  }

  @Override
  public OptionalLong get(long key) {
    return map.get(key);
  }

  @Override
  public long getOrDefault(long key, long otherwise) {
    return map.getOrDefault(key, otherwise);
  }

  @Override
  public boolean containsKey(long key) {
    return map.containsKey(key);
  }

  @Override
  public OptionalLong put(long key, long value) {
    return map.put(key, value);
  }

  @Override
  public OptionalLong putIfAbsent(long key, long value) {
    return map.putIfAbsent(key, value);
  }

  @Override
  public OptionalLong replace(long key, long value) {
    return map.replace(key, value);
  }

  @Override
  public boolean replace(long key, long expected, long value) {
    return map.replace(key, expected, value);
  }

  @Override
  public long merge(long key, long value, Apply change) {
    return map.merge(key, value, change);
  }

  @Override
  public long fold(long key, long value) {
    return map.merge(key, value, new LargerUnsigned());
  }

  @Override
  public long retrieve(long[] keys, long[] values) {
    try (FuzzSources s = sources.get()) {
      long count =
          s.areArrays()
              ? map.retrieveAll(keys, values)
              : map.retrieveAll(s.longs(keys, true), s.longs(values, true));
      s.back();
      return count;
    }
  }

  @Override
  public long retrieveLarger(long[] keys, long[] values, long than) {
    try (FuzzSources s = sources.get()) {
      long count =
          s.areArrays()
              ? map.retrieveIf(keys, values, new Larger(than))
              : map.retrieveIf(s.longs(keys, true), s.longs(values, true), new Larger(than));
      s.back();
      return count;
    }
  }

  @Override
  public void forEach(LongLongConsumer action) {
    map.forEach(action);
  }

  @Override
  public FuzzView<Long, Long> view() {
    return new FuzzView<>(
        map.asMap(), number -> number, number -> number, Long::longValue, Long::longValue);
  }

  @Override
  public void visit(DeviceLongs sums) {
    map.visit(new AddUp(sums));
  }

  @Override
  public BulkOptions where(BulkOptions options, long than) {
    return options.where(new Larger(than));
  }

  @Override
  public long[] launch(FuzzSources with, long[] keys, long[] values, int what) {
    OpenItems open = with.open(keys.length);
    DeviceLongs k = with.kernelLongs(keys);
    DeviceLongs v = with.kernelLongs(values);
    DeviceLongs found = with.kernelLongs(new long[keys.length]);
    map.launchUntilDone(
        ref -> new Each(ref, open, k, v, found, keys.length, what), with.shape(keys.length));
    return with.read(found);
  }

  @Override
  public Table table() {
    return new Table(
        map::size,
        map::capacity,
        map::byteSize,
        map::clear,
        map::rehash,
        map::save,
        map::save,
        map::runOn,
        operation -> map.async(Table.doing(operation)),
        map::close);
  }
}
