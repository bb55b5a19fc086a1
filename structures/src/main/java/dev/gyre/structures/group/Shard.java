package dev.gyre.structures.group;

import dev.gyre.atomics.Memory;
import dev.gyre.structures.group.KeyMap.Staged;
import dev.gyre.structures.map.TextKeys;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The groups whose keys have some hashes: a map from keys to numbers, and the states of the groups
 * by number. The state of the null key has number 0. All methods are called under the lock, or
 * while no other thread uses the groups.
 */
final class Shard implements AutoCloseable {

  private static final long FIRST_KEYS = 1 << 8;

  final ReentrantLock lock = new ReentrantLock();

  private final StateRow states;
  private final boolean areTexts;

  /** Null if there is no group. */
  private @Nullable KeyMap map;

  private final long rowBytes;
  private @Nullable Memory memory;
  private MemorySegment rows = MemorySegment.NULL;
  private boolean hasNull;

  Shard(boolean areTexts, StateRow states) {
    this.states = states;
    this.areTexts = areTexts;
    this.rowBytes = (long) states.words() * Long.BYTES;
  }

  /** Returns the number of groups without that of the null key. */
  long size() {
    return map == null ? 0 : map.size();
  }

  boolean hasNull() {
    return hasNull;
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
      map = new KeyMap(areTexts, 1, FIRST_KEYS, Staged.KEYS);
    }
    map.insert(staged);
    reserve(map.limit());
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

  private void reserve(long numbers) {
    if (numbers * rowBytes > rows.byteSize()) {
      Memory larger = Memory.ofLongs(2 * numbers * states.words());
      MemorySegment.copy(rows, 0, larger.segment(), 0, rows.byteSize());
      if (memory != null) {
        memory.close();
      }
      memory = larger;
      rows = larger.segment();
    }
  }

  /** Sets a word of all states to 0. */
  void zero(int word) {
    for (long at = (long) word * Long.BYTES; at < rows.byteSize(); at += rowBytes) {
      rows.set(ValueLayout.JAVA_LONG, at, 0);
    }
  }

  /** Returns the keys, as {@link KeyMap#keys} does. */
  long[][] keys(TextKeys texts) {
    return map == null ? new long[3][0] : map.keys(texts);
  }

  /** Copies keys with their states to rows from one on. */
  void copy(long[][] keys, GroupEntries to, long firstRow) {
    for (int i = 0; i < keys[0].length; i++) {
      long row = firstRow + i;
      to.setKey(row, keys[0][i], keys[1][i]);
      MemorySegment.copy(rows, keys[2][i] * rowBytes, to.rows(), to.state(row), rowBytes);
    }
  }

  @Override
  public void close() {
    if (map != null) {
      map.close();
    }
    if (memory != null) {
      memory.close();
    }
  }
}
