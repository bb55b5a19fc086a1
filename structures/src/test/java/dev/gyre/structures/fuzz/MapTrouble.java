package dev.gyre.structures.fuzz;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.GyreException;
import dev.gyre.structures.Checks;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.MapAdapter;
import dev.gyre.structures.map.Outcome;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Interrupts, closes, memory that does not last and maps that are full, at random points. */
record MapTrouble(MapFuzz kind, MapBulk bulk, long seed, FuzzSetting setting, FuzzMoves moves) {

  /** How long after its begin an operation is disturbed, at most. */
  private static final long NANOS = 1 << 19;

  /** Keys of a map of fixed capacity, each of which is looked up. */
  private static final int MOST = 200;

  private static long bits(long[] given) {
    return given.length == 0 ? 0 : given[0];
  }

  /** Does something a moment later; joined when the operation has ended. */
  private static Thread later(long bits, Runnable what) {
    Thread thread =
        new Thread(
            () -> {
              LockSupport.parkNanos((bits >>> 8) % NANOS);
              what.run();
            });
    thread.start();
    return thread;
  }

  private static void join(Thread thread) {
    while (thread.isAlive()) {
      // The interrupt that it was to make ends no wait for it.
      boolean _ = Thread.interrupted();
      LockSupport.parkNanos(NANOS / 8);
    }
    boolean _ = Thread.interrupted();
  }

  /** What an interrupt ended is done again. */
  void interrupted(MapAdapter map, long[] keys, long[] given) {
    Thread caller = Thread.currentThread();
    if ((bits(given) & 1) == 0) {
      caller.interrupt();
      again(map, keys, given, attempt(map, keys, given));
    } else {
      Thread interrupter = later(bits(given), caller::interrupt);
      GyreException failure = attempt(map, keys, given);
      join(interrupter);
      again(map, keys, given, failure);
    }
  }

  /** What found no memory is done again when there is some. */
  void scarce(MapAdapter map, long[] keys, long[] given) {
    GyreException failure;
    long left = (bits(given) & 1) == 0 ? keys.length * 8L : bits(given) & 0xfffff;
    try (ScarceMemory.Scarcity _ = ScarceMemory.scarcity(left)) {
      failure = attempt(map, keys, given);
    }
    again(map, keys, given, failure);
  }

  private @Nullable GyreException attempt(MapAdapter map, long[] keys, long[] given) {
    bulk.ways().arrays();
    try {
      var _ = map.insertOrAssign(keys, bulk.likeKeys(keys, given), BulkOptions.NONE);
      return null;
    } catch (GyreException e) {
      return e;
    } finally {
      boolean _ = Thread.interrupted();
    }
  }

  private void again(MapAdapter map, long[] keys, long[] given, @Nullable GyreException failure) {
    Set<Long> there = new HashSet<>();
    map.forEach((key, _) -> Checks.same("met again", key, 1, there.add(key) ? 1 : 2));
    Checks.same("size after " + failure, (long) there.size(), map.size());
    for (long key : bulk.model().keySet()) {
      if (!there.contains(key)) {
        throw new AssertionError("key %d was lost by %s".formatted(key, failure), failure);
      }
    }
    long[] values = bulk.likeKeys(keys, given);
    var _ = bulk.put(keys, values, true, _ -> true);
    var _ = map.insertOrAssign(keys, values, BulkOptions.NONE);
  }

  /** Closed beside an operation, which is done or refused, and then once more. */
  void closed(MapAdapter map, long[] keys, long[] given) {
    bulk.ways().arrays();
    Thread closer = later(bits(given), map::close);
    try {
      for (int i = 0; i < 4; i++) {
        var _ = map.insertOrAssign(keys, bulk.likeKeys(keys, given), BulkOptions.NONE);
        boolean _ = map.containsKey(1);
        var _ = map.find(keys, null, BulkOptions.NONE);
      }
    } catch (ClosedException _) {
      // So it may end.
    } finally {
      join(closer);
    }
    map.close();
    try {
      var _ = map.insert(new long[] {1}, new long[1], BulkOptions.NONE);
      throw new AssertionError("a closed map took a key");
    } catch (ClosedException _) {
      // So it must.
    }
  }

  /** A map of fixed capacity takes as many keys as it has room for, and says which, anywhere. */
  void full(long[] keys, long[] given) {
    if (keys.length > MOST) {
      return;
    }
    long capacity = 1 + (bits(given) & 0x3f);
    byte[] outcomes = new byte[keys.length];
    long[] values = bulk.likeKeys(keys, given);
    bulk.ways().arrays();
    try (MapAdapter empty = kind.create(seed, setting, capacity);
        MapAdapter small = copy(empty, bits(given) >>> 6)) {
      InsertCounts counts = small.insert(keys, values, BulkOptions.NONE.outcomes(outcomes));
      long different = LongStream.of(keys).distinct().count();
      long there = Math.min(capacity, different);
      Checks.same("inserted", there, counts.inserted());
      requireFull(small, there, keys, values, outcomes);
      try (MapAdapter full = copy(small, bits(given) >>> 12)) {
        byte[] again = new byte[keys.length];
        InsertCounts others = full.insert(keys, values, BulkOptions.NONE.outcomes(again));
        Checks.same("inserted again", 0L, others.inserted());
        Checks.same("full again", counts.full(), others.full());
        requireFull(full, there, keys, values, again);
      }
    }
  }

  private MapAdapter copy(MapAdapter map, long choice) {
    return map.type().copy(map, moves.alone(choice).launcher()).with(bulk.ways());
  }

  private static void requireFull(
      MapAdapter small, long there, long[] keys, long[] values, byte[] outcomes) {
    Checks.same("size", there, small.size());
    for (int i = 0; i < keys.length; i++) {
      boolean isThere = Outcome.of(outcomes[i]) != Outcome.FULL;
      long found = isThere ? values[i] : ~values[i];
      Checks.same("value of", keys[i], found, small.getOrDefault(keys[i], ~values[i]));
    }
  }
}
