package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.exclusive.KeyReader;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Two threads insert, by address, one key each, and then look for the other's. The table has two
 * slots, so that one's slot is in the other's way.
 */
public final class SeveralKeys {

  private static final String FIRST_MISSED = "first missed the second";
  private static final String SECOND_MISSED = "second missed the first";
  private static final String BOTH_SEEN = "both seen";
  private static final String BOTH_MISSED = "both missed";
  private static final String FIRST_WON = "first won";
  private static final String SECOND_WON = "second won";

  private SeveralKeys() {}

  @State
  public static class Table {

    /** At least twice as many as jcstress keeps states alive; see Cells. */
    private static final int PLACES = 1 << 15;

    private static final int SLOTS = 2;
    private static final long ABSENT = 0;
    private static final AtomicLong TAKEN = new AtomicLong();
    private static final Memory[] TABLES = new Memory[PLACES];
    private static final KeyReader.Writer[] WRITERS = new KeyReader.Writer[PLACES];

    static {
      for (int i = 0; i < PLACES; i++) {
        Memory memory = Memory.addressable((long) SLOTS * LongSlots.Line.SLOT_LONGS, Long.BYTES);
        TABLES[i] = memory;
        WRITERS[i] =
            (KeyReader.Writer)
                KeyReader.of(
                    new LongSlots.Line(
                        DeviceInts.of(memory),
                        DeviceLongs.of(memory),
                        SLOTS,
                        1,
                        new Hashing.OfLongs(),
                        new Removal.Refused()));
      }
    }

    private final KeyReader.Writer writer;

    /** Whether it inserted the key. */
    boolean first;

    boolean second;

    /** What it found of the other's. */
    long firstSaw;

    long secondSaw;

    public Table() {
      int place = (int) (TAKEN.getAndIncrement() % PLACES);
      MemorySegment _ = TABLES[place].segment().fill((byte) 0);
      writer = WRITERS[place];
    }

    boolean insert(long key, long value) {
      long slot = writer.find(key);
      boolean inserted = false;
      while (slot < 0 && !inserted) {
        inserted = writer.insert(~slot, key, value);
        // Another one has the slot, and is about to publish it.
        slot = inserted ? slot : writer.find(key);
      }
      return inserted;
    }

    long find(long key) {
      long slot = writer.find(key);
      return slot < 0 ? ABSENT : writer.value(slot);
    }

    String seen() {
      boolean values = find(1) == 10 && find(2) == 20;
      boolean right =
          (firstSaw == ABSENT || firstSaw == 20) && (secondSaw == ABSENT || secondSaw == 10);
      if (!values || !right || !first || !second) {
        return "wrong: " + firstSaw + ", " + secondSaw + ", at last " + find(2) + ", " + find(1);
      }
      if (firstSaw == ABSENT) {
        return secondSaw == ABSENT ? BOTH_MISSED : FIRST_MISSED;
      }
      return secondSaw == ABSENT ? SECOND_MISSED : BOTH_SEEN;
    }

    String winner() {
      if (first == second || find(1) != (first ? 10 : 20)) {
        return "two winners, or none: " + find(1);
      }
      return first ? FIRST_WON : SECOND_WON;
    }
  }

  /** Behind a full fence. */
  @JCStressTest
  @Outcome(
      id = {FIRST_MISSED, SECOND_MISSED, BOTH_SEEN},
      expect = Expect.ACCEPTABLE,
      desc = "Who inserted last sees the other's")
  @Outcome(expect = Expect.FORBIDDEN, desc = "What is there before a call ends was not seen")
  public static class Seen {
    @Actor
    public void first(Table table) {
      table.first = table.insert(1, 10);
      // seq_cst: before anything this thread looks at later
      VarHandle.fullFence();
      table.firstSaw = table.find(2);
    }

    @Actor
    public void second(Table table) {
      table.second = table.insert(2, 20);
      // seq_cst: as above
      VarHandle.fullFence();
      table.secondSaw = table.find(1);
    }

    @Arbiter
    public void after(Table table, L_Result result) {
      result.r1 = table.seen();
    }
  }

  /** Without the fence; on some hardware alone it shows. */
  @JCStressTest
  @Outcome(
      id = {FIRST_MISSED, SECOND_MISSED, BOTH_SEEN},
      expect = Expect.ACCEPTABLE,
      desc = "By luck")
  @Outcome(
      id = BOTH_MISSED,
      expect = Expect.ACCEPTABLE_INTERESTING,
      desc = "Neither was there for the other")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Not there, or another value")
  public static class UnfencedWeakMutant {
    @Actor
    public void first(Table table) {
      table.first = table.insert(1, 10);
      table.firstSaw = table.find(2);
    }

    @Actor
    public void second(Table table) {
      table.second = table.insert(2, 20);
      table.secondSaw = table.find(1);
    }

    @Arbiter
    public void after(Table table, L_Result result) {
      result.r1 = table.seen();
    }
  }

  /** Of one key. */
  @JCStressTest
  @Outcome(
      id = {FIRST_WON, SECOND_WON},
      expect = Expect.ACCEPTABLE,
      desc = "One inserts, with its value")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Two winners, or none")
  public static class Contest {
    @Actor
    public void first(Table table) {
      table.first = table.insert(1, 10);
    }

    @Actor
    public void second(Table table) {
      table.second = table.insert(1, 20);
    }

    @Arbiter
    public void after(Table table, L_Result result) {
      result.r1 = table.winner();
    }
  }
}
