package dev.gyre.structures.group;

import dev.gyre.atomics.Memory;
import dev.gyre.structures.Memories;
import dev.gyre.structures.group.KeyMap.Staged;
import dev.gyre.structures.map.TextKeys;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The groups whose keys have some hashes: a map from keys to numbers, and the states of the groups
 * by number. The state of the null key has number 0. All methods are called under the lock, or
 * while no other thread uses the groups.
 */
final class Shard implements AutoCloseable {

  private static final int CHUNK_BITS = 10;
  private static final int CHUNK_ROWS = 1 << CHUNK_BITS;
  private static final long FIRST_KEYS = 1 << 8;

  final ReentrantLock lock = new ReentrantLock();

  private final StateRow states;
  private final boolean areTexts;

  /** Null if there is no group. */
  private @Nullable KeyMap map;

  private final long rowBytes;
  private final List<Memory> memories = new ArrayList<>();
  private MemorySegment[] chunks = {};
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
    map.insert(staged, this::begin);
    for (int i = 0; i < count; i++) {
      merge(staged.found[i], from.rows, order[begin + i] + from.header);
    }
  }

  /** Merges a state into that of the null key. */
  void mergeNull(long[] rows, int at) {
    if (!hasNull) {
      begin(0);
      hasNull = true;
    }
    merge(0, rows, at);
  }

  private void merge(long number, long[] rows, int at) {
    if (rowBytes > 0) {
      states.merge(rows, at, chunk(number), place(number));
    }
  }

  private void begin(long number) {
    if (rowBytes == 0) {
      return;
    }
    int chunk = (int) (number >> CHUNK_BITS);
    while (chunk >= memories.size()) {
      memories.add(Memory.ofLongs((long) states.words() * CHUNK_ROWS));
      chunks = memories.stream().map(Memory::segment).toArray(MemorySegment[]::new);
    }
    states.begin(chunk(number), place(number));
  }

  private MemorySegment chunk(long number) {
    return chunks[(int) (number >> CHUNK_BITS)];
  }

  private long place(long number) {
    return (number & (CHUNK_ROWS - 1)) * rowBytes;
  }

  /** Returns a word of the state of a group. */
  long word(long number, int word) {
    return chunk(number).get(ValueLayout.JAVA_LONG, place(number) + (long) word * Long.BYTES);
  }

  /** Copies the state of a group. */
  void copyState(long number, long[] to, int at) {
    if (rowBytes > 0) {
      MemorySegment.copy(
          chunk(number), ValueLayout.JAVA_LONG, place(number), to, at, states.words());
    }
  }

  /** Sets a word of all states to 0. */
  void zero(int word) {
    for (MemorySegment chunk : chunks) {
      for (long at = (long) word * Long.BYTES; at < chunk.byteSize(); at += rowBytes) {
        chunk.set(ValueLayout.JAVA_LONG, at, 0);
      }
    }
  }

  /** Copies the keys to longs, or appends them to texts; returns the numbers of their groups. */
  long[] retrieve(MemorySegment keys, @Nullable TextKeys texts) {
    return map == null ? KeyBlock.NO_OFFSETS : map.retrieve(keys, texts);
  }

  @Override
  public void close() {
    if (map != null) {
      map.close();
    }
    Memories.close(memories);
  }
}
