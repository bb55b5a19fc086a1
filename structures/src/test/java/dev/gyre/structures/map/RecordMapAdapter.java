package dev.gyre.structures.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Fold;
import dev.gyre.kernels.map.KeyParts;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.OpenItems;
import dev.gyre.kernels.map.RecordEntries;
import dev.gyre.kernels.map.RecordPredicate;
import dev.gyre.kernels.map.RecordVisitor;
import dev.gyre.kernels.map.RowParts;
import dev.gyre.structures.launch.RecordMapRef;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A map of records. One column of a value is the number; the others must stay what they are.
 *
 * @param <K> its keys
 * @param <V> its values
 */
public record RecordMapAdapter<K extends Record, V extends Record>(
    RecordMap<K, V> map, RecordNumbers<K, V> numbers) implements MapAdapter {

  /** Chooses entries by their value. */
  record LargerRow(RecordNumbers.Parts parts, long than) implements RecordPredicate {
    @Override
    public boolean test(KeyParts key, RowParts value) {
      return parts.number(value) > than;
    }
  }

  /** Adds up as {@link MapAdapter.AddUp} does. */
  record AddUpRows(RecordNumbers.Parts parts, DeviceLongs sums) implements RecordVisitor {
    @Override
    public void visit(KeyParts key, RowParts value) {
      sums.fetchAddRelaxed(0, MapAdapter.mixed(parts.number(key), parts.number(value)));
      sums.fetchAddRelaxed(1, 1);
    }
  }

  /** Merges the value of each key, by the fold that the ref was made with. */
  record MergeEach(RecordMapRef map, RecordNumbers.Parts parts, Given given) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < given.items(); i += shape.threads()) {
        if (given.open().isOpen(i)) {
          KeyParts key = parts.key(given.keys().get(i));
          RowParts value = parts.value(given.values().get(i));
          given.open().note(i, map.merge(key, value));
        }
      }
    }
  }

  /** Inserts each key. */
  record InsertEach(RecordMapRef map, RecordNumbers.Parts parts, Given given) implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < given.items(); i += shape.threads()) {
        if (given.open().isOpen(i)) {
          KeyParts key = parts.key(given.keys().get(i));
          RowParts value = parts.value(given.values().get(i));
          given.open().note(i, map.insert(key, value));
        }
      }
    }
  }

  /** Looks for each key in two ways, as {@link MapAdapter.InKernel#FIND} says. */
  record FindEach(RecordMapRef map, RecordNumbers.Parts parts, Given given, DeviceLongs found)
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

  public static <K extends Record, V extends Record> TableType<RecordMap<K, V>, MapAdapter> type(
      RecordNumbers<K, V> numbers) {
    return new TableType<>(
        "RecordMap-" + numbers.name(),
        number -> numbers.number().applyAsLong(numbers.key().apply(number)),
        number -> number,
        () -> RecordMap.builder(numbers.kind().schema()),
        map -> new RecordMapAdapter<>(map, numbers));
  }

  @Override
  public TableType<RecordMap<K, V>, MapAdapter> type() {
    return type(numbers);
  }

  private Changes changes(Apply change) {
    return Changes.of(numbers.column(), change);
  }

  private Changes changes(Fold change) {
    return Changes.of(numbers.column(), change);
  }

  private RecordPredicate larger(long than) {
    return new LargerRow(numbers.parts(), than);
  }

  @Override
  public InsertCounts insert(long[] keys, long[] values, BulkOptions options) {
    return map.insert(numbers.keys(keys), numbers.values(values), options);
  }

  @Override
  public InsertCounts insertOrAssign(long[] keys, long[] values, BulkOptions options) {
    return map.insertOrAssign(numbers.keys(keys), numbers.values(values), options);
  }

  @Override
  public InsertCounts insertAndFind(long[] keys, long[] values, long[] found, BulkOptions options) {
    Columns there = numbers.values(found);
    InsertCounts counts =
        map.insertAndFind(numbers.keys(keys), numbers.values(values), there, options);
    numbers.readValues(there, found, found.length);
    return counts;
  }

  @Override
  public InsertCounts insertOrApply(long[] keys, long[] values, Apply change, BulkOptions options) {
    return map.insertOrApply(numbers.keys(keys), numbers.values(values), changes(change), options);
  }

  @Override
  public InsertCounts insertOrApply(long[] keys, long[] values, Fold change, BulkOptions options) {
    return map.insertOrApply(numbers.keys(keys), numbers.values(values), changes(change), options);
  }

  @Override
  public FindCounts find(long[] keys, long @Nullable [] found, BulkOptions options) {
    return found == null
        ? map.contains(numbers.keys(keys), options)
        : found(found, there -> map.find(numbers.keys(keys), there, options));
  }

  /** Through columns that have what was there before, which a mask leaves. */
  private FindCounts found(long[] found, Function<Columns, FindCounts> find) {
    Columns there = numbers.values(found);
    FindCounts counts = find.apply(there);
    numbers.readValues(there, found, found.length);
    return counts;
  }

  private OptionalLong number(Optional<V> value) {
    return value.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(numbers.valueOf().applyAsLong(value.get()));
  }

  /** A key, in its other form if the number is odd. */
  private K key(long number) {
    return numbers.keyInTurn(number, (number & 1) != 0);
  }

  private V value(long number) {
    return numbers.value().apply(number);
  }

  @Override
  public OptionalLong get(long key) {
    return number(map.get(key(key)));
  }

  @Override
  public long getOrDefault(long key, long otherwise) {
    return get(key).orElse(otherwise);
  }

  @Override
  public boolean containsKey(long key) {
    return map.containsKey(key(key));
  }

  @Override
  public OptionalLong put(long key, long value) {
    return number(map.put(key(key), value(value)));
  }

  @Override
  public OptionalLong putIfAbsent(long key, long value) {
    return number(map.putIfAbsent(key(key), value(value)));
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
    return merge(key, value, changes(change));
  }

  @Override
  public long merge(long key, long value, Fold change) {
    return merge(key, value, changes(change));
  }

  private long merge(long key, long value, Changes changes) {
    return numbers.valueOf().applyAsLong(map.merge(key(key), value(value), changes));
  }

  @Override
  public OptionalLong remove(long key) {
    return number(map.remove(key(key)));
  }

  @Override
  public boolean remove(long key, long value) {
    return map.remove(key(key), value(value));
  }

  @Override
  public FindCounts removeAll(long[] keys, long @Nullable [] found, BulkOptions options) {
    if (found == null) {
      return map.removeAll(numbers.keys(keys), options);
    }
    Columns there = numbers.values(found);
    FindCounts counts = map.removeAndFind(numbers.keys(keys), there, options);
    numbers.readValues(there, found, found.length);
    return counts;
  }

  @Override
  public long removeLarger(long than) {
    return map.removeIf(larger(than));
  }

  /** Removes each key. */
  record RemoveEach(RecordMapRef map, RecordNumbers.Parts parts, Given given, DeviceLongs found)
      implements Kernel {
    @Override
    public void run(int thread, LaunchShape shape) {
      for (int i = thread; i < given.items(); i += shape.threads()) {
        if (given.open().isOpen(i)) {
          RecordEntries.Found gone = map.remove(parts.key(given.keys().get(i)));
          if (gone.outcome() == MapCodes.FOUND) {
            found.set(i, parts.number(gone.value()) + 1);
          }
          given.open().note(i, gone.outcome());
        }
      }
    }
  }

  @Override
  public long[] launchRemoval(Sources with, long[] keys) {
    DeviceLongs k = with.kernelLongs(keys);
    Given given = new Given(with.open(keys.length), k, k, keys.length);
    DeviceLongs found = with.kernelLongs(new long[keys.length]);
    map.launchUntilDone(
        ref -> new RemoveEach(ref, numbers.parts(), given, found), with.shape(keys.length));
    return with.read(found);
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
    Columns k = numbers.kind().emptyKeys(keys.length);
    Columns v = numbers.kind().emptyValues(values.length);
    int count = (int) retrieve.applyAsLong(k, v);
    numbers.readKeys(k, keys, count);
    numbers.readValues(v, values, count);
    return count;
  }

  @Override
  public void forEach(LongLongConsumer action) {
    map.forEach(
        (key, value) ->
            action.accept(numbers.number().applyAsLong(key), numbers.valueOf().applyAsLong(value)));
  }

  @Override
  public void visit(DeviceLongs sums) {
    map.visit(new AddUpRows(numbers.parts(), sums));
  }

  @Override
  public BulkOptions where(BulkOptions options, long than) {
    return options.whereRecord(larger(than));
  }

  @Override
  public long[] launch(Sources with, long[] keys, long[] values, int what) {
    Given given =
        new Given(
            with.open(keys.length), with.kernelLongs(keys), with.kernelLongs(values), keys.length);
    DeviceLongs found = with.kernelLongs(new long[keys.length]);
    RecordNumbers.Parts parts = numbers.parts();
    Function<RecordMapRef, Kernel> kernel =
        ref ->
            switch (what) {
              case InKernel.INSERT -> new InsertEach(ref, parts, given);
              case InKernel.FIND -> new FindEach(ref, parts, given, found);
              default -> new MergeEach(ref, parts, given);
            };
    map.changing(what == InKernel.FOLD ? changes(new LargerUnsigned()) : changes(Apply.ADD))
        .launchUntilDone(kernel, with.shape(keys.length));
    return with.read(found);
  }
}
