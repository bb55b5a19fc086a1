package dev.gyre.kernels.map;

import dev.gyre.atomics.Bytes;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.exclusive.ExclusiveOperations;
import dev.gyre.kernels.stress.Window;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The state of a stress test: a table of two slots, one key and two threads that come with it, each
 * with a value of its own. Every other table has packed slots, the others line slots for longs.
 */
class SmallTable {

  static final int FIRST = 0;
  static final int SECOND = 1;

  /** Far more than jcstress keeps states alive. */
  private static final int PLACES = 1 << 16;

  private static final int SLOTS = 2;
  private static final int LINE_LONGS = LongSlots.Line.SLOT_LONGS;
  private static final LaunchShape ALONE = LaunchShape.ofThreads(1);
  private static final int KEY = 5;
  private static final long SEED = 1;
  private static final AtomicLong TAKEN = new AtomicLong();

  private static final Memory[] TABLES = new Memory[PLACES];
  private static final DeviceLongs LONG_KEYS = DeviceLongs.of(Memory.ofLongs(2L * PLACES));
  private static final DeviceLongs LONG_VALUES = DeviceLongs.of(Memory.ofLongs(2L * PLACES));
  private static final DeviceInts INT_KEYS = DeviceInts.of(Memory.ofInts(2L * PLACES));
  private static final DeviceInts INT_VALUES = DeviceInts.of(Memory.ofInts(2L * PLACES));
  private static final Bytes OUTCOMES = Bytes.of(Memory.ofBytes(2L * PLACES));
  private static final DeviceLongs COUNTERS = DeviceLongs.of(Memory.ofLongs(MapCodes.COUNTERS));

  static {
    for (int i = 0; i < PLACES; i++) {
      TABLES[i] = Memory.ofLongs(SLOTS * LINE_LONGS);
    }
    for (int i = 0; i < 2 * PLACES; i++) {
      LONG_KEYS.set(i, KEY);
      INT_KEYS.set(i, KEY);
    }
  }

  /** How a thread inserts. */
  enum Way {
    /** By the device function. */
    RIGHT,
    /** As a worker of the JVM that owns the slots. */
    OWNED,
    /** Looks and then stores, without a compare-and-exchange. */
    CHECK_THEN_ACT,
    /** Publishes the slot before its key and value are written. */
    PUBLISHED_FIRST,
    /** Goes on where a slot is RESERVED. */
    UNAWAITED,
    /** Adds by a load and a store. */
    LOAD_AND_STORE,
    /** Publishes and loads states relaxed. */
    RELAXED
  }

  final boolean packed;
  private final int at;
  private final DeviceInts states;
  private final DeviceLongs words;
  private final Slots table;

  /** The same, where it has line slots. */
  private final LongSlots.Line line;

  SmallTable() {
    long taken = TAKEN.getAndIncrement();
    int place = (int) (taken % PLACES);
    this.packed = taken % 2 == 1;
    this.at = 2 * place;
    this.states = DeviceInts.of(TABLES[place]);
    this.words = DeviceLongs.of(TABLES[place]);
    this.line =
        new LongSlots.Line(
            states, words, SLOTS, SEED, new Hashing.OfLongs(), new Removal.Refused());
    this.table =
        packed
            ? new PackedSlots(words, SLOTS, SEED, new Hashing.OfInts(), new Removal.Refused())
            : line;
    for (int i = 0; i < SLOTS * LINE_LONGS; i++) {
      words.set(i, 0);
    }
  }

  /** Inserts a value for the key, as one of the two threads; returns the outcome. */
  int insert(int thread, int value, int policy, Way way) {
    LONG_VALUES.set(at + thread, value);
    INT_VALUES.set(at + thread, value);
    if (way == Way.OWNED) {
      return insertExclusive(thread, policy);
    }
    // In packed slots relaxed is right.
    if (way != Way.RIGHT && !(packed && way == Way.RELAXED)) {
      return packed ? insertPackedWrongly(value, way) : insertWrongly(thread, value, policy, way);
    }
    new Insert(
            table,
            batch(),
            COUNTERS,
            at + thread,
            at + thread + 1,
            new Change.Policy(policy),
            MapCodes.OUTCOMES,
            Long.MAX_VALUE)
        .run(0, ALONE);
    return OUTCOMES.get(at + thread);
  }

  private int insertExclusive(int thread, int policy) {
    int from = at + thread;
    BatchRange keys =
        new BatchRange(
            packed ? INT_KEYS : LONG_KEYS,
            packed ? INT_VALUES : LONG_VALUES,
            OUTCOMES,
            COUNTERS,
            from,
            from + 1);
    ExclusiveOperations.insert(table, keys, -1, new Change.Policy(policy), MapCodes.OUTCOMES);
    return OUTCOMES.get(from);
  }

  private Batch batch() {
    return packed
        ? new Batch(Numbers.of(INT_KEYS), Numbers.of(INT_VALUES), OUTCOMES)
        : new Batch(Numbers.of(LONG_KEYS), Numbers.of(LONG_VALUES), OUTCOMES);
  }

  /** What insertAndFind gave one of the threads. */
  long fetched(int thread) {
    return packed ? INT_VALUES.get(at + thread) : LONG_VALUES.get(at + thread);
  }

  /** The value of the key, or 0 where it is absent. */
  long find(int thread) {
    new Find(
            table, batch(), COUNTERS, at + thread, at + thread + 1, MapCodes.VALUES, Long.MAX_VALUE)
        .run(0, ALONE);
    return fetched(thread);
  }

  /** Number of slots that hold the key; one that is RESERVED counts for many. */
  int copies() {
    int copies = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
      if (packed) {
        copies += words.get(slot) != 0 ? 1 : 0;
      } else {
        int state = states.get(line.stateAt(slot));
        copies += state == MapCodes.RESERVED ? 100 : state == MapCodes.FILLED ? 1 : 0;
      }
    }
    return copies;
  }

  private int insertPackedWrongly(int value, Way way) {
    long slot = Hashing.home(KEY, SEED, SLOTS);
    int stored = PackedSlots.stored(KEY);
    long seen = words.loadRelaxed(slot);
    Window.open();
    if (way == Way.LOAD_AND_STORE) {
      words.storeRelaxed(slot, PackedSlots.word(stored, PackedSlots.valueOf(seen) + value));
      return MapCodes.PRESENT;
    }
    if (seen == MapCodes.EMPTY) {
      words.storeRelaxed(slot, PackedSlots.word(stored, value));
      return MapCodes.INSERTED;
    }
    return MapCodes.PRESENT;
  }

  private int insertWrongly(int thread, int value, int policy, Way way) {
    long slot = Hashing.home((long) KEY, SEED, SLOTS);
    for (int probes = 0; probes < SLOTS; probes++) {
      long state = line.stateAt(slot);
      int seen = way == Way.RELAXED ? states.loadRelaxed(state) : states.loadAcquire(state);
      if (seen == MapCodes.EMPTY) {
        if (way == Way.CHECK_THEN_ACT) {
          Window.open();
          states.set(state, MapCodes.RESERVED);
        } else {
          seen = states.compareAndExchangeAcquire(state, MapCodes.EMPTY, MapCodes.RESERVED);
        }
      }
      if (seen == MapCodes.EMPTY) {
        publish(slot, state, value, way);
        return MapCodes.INSERTED;
      }
      if (seen == MapCodes.RESERVED && way != Way.UNAWAITED) {
        states.waitWhileEqualAcquire(state, MapCodes.RESERVED, Long.MAX_VALUE);
        seen = MapCodes.FILLED;
      }
      if (seen == MapCodes.FILLED && words.get(line.keyAt(slot)) == KEY) {
        meet(thread, line.valueAt(slot), value, policy);
        return MapCodes.PRESENT;
      }
      slot = slot + 1 == SLOTS ? 0 : slot + 1;
    }
    return MapCodes.FULL;
  }

  private void publish(long slot, long state, int value, Way way) {
    if (way == Way.PUBLISHED_FIRST) {
      states.storeRelease(state, MapCodes.FILLED);
      Window.open();
    } else if (way == Way.UNAWAITED) {
      Window.open();
    }
    words.set(line.keyAt(slot), KEY);
    words.set(line.valueAt(slot), value);
    if (way == Way.RELAXED) {
      states.storeRelaxed(state, MapCodes.FILLED);
    } else {
      states.storeRelease(state, MapCodes.FILLED);
    }
  }

  private void meet(int thread, long valueAt, int value, int policy) {
    if (policy == MapCodes.FETCH) {
      LONG_VALUES.set(at + thread, words.loadRelaxed(valueAt));
    } else {
      long before = words.loadRelaxed(valueAt);
      Window.open();
      words.storeRelaxed(valueAt, before + value);
    }
  }
}
