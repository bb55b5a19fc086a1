package dev.gyre.structures.trie;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.structures.Waiting;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Two threads add words for which the pool of a trie has no room, so that it grows, or one does and
 * the other reads: no count is lost, none is seen to fall, and no node is made twice. Two at a
 * time, since jcstress leaves out what needs more cores than there are.
 */
public final class TrieGrowth {

  /** More than jcstress keeps states alive; see Cells. */
  private static final int TRIES = 1 << 15;

  private static final JvmLauncher LAUNCHER = JvmLauncher.ofWorkers(1);
  private static final AtomicReferenceArray<TrieNodes> ALIVE = new AtomicReferenceArray<>(TRIES);
  private static final AtomicInteger TAKEN = new AtomicInteger();
  private static final byte[] A = "a".getBytes(US_ASCII);
  private static final byte[] AB = "ab".getBytes(US_ASCII);
  private static final byte[] AC = "ac".getBytes(US_ASCII);

  private TrieGrowth() {}

  /** A trie with one word, and no room for more. */
  @State
  public static class FullTrie {
    private final TrieNodes nodes = new TrieNodes(Alphabet.ASCII_LETTERS, NodeSize.LARGE, 2);
    private final TrieLock guard = new TrieLock(nodes);
    private final TrieGroup group =
        new TrieGroup(nodes, LAUNCHER, new TrieBuild.Shapes(1), Waiting.AUTO);
    private final TextIngest texts = new TextIngest(nodes, guard, new CountLimit(nodes), group);
    private final TrieWords words = new TrieWords(nodes, guard);

    public FullTrie() {
      texts.add(A);
      TrieNodes old = ALIVE.getAndSet(TAKEN.getAndIncrement() & (TRIES - 1), nodes);
      if (old != null) {
        old.close();
      }
    }

    private long count(byte[] word) {
      return words.count(word);
    }
  }

  @JCStressTest
  @Outcome(id = "a 1 ab 1 ac 1 of 4 nodes", expect = Expect.ACCEPTABLE, desc = "All counted once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "A count was lost, or a node was made twice")
  public static class ConcurrentAdds {
    @Actor
    public void first(FullTrie trie) {
      trie.texts.add(AB);
    }

    @Actor
    public void second(FullTrie trie) {
      trie.texts.add(AC);
    }

    @Arbiter
    public void after(FullTrie trie, L_Result result) {
      result.r1 =
          "a %d ab %d ac %d of %d nodes"
              .formatted(trie.count(A), trie.count(AB), trie.count(AC), trie.nodes.size());
    }
  }

  @JCStressTest
  @Outcome(id = "true, 1", expect = Expect.ACCEPTABLE, desc = "Seen or not, and then there")
  @Outcome(expect = Expect.FORBIDDEN, desc = "A count was lost, or seen to fall")
  public static class ReadDuringAdd {
    @Actor
    public void adder(FullTrie trie) {
      trie.texts.add(AB);
    }

    @Actor
    public void reader(FullTrie trie, LL_Result result) {
      long before = trie.count(AB);
      result.r1 = trie.count(A) == 1 && trie.count(AB) >= before;
    }

    @Arbiter
    public void after(FullTrie trie, LL_Result result) {
      result.r2 = trie.count(AB);
    }
  }

  /** The pool grows while another thread adds to it: nobody waits at the guard. */
  @JCStressTest
  @Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "By luck")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "A count was lost, or its pool was gone")
  public static class UnlockedGrowthMutant {
    @Actor
    public void adder(FullTrie trie, L_Result result) {
      try {
        boolean _ = TrieAdder.addText(trie.nodes, A);
      } catch (RuntimeException e) {
        result.r1 = e.getClass().getSimpleName();
      }
    }

    @Actor
    public void grower(FullTrie trie) {
      trie.nodes.grow();
    }

    @Arbiter
    public void after(FullTrie trie, L_Result result) {
      if (result.r1 == null) {
        result.r1 = trie.count(A);
      }
    }
  }
}
