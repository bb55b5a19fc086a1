package dev.gyre.structures.map;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.EntryPredicate;
import dev.gyre.kernels.map.Fold;
import dev.gyre.structures.TargetUnderTest;
import dev.gyre.structures.Waiting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A map under test, of either type; keys and values are longs that the type can hold. */
interface MapSubject extends AutoCloseable {

  HashTable<?, ?, ?> map();

  /** A map type, layout and number of threads. */
  record Kind(boolean longs, Layout layout, int threads, Waiting waiting) {
    Kind(boolean longs, Layout layout, int threads) {
      this(longs, layout, threads, Waiting.AUTO);
    }

    static List<Kind> all() {
      // A device has its own threads.
      List<Integer> all = TargetUnderTest.isDevice() ? List.of(2) : List.of(1, 2, 4);
      return all.stream()
          .flatMap(
              threads ->
                  List.of(
                      new Kind(false, Layout.REFERENCE, threads),
                      new Kind(false, Layout.LINE, threads),
                      new Kind(false, Layout.PACKED, threads),
                      new Kind(true, Layout.REFERENCE, threads),
                      new Kind(true, Layout.LINE, threads),
                      new Kind(false, Layout.LINE, threads, Waiting.DEFERRED),
                      new Kind(true, Layout.REFERENCE, threads, Waiting.DEFERRED))
                      .stream())
          .toList();
    }

    static List<Kind> layouts() {
      return all().stream().filter(kind -> kind.threads == 2).toList();
    }

    MapSubject build(long capacity, boolean fixed, double loadFactor, long seed) {
      Launcher device = TargetUnderTest.device();
      return build(
          builder -> {
            builder.tableSeed(seed).loadFactor(loadFactor);
            if (device != null) {
              builder.launcher(device);
            }
            var _ = fixed ? builder.fixedCapacity(capacity) : builder.capacity(capacity);
          });
    }

    /** A map that grows, and has a launcher do its bulk operations. */
    MapSubject build(long capacity, Launcher launcher) {
      return build(
          builder -> builder.tableSeed(1).loadFactor(0.5).capacity(capacity).launcher(launcher));
    }

    /** A map of this kind; all else is as the settings say. */
    MapSubject build(Consumer<MapBuilder<?>> settings) {
      return longs
          ? new OfLongs(set(LongLongMap.builder(), settings).build())
          : new OfInts(set(IntIntMap.builder(), settings).build());
    }

    private <M> MapBuilder<M> set(MapBuilder<M> builder, Consumer<MapBuilder<?>> settings) {
      builder.layout(layout).workers(threads).waiting(waiting);
      settings.accept(builder);
      return builder;
    }

    long min() {
      return longs ? Long.MIN_VALUE : Integer.MIN_VALUE;
    }

    long max() {
      return longs ? Long.MAX_VALUE : Integer.MAX_VALUE;
    }

    /** What the type makes of a number. */
    long wrap(long number) {
      return longs ? number : (int) number;
    }
  }

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

  /** A fold that no hardware has: multiplies by an odd number, which can be undone. */
  record Scale(long twice) implements Fold {
    static final Scale BY_ODD = new Scale(2);

    @Override
    public long apply(long present, long given) {
      return present * (twice * given + 1);
    }
  }

  InsertCounts insert(
      long[] keys, long[] values, Change change, long @Nullable [] found, BulkOptions options);

  /** Inserts keys and values that are on the device. */
  InsertCounts insertOnDevice(long[] keys, long[] values, Change change, BulkOptions options);

  /** Inserts those of them of which a predicate holds. */
  InsertCounts insertIfOnDevice(long[] keys, long[] values, EntryPredicate predicate);

  FindCounts find(long[] keys, long @Nullable [] found, BulkOptions options);

  /** Inserts keys that cannot be read: the memory that they are in was freed. */
  void insertFreed(int keys);

  /** {@code insertAndFind} where what is found cannot be written. */
  void insertAndFindToFreed(long[] keys, long[] values);

  void putIfAbsent(long key, long value);

  default void save(Path file) {
    map().save(file);
  }

  /** A map of the same type from a file. */
  MapSubject load(Path file);

  Map<Long, Long> entries();

  Map<Long, Long> walked();

  default long size() {
    return map().size();
  }

  long slots();

  long reservedSlots();

  default long capacity() {
    return map().capacity();
  }

  default long byteSize() {
    return map().byteSize();
  }

  default void clear() {
    map().clear();
  }

  default void rehash(long capacity) {
    map().rehash(capacity);
  }

  @Override
  default void close() {
    map().close();
  }

  /** A segment whose memory was freed. */
  static MemorySegment freed(long bytes) {
    try (Arena arena = Arena.ofShared()) {
      return arena.allocate(bytes, Long.BYTES);
    }
  }

  /** Entries in arrays as a map; fails if a key is there twice. */
  static void put(Map<Long, Long> entries, long key, long value) {
    if (entries.put(key, value) != null) {
      throw new AssertionError("key " + key + " is there twice");
    }
  }

  record OfInts(IntIntMap map) implements MapSubject {
    static int[] ints(long[] longs) {
      int[] ints = new int[longs.length];
      for (int i = 0; i < ints.length; i++) {
        ints[i] = Math.toIntExact(longs[i]);
      }
      return ints;
    }

    private static void copyBack(int[] from, long @Nullable [] to) {
      for (int i = 0; to != null && i < from.length; i++) {
        to[i] = from[i];
      }
    }

    @Override
    public InsertCounts insert(
        long[] keys, long[] values, Change change, long @Nullable [] found, BulkOptions options) {
      int[] out = found == null ? new int[0] : ints(found);
      InsertCounts counts =
          insert(Ints.of(ints(keys)), Ints.of(ints(values)), change, Ints.of(out), options);
      copyBack(out, found);
      return counts;
    }

    private InsertCounts insert(Ints k, Ints v, Change change, Ints out, BulkOptions options) {
      return switch (change) {
        case KEEP -> map.insert(k, v, options);
        case FETCH -> map.insertAndFind(k, v, out, options);
        case ASSIGN -> map.insertOrAssign(k, v, options);
        case ADD -> map.insertOrApply(k, v, Apply.ADD, options);
        case MIN -> map.insertOrApply(k, v, Apply.MIN, options);
        case MAX -> map.insertOrApply(k, v, Apply.MAX, options);
        case AND -> map.insertOrApply(k, v, Apply.AND, options);
        case OR -> map.insertOrApply(k, v, Apply.OR, options);
        case XOR -> map.insertOrApply(k, v, Apply.XOR, options);
        case FOLD -> map.insertOrApply(k, v, Scale.BY_ODD, options);
      };
    }

    private static Memory memory(long[] numbers) {
      Memory memory = Memory.ofInts(numbers.length);
      MemorySegment _ = memory.segment().copyFrom(MemorySegment.ofArray(ints(numbers)));
      return memory;
    }

    @Override
    public InsertCounts insertOnDevice(
        long[] keys, long[] values, Change change, BulkOptions options) {
      try (Memory k = memory(keys);
          Memory v = memory(values)) {
        int n = keys.length;
        return insert(Ints.onDevice(k, n), Ints.onDevice(v, n), change, Ints.of(), options);
      }
    }

    @Override
    public InsertCounts insertIfOnDevice(long[] keys, long[] values, EntryPredicate predicate) {
      try (Memory k = memory(keys);
          Memory v = memory(values)) {
        int n = keys.length;
        return map.insertIf(Ints.onDevice(k, n), Ints.onDevice(v, n), predicate);
      }
    }

    @Override
    public FindCounts find(long[] keys, long @Nullable [] found, BulkOptions options) {
      if (found == null) {
        return map.contains(Ints.of(ints(keys)), options);
      }
      int[] out = ints(found);
      FindCounts counts = map.find(Ints.of(ints(keys)), Ints.of(out), options);
      copyBack(out, found);
      return counts;
    }

    @Override
    public void insertFreed(int keys) {
      Ints freed = Ints.of(MapSubject.freed((long) keys * Integer.BYTES));
      var _ = map.insert(freed, Ints.of(new int[keys]), BulkOptions.NONE);
    }

    @Override
    public void insertAndFindToFreed(long[] keys, long[] values) {
      Ints freed = Ints.of(MapSubject.freed((long) keys.length * Integer.BYTES));
      var _ =
          map.insertAndFind(Ints.of(ints(keys)), Ints.of(ints(values)), freed, BulkOptions.NONE);
    }

    @Override
    public void putIfAbsent(long key, long value) {
      var _ = map.putIfAbsent((int) key, (int) value);
    }

    @Override
    public MapSubject load(Path file) {
      return new OfInts(IntIntMap.load(file));
    }

    @Override
    public Map<Long, Long> entries() {
      int[] keys = new int[(int) map.size()];
      int[] values = new int[keys.length];
      if (map.retrieveAll(keys, values) != keys.length) {
        throw new AssertionError("size and retrieveAll differ");
      }
      Map<Long, Long> entries = HashMap.newHashMap(keys.length);
      for (int i = 0; i < keys.length; i++) {
        put(entries, keys[i], values[i]);
      }
      return entries;
    }

    @Override
    public Map<Long, Long> walked() {
      Map<Long, Long> entries = new HashMap<>();
      map.forEach((key, value) -> put(entries, key, value));
      return entries;
    }

    @Override
    public long slots() {
      return map.slots();
    }

    @Override
    public long reservedSlots() {
      return map.reservedSlots();
    }
  }

  record OfLongs(LongLongMap map) implements MapSubject {
    @Override
    public InsertCounts insert(
        long[] keys, long[] values, Change change, long @Nullable [] found, BulkOptions options) {
      Longs out = Longs.of(found == null ? new long[0] : found);
      return insert(Longs.of(keys), Longs.of(values), change, out, options);
    }

    private InsertCounts insert(Longs k, Longs v, Change change, Longs out, BulkOptions options) {
      return switch (change) {
        case KEEP -> map.insert(k, v, options);
        case FETCH -> map.insertAndFind(k, v, out, options);
        case ASSIGN -> map.insertOrAssign(k, v, options);
        case ADD -> map.insertOrApply(k, v, Apply.ADD, options);
        case MIN -> map.insertOrApply(k, v, Apply.MIN, options);
        case MAX -> map.insertOrApply(k, v, Apply.MAX, options);
        case AND -> map.insertOrApply(k, v, Apply.AND, options);
        case OR -> map.insertOrApply(k, v, Apply.OR, options);
        case XOR -> map.insertOrApply(k, v, Apply.XOR, options);
        case FOLD -> map.insertOrApply(k, v, Scale.BY_ODD, options);
      };
    }

    private static Memory memory(long[] numbers) {
      Memory memory = Memory.ofLongs(numbers.length);
      MemorySegment _ = memory.segment().copyFrom(MemorySegment.ofArray(numbers));
      return memory;
    }

    @Override
    public InsertCounts insertOnDevice(
        long[] keys, long[] values, Change change, BulkOptions options) {
      try (Memory k = memory(keys);
          Memory v = memory(values)) {
        int n = keys.length;
        return insert(Longs.onDevice(k, n), Longs.onDevice(v, n), change, Longs.of(), options);
      }
    }

    @Override
    public InsertCounts insertIfOnDevice(long[] keys, long[] values, EntryPredicate predicate) {
      try (Memory k = memory(keys);
          Memory v = memory(values)) {
        int n = keys.length;
        return map.insertIf(Longs.onDevice(k, n), Longs.onDevice(v, n), predicate);
      }
    }

    @Override
    public FindCounts find(long[] keys, long @Nullable [] found, BulkOptions options) {
      return found == null
          ? map.contains(Longs.of(keys), options)
          : map.find(Longs.of(keys), Longs.of(found), options);
    }

    @Override
    public void insertFreed(int keys) {
      Longs freed = Longs.of(MapSubject.freed((long) keys * Long.BYTES));
      var _ = map.insert(freed, Longs.of(new long[keys]), BulkOptions.NONE);
    }

    @Override
    public void insertAndFindToFreed(long[] keys, long[] values) {
      Longs freed = Longs.of(MapSubject.freed((long) keys.length * Long.BYTES));
      var _ = map.insertAndFind(Longs.of(keys), Longs.of(values), freed, BulkOptions.NONE);
    }

    @Override
    public void putIfAbsent(long key, long value) {
      var _ = map.putIfAbsent(key, value);
    }

    @Override
    public MapSubject load(Path file) {
      return new OfLongs(LongLongMap.load(file));
    }

    @Override
    public Map<Long, Long> entries() {
      long[] keys = new long[(int) map.size()];
      long[] values = new long[keys.length];
      if (map.retrieveAll(keys, values) != keys.length) {
        throw new AssertionError("size and retrieveAll differ");
      }
      Map<Long, Long> entries = HashMap.newHashMap(keys.length);
      for (int i = 0; i < keys.length; i++) {
        put(entries, keys[i], values[i]);
      }
      return entries;
    }

    @Override
    public Map<Long, Long> walked() {
      Map<Long, Long> entries = new HashMap<>();
      map.forEach((key, value) -> put(entries, key, value));
      return entries;
    }

    @Override
    public long slots() {
      return map.slots();
    }

    @Override
    public long reservedSlots() {
      return map.reservedSlots();
    }
  }
}
