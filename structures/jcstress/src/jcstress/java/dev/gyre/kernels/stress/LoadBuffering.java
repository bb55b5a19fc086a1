package dev.gyre.kernels.stress;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.table.ElementType;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Each of two threads reads one word and then writes the other. With release and acquire no thread
 * sees what the other writes after having read what this one writes.
 */
public final class LoadBuffering {

  private static final DeviceInts WORDS = DeviceInts.of(Cells.MEMORY);

  private LoadBuffering() {}

  @State
  public static class Words {
    final long taken = Cells.take();
    final long first = Cells.first(ElementType.INT, taken);
    final long second = Cells.second(ElementType.INT, taken);
  }

  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.FORBIDDEN, desc = "Each saw what came after its own write")
  @Outcome(expect = Expect.ACCEPTABLE, desc = "One read before the other wrote")
  public static class ReleaseAcquire {
    @Actor
    public void first(Words words, II_Result result) {
      result.r1 = WORDS.loadAcquire(words.first);
      WORDS.storeRelease(words.second, 1);
    }

    @Actor
    public void second(Words words, II_Result result) {
      result.r2 = WORDS.loadAcquire(words.second);
      WORDS.storeRelease(words.first, 1);
    }
  }

  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE_INTERESTING, desc = "Writes before reads")
  @Outcome(expect = Expect.ACCEPTABLE, desc = "One read before the other wrote")
  public static class RelaxedWeakMutant {
    @Actor
    public void first(Words words, II_Result result) {
      result.r1 = WORDS.loadRelaxed(words.first);
      WORDS.storeRelaxed(words.second, 1);
    }

    @Actor
    public void second(Words words, II_Result result) {
      result.r2 = WORDS.loadRelaxed(words.second);
      WORDS.storeRelaxed(words.first, 1);
    }
  }
}
