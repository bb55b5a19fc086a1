package dev.gyre.kernels.map;

import dev.gyre.kernels.map.SmallTable.Way;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Two threads insert one key, each with a value of its own, and fetch the value that is there. One
 * is INSERTED, the other waits for it, is PRESENT and sees the first one's value; the key is there
 * once.
 */
public final class MapInsertion {

  private static final String FIRST_WON = "first won";
  private static final String SECOND_WON = "second won";
  private static final int FIRST_VALUE = 11;
  private static final int SECOND_VALUE = 22;

  private MapInsertion() {}

  @State
  public static class Contest extends SmallTable {
    int first;
    int second;

    void runFirst(Way way) {
      first = insert(SmallTable.FIRST, FIRST_VALUE, MapCodes.FETCH, way);
    }

    void runSecond(Way way) {
      second = insert(SmallTable.SECOND, SECOND_VALUE, MapCodes.FETCH, way);
    }

    String verdict() {
      String where = packed ? ", packed slots" : ", line slots";
      boolean firstWon = first == MapCodes.INSERTED;
      if (firstWon == (second == MapCodes.INSERTED)
          || first + second != MapCodes.INSERTED + MapCodes.PRESENT) {
        return "outcomes " + first + " and " + second + where;
      }
      long value = firstWon ? FIRST_VALUE : SECOND_VALUE;
      if (copies() != 1) {
        return "not there once" + where;
      }
      if (fetched(SmallTable.FIRST) != value || fetched(SmallTable.SECOND) != value) {
        return "another value fetched" + where;
      }
      return firstWon ? FIRST_WON : SECOND_WON;
    }
  }

  @JCStressTest
  @Outcome(
      id = {FIRST_WON, SECOND_WON},
      expect = Expect.ACCEPTABLE,
      desc = "One INSERTED, one PRESENT, one value")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Two winners, two copies, or a value not published")
  public static class Claim {
    @Actor
    public void first(Contest contest) {
      contest.runFirst(Way.RIGHT);
    }

    @Actor
    public void second(Contest contest) {
      contest.runSecond(Way.RIGHT);
    }

    @Arbiter
    public void after(Contest contest, L_Result result) {
      result.r1 = contest.verdict();
    }
  }

  /** The slot is claimed without a compare-and-exchange. */
  @JCStressTest
  @Outcome(
      id = {FIRST_WON, SECOND_WON},
      expect = Expect.ACCEPTABLE,
      desc = "By luck")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "Two winners")
  public static class CheckThenActMutant {
    @Actor
    public void first(Contest contest) {
      contest.runFirst(Way.CHECK_THEN_ACT);
    }

    @Actor
    public void second(Contest contest) {
      contest.runSecond(Way.CHECK_THEN_ACT);
    }

    @Arbiter
    public void after(Contest contest, L_Result result) {
      result.r1 = contest.verdict();
    }
  }

  /** The slot is published before key and value are written. */
  @JCStressTest
  @Outcome(
      id = {FIRST_WON, SECOND_WON},
      expect = Expect.ACCEPTABLE,
      desc = "By luck")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "Key or value not seen")
  public static class PublishedFirstMutant {
    @Actor
    public void first(Contest contest) {
      contest.runFirst(Way.PUBLISHED_FIRST);
    }

    @Actor
    public void second(Contest contest) {
      contest.runSecond(Way.PUBLISHED_FIRST);
    }

    @Arbiter
    public void after(Contest contest, L_Result result) {
      result.r1 = contest.verdict();
    }
  }

  /** Nobody waits for a slot that is RESERVED. */
  @JCStressTest
  @Outcome(
      id = {FIRST_WON, SECOND_WON},
      expect = Expect.ACCEPTABLE,
      desc = "By luck")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "Two copies")
  public static class UnawaitedMutant {
    @Actor
    public void first(Contest contest) {
      contest.runFirst(Way.UNAWAITED);
    }

    @Actor
    public void second(Contest contest) {
      contest.runSecond(Way.UNAWAITED);
    }

    @Arbiter
    public void after(Contest contest, L_Result result) {
      result.r1 = contest.verdict();
    }
  }

  /** States are published and loaded relaxed. */
  @JCStressTest
  @Outcome(
      id = {FIRST_WON, SECOND_WON},
      expect = Expect.ACCEPTABLE,
      desc = "By luck")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "Key or value not seen")
  public static class RelaxedWeakMutant {
    @Actor
    public void first(Contest contest) {
      contest.runFirst(Way.RELAXED);
    }

    @Actor
    public void second(Contest contest) {
      contest.runSecond(Way.RELAXED);
    }

    @Arbiter
    public void after(Contest contest, L_Result result) {
      result.r1 = contest.verdict();
    }
  }
}
