package dev.gyre.kernels.map;

import dev.gyre.kernels.map.SmallTable.Way;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** One thread inserts a key while another finds it: it is absent, or has its value. */
public final class MapPublication {

  private MapPublication() {}

  @State
  public static class Table extends SmallTable {
    void insert(Way way) {
      var _ = insert(FIRST, 11, MapCodes.KEEP, way);
    }

    /** As found, but for a table in which no slot is taken. */
    String foundOnceThere() {
      return copies() == 0 ? "early" + (packed ? ", packed slots" : ", line slots") : found();
    }

    String found() {
      return find(SECOND) + (packed ? ", packed slots" : ", line slots");
    }
  }

  @JCStressTest
  @Outcome(
      id = {"0, packed slots", "0, line slots", "11, packed slots", "11, line slots"},
      expect = Expect.ACCEPTABLE,
      desc = "Too early, or the value")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Another value")
  public static class PublicationTest {
    @Actor
    public void first(Table table) {
      table.insert(Way.RIGHT);
    }

    @Actor
    public void second(Table table, L_Result result) {
      result.r1 = table.found();
    }
  }

  /** Who inserts owns the slots, and claims none. */
  @JCStressTest
  @Outcome(
      id = {"0, packed slots", "0, line slots", "11, packed slots", "11, line slots"},
      expect = Expect.ACCEPTABLE,
      desc = "Too early, or the value")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Another value")
  public static class ExclusiveTest {
    @Actor
    public void first(Table table) {
      table.insert(Way.OWNED);
    }

    @Actor
    public void second(Table table, L_Result result) {
      result.r1 = table.found();
    }
  }

  /** The state is published before key and value are written. */
  @JCStressTest
  @Outcome(
      id = {"early, packed slots", "early, line slots", "11, packed slots", "11, line slots"},
      expect = Expect.ACCEPTABLE,
      desc = "By luck")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "Not there, though published")
  public static class PublishedFirstMutant {
    @Actor
    public void first(Table table) {
      table.insert(table.packed ? Way.RIGHT : Way.PUBLISHED_FIRST);
    }

    @Actor
    public void second(Table table, L_Result result) {
      result.r1 = table.foundOnceThere();
    }
  }

  /** The state is published relaxed. */
  @JCStressTest
  @Outcome(
      id = {"0, packed slots", "0, line slots", "11, packed slots", "11, line slots"},
      expect = Expect.ACCEPTABLE,
      desc = "By luck")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "Another value")
  public static class RelaxedWeakMutant {
    @Actor
    public void first(Table table) {
      table.insert(Way.RELAXED);
    }

    @Actor
    public void second(Table table, L_Result result) {
      result.r1 = table.found();
    }
  }
}
