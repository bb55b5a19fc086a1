package dev.gyre.structures.map;

import dev.gyre.kernels.Launcher;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A set of any kind, told by numbers: a text is a number and, every other time, much more. */
interface SetSubject extends AutoCloseable {

  HashTable<?, ?, ?> set();

  InsertCounts addAll(long[] keys, BulkOptions options);

  boolean add(long key);

  FindCounts containsAll(long[] keys, BulkOptions options);

  boolean contains(long key);

  Set<Long> retrieved();

  void forEach(LongConsumer action);

  default long size() {
    return set().size();
  }

  default long capacity() {
    return set().capacity();
  }

  default void clear() {
    set().clear();
  }

  default void rehash(long capacity) {
    set().rehash(capacity);
  }

  default void save(Path file) {
    set().save(file);
  }

  default void runOn(Launcher launcher) {
    var _ = set().runOn(launcher);
  }

  @Override
  default void close() {
    set().close();
  }

  /** A type of set. */
  enum Kind {
    INTS,
    LONGS,
    TEXTS;

    private <S> MapBuilder<S> builder(
        MapBuilder<S> fresh, @Nullable Launcher launcher, int workers) {
      return launcher == null ? fresh.workers(workers) : fresh.launcher(launcher);
    }

    SetSubject make(@Nullable Launcher launcher, int workers, long capacity, boolean fixed) {
      return switch (this) {
        case INTS -> new Ints(sized(IntSet.builder(), launcher, workers, capacity, fixed).build());
        case LONGS ->
            new Longs(sized(LongSet.builder(), launcher, workers, capacity, fixed).build());
        case TEXTS ->
            new Texts(sized(TextSet.builder(), launcher, workers, capacity, fixed).build());
      };
    }

    private <S> MapBuilder<S> sized(
        MapBuilder<S> fresh,
        @Nullable Launcher launcher,
        int workers,
        long capacity,
        boolean fixed) {
      MapBuilder<S> made = builder(fresh, launcher, workers);
      return fixed ? made.fixedCapacity(capacity).loadFactor(1) : made.capacity(capacity);
    }

    SetSubject load(@Nullable Launcher launcher, int workers, Path file) {
      return switch (this) {
        case INTS -> new Ints(builder(IntSet.builder(), launcher, workers).load(file));
        case LONGS -> new Longs(builder(LongSet.builder(), launcher, workers).load(file));
        case TEXTS -> new Texts(builder(TextSet.builder(), launcher, workers).load(file));
      };
    }

    /** The key that has no slot among others, where slots hold keys alone. */
    long least() {
      return switch (this) {
        case INTS -> Integer.MIN_VALUE;
        case LONGS -> Long.MIN_VALUE;
        case TEXTS -> -1_000_000;
      };
    }

    static Stream<Kind> all() {
      return Arrays.stream(values());
    }
  }

  /** Of {@link IntSet}. */
  record Ints(IntSet set) implements SetSubject {

    private static int[] ints(long[] keys) {
      return Arrays.stream(keys).mapToInt(key -> (int) key).toArray();
    }

    @Override
    public InsertCounts addAll(long[] keys, BulkOptions options) {
      return set.addAll(dev.gyre.structures.map.Ints.of(ints(keys)), options);
    }

    @Override
    public boolean add(long key) {
      return set.add((int) key);
    }

    @Override
    public FindCounts containsAll(long[] keys, BulkOptions options) {
      return set.containsAll(dev.gyre.structures.map.Ints.of(ints(keys)), options);
    }

    @Override
    public boolean contains(long key) {
      return set.contains((int) key);
    }

    @Override
    public Set<Long> retrieved() {
      int[] keys = new int[(int) set.size()];
      int count = (int) set.retrieveAll(keys);
      return new HashSet<>(Arrays.stream(keys).limit(count).asLongStream().boxed().toList());
    }

    @Override
    public void forEach(LongConsumer action) {
      set.forEach(action::accept);
    }
  }

  /** Of {@link LongSet}. */
  record Longs(LongSet set) implements SetSubject {

    @Override
    public InsertCounts addAll(long[] keys, BulkOptions options) {
      return set.addAll(dev.gyre.structures.map.Longs.of(keys), options);
    }

    @Override
    public boolean add(long key) {
      return set.add(key);
    }

    @Override
    public FindCounts containsAll(long[] keys, BulkOptions options) {
      return set.containsAll(dev.gyre.structures.map.Longs.of(keys), options);
    }

    @Override
    public boolean contains(long key) {
      return set.contains(key);
    }

    @Override
    public Set<Long> retrieved() {
      long[] keys = new long[(int) set.size()];
      int count = (int) set.retrieveAll(keys);
      return new HashSet<>(Arrays.stream(keys).limit(count).boxed().toList());
    }

    @Override
    public void forEach(LongConsumer action) {
      set.forEach(action);
    }
  }

  /** Of {@link TextSet}. */
  record Texts(TextSet set) implements SetSubject {

    private static String text(long key) {
      return (key & 1) == 0 ? Long.toString(key) : key + " is the number of a longer key";
    }

    private static long number(String text) {
      return Long.parseLong(text.split(" ", 2)[0]);
    }

    private static TextKeys texts(long[] keys) {
      return TextKeys.of(Arrays.stream(keys).mapToObj(Texts::text).toList());
    }

    @Override
    public InsertCounts addAll(long[] keys, BulkOptions options) {
      try (TextKeys batch = texts(keys)) {
        return set.addAll(batch, options);
      }
    }

    @Override
    public boolean add(long key) {
      return set.add(text(key));
    }

    @Override
    public FindCounts containsAll(long[] keys, BulkOptions options) {
      try (TextKeys batch = texts(keys)) {
        return set.containsAll(batch, options);
      }
    }

    @Override
    public boolean contains(long key) {
      return set.contains(text(key));
    }

    @Override
    public Set<Long> retrieved() {
      try (TextKeys keys = new TextKeys()) {
        long count = set.retrieveAll(keys);
        List<Long> all =
            Stream.iterate(0, i -> i < count, i -> i + 1).map(i -> number(keys.text(i))).toList();
        return new HashSet<>(all);
      }
    }

    @Override
    public void forEach(LongConsumer action) {
      set.forEach(text -> action.accept(number(text)));
    }
  }
}
