package dev.gyre.kernels.group;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.ThreadInts;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.TextHashing;
import dev.gyre.kernels.map.TextLayout;

/**
 * Keys of rows, and the table from keys to groups, which are the numbers of slots. Device
 * functions.
 *
 * <p>The table uses open addressing with linear probing. Its memory is 0 at the beginning. A search
 * ends after {@value #MAX_PROBES} slots. No thread waits for another one.
 */
public interface GroupKeys {

  /** Stands for a row for which the table has no slot. */
  int FULL = -1;

  /** Stands for a row whose slot is claimed, but not yet published. */
  int UNPUBLISHED = -2;

  /** Stands for a row that was added before. */
  int ADDED = -3;

  int SEARCHING = -4;

  int MAX_PROBES = 64;

  /** Finds the group of a row, or adds it; returns the group, FULL or UNPUBLISHED. */
  int find(long row);

  /**
   * Keys of one word. A slot is a key, or 0 if it is free. One compare-and-exchange claims, fills
   * and publishes a slot. After the others, the key 0 and then null have slots of their own.
   *
   * @param words the slots
   * @param slots number of slots before the two of the key 0 and of null
   * @param seed seed of the hash
   */
  record One(NumberColumn column, DeviceLongs words, long slots, long seed) implements GroupKeys {

    /** Number of slots after the others. */
    public static final int MORE_SLOTS = 2;

    @Override
    public int find(long row) {
      long key = column.key(row);
      long slot = TextLayout.home(Hashing.hash(key, seed), slots);
      int group = key == 0 ? (int) slots - column.ifNull(row) : SEARCHING;
      int probes = 0;
      while (group == SEARCHING) {
        // plain: a hint, possibly from a cache of the device; a key never changes
        long there = words.get(slot);
        if (there == 0) {
          // relaxed: claims and publishes at once
          long before = words.compareAndExchangeRelaxed(slot, 0, key);
          there = before == 0 ? key : before;
        }
        probes++;
        int missed = probes < MAX_PROBES ? SEARCHING : FULL;
        group = there == key ? (int) slot : missed;
        slot = slot + 1 == slots ? 0 : slot + 1;
      }
      return group;
    }
  }

  /**
   * Groups that a launch has found, for the rows in which a column is null: so {@link FindGroups}
   * counts the nulls. Other rows, and rows without a group, are {@link #ADDED}.
   *
   * @param groups group of each row
   */
  record OfNulls(Validity valid, ThreadInts groups) implements GroupKeys {

    @Override
    public int find(long row) {
      int group = groups.get(row) | ~valid.ifNull(row);
      return group < 0 ? ADDED : group;
    }
  }

  /**
   * Keys of two words. A slot has a mark and the two words. The mark is 0 if the slot is free;
   * otherwise it has the bit {@link #CLAIMED}, the bit {@link #PUBLISHED} when the words may be
   * read, a bit for each word that is null, and the other bits of the hash.
   *
   * <p>A thread that meets a slot with the same hash that is not yet published does not wait: the
   * row is {@link #UNPUBLISHED}, and the next launch finds its group.
   *
   * @param words the slots
   * @param slots number of slots
   * @param seed seed of the hash; see {@link TextHashing}
   */
  record Two(
      NumberColumn first,
      NumberColumn second,
      DeviceLongs words,
      long slots,
      long seed,
      long multiplier,
      long endMultiplier)
      implements GroupKeys {

    public static final int SLOT_LONGS = 3;

    private static final long PUBLISHED = 1;
    private static final long CLAIMED = 2;

    /** Bit of a mark if the first word is null. */
    public static final long FIRST_NULL = 4;

    /** Bit of a mark if the second word is null. */
    public static final long SECOND_NULL = 8;

    private static final long FLAGS = PUBLISHED | CLAIMED | FIRST_NULL | SECOND_NULL;

    @Override
    public int find(long row) {
      long one = first.key(row);
      long two = second.key(row);
      long hash = TextHashing.fold(TextHashing.fold(one ^ seed, multiplier) ^ two, endMultiplier);
      long nulls = (first.ifNull(row) & FIRST_NULL) | (second.ifNull(row) & SECOND_NULL);
      long claim = (hash & ~FLAGS) | nulls | CLAIMED;
      long mark = claim | PUBLISHED;
      long slot = TextLayout.home(hash, slots);
      int group = SEARCHING;
      int probes = 0;
      while (group == SEARCHING) {
        long at = SLOT_LONGS * slot;
        // acquire: pairs with the release below; the words of a published slot are visible
        long there = words.loadAcquire(at);
        if (there == 0) {
          // acquire: as the load, if another thread was faster
          there = words.compareAndExchangeAcquire(at, 0, claim);
          if (there == 0) {
            words.set(at + 1, one);
            words.set(at + 2, two);
            // release: pairs with the acquires above; publishes the words
            words.storeRelease(at, mark);
            there = mark;
          }
        }
        long differs = there ^ mark;
        if (differs == 0) {
          differs = (words.get(at + 1) ^ one) | (words.get(at + 2) ^ two);
        }
        probes++;
        int missed = probes < MAX_PROBES ? SEARCHING : FULL;
        int other = there == claim ? UNPUBLISHED : missed;
        group = differs == 0 ? (int) slot : other;
        slot = slot + 1 == slots ? 0 : slot + 1;
      }
      return group;
    }
  }
}
