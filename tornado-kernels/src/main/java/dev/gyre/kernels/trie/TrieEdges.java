package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;

/**
 * Device functions that go along the edges of a word trie and make its nodes, by the protocol of
 * the blog.
 *
 * <p>An edge goes from {@link #EMPTY} to {@link #RESERVED}, by a compare-and-exchange that one
 * thread wins; the winner takes the next node of the pool and publishes its number in the edge, or
 * {@link #OVERFLOW} where the pool has no more; all others wait, backing off. From OVERFLOW an edge
 * goes to RESERVED again when a later word comes by, so that after the pool has grown there is
 * nothing to repair. Edges to nodes never change.
 *
 * <table>
 * <caption>Accesses</caption>
 * <tr><th>access<th>order, scope<th>pairs with<th>why weaker fails
 * <tr><td>edge, load on a walk<td>relaxed, device<td>store of an edge<td>not atomic: a race. No
 *     more is needed: a node was all 0 before the launch, and is touched by atomics only, so that
 *     its number is all there is to see. An acquire would on GPUs empty the cache in which the text
 *     and the strip's own words are
 * <tr><td>edge, compare-and-exchange<td>relaxed, device<td>-<td>not atomic: two winners, and the
 *     words of one are lost
 * <tr><td>edge, store<td>release, device<td>the wait, and loads of readers<td>what the winner did
 *     before it published a node must be seen by those who have waited for it
 * <tr><td>edge, wait<td>acquire, device<td>store of an edge<td>as for the store
 * <tr><td>bump, fetch-add<td>relaxed, device<td>-<td>not atomic: one node at two places
 * </table>
 *
 * <p>Forward progress: a thread waits only for one that has begun and that has no loop before it
 * publishes. Waits are bounded by the poll limit.
 */
public final class TrieEdges {

  /** Edge that leads nowhere yet. */
  public static final int EMPTY = 0;

  /** Edge whose node a thread is about to publish. */
  public static final int RESERVED = -1;

  /** Edge for which there was no node left. */
  public static final int OVERFLOW = -2;

  /** What no edge ever holds. */
  private static final int NOBODY = Integer.MIN_VALUE;

  private static final int NO_LETTER = Alphabet.NO_LETTER;

  private TrieEdges() {}

  /** The node of the word at {@code begin}, made if need be; or RESERVED or OVERFLOW. */
  static int walk(
      Bytes text,
      long begin,
      long stop,
      Bytes classes,
      int nodeShift,
      DeviceInts edges,
      long capacity,
      DeviceLongs bump,
      long pollLimit) {
    int node = TrieLayout.ROOT;
    long at = begin;
    int letter = classes.get(text.getUnsigned(at));
    while (letter >= 0) {
      long edge = TrieLayout.edge(node, nodeShift, letter);
      // relaxed: a node was all 0 before the launch; there is nothing to see but its number.
      node = edges.loadRelaxed(edge);
      if (node <= 0) {
        node = claim(node, edges, edge, capacity, bump, pollLimit);
      }
      at = node > 0 ? at + 1 : stop;
      letter = at < stop ? classes.get(text.getUnsigned(at)) : NO_LETTER;
    }
    return node;
  }

  /** Makes the node that an edge leads to, or waits until another thread has. */
  public static int claim(
      int seen, DeviceInts edges, long edge, long capacity, DeviceLongs bump, long pollLimit) {
    int child;
    // One branch: where the flag of a first one decides a second one, TornadoVM's OpenCL loses the
    // place at which they meet.
    int expected = seen != RESERVED ? seen : NOBODY;
    // relaxed: only that one thread wins matters; nothing is read that another wrote.
    if (edges.compareAndExchangeRelaxed(edge, expected, RESERVED) == expected) {
      // relaxed: a number that no other thread gets; all bits of its node are 0 already.
      long fresh = bump.fetchAddRelaxed(0, 1);
      child = fresh < capacity ? (int) fresh : OVERFLOW;
      // release: pairs with the acquire below, and with those of readers on the host.
      edges.storeRelease(edge, child);
      edges.wakeAll(edge);
    } else {
      // acquire: pairs with the release above.
      child = edges.waitWhileEqualAcquire(edge, RESERVED, pollLimit);
    }
    return child;
  }

  /** The node of the word that a key stands for, made if need be; or RESERVED or OVERFLOW. */
  static int walkKey(
      long key, int nodeShift, DeviceInts edges, long capacity, DeviceLongs bump, long pollLimit) {
    int node = TrieLayout.ROOT;
    int letters = (1 << nodeShift) - 1;
    int shift = (key & WordCache.PACKED) != 0 ? nodeShift : WordCache.BYTE_SHIFT;
    long rest = key & ~WordCache.PACKED;
    while (rest != WordCache.NO_WORD) {
      long edge = TrieLayout.edge(node, nodeShift, ((int) rest & letters) - 1);
      // relaxed: a node was all 0 before the launch; there is nothing to see but its number.
      node = edges.loadRelaxed(edge);
      if (node <= 0) {
        node = claim(node, edges, edge, capacity, bump, pollLimit);
      }
      rest = node > 0 ? rest >> shift : WordCache.NO_WORD;
    }
    return node;
  }
}
