package dev.gyre.kernels.trie;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;

/**
 * A word trie while words are added: follows edges and creates nodes, by the protocol of the blog.
 *
 * <p><b>Protocol.</b> An edge goes from {@link #EMPTY} to {@link #RESERVED} by a
 * compare-and-exchange that one thread wins. The winner takes the next node of the pool and
 * publishes its number in the edge, or {@link #OVERFLOW} if the pool is exhausted. All other
 * threads wait with back-off. An edge goes from OVERFLOW to RESERVED again when a later word needs
 * it, so that a grown pool needs no repair. An edge to a node never changes.
 *
 * <table>
 *   <caption>Racing accesses</caption>
 *   <tr><th>access<th>order, scope<th>pairs with<th>why weaker fails
 *   <tr><td>edge, load on a walk<td>relaxed, device<td>store of an edge<td>not atomic: a race. Relaxed is enough on a device: a node was 0 before the launch, and is accessed by atomics only, so that its number is all the
 *       information. On the JVM {@link PathInserter} loads with acquire. On GPUs an acquire would invalidate the cache with the text and the strip's own words
 *   <tr><td>edge, compare-and-exchange<td>relaxed, device<td>-<td>not atomic: two winners, and the words of one are lost
 *   <tr><td>edge, store<td>release, device<td>the wait, and loads of readers<td>waiting threads must see what the winner did before it published a node
 *   <tr><td>edge, wait<td>acquire, device<td>store of an edge<td>as for the store
 *   <tr><td>bump, fetch-add<td>relaxed, device<td>-<td>not atomic: one node at two places
 *   <tr><td>count, fetch-add<td>relaxed, device<td>end of the launch<td>not atomic: counts are lost
 * </table>
 *
 * <p><b>Progress.</b> A thread waits only for a thread that has started and that has no loop before
 * it publishes. The poll limit bounds each wait.
 *
 * @param layout layout of the nodes
 * @param edges the nodes, as ints
 * @param counts the same memory, as longs
 * @param capacity capacity in nodes
 * @param bump one long: the number of nodes taken, initially 1 for the root; more than {@code
 *     capacity} after an overflow
 * @param pollLimit polls after which a wait for another thread gives up
 * @since 0.1.0
 */
public record TrieEdges(
    NodeLayout layout,
    DeviceInts edges,
    DeviceLongs counts,
    long capacity,
    DeviceLongs bump,
    long pollLimit) {

  /** Edge without a node. */
  public static final int EMPTY = 0;

  /** Edge whose node a thread is about to publish. */
  public static final int RESERVED = -1;

  /** Edge for which no node was left. */
  public static final int OVERFLOW = -2;

  /** Value that no edge ever has. */
  private static final int NOBODY = Integer.MIN_VALUE;

  /** Returns the end of the letters that begin at a byte of a text, at most {@code end}. */
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

  /** Returns the node of a word of a text, created if necessary; or RESERVED or OVERFLOW. */
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

  /** Creates the node of an edge, or waits until another thread has. */
  public static int claim(
      int seen, DeviceInts edges, long edge, long capacity, DeviceLongs bump, long pollLimit) {
    int child;
    // One branch: if the condition of one branch decides another, TornadoVM's OpenCL loses the
    // place where they join.
    int expected = seen != RESERVED ? seen : NOBODY;
    // relaxed: only the uniqueness of the winner matters; nothing is read that another thread
    // wrote.
    if (edges.compareAndExchangeRelaxed(edge, expected, RESERVED) == expected) {
      // relaxed: allocates a number; all bits of its node are already 0.
      long fresh = bump.fetchAddRelaxed(0, 1);
      child = fresh < capacity ? (int) fresh : OVERFLOW;
      // release: pairs with the acquire below and with the acquires of readers on the host.
      edges.storeRelease(edge, child);
      edges.wakeAll(edge);
    } else {
      // acquire: pairs with the release above.
      child = edges.waitWhileEqualAcquire(edge, RESERVED, pollLimit);
    }
    return child;
  }

  /** Returns the node of the word of a key, created if necessary; or RESERVED or OVERFLOW. */
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

  /** Returns the node after a step, created if necessary; or RESERVED or OVERFLOW. */
  private int through(int node, int step) {
    int child = along(node, layout.first(step));
    if (layout.isSplit() && child > 0) {
      child = along(child, layout.second(step));
    }
    return child;
  }

  /** Returns the node after an edge, created if necessary; or RESERVED or OVERFLOW. */
  private int along(int node, int number) {
    long edge = TrieLayout.edge(node, layout.shift(), number);
    // relaxed: a node was 0 before the launch; its number is all the information.
    int child = edges.loadRelaxed(edge);
    if (child <= 0) {
      child = claim(child, edges, edge, capacity, bump, pollLimit);
    }
    return child;
  }

  /** Adds a number to the count of a node. */
  void count(int node, long times) {
    // relaxed: the end of the launch publishes the counts.
    long _ = counts.fetchAddRelaxed(TrieLayout.count(node, layout.shift()), times);
  }
}
