package dev.gyre.structures.group;

import dev.gyre.atomics.Memory;
import dev.gyre.structures.Memories;
import dev.gyre.structures.group.KeyMap.Staged;
import dev.gyre.structures.map.TextKeys;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Groups by one key in shards, into which threads merge their private tables.
 *
 * <p>The highest bits of a key's hash select the shard, so that a private table is merged shard by
 * shard, each under its lock.
 */
final class Grouping implements AutoCloseable {

  private static final int SHARD_BITS = 6;

  final StateRow states;
  final Shard[] shards = new Shard[1 << SHARD_BITS];
  private final boolean areTexts;
  private final boolean skipsNull;
  private final Partial.Seed seed = Partial.Seed.next();

  /**
   * Creates groups.
   *
   * @param skipsNull whether rows with the null key are skipped
   */
  Grouping(boolean areTexts, boolean skipsNull, StateRow states) {
    this.areTexts = areTexts;
    this.skipsNull = skipsNull;
    this.states = states;
    try {
      Arrays.setAll(shards, _ -> new Shard(areTexts, states));
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  boolean areTexts() {
    return areTexts;
  }

  /** Returns the number of groups. */
  long size() {
    return Stream.of(shards).mapToLong(Shard::size).sum() + (hasNull() ? 1 : 0);
  }

  boolean hasNull() {
    return shards[0].hasNull();
  }

  /**
   * Keys with the numbers of their groups.
   *
   * @param keys the keys, without the null key
   * @param numbers the numbers, by shard
   */
  record Entries(KeyEntries keys, List<long[]> numbers) {}

  /** Returns the keys of all shards; the caller closes them. */
  Entries entries() {
    List<long[]> numbers = new ArrayList<>();
    if (!areTexts) {
      Memory keys = Memory.ofLongs(Stream.of(shards).mapToLong(Shard::size).sum());
      return Memories.orFree(
          List.of(keys),
          () -> {
            long at = 0;
            for (Shard shard : shards) {
              long bytes = shard.size() * Long.BYTES;
              numbers.add(shard.retrieve(keys.segment().asSlice(at, bytes), null));
              at += bytes;
            }
            return new Entries(
                new KeyEntries(at / Long.BYTES, keys.segment(), null, keys::close), numbers);
          });
    }
    TextKeys texts = new TextKeys();
    try {
      Stream.of(shards).forEach(s -> numbers.add(s.retrieve(MemorySegment.NULL, texts)));
    } catch (RuntimeException | Error e) {
      texts.close();
      throw e;
    }
    MemorySegment places = texts.places().memory().segment();
    MemorySegment words = texts.words().memory().segment();
    return new Entries(new KeyEntries(texts.count(), words, places, texts::close), numbers);
  }

  /** Returns a copy of all groups; the caller closes it. */
  GroupState.Part state() {
    Entries entries = entries();
    int words = states.words();
    try {
      Memory rows = Memory.ofLongs((entries.keys.count() + 1) * words);
      long[] state = new long[words];
      if (hasNull()) {
        shards[0].copyState(0, state, 0);
      }
      long row = 0;
      MemorySegment.copy(state, 0, rows.segment(), ValueLayout.JAVA_LONG, 0, words);
      for (int i = 0; i < shards.length; i++) {
        for (long number : entries.numbers.get(i)) {
          row += (long) words * Long.BYTES;
          shards[i].copyState(number, state, 0);
          MemorySegment.copy(state, 0, rows.segment(), ValueLayout.JAVA_LONG, row, words);
        }
      }
      KeyEntries keys = entries.keys.and(rows::close);
      return new GroupState.Part(keys, rows.segment(), hasNull());
    } catch (RuntimeException | Error e) {
      entries.keys.close();
      throw e;
    }
  }

  /** Merges a state into that of the null key. */
  void mergeNull(long[] rows, int at) {
    shards[0].lock.lock();
    try {
      shards[0].mergeNull(rows, at);
    } finally {
      shards[0].lock.unlock();
    }
  }

  /** A thread's private table, and what it needs to merge it. */
  final class Part implements AutoCloseable {

    final Partial partial =
        areTexts ? new PartialOfTexts(states, seed) : new PartialOfLongs(states, seed);
    private final Staged staged = new Staged(areTexts, Staged.KEYS);
    private final int[] ends = new int[shards.length];
    private final int[] at = new int[KeyBlock.ROWS];
    private int[] order = {};

    /** Makes capacity for the rows of a block. */
    void reserve() {
      if (!partial.reserve(KeyBlock.ROWS)) {
        flush();
      }
    }

    /** Adds 1 to a word of the states of some keys. */
    void count(KeyBlock keys, int word) {
      reserve();
      partial.locate(keys, at);
      for (int i = 0; i < keys.count; i++) {
        partial.rows[at[i] + word]++;
      }
    }

    /** Merges a copy of groups. */
    void absorb(GroupState.Part from) {
      int words = states.words();
      KeyBlock block = new KeyBlock();
      for (long row = 0; row < from.keys().count(); row += block.count) {
        int count = from.keys().read(row, block);
        reserve();
        partial.append(block, at);
        for (int i = 0; i < count; i++) {
          long byteAt = (row + 1 + i) * words * Long.BYTES;
          MemorySegment.copy(
              from.states(), ValueLayout.JAVA_LONG, byteAt, partial.rows, at[i], words);
        }
      }
      flush();
      if (from.hasNull()) {
        long[] state = new long[words];
        MemorySegment.copy(from.states(), ValueLayout.JAVA_LONG, 0, state, 0, words);
        mergeNull(state, 0);
      }
    }

    /** Merges all rows into the shards. */
    void flush() {
      sort();
      // Threads begin with different shards.
      int start = System.identityHashCode(this);
      for (int i = 0; i < shards.length; i++) {
        int shard = (start + i) & (shards.length - 1);
        int from = shard == 0 ? 0 : ends[shard - 1];
        if (from < ends[shard]) {
          merge(shards[shard], from, ends[shard]);
        }
      }
      if (partial.hasNull() && !skipsNull) {
        mergeNull(partial.rows, partial.header);
      }
      partial.clear();
    }

    /** Sorts the rows by shard; {@code ends} are the ends of shards in the order. */
    private void sort() {
      if (order.length < partial.count()) {
        order = new int[partial.rows.length / partial.stride];
      }
      Arrays.fill(ends, 0);
      for (int row = partial.stride; row < partial.used; row += partial.stride) {
        ends[shard(row)]++;
      }
      for (int shard = 1; shard < ends.length; shard++) {
        ends[shard] += ends[shard - 1];
      }
      for (int row = partial.used - partial.stride; row > 0; row -= partial.stride) {
        order[--ends[shard(row)]] = row;
      }
      // Now each is the start of its shard.
      System.arraycopy(ends, 1, ends, 0, ends.length - 1);
      ends[ends.length - 1] = partial.count() - 1;
    }

    private int shard(int row) {
      return (int) (partial.hash(row) >>> (Long.SIZE - SHARD_BITS));
    }

    private void merge(Shard shard, int from, int to) {
      shard.lock.lock();
      try {
        for (int at = from; at < to; at += Staged.KEYS) {
          shard.merge(partial, order, at, Math.min(Staged.KEYS, to - at), staged);
        }
      } finally {
        shard.lock.unlock();
      }
    }

    @Override
    public void close() {
      staged.close();
    }
  }

  @Override
  public void close() {
    for (Shard shard : shards) {
      if (shard != null) {
        shard.close();
      }
    }
  }
}
