package dev.gyre.structures.map;

import dev.gyre.kernels.Launcher;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A set under test, whatever its keys: longs, of which the adapter makes those of the set. */
public interface SetAdapter extends TableAdapter {

  HashTable<?, ?, ?> set();

  @Override
  default HashTable<?, ?, ?> table() {
    return set();
  }

  InsertCounts addAll(long[] keys, BulkOptions options);

  boolean add(long key);

  FindCounts containsAll(long[] keys, BulkOptions options);

  boolean contains(long key);

  boolean remove(long key);

  FindCounts removeAll(long[] keys, BulkOptions options);

  /** All keys, by {@code retrieveAll}. */
  Set<Long> retrieved();

  /** Calls an action with each key, maybe on several threads. */
  void forEach(LongConsumer action);

  /** Walks over all keys as bytes, where they have some; fails unless they are those expected. */
  default void walkBytes(Set<Long> expected) {
    // Only texts have bytes.
  }

  /** Adds keys by a kernel that has a ref. */
  void launch(Sources sources, long[] keys);

  /** A type of set, over which the suites go. */
  enum Kind {
    INTS,
    LONGS,
    TEXTS;

    /** More than the texts of numbers take on average. */
    private static final long BYTES_OF_TEXT = 256;

    public TableType<?, SetAdapter> type() {
      return switch (this) {
        case INTS -> IntSetAdapter.TYPE;
        case LONGS -> LongSetAdapter.TYPE;
        case TEXTS -> TextSetAdapter.TYPE;
      };
    }

    SetAdapter make(@Nullable Launcher launcher, int workers, long capacity, boolean fixed) {
      return type()
          .build(
              builder -> {
                place(builder, launcher, workers);
                if (fixed) {
                  builder.fixedCapacity(capacity).loadFactor(1).textBytes(capacity * BYTES_OF_TEXT);
                } else {
                  builder.capacity(capacity);
                }
              });
    }

    SetAdapter load(@Nullable Launcher launcher, int workers, Path file) {
      return type().load(file, builder -> place(builder, launcher, workers));
    }

    private static void place(MapBuilder<?> builder, @Nullable Launcher launcher, int workers) {
      var _ = launcher == null ? builder.workers(workers) : builder.launcher(launcher);
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

  /** The first of some keys. */
  static Set<Long> keys(long[] keys, long count) {
    Set<Long> all = new HashSet<>();
    Arrays.stream(keys).limit(count).forEach(all::add);
    return all;
  }
}
