package dev.gyre.kernels.trie;

import dev.gyre.atomics.Memory;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two threads of a block meet a word each, of which both have the same slot first: each gets one,
 * and is counted once.
 */
public final class BlockSlots {

  /** At least twice as many as jcstress keeps states alive; see Cells. */
  private static final int BLOCKS = 1 << 15;

  private static final int SLOTS = 4;
  private static final int ROUND = 1;
  private static final String RIGHT = "1, 1";
  private static final long FIRST = 1;
  private static final long SECOND = next(FIRST);
  private static final BlockWords[] ALL = blocks();
  private static final AtomicInteger TAKEN = new AtomicInteger();

  private BlockSlots() {}

  /** A key of the same home. */
  private static long next(long key) {
    BlockWords words = BlockWords.of(SLOTS);
    long next = key + 1;
    while (words.home(next) != words.home(key)) {
      next++;
    }
    return next;
  }

  private static BlockWords[] blocks() {
    BlockWords words = BlockWords.of(SLOTS);
    BlockWords[] all = new BlockWords[BLOCKS];
    // Nobody reads the lists.
    Memory lists = Memory.ofBytes(words.late().byteSize() + words.fresh().byteSize());
    for (int i = 0; i < BLOCKS; i++) {
      all[i] =
          new BlockWords(
              words.keys().in(Memory.ofBytes(words.keys().byteSize())),
              words.nodes().in(Memory.ofBytes(words.nodes().byteSize())),
              words.counts().in(Memory.ofBytes(words.counts().byteSize())),
              words.fresh().in(lists),
              words.late().in(lists),
              words.cells().in(Memory.ofBytes(words.cells().byteSize())),
              SLOTS);
    }
    return all;
  }

  /** What a block shares, empty. */
  @State
  public static class Shared {
    private final BlockWords words = ALL[TAKEN.getAndIncrement() & (BLOCKS - 1)];

    public Shared() {
      words.clear(0, 1);
    }

    private void meet(long key) {
      words.count(words.slot(key, ROUND));
    }

    /** A slot that is free is taken by a load and a store. */
    private void meetByStore(long key) {
      int slot = words.home(key);
      while (words.keys().loadRelaxed(slot) != WordKey.NONE) {
        slot = (slot + 1) % SLOTS;
      }
      words.keys().storeRelaxed(slot, key);
      words.count(slot);
    }

    private int counted(long key) {
      int times = 0;
      for (int slot = 0; slot < SLOTS; slot++) {
        times += words.keys().get(slot) == key ? words.counts().get(slot) : 0;
      }
      return times;
    }

    private void tell(II_Result result) {
      result.r1 = counted(FIRST);
      result.r2 = counted(SECOND);
    }
  }

  @JCStressTest
  @Outcome(id = RIGHT, expect = Expect.ACCEPTABLE, desc = "Each in a slot of its own")
  @Outcome(expect = Expect.FORBIDDEN, desc = "A word was lost, or counted as the other")
  public static class Claim {
    @Actor
    public void first(Shared shared) {
      shared.meet(FIRST);
    }

    @Actor
    public void second(Shared shared) {
      shared.meet(SECOND);
    }

    @Arbiter
    public void after(Shared shared, II_Result result) {
      shared.tell(result);
    }
  }

  /** A slot is taken without a compare-and-exchange. */
  @JCStressTest
  @Outcome(id = RIGHT, expect = Expect.ACCEPTABLE, desc = "By luck")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "A word was counted as the other")
  public static class CheckThenActMutant {
    @Actor
    public void first(Shared shared) {
      shared.meetByStore(FIRST);
    }

    @Actor
    public void second(Shared shared) {
      shared.meetByStore(SECOND);
    }

    @Arbiter
    public void after(Shared shared, II_Result result) {
      shared.tell(result);
    }
  }
}
