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
 * One thread waits for a flag without limit; it comes back with the flag raised, and reads what was
 * written before. A wait that never ended would be an error of the run.
 */
public final class WaitAndWake {

  private static final DeviceInts INTS = DeviceInts.of(Cells.MEMORY);

  private WaitAndWake() {}

  @State
  public static class Place {
    final long taken = Cells.take();
    final long flag = Cells.first(ElementType.INT, taken);
    final long word = Cells.second(ElementType.INT, taken);
  }

  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "Woken, and the message is there")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Woken too early, or without the message")
  public static class Waiting {
    @Actor
    public void wake(Place place) {
      INTS.set(place.word, 1);
      INTS.storeRelease(place.flag, 1);
      INTS.wakeAll(place.flag);
    }

    @Actor
    public void await(Place place, II_Result result) {
      result.r1 = INTS.waitWhileEqualAcquire(place.flag, 0, Long.MAX_VALUE);
      result.r2 = INTS.get(place.word);
    }
  }

  /** Wakes before the message is written. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "By luck")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "Woken without the message")
  public static class WokenFirstMutant {
    @Actor
    public void wake(Place place) {
      INTS.storeRelease(place.flag, 1);
      INTS.wakeAll(place.flag);
      Window.open();
      INTS.set(place.word, 1);
    }

    @Actor
    public void await(Place place, II_Result result) {
      result.r1 = INTS.waitWhileEqualAcquire(place.flag, 0, Long.MAX_VALUE);
      result.r2 = INTS.get(place.word);
    }
  }
}
