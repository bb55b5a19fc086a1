package dev.gyre.bench.fuzz;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.EntryVisitor;
import dev.gyre.kernels.map.Fold;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.LongLongConsumer;
import dev.gyre.structures.map.MapBuilder;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A map, whatever its keys are: numbers, of which it makes keys, with values as longs. */
interface MapDoor extends TableDoor {

  /** Of values as numbers without a sign, the larger: what order they come in does not matter. */
  record LargerUnsigned() implements Fold {
    @Override
    public long apply(long present, long given) {
      return (present ^ Long.MIN_VALUE) > (given ^ Long.MIN_VALUE) ? present : given;
    }
  }

  /** Chooses entries by their value. */
  record Larger(long than) implements EntryPredicate {
    @Override
    public boolean test(long key, long value) {
      return value > than;
    }
  }

  /** Adds up what it is given, mixed so that other entries have another sum. */
  record AddUp(DeviceLongs sums) implements EntryVisitor {
    @Override
    public void visit(long key, long value) {
      sums.fetchAddRelaxed(0, mixed(key, value));
      sums.fetchAddRelaxed(1, 1);
    }
  }

  /** A number of an entry. */
  static long mixed(long key, long value) {
    long bits = (key ^ (key >> 29)) * 0x9e3779b97f4a7c15L + value;
    return (bits ^ (bits >> 31)) * 0xbf58476d1ce4e5b9L;
  }

  InsertCounts insert(long[] keys, long[] values, BulkOptions options);

  InsertCounts insertOrAssign(long[] keys, long[] values, BulkOptions options);

  InsertCounts insertAndFind(long[] keys, long[] values, long[] found, BulkOptions options);

  InsertCounts insertOrApply(long[] keys, long[] values, Apply change, BulkOptions options);

  /** By {@link LargerUnsigned}. */
  InsertCounts insertOrFold(long[] keys, long[] values);

  /** Of those whose value is larger. */
  InsertCounts insertLarger(long[] keys, long[] values, long than);

  FindCounts find(long[] keys, long[] found, BulkOptions options);

  FindCounts contains(long[] keys, BulkOptions options);

  /** Of those whose value is larger. */
  FindCounts findLarger(long[] keys, long[] found, long than);

  OptionalLong get(long key);

  long getOrDefault(long key, long otherwise);

  boolean containsKey(long key);

  OptionalLong put(long key, long value);

  OptionalLong putIfAbsent(long key, long value);

  OptionalLong replace(long key, long value);

  boolean replace(long key, long expected, long value);

  long merge(long key, long value, Apply change);

  /** By {@link LargerUnsigned}. */
  long fold(long key, long value);

  /** By {@code retrieveAll}. */
  long retrieve(long[] keys, long[] values);

  /** By {@code retrieveIf}, those whose value is larger. */
  long retrieveLarger(long[] keys, long[] values, long than);

  void forEach(LongLongConsumer action);

  /** Its {@code asMap}, where there is one. */
  default @Nullable FuzzView<?, ?> view() {
    return null;
  }

  /** By {@link AddUp}. */
  void visit(DeviceLongs sums);

  /** What {@link #visit} adds up for an entry. */
  default long visited(long key, long value) {
    return mixed(key, value);
  }

  /** The options with a predicate: those whose value is larger. */
  BulkOptions where(BulkOptions options, long than);

  /** What a kernel does with a ref to each of its keys. */
  interface InKernel {
    /** The value is added. */
    int ADD = 0;

    /** The larger one stays, by {@link LargerUnsigned}. */
    int FOLD = 1;

    /** It is inserted, unless it is there. */
    int INSERT = 2;

    /** It is looked for, in two ways: found is its value, and 1 more if both find it. */
    int FIND = 3;

    int ALL = 4;
  }

  /** Does one of {@link InKernel} by a kernel; returns what was found. */
  long[] launch(FuzzSources sources, long[] keys, long[] values, int what);

  /** How maps of a kind are made. */
  interface Kind {

    String name();

    /** The number that stands for all that are the same key. */
    long key(long number);

    /** A value as this kind of map has it. */
    default long value(long number) {
      return number;
    }

    /** How many keys a step has at most. */
    default int mostKeys() {
      return 100_000;
    }

    /** Settings that the seed chooses. */
    MapDoor create(long seed, FuzzSetting setting, @Nullable Long fixedCapacity);

    MapDoor load(Path file);

    MapDoor load(MemorySegment saved);

    /** What is the same for all kinds. */
    static <M> M build(
        MapBuilder<M> builder, long seed, FuzzSetting setting, @Nullable Long fixedCapacity) {
      MapBuilder<M> all = builder.workers(setting.threads()).seed(seed * 7);
      all = setting.launcher() == null ? all : all.launcher(setting.launcher());
      return (fixedCapacity == null
              ? all.capacity(1 + (seed & 0xff))
              : all.fixedCapacity(fixedCapacity))
          .build();
    }
  }
}
