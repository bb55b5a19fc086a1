package dev.gyre.kernels.trie;

import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.SharedLongs;

/**
 * Recent words of a block with their counts, in shared memory: an open-addressing table by the
 * words' keys, a list of the slots that were claimed, and a list of words that have no key or found
 * no slot.
 *
 * <p><b>Protocol.</b> A block works in <em>epochs</em>. Its threads count words here until most
 * slots are taken. Then all threads together add the counts to the trie. So no thread follows edges
 * while other threads of its warp wait, and a frequent word costs one access to global memory per
 * epoch. Words with more than one occurrence stay, with their nodes; other words are removed. A
 * word may be in two slots, because an earlier slot was freed; both count.
 *
 * <table>
 *   <caption>Racing accesses while words are counted; all others are plain, between barriers</caption>
 *   <tr><th>access<th>order, scope<th>pairs with<th>why weaker fails
 *   <tr><td>key, load and compare-and-exchange<td>relaxed, block<td>-<td>not atomic: two words in one slot
 *   <tr><td>count, fetch-add<td>relaxed, block<td>the barrier after it<td>not atomic: counts are lost
 *   <tr><td>cell, fetch-add<td>relaxed, block<td>the barrier after it<td>not atomic: two words at one place of the list
 * </table>
 *
 * @param keys keys of the words; 0 in a free slot
 * @param nodes nodes of the words; 0 if unknown, and less if there is no node
 * @param counts count of each word in this epoch
 * @param fresh slots that were claimed in this epoch, as far as they fit
 * @param late bytes of the text at which words without a slot begin
 * @param cells variables of the block
 * @param slots number of slots, a power of two
 * @since 0.1.0
 */
public record BlockWords(
    SharedLongs keys,
    SharedInts nodes,
    SharedInts counts,
    SharedInts fresh,
    SharedLongs late,
    SharedInts cells,
    int slots) {

  /** Shift of the length of the list of slots: half of them. */
  private static final int FRESH_SHIFT = 1;

  /** Shift of the length of the list of words, plus one. */
  private static final int LATE_SHIFT = 5;

  /** Number of slots that are probed for a word. */
  private static final int PROBES = 8;

  /** Stands for no slot. */
  private static final int NONE = -1;

  /** Cell with the number of claimed slots. */
  private static final int TAKEN = 0;

  /** Cell with the number of words without a slot. */
  private static final int LATE = 1;

  /** Cell with the last round in which a word had no node. */
  private static final int FAILED = 2;

  /**
   * First of two cells, for even and odd rounds, with the last round in which too many slots were
   * claimed. No thread writes the cell of a round that others may still read.
   */
  private static final int CROWDED = 3;

  /** Cell with the number of claimed slots at the start of the epoch. */
  private static final int KEPT = 5;

  private static final int CELLS = 6;

  /**
   * Returns a table with a number of slots, a power of two and at least 4. A block shares about 18
   * bytes per slot.
   */
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

  /** Runs one thread's part of clearing the table, before a barrier. */
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

  /** Returns the home slot of a word. */
  int home(long key) {
    return (int) ((key * 0x9E37_79B9_7F4A_7C15L) >> 40) & (slots - 1);
  }

  /**
   * Returns the slot of a word, claimed if necessary; negative if all possible slots are taken, or
   * the word has no key.
   *
   * @param round more than 0, and incremented after each barrier
   */
  int slot(long key, int round) {
    int slot = home(key);
    int found = NONE;
    // Without a branch: 0 if the key is 0 or less.
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

  /** Adds 1 to the count of a slot. */
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

  /** Notes a word without a slot. */
  void note(long at) {
    int place = cells.fetchAddRelaxed(LATE, 1);
    if (place < places()) {
      late.set(place, at);
    }
  }

  /** Returns 1 if the epoch must end, the same for all threads, otherwise 0. */
  int crowded(int round) {
    return cells.get(CROWDED + (round & 1)) == round ? 1 : 0;
  }

  /** Returns the number of noted words; more than {@link #places} if some are not in the list. */
  int noted() {
    return cells.get(LATE);
  }

  /** Returns the capacity of the list of words. */
  int places() {
    return (slots >> LATE_SHIFT) + 1;
  }

  /** Returns the position of a noted word. */
  long noted(int place) {
    return late.get(place);
  }

  /**
   * Runs one thread's part of finding the nodes of the words in the list of slots, between
   * barriers, so that all threads have work.
   */
  void find(int own, int blockSize, TrieEdges trie) {
    int taken = Math.min(cells.get(TAKEN) - cells.get(KEPT), slots >> FRESH_SHIFT);
    for (int place = own; place < taken; place += blockSize) {
      int slot = fresh.get(place);
      nodes.set(slot, trie.walk(keys.get(slot)));
    }
  }

  /**
   * Runs one thread's part of adding all words with slots to the trie, between barriers. Words
   * without nodes stay without counts.
   *
   * @return the least of their nodes, such as RESERVED or OVERFLOW; more if all have nodes
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
      // A word without a node is looked up before the next epoch.
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

  /** Returns whether a word had no node at the end of the epoch in a round. */
  boolean hasFailed(int round) {
    return cells.get(FAILED) == round;
  }

  /** Returns -1 if a word that was counted has no node, after a barrier; otherwise 0. */
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

  /** Begins an epoch. One thread calls it, between barriers. */
  void begin() {
    cells.set(LATE, 0);
    cells.set(KEPT, cells.get(TAKEN));
  }
}
