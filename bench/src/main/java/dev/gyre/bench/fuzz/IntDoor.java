package dev.gyre.bench.fuzz;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.OpenItems;
import dev.gyre.structures.launch.IntMapRef;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.IntIntMap;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.LongLongConsumer;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A map of ints.
 *
 * @param sources of the next call
 */
record IntDoor(IntIntMap map, Supplier<FuzzSources> sources) implements MapDoor {

  /** Does one of {@link MapDoor.InKernel} to each key. */
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

  /** Made by the builder, in a layout of the seed's. */
  record Kind(FuzzWays ways) implements MapDoor.Kind {

    private static final List<Layout> LAYOUTS =
        List.of(Layout.REFERENCE, Layout.LINE, Layout.PACKED);

    @Override
    public String name() {
      return "IntIntMap";
    }

    @Override
    public long key(long number) {
      return (int) number;
    }

    @Override
    public long value(long number) {
      return (int) number;
    }

    @Override
    public IntDoor create(long seed, FuzzSetting setting, @Nullable Long fixedCapacity) {
      Layout layout = LAYOUTS.get((int) Long.remainderUnsigned(seed, LAYOUTS.size()));
      return new IntDoor(
          MapDoor.Kind.build(IntIntMap.builder().layout(layout), seed, setting, fixedCapacity),
          ways);
    }

    @Override
    public IntDoor load(Path file) {
      return new IntDoor(IntIntMap.load(file), ways);
    }

    @Override
    public IntDoor load(MemorySegment saved) {
      return new IntDoor(IntIntMap.load(saved), ways);
    }
  }

  private static int[] ints(long[] numbers) {
    int[] ints = new int[numbers.length];
    for (int i = 0; i < ints.length; i++) {
      ints[i] = (int) numbers[i];
    }
    return ints;
  }

  private static void widen(int[] from, long[] to) {
    for (int i = 0; i < from.length; i++) {
      to[i] = from[i];
    }
  }

  private static OptionalLong longs(OptionalInt value) {
    return value.isPresent() ? OptionalLong.of(value.getAsInt()) : OptionalLong.empty();
  }

  @Override
  public InsertCounts insert(long[] keys, long[] values, BulkOptions options) {
    try (FuzzSources s = sources.get()) {
      return map.insert(s.ints(ints(keys), false), s.ints(ints(values), false), options);
    }
  }

  @Override
  public InsertCounts insertOrAssign(long[] keys, long[] values, BulkOptions options) {
    try (FuzzSources s = sources.get()) {
      return map.insertOrAssign(s.ints(ints(keys), false), s.ints(ints(values), false), options);
    }
  }

  @Override
  public InsertCounts insertAndFind(long[] keys, long[] values, long[] found, BulkOptions options) {
    try (FuzzSources s = sources.get()) {
      int[] there = ints(found);
      InsertCounts counts =
          map.insertAndFind(
              s.ints(ints(keys), false), s.ints(ints(values), false), s.ints(there, true), options);
      s.back();
      widen(there, found);
      return counts;
    }
  }

  @Override
  public InsertCounts insertOrApply(long[] keys, long[] values, Apply change, BulkOptions options) {
    try (FuzzSources s = sources.get()) {
      return map.insertOrApply(
          s.ints(ints(keys), false), s.ints(ints(values), false), change, options);
    }
  }

  @Override
  public InsertCounts insertOrFold(long[] keys, long[] values) {
    try (FuzzSources s = sources.get()) {
      return map.insertOrApply(
          s.ints(ints(keys), false),
          s.ints(ints(values), false),
          new LargerUnsigned(),
          BulkOptions.NONE);
    }
  }

  @Override
  public InsertCounts insertLarger(long[] keys, long[] values, long than) {
    return map.insertIf(ints(keys), ints(values), new Larger(than));
  }

  @Override
  public FindCounts find(long[] keys, long[] found, BulkOptions options) {
    try (FuzzSources s = sources.get()) {
      int[] there = ints(found);
      FindCounts counts = map.find(s.ints(ints(keys), false), s.ints(there, true), options);
      s.back();
      widen(there, found);
      return counts;
    }
  }

  @Override
  public FindCounts contains(long[] keys, BulkOptions options) {
    try (FuzzSources s = sources.get()) {
      return map.contains(s.ints(ints(keys), false), options);
    }
  }

  @Override
  public FindCounts findLarger(long[] keys, long[] found, long than) {
    int[] there = ints(found);
    FindCounts counts = map.findIf(ints(keys), there, new Larger(than));
    widen(there, found);
    return counts;
  }

  @Override
  public OptionalLong get(long key) {
    return longs(map.get((int) key));
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
    return longs(map.put((int) key, (int) value));
  }

  @Override
  public OptionalLong putIfAbsent(long key, long value) {
    return longs(map.putIfAbsent((int) key, (int) value));
  }

  @Override
  public OptionalLong replace(long key, long value) {
    return longs(map.replace((int) key, (int) value));
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
  public long fold(long key, long value) {
    return map.merge((int) key, (int) value, new LargerUnsigned());
  }

  @Override
  public long retrieve(long[] keys, long[] values) {
    int[] k = ints(keys);
    int[] v = ints(values);
    long count = map.retrieveAll(k, v);
    widen(k, keys);
    widen(v, values);
    return count;
  }

  @Override
  public long retrieveLarger(long[] keys, long[] values, long than) {
    int[] k = ints(keys);
    int[] v = ints(values);
    long count = map.retrieveIf(k, v, new Larger(than));
    widen(k, keys);
    widen(v, values);
    return count;
  }

  @Override
  public void forEach(LongLongConsumer action) {
    map.forEach(action::accept);
  }

  @Override
  public FuzzView<Integer, Integer> view() {
    return new FuzzView<>(
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
  public BulkOptions where(BulkOptions options, long than) {
    return options.where(new Larger(than));
  }

  @Override
  public long[] launch(FuzzSources with, long[] keys, long[] values, int what) {
    OpenItems open = with.open(keys.length);
    DeviceInts k = with.kernelInts(ints(keys));
    DeviceInts v = with.kernelInts(ints(values));
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
