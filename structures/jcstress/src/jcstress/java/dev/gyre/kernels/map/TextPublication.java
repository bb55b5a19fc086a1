package dev.gyre.kernels.map;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.stress.Window;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * One thread inserts a text key that is in the arena while another finds it: it is absent, or it
 * has its value; a key that is half there would be taken for another one, and be absent for good.
 */
public final class TextPublication {

  private static final String EARLY = "too early";
  private static final String FOUND = "found";

  private TextPublication() {}

  /** A table of two slots and an arena of four words, for a key of three. */
  @State
  public static class Table {
    /** Far more than jcstress keeps states alive. */
    private static final int PLACES = 1 << 14;

    private static final int SLOTS = 2;
    private static final int PER_KEY = MapCodes.MASKED + MapCodes.OUTCOMES;
    private static final LaunchShape ALONE = LaunchShape.ofThreads(1);
    private static final int LENGTH = 24;
    private static final long SEED = 1;
    private static final TextRule RULE = TextRule.of(null, SEED);
    private static final long VALUE = 11;
    private static final AtomicLong TAKEN = new AtomicLong();
    private static final DeviceLongs[] TABLES = new DeviceLongs[PLACES];
    private static final DeviceInts[] STATES = new DeviceInts[PLACES];
    private static final DeviceLongs[] ARENAS = new DeviceLongs[PLACES];
    private static final DeviceLongs[] BUMPS = new DeviceLongs[PLACES];
    private static final DeviceLongs WORDS = DeviceLongs.of(Memory.ofLongs(3));
    private static final DeviceLongs IN_PLACES = DeviceLongs.of(Memory.ofLongs(2L * PLACES));
    private static final DeviceLongs VALUES = DeviceLongs.of(Memory.ofLongs(2L * PLACES));
    private static final Bytes OUTCOMES = Bytes.of(Memory.ofBytes(2L * PLACES));
    private static final DeviceLongs COUNTERS = DeviceLongs.of(Memory.ofLongs(MapCodes.COUNTERS));

    static {
      for (int i = 0; i < PLACES; i++) {
        Memory memory = Memory.ofLongs(SLOTS * TextLayout.SLOT_LONGS);
        TABLES[i] = DeviceLongs.of(memory);
        STATES[i] = DeviceInts.of(memory);
        ARENAS[i] = DeviceLongs.of(Memory.ofLongs(4));
        BUMPS[i] = DeviceLongs.of(Memory.ofLongs(1));
        IN_PLACES.set(2L * i, TextLayout.place(0, LENGTH));
        IN_PLACES.set(2L * i + 1, TextLayout.place(0, LENGTH));
      }
      for (int i = 0; i < 3; i++) {
        WORDS.set(i, 0x0102030405060708L + i);
      }
    }

    private final int place = (int) (TAKEN.getAndIncrement() % PLACES);
    private final DeviceLongs table = TABLES[place];
    private final DeviceInts states = STATES[place];
    private final DeviceLongs arena = ARENAS[place];

    public Table() {
      for (int i = 0; i < SLOTS * TextLayout.SLOT_LONGS; i++) {
        table.set(i, 0);
      }
      for (int i = 0; i < 4; i++) {
        arena.set(i, 0);
      }
      BUMPS[place].set(0, 0);
      OUTCOMES.set(2L * place, MapCodes.PENDING);
      OUTCOMES.set(2L * place + 1, MapCodes.PENDING);
      VALUES.set(2L * place, VALUE);
    }

    void insert() {
      new Insert(
              text(),
              batch(),
              COUNTERS,
              2L * place,
              2L * place + 1,
              new Change.Policy(MapCodes.KEEP),
              PER_KEY,
              Long.MAX_VALUE)
          .run(0, ALONE);
    }

    private TextSlots text() {
      return new TextSlots(
          states,
          table,
          SLOTS,
          SEED,
          RULE,
          arena,
          4,
          BUMPS[place],
          0,
          WORDS,
          new Removal.Refused());
    }

    private static Batch batch() {
      return new Batch(Numbers.of(IN_PLACES), Numbers.of(VALUES), OUTCOMES);
    }

    /** The slot is published before the key is in the arena. */
    void insertPublishedFirst() {
      long hash = RULE.hash(WORDS, 0, LENGTH, SEED);
      long slot = TextLayout.home(hash, SLOTS);
      long at = TextLayout.stateAt(slot);
      states.compareAndExchangeAcquire(at, MapCodes.EMPTY, MapCodes.RESERVED);
      states.set(TextLayout.lengthAt(slot), LENGTH);
      table.set(TextLayout.firstAt(slot), WORDS.get(0));
      table.set(TextLayout.markAt(slot), TextLayout.mark(hash, 0));
      table.set(TextLayout.valueAt(slot), VALUE);
      states.storeRelease(at, MapCodes.FILLED);
      Window.open();
      for (int i = 0; i < 3; i++) {
        arena.set(i, WORDS.get(i));
      }
    }

    /** Looks until the key's slot is FILLED, if it ever is, and says what was found. */
    String find() {
      boolean early = true;
      for (int slot = 0; slot < SLOTS; slot++) {
        early &= states.loadAcquire(TextLayout.stateAt(slot)) != MapCodes.FILLED;
      }
      if (early) {
        return EARLY;
      }
      new Find(
              text(),
              batch(),
              COUNTERS,
              2L * place + 1,
              2L * place + 2,
              MapCodes.VALUES + PER_KEY,
              Long.MAX_VALUE)
          .run(0, ALONE);
      boolean found = OUTCOMES.get(2L * place + 1) == MapCodes.FOUND;
      return !found ? "missed" : VALUES.get(2L * place + 1) == VALUE ? FOUND : "another value";
    }
  }

  @JCStressTest
  @Outcome(
      id = {EARLY, FOUND},
      expect = Expect.ACCEPTABLE,
      desc = "Not there yet, or all there")
  @Outcome(expect = Expect.FORBIDDEN, desc = "Half there")
  public static class Key {
    @Actor
    public void first(Table table) {
      table.insert();
    }

    @Actor
    public void second(Table table, L_Result result) {
      result.r1 = table.find();
    }
  }

  /** The slot is published before the key is in the arena. */
  @JCStressTest
  @Outcome(
      id = {EARLY, FOUND},
      expect = Expect.ACCEPTABLE,
      desc = "By luck")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "Half there")
  public static class PublishedFirstMutant {
    @Actor
    public void first(Table table) {
      table.insertPublishedFirst();
    }

    @Actor
    public void second(Table table, L_Result result) {
      result.r1 = table.find();
    }
  }
}
