package dev.gyre.kernels.map;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.stress.Window;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Two threads insert one key into slots of keys alone, in bulk or by itself: one inserts it, for
 * the other it is there, and it is there once. In turns keys are ints and longs, and the least one,
 * which has a slot of its own.
 */
public final class KeyInsertion {

  private static final String FIRST_WON = "first won";
  private static final String SECOND_WON = "second won";

  private KeyInsertion() {}

  @State
  public static class Contest {

    /** Far more than jcstress keeps states alive. */
    private static final int PLACES = 1 << 16;

    private static final int SLOTS = 2;
    private static final int WORDS = SLOTS + 1;
    private static final LaunchShape ALONE = LaunchShape.ofThreads(1);
    private static final AtomicLong TAKEN = new AtomicLong();
    private static final Memory[] TABLES = new Memory[PLACES];
    private static final Bytes OUTCOMES = Bytes.of(Memory.ofBytes(2L * PLACES));
    private static final DeviceLongs COUNTERS = DeviceLongs.of(Memory.ofLongs(MapCodes.COUNTERS));

    static {
      for (int i = 0; i < PLACES; i++) {
        TABLES[i] = Memory.ofLongs(WORDS);
      }
    }

    private final int at;
    private final KeySlots table;
    private final long key;

    boolean first;
    boolean second;

    public Contest() {
      long taken = TAKEN.getAndIncrement();
      int place = (int) (taken % PLACES);
      Memory memory = TABLES[place];
      MemorySegment _ = memory.segment().fill((byte) 0);
      at = 2 * place;
      table =
          taken % 2 == 0
              ? new KeySlots.OfInts(
                  DeviceInts.of(memory), SLOTS, 1, new Hashing.OfInts(), new Removal.Refused())
              : new KeySlots.OfLongs(
                  DeviceLongs.of(memory), SLOTS, 1, new Hashing.OfLongs(), new Removal.Refused());
      key = taken % 4 < 2 ? 5 : table.side();
    }

    boolean inBulk(int who) {
      int i = at + who;
      Numbers keys = new OneValue(key);
      Batch batch = new Batch(keys, keys, OUTCOMES);
      new Insert(
              table,
              batch,
              COUNTERS,
              i,
              i + 1,
              new Change.Policy(MapCodes.KEEP),
              MapCodes.OUTCOMES,
              Long.MAX_VALUE)
          .run(0, ALONE);
      return OUTCOMES.get(i) == MapCodes.INSERTED;
    }

    boolean byItself() {
      SingleKeys.Place place = table.find(key);
      return !place.isFound() && table.insert(place, key, key, 1) == SingleKeys.NONE;
    }

    /** Without a compare-and-exchange. */
    boolean checkThenAct() {
      long slot = table.home(key, table.hash(key));
      boolean inserts = table.load(slot) == MapCodes.EMPTY;
      Window.open();
      if (inserts) {
        long stored = table.claimWord(key, 0);
        switch (table) {
          case KeySlots.OfInts ints -> ints.words().storeRelaxed(slot, (int) stored);
          case KeySlots.OfLongs longs -> longs.words().storeRelaxed(slot, stored);
          default -> throw new AssertionError(table);
        }
      }
      return inserts;
    }

    String verdict() {
      int copies = 0;
      for (long slot = 0; slot < WORDS; slot++) {
        boolean is = table.load(slot) != MapCodes.EMPTY;
        copies += is && table.key(slot, table.load(slot)) == key ? 1 : is ? 100 : 0;
      }
      String what = ": " + (table instanceof KeySlots.OfInts ? "int " : "long ") + key;
      if (copies != 1) {
        return "not there once" + what;
      }
      if (first == second) {
        return (first ? "two winners" : "no winner") + what;
      }
      return first ? FIRST_WON : SECOND_WON;
    }
  }

  @JCStressTest
  @Outcome(
      id = {FIRST_WON, SECOND_WON},
      expect = Expect.ACCEPTABLE,
      desc = "One inserts, the key is there once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Two winners, or two copies")
  public static class Bulk {
    @Actor
    public void first(Contest contest) {
      contest.first = contest.inBulk(0);
    }

    @Actor
    public void second(Contest contest) {
      contest.second = contest.inBulk(1);
    }

    @Arbiter
    public void after(Contest contest, L_Result result) {
      result.r1 = contest.verdict();
    }
  }

  @JCStressTest
  @Outcome(
      id = {FIRST_WON, SECOND_WON},
      expect = Expect.ACCEPTABLE,
      desc = "One inserts, the key is there once")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Two winners, or two copies")
  public static class SingleDuringBulk {
    @Actor
    public void first(Contest contest) {
      contest.first = contest.byItself();
    }

    @Actor
    public void second(Contest contest) {
      contest.second = contest.inBulk(1);
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
      contest.first = contest.checkThenAct();
    }

    @Actor
    public void second(Contest contest) {
      contest.second = contest.checkThenAct();
    }

    @Arbiter
    public void after(Contest contest, L_Result result) {
      result.r1 = contest.verdict();
    }
  }
}
