package dev.gyre.kernels.map;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.stress.Window;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * One thread inserts a key into a slot of two words while another goes over the slots: it sees the
 * key with its value, or passes over it; it does not take the 0 that was there for a key.
 */
public final class IntLineWalk {

  private static final String PASSED = "passed over";
  private static final String SEEN = "key 5, value 11";

  private IntLineWalk() {}

  /** A table of one slot. */
  @State
  public static class Slot {
    /** Far more than jcstress keeps states alive. */
    private static final int PLACES = 1 << 14;

    private static final int KEY = 5;
    private static final int VALUE = 11;
    private static final AtomicLong TAKEN = new AtomicLong();
    private static final DeviceLongs[] TABLES = new DeviceLongs[PLACES];
    private static final DeviceInts KEYS = DeviceInts.of(Memory.ofInts(1));
    private static final DeviceInts VALUES = DeviceInts.of(Memory.ofInts(1));
    private static final Bytes OUTCOMES = Bytes.of(Memory.ofBytes(1));
    private static final DeviceLongs COUNTERS = DeviceLongs.of(Memory.ofLongs(MapCodes.COUNTERS));

    static {
      for (int i = 0; i < PLACES; i++) {
        TABLES[i] = DeviceLongs.of(Memory.ofLongs(IntLines.words(1)));
      }
      KEYS.set(0, KEY);
      VALUES.set(0, VALUE);
    }

    private final DeviceLongs words = TABLES[(int) (TAKEN.getAndIncrement() % PLACES)];

    private final IntLines table = new IntLines(words, 1, 1);

    public Slot() {
      words.set(IntLines.keyAt(0), 0);
      words.set(IntLines.valueAt(0), 0);
    }

    void insertOwned() {
      table.insertOwned(new Portion(KEYS, VALUES, OUTCOMES, COUNTERS, 0, 1), 0, MapCodes.KEEP, 0);
    }

    /** What a processor may make of two stores that are not ordered. */
    void storeValueFirst() {
      words.storeRelaxed(IntLines.valueAt(0), IntLines.word(VALUE));
      Window.open();
      words.storeRelaxed(IntLines.keyAt(0), IntLines.word(KEY));
    }

    String walk() {
      return table.state(0) == MapCodes.FILLED ? entry() : PASSED;
    }

    /** Takes the slot for FILLED once its value is seen. */
    String walkByValues() {
      return words.loadSeqCst(IntLines.valueAt(0)) != MapCodes.EMPTY ? entry() : PASSED;
    }

    private String entry() {
      return "key " + table.key(0) + ", value " + table.value(0);
    }
  }

  @JCStressTest
  @Outcome(
      id = {PASSED, SEEN},
      expect = Expect.ACCEPTABLE,
      desc = "Not yet, or both")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Half there")
  public static class BothSeen {
    @Actor
    public void first(Slot slot) {
      slot.insertOwned();
    }

    @Actor
    public void second(Slot slot, L_Result result) {
      result.r1 = slot.walk();
    }
  }

  /** The value is there first, as it may be on other processors than this one. */
  @JCStressTest
  @Outcome(
      id = {PASSED, SEEN},
      expect = Expect.ACCEPTABLE,
      desc = "Not yet, or both")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Half there")
  public static class ValueFirst {
    @Actor
    public void first(Slot slot) {
      slot.storeValueFirst();
    }

    @Actor
    public void second(Slot slot, L_Result result) {
      result.r1 = slot.walk();
    }
  }

  /** The value is there first, and who walks looks at nothing else. */
  @JCStressTest
  @Outcome(
      id = {PASSED, SEEN},
      expect = Expect.ACCEPTABLE,
      desc = "By luck")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "A key that nobody inserted")
  public static class ValueAloneTwin {
    @Actor
    public void first(Slot slot) {
      slot.storeValueFirst();
    }

    @Actor
    public void second(Slot slot, L_Result result) {
      result.r1 = slot.walkByValues();
    }
  }
}
