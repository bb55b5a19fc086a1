package dev.gyre.kernels.stress;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.table.ElementType;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two reads of one word never see it go back; plain reads promise nothing of the kind. */
public final class CoherentReads {

  private static final DeviceInts WORDS = DeviceInts.of(Cells.MEMORY);

  private CoherentReads() {}

  @State
  public static class Word {
    final long word = Cells.first(ElementType.INT, Cells.take());
  }

  @JCStressTest
  @Outcome(id = "1, 0", expect = Expect.FORBIDDEN, desc = "The word went back")
  @Outcome(expect = Expect.ACCEPTABLE, desc = "The word went on or stayed")
  public static class Relaxed {
    @Actor
    public void write(Word at) {
      WORDS.storeRelaxed(at.word, 1);
    }

    @Actor
    public void read(Word at, II_Result result) {
      result.r1 = WORDS.loadRelaxed(at.word);
      result.r2 = WORDS.loadRelaxed(at.word);
    }
  }

  @JCStressTest
  @Outcome(id = "1, 0", expect = Expect.ACCEPTABLE_INTERESTING, desc = "The word went back")
  @Outcome(expect = Expect.ACCEPTABLE, desc = "The word went on or stayed")
  public static class PlainWeakMutant {
    @Actor
    public void write(Word at) {
      WORDS.set(at.word, 1);
    }

    @Actor
    public void read(Word at, II_Result result) {
      result.r1 = WORDS.get(at.word);
      result.r2 = WORDS.get(at.word);
    }
  }
}
