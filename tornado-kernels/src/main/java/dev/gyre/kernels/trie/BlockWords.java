package dev.gyre.kernels.trie;

import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.SharedLongs;

/**
 * The words that the threads of a block have met of late, and how often, in memory that the block
 * shares: an open table by the words' keys, a list of the slots that were taken, and one of where
 * there are words that have no key or found no slot.
 *
 * <p>A block works in <em>epochs</em>: its threads count words here until most of the slots are
 * taken, and then all of them together add what is here to the trie. So no thread goes along edges
 * while others of its warp wait, and a frequent word costs one access to what blocks share in an
 * epoch. Words that were met more than once stay, with their nodes; others make room. A word may be
 * in two slots, since one before its own was given up; both count.
 *
 * <table>
 * <caption>Accesses while words are counted; all others are plain, between barriers</caption>
 * <tr><th>access<th>order, scope<th>pairs with<th>why weaker fails
 * <tr><td>key, load and compare-and-exchange<td>relaxed, block<td>-<td>not atomic: two words in one
 *     slot
 * <tr><td>count, fetch-add<td>relaxed, block<td>the barrier after it<td>not atomic: counts are lost
 * <tr><td>cell, fetch-add<td>relaxed, block<td>the barrier after it<td>not atomic: two words at one
 *     place of the list
 * </table>
 *
 * @param keys of the words; 0 in a slot that is free
 * @param nodes of the words; 0 until one is known, and less where there is none
 * @param counts how often each was met in this epoch
 * @param fresh the slots that were taken in this epoch, as many as there is room for
 * @param late the bytes of the text at which words begin that have no slot
 * @param cells what there is one of, for the block
 * @param slots how many there are, a power of two
 */
public record BlockWords(
    SharedLongs keys,
    SharedInts nodes,
    SharedInts counts,
    SharedInts fresh,
    SharedLongs late,
    SharedInts cells,
    int slots) {

  /** The list of slots has room for half of them. */
  private static final int FRESH_SHIFT = 1;

  /** The list of words has room for so many slots less, and one. */
  private static final int LATE_SHIFT = 5;

  /** Slots that are looked at for a word. */
  private static final int PROBES = 8;

  /** What is no slot. */
  private static final int NONE = -1;

  /** The cell with the number of slots that are taken. */
  private static final int TAKEN = 0;

  /** The cell with the number of words that had no slot. */
  private static final int LATE = 1;

  /** The cell with the last round in which a word had no node. */
  private static final int FAILED = 2;

  /**
   * The first of two cells, for even and odd rounds, with the last round in which too many slots
   * were taken: nobody writes to that of a round that others still look at.
   */
  private static final int CROWDED = 3;

  /** The cell with the number of slots that were taken when the epoch began. */
  private static final int KEPT = 5;

  private static final int CELLS = 6;

  /** With so many slots, a power of two and at least 4; a block shares about 18 bytes for each. */
  public static BlockWords of(int slots) {
    return new BlockWords(
        SharedLongs.of(slots),
        SharedInts.of(slots),
        SharedInts.of(slots),
        SharedInts.of(slots >> FRESH_SHIFT),
        SharedLongs.of((slots >> LATE_SHIFT) + 1),
        SharedInts.of(CELLS),
        slots);
  }

  /** A thread's part of what makes all of it empty, before a barrier. */
  void clear(int own, int blockSize) {
    for (int slot = own; slot < slots; slot += blockSize) {
      keys.set(slot, WordKey.NONE);
      nodes.set(slot, 0);
      counts.set(slot, 0);
    }
    for (int cell = own; cell < CELLS; cell += blockSize) {
      cells.set(cell, 0);
    }
  }

  /** The first slot that a word may have. */
  int home(long key) {
    return (int) ((key * 0x9E37_79B9_7F4A_7C15L) >> 40) & (slots - 1);
  }

  /**
   * The slot of a word, claimed if need be; negative where all that it may have are taken, or it
   * has no key.
   *
   * @param round more than 0, and more by 1 behind each barrier
   */
  int slot(long key, int round) {
    int slot = home(key);
    int found = NONE;
    // No branch: none where the key is 0 or less.
    int left = PROBES & (int) ((-key & ~key) >> 63);
    while (left > 0) {
      long there = keys.loadRelaxed(slot);
      if (there == WordKey.NONE) {
        there = keys.compareAndExchangeRelaxed(slot, WordKey.NONE, key);
        if (there == WordKey.NONE) {
          take(slot, round);
        }
      }
      boolean ours = there == key || there == WordKey.NONE;
      found = ours ? slot : NONE;
      left = ours ? 0 : left - 1;
      slot = (slot + 1) & (slots - 1);
    }
    return found;
  }

  /** Counts the word in a slot once. */
  void count(int slot) {
    int _ = counts.fetchAddRelaxed(slot, 1);
  }

  private void take(int slot, int round) {
    int taken = cells.fetchAddRelaxed(TAKEN, 1);
    int place = taken - cells.get(KEPT);
    if (place < slots >> FRESH_SHIFT) {
      fresh.set(place, slot);
    }
    if (taken >= (slots >> 1) + (slots >> 3)) {
      cells.storeRelaxed(CROWDED + (round & 1), round);
    }
  }

  /** Notes a word that has no slot. */
  void note(long at) {
    int place = cells.fetchAddRelaxed(LATE, 1);
    if (place < places()) {
      late.set(place, at);
    }
  }

  /** 1 if this is the time for an end of the epoch, the same for all threads; else 0. */
  int crowded(int round) {
    return cells.get(CROWDED + (round & 1)) == round ? 1 : 0;
  }

  /** How many words were noted; more than {@link #places} if not all of them are in the list. */
  int noted() {
    return cells.get(LATE);
  }

  /** How many words the list has room for. */
  int places() {
    return (slots >> LATE_SHIFT) + 1;
  }

  /** Where a word is that was noted. */
  long noted(int place) {
    return late.get(place);
  }

  /**
   * A thread's part of what finds the nodes of the words in the list of slots, between barriers: so
   * all threads have one to look for.
   */
  void find(int own, int blockSize, TrieEdges trie) {
    int taken = Math.min(cells.get(TAKEN) - cells.get(KEPT), slots >> FRESH_SHIFT);
    for (int place = own; place < taken; place += blockSize) {
      int slot = fresh.get(place);
      nodes.set(slot, trie.walk(keys.get(slot)));
    }
  }

  /**
   * A thread's part of what adds all words with slots to the trie, between barriers. Those that
   * have no nodes stay without counts.
   *
   * @return the least of their nodes, as RESERVED or OVERFLOW; more if all have nodes
   */
  int add(int own, int blockSize, int round, TrieEdges trie) {
    int worst = 1;
    int freed = 0;
    for (int slot = own; slot < slots; slot += blockSize) {
      long key = keys.get(slot);
      int times = counts.get(slot);
      int node = nodes.get(slot);
      if (times > 0) {
        if (node <= 0) {
          node = trie.walk(key);
          nodes.set(slot, node);
        }
        if (node > 0) {
          trie.count(node, times);
        }
        worst = Math.min(worst, node);
        counts.set(slot, 0);
      }
      // What has no node is looked for before the next epoch.
      int uses = node > 0 ? times : 2 * times;
      if (key != WordKey.NONE && uses < 2) {
        keys.set(slot, WordKey.NONE);
        nodes.set(slot, 0);
        freed++;
      }
    }
    int _ = cells.fetchAddRelaxed(TAKEN, -freed);
    if (worst <= 0) {
      cells.storeRelaxed(FAILED, round);
    }
    return worst;
  }

  /** Whether a word had no node at the end of the epoch in a round. */
  boolean hasFailed(int round) {
    return cells.get(FAILED) == round;
  }

  /** -1 if a word that was counted has no node, behind a barrier; else 0. */
  int lost(long key) {
    int slot = home(key);
    int lost = 0;
    for (int probe = 0; probe < PROBES; probe++) {
      if (keys.get(slot) == key) {
        lost |= nodes.get(slot) >> 31;
      }
      slot = (slot + 1) & (slots - 1);
    }
    return lost;
  }

  /** Begins an epoch; by one thread, between barriers. */
  void begin() {
    cells.set(LATE, 0);
    cells.set(KEPT, cells.get(TAKEN));
  }
}
