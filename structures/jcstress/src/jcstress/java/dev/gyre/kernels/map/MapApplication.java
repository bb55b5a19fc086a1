package dev.gyre.kernels.map;

import dev.gyre.kernels.map.SmallTable.Way;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Two threads add to the value of a key that is there; no addition is lost. */
public final class MapApplication {

  private MapApplication() {}

  /** The key is there, with value 1. */
  @State
  public static class Present extends SmallTable {
    @SuppressWarnings("this-escape") // To SmallTable only.
    public Present() {
      var _ = insert(FIRST, 1, MapCodes.KEEP, Way.RIGHT);
    }

    void add(int who, int value, Way way) {
      var _ = insert(who, value, MapCodes.ADD, way);
    }

    String sum() {
      return copies() + " x " + find(FIRST) + (packed ? ", packed slots" : ", line slots");
    }
  }

  @JCStressTest
  @Outcome(
      id = {"1 x 111, packed slots", "1 x 111, line slots"},
      expect = Expect.ACCEPTABLE,
      desc = "Both added")
  @Outcome(expect = Expect.FORBIDDEN, desc = "An addition is lost")
  public static class ApplicationTest {
    @Actor
    public void first(Present table) {
      table.add(SmallTable.FIRST, 10, Way.RIGHT);
    }

    @Actor
    public void second(Present table) {
      table.add(SmallTable.SECOND, 100, Way.RIGHT);
    }

    @Arbiter
    public void after(Present table, L_Result result) {
      result.r1 = table.sum();
    }
  }

  /** The sum is stored without looking whether the value is still the same. */
  @JCStressTest
  @Outcome(
      id = {"1 x 111, packed slots", "1 x 111, line slots"},
      expect = Expect.ACCEPTABLE,
      desc = "By luck")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "An addition is lost")
  public static class LoadAndStoreMutant {
    @Actor
    public void first(Present table) {
      table.add(SmallTable.FIRST, 10, Way.LOAD_AND_STORE);
    }

    @Actor
    public void second(Present table) {
      table.add(SmallTable.SECOND, 100, Way.LOAD_AND_STORE);
    }

    @Arbiter
    public void after(Present table, L_Result result) {
      result.r1 = table.sum();
    }
  }
}
