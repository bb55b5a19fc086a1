package dev.gyre.structures.group;

import dev.gyre.structures.group.KeyMap.Staged;
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

  /** Makes the numbers of groups dense. */
  void pack() {
    InParallel.run(shards.length, i -> shards[i].pack());
  }

  /** Returns views of all groups, which are packed. */
  List<GroupEntries> views() {
    return Stream.of(shards).map(Shard::entries).toList();
  }

  /** Returns a copy of all groups, which are packed; the caller closes it. */
  GroupEntries entries() {
    return GroupEntries.copy(views());
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
    void absorb(GroupEntries from) {
      flush();
      KeyBlock block = new KeyBlock();
      for (long row = 0; row < from.count(); row += block.count) {
        int count = from.read(row, block);
        reserve();
        partial.append(block, at);
        for (int i = 0; i < count; i++) {
          from.copyState(row + i, partial.rows, at[i]);
        }
      }
      flush();
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
        shards[0].lock.lock();
        try {
          shards[0].mergeNull(partial.rows, partial.header);
        } finally {
          shards[0].lock.unlock();
        }
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
