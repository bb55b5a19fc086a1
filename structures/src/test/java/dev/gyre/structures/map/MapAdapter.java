package dev.gyre.structures.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.EntryVisitor;
import dev.gyre.kernels.map.Fold;
import dev.gyre.structures.TargetUnderTest;
import dev.gyre.structures.Waiting;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A map under test, whatever its keys: keys and values are longs, of which the adapter makes those
 * of the map. The suites and the fuzzer share it.
 */
public interface MapAdapter extends TableAdapter {

  HashTable<?, ?, ?> map();

  @Override
  default HashTable<?, ?, ?> table() {
    return map();
  }

  TableType<?, ? extends MapAdapter> type();

  /** Slots of which a key was never published; 0 unless the map is broken. */
  default long reservedSlots() {
    return 0;
  }

  /** The same map, to which each call hands its arrays over as the sources say. */
  default MapAdapter with(Supplier<Sources> sources) {
    return this;
  }

  InsertCounts insert(long[] keys, long[] values, BulkOptions options);

  InsertCounts insertOrAssign(long[] keys, long[] values, BulkOptions options);

  InsertCounts insertAndFind(long[] keys, long[] values, long[] found, BulkOptions options);

  InsertCounts insertOrApply(long[] keys, long[] values, Apply change, BulkOptions options);

  InsertCounts insertOrApply(long[] keys, long[] values, Fold change, BulkOptions options);

  FindCounts find(long[] keys, long @Nullable [] found, BulkOptions options);

  /** The options and a predicate: entries of which the value is larger. */
  BulkOptions where(BulkOptions options, long than);

  OptionalLong get(long key);

  long getOrDefault(long key, long otherwise);

  boolean containsKey(long key);

  OptionalLong put(long key, long value);

  OptionalLong putIfAbsent(long key, long value);

  OptionalLong replace(long key, long value);

  boolean replace(long key, long expected, long value);

  long merge(long key, long value, Apply change);

  long merge(long key, long value, Fold change);

  OptionalLong remove(long key);

  boolean remove(long key, long value);

  /** Removes keys; the values that they had go to {@code found}, unless it is null. */
  FindCounts removeAll(long[] keys, long @Nullable [] found, BulkOptions options);

  /** Removes entries of which the value is larger, by {@code removeIf}. */
  long removeLarger(long than);

  /** Removes each key by a kernel; returns the values that were there, plus 1. */
  long[] launchRemoval(Sources sources, long[] keys);

  /** Copies all entries by {@code retrieveAll}; returns how many there are. */
  long retrieve(long[] keys, long[] values);

  /** Copies entries of which the value is larger, by {@code retrieveIf}. */
  long retrieveLarger(long[] keys, long[] values, long than);

  /** Copies entries by {@code retrieveIf}, if keys are numbers. */
  default long retrieveIf(long[] keys, long[] values, EntryPredicate predicate) {
    throw new AssertionError(this);
  }

  /** Visits all entries, if keys are numbers. */
  default void visit(EntryVisitor visitor) {
    throw new AssertionError(this);
  }

  void forEach(LongLongConsumer action);

  /** Its {@code asMap}; null if the type has none. */
  default @Nullable MapView<?, ?> view() {
    return null;
  }

  /** Visits all entries by {@link AddUp}. */
  void visit(DeviceLongs sums);

  /** What {@link #visit} adds up for an entry. */
  default long visited(long key, long value) {
    return mixed(key, value);
  }

  /** Does one of {@link InKernel} to each key by a kernel; returns what was found. */
  long[] launch(Sources sources, long[] keys, long[] values, int what);

  /** What an insert does with the value present. */
  enum Change {
    KEEP,
    FETCH,
    ASSIGN,
    ADD,
    MIN,
    MAX,
    AND,
    OR,
    XOR,
    FOLD
  }

  /** Inserts in the way of the change; what {@code FETCH} finds goes to {@code found}. */
  default InsertCounts insert(
      long[] keys, long[] values, Change change, long @Nullable [] found, BulkOptions options) {
    return switch (change) {
      case KEEP -> insert(keys, values, options);
      case FETCH -> insertAndFind(keys, values, found == null ? new long[0] : found, options);
      case ASSIGN -> insertOrAssign(keys, values, options);
      case FOLD -> insertOrApply(keys, values, Scale.BY_ODD, options);
      default -> insertOrApply(keys, values, Apply.valueOf(change.name()), options);
    };
  }

  /** Inserts keys and values that are on the device. */
  default InsertCounts insertOnDevice(
      long[] keys, long[] values, Change change, BulkOptions options) {
    return with(Sources::onDevice).insert(keys, values, change, null, options);
  }

  default MapAdapter load(Path file) {
    return type().load(file);
  }

  /** All entries, by {@code retrieveAll}. */
  default Map<Long, Long> entries() {
    long[] keys = new long[(int) size()];
    long[] values = new long[keys.length];
    if (retrieve(keys, values) != keys.length) {
      throw new AssertionError("size and retrieveAll differ");
    }
    Map<Long, Long> entries = HashMap.newHashMap(keys.length);
    for (int i = 0; i < keys.length; i++) {
      put(entries, keys[i], values[i]);
    }
    return entries;
  }

  /** All entries, by {@code forEach}. */
  default Map<Long, Long> walked() {
    Map<Long, Long> entries = new HashMap<>();
    forEach((key, value) -> put(entries, key, value));
    return entries;
  }

  /** Puts an entry; fails if its key is there already. */
  static void put(Map<Long, Long> entries, long key, long value) {
    if (entries.put(key, value) != null) {
      throw new AssertionError("key " + key + " is there twice");
    }
  }

  /** What a kernel does with a ref to each of its keys. */
  interface InKernel {
    /** Adds the value. */
    int ADD = 0;

    /** Keeps the larger value, by {@link LargerUnsigned}. */
    int FOLD = 1;

    /** Inserts the key, unless it is present. */
    int INSERT = 2;

    /** Looks the key up in two ways; found is its value, plus 1 if both find it. */
    int FIND = 3;

    int ALL = 4;
  }

  /** A fold that no hardware has: multiplies by an odd number, which can be undone. */
  record Scale(long twice) implements Fold {
    static final Scale BY_ODD = new Scale(2);

    @Override
    public long apply(long present, long given) {
      return present * (twice * given + 1);
    }
  }

  /** The larger of two unsigned values; the order of the values does not matter. */
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

  /** Adds up entries, mixed so that other entries have another sum. */
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

  /** A type of map, layout, number of threads and way to wait, over which the suites go. */
  record Kind(
      TableType<?, ? extends MapAdapter> type, Layout layout, int threads, Waiting waiting) {
    Kind(boolean longs, Layout layout, int threads, Waiting waiting) {
      this(longs ? LongMapAdapter.TYPE : IntMapAdapter.TYPE, layout, threads, waiting);
    }

    Kind(boolean longs, Layout layout, int threads) {
      this(longs, layout, threads, Waiting.AUTO);
    }

    /** Either keys or values are ints. */
    static List<TableType<?, ? extends MapAdapter>> mixed() {
      return List.of(IntLongMapAdapter.TYPE, LongIntMapAdapter.TYPE);
    }

    static List<Kind> all() {
      // A device has its own threads.
      List<Integer> all = TargetUnderTest.isDevice() ? List.of(2) : List.of(1, 2, 4);
      return all.stream()
          .flatMap(
              threads ->
                  Stream.of(
                      new Kind(false, Layout.REFERENCE, threads),
                      new Kind(false, Layout.PACKED, threads),
                      new Kind(true, Layout.REFERENCE, threads),
                      new Kind(true, Layout.LINE, threads),
                      new Kind(IntLongMapAdapter.TYPE, Layout.REFERENCE, threads, Waiting.AUTO),
                      new Kind(LongIntMapAdapter.TYPE, Layout.REFERENCE, threads, Waiting.AUTO),
                      new Kind(false, Layout.REFERENCE, threads, Waiting.DEFERRED),
                      new Kind(IntLongMapAdapter.TYPE, Layout.REFERENCE, threads, Waiting.DEFERRED),
                      new Kind(true, Layout.LINE, threads, Waiting.DEFERRED)))
          .toList();
    }

    static List<Kind> layouts() {
      return all().stream().filter(kind -> kind.threads == 2).toList();
    }

    MapAdapter build(long capacity, boolean fixed, double loadFactor, long seed) {
      return build(
          builder -> sized(builder.tableSeed(seed).loadFactor(loadFactor), capacity, fixed));
    }

    /** A map on the target under test, with the load factor that a builder begins with. */
    MapAdapter build(long capacity, boolean fixed) {
      return build(builder -> sized(builder.tableSeed(42), capacity, fixed));
    }

    private static void sized(MapBuilder<?> builder, long capacity, boolean fixed) {
      Launcher device = TargetUnderTest.device();
      if (device != null) {
        builder.launcher(device);
      }
      var _ = fixed ? builder.fixedCapacity(capacity) : builder.capacity(capacity);
    }

    /** A map of this kind; all else is as the settings say. */
    MapAdapter build(Consumer<MapBuilder<?>> settings) {
      return type()
          .build(
              builder -> {
                builder.layout(layout).workers(threads).waiting(waiting);
                settings.accept(builder);
              });
    }

    /** Whether it hashes keys as longs. */
    boolean longs() {
      return !type.equals(IntMapAdapter.TYPE);
    }

    private static long min(LongUnaryOperator wrap) {
      return wrap.applyAsLong(Long.MAX_VALUE) < 0 ? Integer.MIN_VALUE : Long.MIN_VALUE;
    }

    /** The smallest key. */
    long min() {
      return min(type.key());
    }

    /** The largest key. */
    long max() {
      return ~min();
    }

    long minValue() {
      return min(type.value());
    }

    /** What the type makes of a number that is a key. */
    long key(long number) {
      return type.key().applyAsLong(number);
    }

    /** What the type makes of a number that is a value. */
    long wrap(long number) {
      return type.value().applyAsLong(number);
    }
  }
}
