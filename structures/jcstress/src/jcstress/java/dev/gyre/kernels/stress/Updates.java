package dev.gyre.kernels.stress;

import dev.gyre.atomics.table.Scope;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Two read-modify-write operations on one element are as if one came after the other: a flag has
 * one winner, a count loses nothing.
 */
public final class Updates {

  private static final String OK = "one after the other";

  private Updates() {}

  /** A place, and the row of the table that is tried on it. */
  abstract static class Base {
    final Update update;
    final long index;
    long first;
    long second;

    Base(Update[] table) {
      long place = Cells.take();
      update = table[(int) (place % table.length)];
      index = Cells.first(update.type(), place);
      Cells.set(update.type(), index, update.initial());
    }

    final void first() {
      first = Calls.call(update.first(), index);
    }

    final void second() {
      second = Calls.call(update.second(), index);
    }

    final String verdict() {
      return update.verdict(first, second, Cells.get(update.type(), index));
    }
  }

  /** All orders, types and scopes among threads. */
  @State
  public static class Words extends Base {
    private static final Update[] TABLE = Update.table(scope -> scope != Scope.THREAD);

    public Words() {
      super(TABLE);
    }
  }

  @JCStressTest
  @Outcome(id = OK, expect = Expect.ACCEPTABLE, desc = "As if one came after the other")
  @Outcome(expect = Expect.FORBIDDEN, desc = "An update was lost")
  public static class Atomic {
    @Actor
    public void first(Words words) {
      words.first();
    }

    @Actor
    public void second(Words words) {
      words.second();
    }

    @Arbiter
    public void after(Words words, L_Result result) {
      result.r1 = words.verdict();
    }
  }

  /** The same operations at thread scope, where they are a read and a write. */
  @State
  public static class NarrowWords extends Base {
    private static final Update[] TABLE = Update.table(scope -> scope == Scope.THREAD);

    public NarrowWords() {
      super(TABLE);
    }
  }

  @JCStressTest
  @Outcome(id = OK, expect = Expect.ACCEPTABLE, desc = "As if one came after the other")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "An update was lost")
  public static class ThreadScopeMutant {
    @Actor
    public void first(NarrowWords words) {
      words.first();
    }

    @Actor
    public void second(NarrowWords words) {
      words.second();
    }

    @Arbiter
    public void after(NarrowWords words, L_Result result) {
      result.r1 = words.verdict();
    }
  }
}
