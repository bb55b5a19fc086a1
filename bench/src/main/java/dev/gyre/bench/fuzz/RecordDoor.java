package dev.gyre.bench.fuzz;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.OpenItems;
import dev.gyre.kernels.map.RecordEntries;
import dev.gyre.kernels.map.RecordPredicate;
import dev.gyre.structures.launch.RecordMapRef;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Changes;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.LongLongConsumer;
import dev.gyre.structures.map.RecordMap;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A map of records, of which one column is the value, and the others must stay what they are.
 *
 * @param <K> its keys
 * @param <V> its values
 */
record RecordDoor<K extends Record, V extends Record>(
    RecordMap<K, V> map, FuzzRecords<K, V> records) implements MapDoor {

  /** Merges the value of each key; what that does, who made the ref has said. */
  record MergeEach(RecordMapRef map, FuzzRecords.Parts parts, Given given) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < given.items(); i += shape.threads()) {
        if (given.open().isOpen(i)) {
          given
              .open()
              .note(
                  i, map.merge(parts.key(given.keys().get(i)), parts.value(given.values().get(i))));
        }
      }
    }
  }

  /** Inserts each key. */
  record InsertEach(RecordMapRef map, FuzzRecords.Parts parts, Given given) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < given.items(); i += shape.threads()) {
        if (given.open().isOpen(i)) {
          given
              .open()
              .note(
                  i,
                  map.insert(parts.key(given.keys().get(i)), parts.value(given.values().get(i))));
        }
      }
    }
  }

  /** Looks for each key in two ways, as {@link MapDoor.InKernel#FIND} says. */
  record FindEach(RecordMapRef map, FuzzRecords.Parts parts, Given given, DeviceLongs found)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < given.items(); i += shape.threads()) {
        RecordEntries.Found there = map.find(parts.key(given.keys().get(i)));
        int both = map.contains(parts.key(given.keys().get(i))) == MapCodes.FOUND ? 1 : 0;
        found.set(
            i, there.outcome() == MapCodes.FOUND ? parts.number(there.value()) + both : -both);
      }
    }
  }

  /** What kernels are given; there are three, since devices do not compile one that does all. */
  record Given(OpenItems open, DeviceLongs keys, DeviceLongs values, int items) {}

  /** Made by the builder. */
  record Kind<K extends Record, V extends Record>(FuzzRecords<K, V> records)
      implements MapDoor.Kind {

    @Override
    public String name() {
      return "RecordMap-" + records.name();
    }

    @Override
    public long key(long number) {
      return records.same(number);
    }

    @Override
    public RecordDoor<K, V> create(long seed, FuzzSetting setting, @Nullable Long fixedCapacity) {
      return new RecordDoor<>(
          MapDoor.Kind.build(RecordMap.builder(records.schema()), seed, setting, fixedCapacity),
          records);
    }

    @Override
    public RecordDoor<K, V> load(Path file) {
      return new RecordDoor<>(RecordMap.builder(records.schema()).load(file), records);
    }

    @Override
    public RecordDoor<K, V> load(MemorySegment saved) {
      return new RecordDoor<>(RecordMap.builder(records.schema()).load(saved), records);
    }
  }

  private static Changes changes(Apply change) {
    return Changes.of(FuzzRecords.VALUE, change);
  }

  private static Changes folding() {
    return Changes.of(FuzzRecords.VALUE, new LargerUnsigned());
  }

  @Override
  public InsertCounts insert(long[] keys, long[] values, BulkOptions options) {
    return map.insert(records.keys(keys).columns(), records.values(values).columns(), options);
  }

  @Override
  public InsertCounts insertOrAssign(long[] keys, long[] values, BulkOptions options) {
    return map.insertOrAssign(
        records.keys(keys).columns(), records.values(values).columns(), options);
  }

  @Override
  public InsertCounts insertAndFind(long[] keys, long[] values, long[] found, BulkOptions options) {
    FuzzRecords.Cells there = records.values(found);
    InsertCounts counts =
        map.insertAndFind(
            records.keys(keys).columns(),
            records.values(values).columns(),
            there.columns(),
            options);
    there.read(found, found.length);
    return counts;
  }

  @Override
  public InsertCounts insertOrApply(long[] keys, long[] values, Apply change, BulkOptions options) {
    return map.insertOrApply(
        records.keys(keys).columns(), records.values(values).columns(), changes(change), options);
  }

  @Override
  public InsertCounts insertOrFold(long[] keys, long[] values) {
    return map.insertOrApply(
        records.keys(keys).columns(), records.values(values).columns(), folding());
  }

  private RecordPredicate larger(long than) {
    return new FuzzRecords.Larger(records.parts(), than);
  }

  @Override
  public InsertCounts insertLarger(long[] keys, long[] values, long than) {
    return map.insertIf(
        records.keys(keys).columns(), records.values(values).columns(), larger(than));
  }

  @Override
  public FindCounts find(long[] keys, long[] found, BulkOptions options) {
    return found(found, there -> map.find(records.keys(keys).columns(), there, options));
  }

  /** Through columns that have what was there before, which a mask leaves. */
  private FindCounts found(long[] found, Function<Columns, FindCounts> find) {
    FuzzRecords.Cells there = records.values(found);
    FindCounts counts = find.apply(there.columns());
    there.read(found, found.length);
    return counts;
  }

  @Override
  public FindCounts contains(long[] keys, BulkOptions options) {
    return map.contains(records.keys(keys).columns(), options);
  }

  @Override
  public FindCounts findLarger(long[] keys, long[] found, long than) {
    return found(found, there -> map.findIf(records.keys(keys).columns(), there, larger(than)));
  }

  private OptionalLong number(Optional<V> value) {
    return value.isEmpty() ? OptionalLong.empty() : OptionalLong.of(records.valueOf(value.get()));
  }

  @Override
  public OptionalLong get(long key) {
    return number(map.get(records.key(key)));
  }

  @Override
  public long getOrDefault(long key, long otherwise) {
    return get(key).orElse(otherwise);
  }

  @Override
  public boolean containsKey(long key) {
    return map.containsKey(records.key(key));
  }

  @Override
  public OptionalLong put(long key, long value) {
    return number(map.put(records.key(key), records.value(value)));
  }

  @Override
  public OptionalLong putIfAbsent(long key, long value) {
    return number(map.putIfAbsent(records.key(key), records.value(value)));
  }

  /** There is none of records. */
  @Override
  public OptionalLong replace(long key, long value) {
    return containsKey(key) ? put(key, value) : OptionalLong.empty();
  }

  @Override
  public boolean replace(long key, long expected, long value) {
    boolean is = get(key).equals(OptionalLong.of(expected));
    return is && put(key, value).isPresent();
  }

  @Override
  public long merge(long key, long value, Apply change) {
    return records.valueOf(map.merge(records.key(key), records.value(value), changes(change)));
  }

  @Override
  public long fold(long key, long value) {
    return records.valueOf(map.merge(records.key(key), records.value(value), folding()));
  }

  @Override
  public long retrieve(long[] keys, long[] values) {
    return retrieved(keys, values, map::retrieveAll);
  }

  @Override
  public long retrieveLarger(long[] keys, long[] values, long than) {
    return retrieved(keys, values, (k, v) -> map.retrieveIf(k, v, larger(than)));
  }

  private long retrieved(long[] keys, long[] values, ToLongBiFunction<Columns, Columns> retrieve) {
    FuzzRecords.Cells k = records.keys(keys);
    FuzzRecords.Cells v = records.values(values);
    int count = (int) retrieve.applyAsLong(k.columns(), v.columns());
    k.read(keys, count);
    v.read(values, count);
    return count;
  }

  @Override
  public void forEach(LongLongConsumer action) {
    map.forEach((key, value) -> action.accept(records.number(key), records.valueOf(value)));
  }

  @Override
  public void visit(DeviceLongs sums) {
    map.visit(new FuzzRecords.AddUp(records.parts(), sums));
  }

  @Override
  public BulkOptions where(BulkOptions options, long than) {
    return options.whereRecord(larger(than));
  }

  @Override
  public long[] launch(FuzzSources with, long[] keys, long[] values, int what) {
    Given given =
        new Given(
            with.open(keys.length), with.kernelLongs(keys), with.kernelLongs(values), keys.length);
    DeviceLongs found = with.kernelLongs(new long[keys.length]);
    FuzzRecords.Parts parts = records.parts();
    Function<RecordMapRef, Kernel> kernel =
        ref ->
            switch (what) {
              case InKernel.INSERT -> new InsertEach(ref, parts, given);
              case InKernel.FIND -> new FindEach(ref, parts, given, found);
              default -> new MergeEach(ref, parts, given);
            };
    map.changing(what == InKernel.FOLD ? folding() : changes(Apply.ADD))
        .launchUntilDone(kernel, with.shape(keys.length));
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
