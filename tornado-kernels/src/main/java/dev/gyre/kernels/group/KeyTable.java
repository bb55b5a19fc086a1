package dev.gyre.kernels.group;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.map.TextColumn;
import dev.gyre.kernels.map.TextHashing;
import dev.gyre.kernels.map.TextLayout;
import dev.gyre.kernels.trie.KernelText;

/**
 * Table from known keys to their groups, which no kernel changes: a lookup needs no atomic
 * operation, and reads through the caches. Device functions.
 *
 * <p>The table uses open addressing with linear probing. A slot has the hash of a key, and its
 * group plus 1, or 0 if it is free. There is a free slot.
 *
 * @param keys the key of each group
 * @param slots two longs per slot
 * @param count number of slots
 * @param seed seed of the hashes; see {@link TextHashing}
 */
public record KeyTable(
    TextColumn keys,
    DeviceLongs slots,
    long count,
    long seed,
    long multiplier,
    long endMultiplier) {

  /** Stands for a key without a group. */
  public static final int ABSENT = -1;

  private static final int SEARCHING = -2;

  /** Number of longs of a slot. */
  public static final int SLOT_LONGS = 2;

  /** Returns the table of some keys, whose slots the host fills by {@link #put}. */
  public static KeyTable of(TextColumn keys, DeviceLongs slots, long seed) {
    return new KeyTable(
        keys,
        slots,
        slots.length() / SLOT_LONGS,
        seed,
        TextHashing.multiplier(seed),
        TextHashing.endMultiplier(seed));
  }

  /** Adds a key, by its group. For the host, while no kernel uses the table. */
  public void put(int group) {
    long place = keys.place(group);
    long hash =
        TextHashing.hash(
            keys.words(),
            TextLayout.start(place),
            TextLayout.length(place),
            seed,
            multiplier,
            endMultiplier);
    long slot = TextLayout.home(hash, count);
    while (slots.get(SLOT_LONGS * slot + 1) != 0) {
      slot = slot + 1 == count ? 0 : slot + 1;
    }
    slots.set(SLOT_LONGS * slot, hash);
    slots.set(SLOT_LONGS * slot + 1, group + 1L);
  }

  /** Returns the group of a key that is not empty, or ABSENT. */
  public int find(KernelText text, long from, long to) {
    long hash = seed;
    for (long at = from; at < to; at += Long.BYTES) {
      hash = TextHashing.fold(hash ^ word(text, at, to), multiplier);
    }
    hash = TextHashing.fold(hash ^ (to - from), endMultiplier);
    long slot = TextLayout.home(hash, count);
    int group = SEARCHING;
    while (group == SEARCHING) {
      long mark = slots.get(SLOT_LONGS * slot);
      int there = (int) slots.get(SLOT_LONGS * slot + 1) - 1;
      if (there == ABSENT) {
        group = ABSENT;
      } else if (mark == hash) {
        group = differs(there, text, from, to) == 0 ? there : SEARCHING;
      }
      slot = slot + 1 == count ? 0 : slot + 1;
    }
    return group;
  }

  /** Returns 0 if a text is the key of a group. */
  private long differs(int group, KernelText text, long from, long to) {
    long place = keys.place(group);
    long start = TextLayout.start(place);
    long differs = (to - from) ^ TextLayout.length(place);
    long end = differs == 0 ? to : from;
    for (long at = from; at < end; at += Long.BYTES) {
      differs |= keys.words().get(start + ((at - from) >> 3)) ^ word(text, at, to);
    }
    return differs;
  }

  /** Returns eight bytes of a text, with zeros after its end. */
  private static long word(KernelText text, long at, long end) {
    long left = end - at;
    long mask = left < Long.BYTES ? (1L << (left << 3)) - 1 : -1;
    return text.eightAt(at) & mask;
  }
}
