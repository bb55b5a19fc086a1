package dev.gyre.kernels.stress;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Fences;
import dev.gyre.atomics.table.ElementType;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;

/**
 * Independent reads of independent writes: two threads write a word each, two others read both, in
 * opposite orders. Sequentially consistent, the readers agree on which was written first. Needs
 * four cores.
 */
public final class IndependentReads {

  private static final DeviceInts WORDS = DeviceInts.of(Cells.MEMORY);

  private IndependentReads() {}

  @State
  public static class Words {
    final long taken = Cells.take();
    final long first = Cells.first(ElementType.INT, taken);
    final long second = Cells.second(ElementType.INT, taken);
  }

  @JCStressTest
  @Outcome(id = "1, 0, 1, 0", expect = Expect.FORBIDDEN, desc = "The readers disagree")
  @Outcome(expect = Expect.ACCEPTABLE, desc = "The readers agree, or saw too little")
  public static class SeqCst {
    @Actor
    public void writeFirst(Words words) {
      WORDS.storeSeqCst(words.first, 1);
    }

    @Actor
    public void writeSecond(Words words) {
      WORDS.storeSeqCst(words.second, 1);
    }

    @Actor
    public void read(Words words, IIII_Result result) {
      result.r1 = WORDS.loadSeqCst(words.first);
      result.r2 = WORDS.loadSeqCst(words.second);
    }

    @Actor
    public void readInReverse(Words words, IIII_Result result) {
      result.r3 = WORDS.loadSeqCst(words.second);
      result.r4 = WORDS.loadSeqCst(words.first);
    }
  }

  @JCStressTest
  @Outcome(id = "1, 0, 1, 0", expect = Expect.FORBIDDEN, desc = "The readers disagree")
  @Outcome(expect = Expect.ACCEPTABLE, desc = "The readers agree, or saw too little")
  public static class SeqCstFences {
    @Actor
    public void writeFirst(Words words) {
      WORDS.storeRelaxed(words.first, 1);
    }

    @Actor
    public void writeSecond(Words words) {
      WORDS.storeRelaxed(words.second, 1);
    }

    @Actor
    public void read(Words words, IIII_Result result) {
      result.r1 = WORDS.loadRelaxed(words.first);
      Fences.deviceSeqCst();
      result.r2 = WORDS.loadRelaxed(words.second);
    }

    @Actor
    public void readInReverse(Words words, IIII_Result result) {
      result.r3 = WORDS.loadRelaxed(words.second);
      Fences.deviceSeqCst();
      result.r4 = WORDS.loadRelaxed(words.first);
    }
  }

  @JCStressTest
  @Outcome(id = "1, 0, 1, 0", expect = Expect.ACCEPTABLE_INTERESTING, desc = "The readers disagree")
  @Outcome(expect = Expect.ACCEPTABLE, desc = "The readers agree, or saw too little")
  public static class RelaxedWeakMutant {
    @Actor
    public void writeFirst(Words words) {
      WORDS.storeRelaxed(words.first, 1);
    }

    @Actor
    public void writeSecond(Words words) {
      WORDS.storeRelaxed(words.second, 1);
    }

    @Actor
    public void read(Words words, IIII_Result result) {
      result.r1 = WORDS.loadRelaxed(words.first);
      result.r2 = WORDS.loadRelaxed(words.second);
    }

    @Actor
    public void readInReverse(Words words, IIII_Result result) {
      result.r3 = WORDS.loadRelaxed(words.second);
      result.r4 = WORDS.loadRelaxed(words.first);
    }
  }
}
