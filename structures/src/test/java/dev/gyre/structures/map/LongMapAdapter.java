package dev.gyre.structures.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.IntSpecialized;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.EntryVisitor;
import dev.gyre.kernels.map.Fold;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.OpenItems;
import dev.gyre.structures.launch.LongMapRef;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A map of numbers. The build generates the adapters of maps of ints from this one.
 *
 * @param sources where the arrays of the next call lie
 */
@IntSpecialized(mixed = true)
public record LongMapAdapter(LongLongMap map, Supplier<Sources> sources) implements MapAdapter {

  public static final TableType<LongLongMap, MapAdapter> TYPE =
      new TableType<>(
          "LongLongMap",
          key -> /* (int) */ key,
          value -> /* (int) */ value,
          LongLongMap::builder,
          LongMapAdapter::new);

  LongMapAdapter(LongLongMap map) {
    this(map, Sources::arrays);
  }

  /** Does one of {@link MapAdapter.InKernel} to each key. */
  record Each(
      LongMapRef map,
      OpenItems open,
      /* DeviceInts */ DeviceLongs keys,
      /* DeviceInts */ DeviceLongs values,
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
    InsertCounts of(Longs keys, Longs values);
  }

  private InsertCounts insert(long[] keys, long[] values, Insert insert) {
    try (Sources s = sources.get()) {
      return insert.of(s.longs(keys, false), s.longs(values, false));
    }
  }

  private static OptionalLong widened(OptionalLong value) {
    return value;
  }

  @SuppressWarnings("unused") // In the adapters of maps whose values are ints.
  private static OptionalLong widened(OptionalInt value) {
    return value.isPresent() ? OptionalLong.of(value.getAsInt()) : OptionalLong.empty();
  }

  @Override
  public TableType<LongLongMap, MapAdapter> type() {
    return TYPE;
  }

  @Override
  public long reservedSlots() {
    return map.store.quiescent(used -> used.count(MapCodes.RESERVED));
  }

  @Override
  public LongMapAdapter with(Supplier<Sources> others) {
    return new LongMapAdapter(map, others);
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
              s.longs(keys, false), s.longs(values, false), s.longs(found, true), options);
      s.back();
      return counts;
    }
  }

  @Override
  public FindCounts find(long[] keys, long @Nullable [] found, BulkOptions options) {
    try (Sources s = sources.get()) {
      var all = s.longs(keys, false);
      FindCounts counts =
          found == null ? map.contains(all, options) : map.find(all, s.longs(found, true), options);
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
    return widened(map.get(/* (int) */ key));
  }

  @Override
  public long getOrDefault(long key, long otherwise) {
    return map.getOrDefault(/* (int) */ key, /* (int) */ otherwise);
  }

  @Override
  public boolean containsKey(long key) {
    return map.containsKey(/* (int) */ key);
  }

  @Override
  public OptionalLong put(long key, long value) {
    return widened(map.put(/* (int) */ key, /* (int) */ value));
  }

  @Override
  public OptionalLong putIfAbsent(long key, long value) {
    return widened(map.putIfAbsent(/* (int) */ key, /* (int) */ value));
  }

  @Override
  public OptionalLong replace(long key, long value) {
    return widened(map.replace(/* (int) */ key, /* (int) */ value));
  }

  @Override
  public boolean replace(long key, long expected, long value) {
    return map.replace(/* (int) */ key, /* (int) */ expected, /* (int) */ value);
  }

  @Override
  public long merge(long key, long value, Apply change) {
    return map.merge(/* (int) */ key, /* (int) */ value, change);
  }

  @Override
  public long merge(long key, long value, Fold change) {
    return map.merge(/* (int) */ key, /* (int) */ value, change);
  }

  private long retrieved(long[] keys, long[] values, ToLongBiFunction<Longs, Longs> retrieve) {
    try (Sources s = sources.get()) {
      long count = retrieve.applyAsLong(s.longs(keys, true), s.longs(values, true));
      s.back();
      return count;
    }
  }

  @Override
  public long retrieve(long[] keys, long[] values) {
    return retrieved(keys, values, map::retrieveAll);
  }

  @Override
  public long retrieveLarger(long[] keys, long[] values, long than) {
    return retrieveIf(keys, values, new Larger(than));
  }

  @Override
  public long retrieveIf(long[] keys, long[] values, EntryPredicate predicate) {
    return retrieved(keys, values, (k, v) -> map.retrieveIf(k, v, predicate));
  }

  @Override
  public void visit(EntryVisitor visitor) {
    map.visit(visitor);
  }

  @Override
  public OptionalLong remove(long key) {
    return widened(map.remove(/* (int) */ key));
  }

  @Override
  public boolean remove(long key, long value) {
    return map.remove(/* (int) */ key, /* (int) */ value);
  }

  @Override
  public FindCounts removeAll(long[] keys, long @Nullable [] found, BulkOptions options) {
    try (Sources s = sources.get()) {
      var all = s.longs(keys, false);
      FindCounts counts =
          found == null
              ? map.removeAll(all, options)
              : map.removeAndFind(all, s.longs(found, true), options);
      s.back();
      return counts;
    }
  }

  @Override
  public long removeLarger(long than) {
    return map.removeIf(new Larger(than));
  }

  /** Removes each key. */
  record RemoveEach(
      LongMapRef map,
      OpenItems open,
      /* DeviceInts */ DeviceLongs keys,
      DeviceLongs found,
      int items)
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
    var k = with.kernelLongs(keys);
    DeviceLongs found = with.kernelLongs(new long[keys.length]);
    map.launchUntilDone(
        ref -> new RemoveEach(ref, open, k, found, keys.length), with.shape(keys.length));
    return with.read(found);
  }

  @Override
  public void forEach(LongLongConsumer action) {
    map.forEach((key, value) -> action.accept(key, value));
  }

  @Override
  public MapView<Long, Long> view() {
    return new MapView<>(
        map.asMap(),
        key -> /* (int) */ key,
        value -> /* (int) */ value,
        Number::longValue,
        Number::longValue);
  }

  @Override
  public void visit(DeviceLongs sums) {
    map.visit(new AddUp(sums));
  }

  @Override
  public long[] launch(Sources with, long[] keys, long[] values, int what) {
    OpenItems open = with.open(keys.length);
    var k = with.kernelLongs(keys);
    var v = with.kernelLongs(values);
    DeviceLongs found = with.kernelLongs(new long[keys.length]);
    map.launchUntilDone(
        ref -> new Each(ref, open, k, v, found, keys.length, what), with.shape(keys.length));
    return with.read(found);
  }
}
