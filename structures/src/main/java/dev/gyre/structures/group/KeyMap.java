package dev.gyre.structures.group;

import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.MapBuilder;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.TextLongMap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Map from keys to dense numbers, from 1 on. Number 0 belongs to the null key, which is not in the
 * map. One thread at a time inserts.
 */
final class KeyMap implements AutoCloseable {

  private final @Nullable LongLongMap longs;
  private final @Nullable TextLongMap texts;

  /** Numbers for the next keys. A number that its key did not need serves another one. */
  private final long[] free;

  private int freeCount;
  private long next = 1;

  /**
   * Creates an empty map.
   *
   * @param most largest number of keys that are inserted at once
   */
  KeyMap(boolean areTexts, int workers, long capacity, int most) {
    this.free = new long[most];
    this.longs = areTexts ? null : settings(LongLongMap.builder(), workers, capacity).build();
    this.texts = areTexts ? settings(TextLongMap.builder(), workers, capacity).build() : null;
  }

  private static <M> MapBuilder<M> settings(MapBuilder<M> builder, int workers, long capacity) {
    return builder.workers(workers).capacity(capacity);
  }

  /** Returns a number that is greater than all numbers of keys. */
  long limit() {
    return next;
  }

  private TextLongMap texts() {
    return Objects.requireNonNull(texts);
  }

  /** Finds the numbers of keys, and inserts absent keys. */
  void insert(Staged keys) {
    while (freeCount < keys.count()) {
      free[freeCount++] = next++;
    }
    Longs values = keys.part(free);
    if (longs != null) {
      var _ = longs.insertAndFind(keys.keys(), values, keys.found(), BulkOptions.NONE);
    } else {
      var _ = texts().insertAndFind(keys.texts(), values, keys.found(), BulkOptions.NONE);
    }
    for (int i = keys.count() - 1; i >= 0; i--) {
      if (keys.found[i] == free[i]) {
        free[i] = free[--freeCount];
      }
    }
  }

  /** Finds the numbers of keys; 0 for absent keys. */
  void find(Staged keys) {
    if (longs != null) {
      var _ = longs.find(keys.keys(), keys.found(), BulkOptions.NONE);
    } else {
      var _ = texts().find(keys.texts(), keys.found(), BulkOptions.NONE);
    }
  }

  /**
   * Copies of keys for a bulk operation of a map, with the numbers that it finds. For one thread.
   */
  static final class Staged implements AutoCloseable {

    final long[] found;
    final long[] longs;
    private final @Nullable TextKeys texts;
    private int count;

    /** Creates an empty batch for up to {@code most} keys. */
    Staged(boolean areTexts, int most) {
      this.found = new long[most];
      this.texts = areTexts ? new TextKeys(most, 2L * most) : null;
      this.longs = areTexts ? KeyBlock.NO_OFFSETS : new long[most];
    }

    int count() {
      return count;
    }

    Longs found() {
      return part(found);
    }

    Longs keys() {
      return part(longs);
    }

    Longs part(long[] all) {
      return count == all.length ? Longs.of(all) : Longs.of(all).part(0, count);
    }

    TextKeys texts() {
      return Objects.requireNonNull(texts);
    }

    void clear() {
      count = 0;
      if (texts != null) {
        texts.clear();
      }
    }

    /** Adds a key of a block that is not null. */
    void add(KeyBlock keys, int row) {
      if (keys.areTexts) {
        int index = keys.from + row;
        var _ = texts().add(keys.bytes.asSlice(keys.offsets[index], keys.lengths[index]));
      } else {
        longs[count] = keys.numbers[row];
      }
      count++;
    }

    @Override
    public void close() {
      if (texts != null) {
        texts.close();
      }
    }
  }

  @Override
  public void close() {
    if (longs != null) {
      longs.close();
    } else {
      texts().close();
    }
  }
}
