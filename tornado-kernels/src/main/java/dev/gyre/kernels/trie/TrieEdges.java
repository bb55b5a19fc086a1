package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;

/**
 * A word trie while words are added to it: how edges are gone along and nodes made, by the protocol
 * of the blog.
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
 *     more is needed on a device: a node was all 0 before the launch, and is touched by atomics only,
 *     so that its number is all there is to see; on the JVM {@link PathInserter} loads with acquire. An acquire would on GPUs empty the cache in which the text
 *     and the strip's own words are
 * <tr><td>edge, compare-and-exchange<td>relaxed, device<td>-<td>not atomic: two winners, and the
 *     words of one are lost
 * <tr><td>edge, store<td>release, device<td>the wait, and loads of readers<td>what the winner did
 *     before it published a node must be seen by those who have waited for it
 * <tr><td>edge, wait<td>acquire, device<td>store of an edge<td>as for the store
 * <tr><td>bump, fetch-add<td>relaxed, device<td>-<td>not atomic: one node at two places
 * <tr><td>count, fetch-add<td>relaxed, device<td>end of the launch<td>not atomic: counts are lost
 * </table>
 *
 * <p>Forward progress: a thread waits only for one that has begun and that has no loop before it
 * publishes. Waits are bounded by the poll limit.
 *
 * @param layout of the nodes
 * @param edges the nodes, as ints
 * @param counts the same memory, as longs
 * @param capacity number of nodes that there is room for
 * @param bump one long: number of nodes taken, at first 1 for the root; more than {@code capacity}
 *     after an overflow
 * @param pollLimit polls after which a wait for another thread gives up
 */
public record TrieEdges(
    NodeLayout layout,
    DeviceInts edges,
    DeviceLongs counts,
    long capacity,
    DeviceLongs bump,
    long pollLimit) {

  /** Edge that leads nowhere yet. */
  public static final int EMPTY = 0;

  /** Edge whose node a thread is about to publish. */
  public static final int RESERVED = -1;

  /** Edge for which there was no node left. */
  public static final int OVERFLOW = -2;

  /** What no edge ever holds. */
  private static final int NOBODY = Integer.MIN_VALUE;

  /** Where the letters end that begin at a byte of a text; {@code end} at most. */
  static long wordEnd(Bytes text, long begin, long end, Letters letters) {
    long at = begin;
    boolean on = at < end;
    while (on) {
      long letter = letters.letterAt(text, at, end);
      int steps = Letter.steps(letter);
      at += steps > 0 ? Letter.bytes(letter) : 0;
      on = Math.min(steps, end - at) > 0;
    }
    return at;
  }

  /** The node of a word of a text, made if need be; or RESERVED or OVERFLOW. */
  int walk(Bytes text, long begin, long wordEnd, Letters letters) {
    int node = TrieLayout.ROOT;
    long at = begin;
    int steps = 0;
    boolean on = true;
    while (on) {
      if (steps == 0) {
        long letter = letters.letterAt(text, at, wordEnd);
        steps = Letter.steps(letter);
        at += Letter.bytes(letter);
      }
      node = through(node, Letter.step(steps));
      steps >>= Letter.STEP_BITS;
      on = Math.min(node, steps + wordEnd - at) > 0;
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
  int walk(long key) {
    int node = TrieLayout.ROOT;
    int shift = WordKey.shift(key);
    long rest = key & ~WordKey.PACKED;
    while (rest != WordKey.NONE) {
      node = through(node, Letter.step((int) rest));
      rest = node > 0 ? rest >> shift : WordKey.NONE;
    }
    return node;
  }

  /** The node behind a step, made if need be; or RESERVED or OVERFLOW. */
  private int through(int node, int step) {
    int child = along(node, layout.first(step));
    if (layout.isSplit() && child > 0) {
      child = along(child, layout.second(step));
    }
    return child;
  }

  /** The node behind an edge, made if need be; or RESERVED or OVERFLOW. */
  private int along(int node, int number) {
    long edge = TrieLayout.edge(node, layout.shift(), number);
    // relaxed: a node was all 0 before the launch; there is nothing to see but its number.
    int child = edges.loadRelaxed(edge);
    if (child <= 0) {
      child = claim(child, edges, edge, capacity, bump, pollLimit);
    }
    return child;
  }

  /** Counts the word of a node so many times. */
  void count(int node, long times) {
    // relaxed: the end of the launch publishes the counts.
    long _ = counts.fetchAddRelaxed(TrieLayout.count(node, layout.shift()), times);
  }
}
