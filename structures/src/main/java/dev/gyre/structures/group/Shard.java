package dev.gyre.structures.group;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.TextLayout;
import dev.gyre.structures.group.KeyMap.Staged;
import dev.gyre.structures.map.TextKeys;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The groups whose keys have some hashes: a map from keys to numbers, and rows by number as in
 * {@link GroupEntries}. The null key has number 0. All methods are called under the lock, or while
 * no other thread uses the groups.
 */
final class Shard implements AutoCloseable {

  private static final long FIRST_KEYS = 1 << 8;

  final ReentrantLock lock = new ReentrantLock();

  private final StateRow states;
  private final boolean areTexts;

  /** Null if there is no group. */
  private @Nullable KeyMap map;

  /** The texts of keys. */
  private @Nullable TextKeys texts;

  private final int stride;
  private @Nullable Memory memory;
  private MemorySegment rows = MemorySegment.NULL;
  private boolean hasNull;

  Shard(boolean areTexts, StateRow states) {
    this.states = states;
    this.areTexts = areTexts;
    this.stride = GroupEntries.HEADER + states.words();
  }

  /**
   * Merges rows of a private table, at most {@link Staged#KEYS}.
   *
   * @param order the first words of the rows, from an index on
   */
  void merge(Partial from, int[] order, int begin, int count, Staged staged) {
    staged.clear();
    for (int i = begin; i < begin + count; i++) {
      from.stage(order[i], staged);
    }
    if (map == null) {
      texts = areTexts ? new TextKeys() : null;
      map = new KeyMap(areTexts, 1, FIRST_KEYS, Staged.KEYS);
    }
    map.insert(staged);
    reserve(map.limit());
    setKeys(staged);
    for (int i = begin; i < begin + count; i++) {
      order[i] += from.header;
    }
    states.merge(from.rows, order, begin, count, rows, staged.found);
  }

  /** Merges a state into that of the null key. */
  void mergeNull(long[] state, int at) {
    reserve(1);
    hasNull = true;
    states.merge(state, new int[] {at}, 0, 1, rows, new long[1]);
  }

  private void setKeys(Staged keys) {
    for (int i = 0; i < keys.count(); i++) {
      long row = keys.found[i];
      if (texts == null) {
        set(row, 0, keys.longs[i]);
        set(row, 1, 1);
      } else if (word(row, 1) == 0) {
        long place = texts.add(keys.texts(), i).places().get(texts.count() - 1);
        set(row, 0, TextLayout.start(place) * Long.BYTES);
        set(row, 1, TextLayout.length(place) + 1L);
      }
    }
  }

  private long word(long row, int word) {
    return rows.get(ValueLayout.JAVA_LONG, (row * stride + word) * Long.BYTES);
  }

  private void set(long row, int word, long value) {
    rows.set(ValueLayout.JAVA_LONG, (row * stride + word) * Long.BYTES, value);
  }

  private MemorySegment rows(long from, long count) {
    return rows.asSlice(from * stride * Long.BYTES, count * stride * Long.BYTES);
  }

  private void reserve(long numbers) {
    if (numbers * stride * Long.BYTES > rows.byteSize()) {
      Memory larger = Memory.ofLongs(2 * numbers * stride);
      MemorySegment.copy(rows, 0, larger.segment(), 0, rows.byteSize());
      if (memory != null) {
        memory.close();
      }
      memory = larger;
      rows = larger.segment();
    }
  }

  /** Moves the last rows to numbers that no key has, so that the numbers of keys are dense. */
  void pack() {
    if (map == null) {
      return;
    }
    long[] free = map.takeFree();
    long size = map.size();
    if (free.length == 0 || free[0] > size) {
      return;
    }
    try (Staged moved = new Staged(areTexts, free.length)) {
      for (long row = size + 1; row <= size + free.length; row++) {
        if (word(row, 1) != 0) {
          long to = free[moved.count()];
          moved.found[moved.count()] = to;
          rows(to, 1).copyFrom(rows(row, 1));
          if (texts == null) {
            moved.add(word(row, 0));
          } else {
            moved.add(texts.words().memory().segment().asSlice(word(row, 0), word(row, 1) - 1));
          }
        }
      }
      map.assign(moved);
    }
    rows(size + 1, free.length).fill((byte) 0);
  }

  /** Sets a word of all states to 0. */
  void zero(int word) {
    for (long row = 0; row < rows.byteSize() / Long.BYTES / stride; row++) {
      set(row, GroupEntries.HEADER + word, 0);
    }
  }

  /** Returns a view of the groups, which are packed. */
  GroupEntries entries() {
    MemorySegment all = texts == null ? MemorySegment.NULL : texts.words().memory().segment();
    long first = hasNull ? 0 : 1;
    long count = (map == null ? 0 : map.size()) + 1 - first;
    MemorySegment used = count == 0 ? MemorySegment.NULL : rows(first, count);
    return new GroupEntries(areTexts, all, used, stride, () -> {});
  }

  @Override
  public void close() {
    if (map != null) {
      map.close();
    }
    if (texts != null) {
      texts.close();
    }
    if (memory != null) {
      memory.close();
    }
  }
}
