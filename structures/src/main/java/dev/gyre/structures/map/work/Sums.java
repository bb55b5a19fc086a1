package dev.gyre.structures.map.work;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.GyreException;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.StuckException;
import java.util.function.Supplier;

/** Outcomes of a bulk operation, added up. */
public final class Sums {

  private final long[] sums = new long[MapCodes.COUNTERS];

  /** Adds what a launch counted. */
  public synchronized void add(DeviceLongs counters) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += counters.get(i);
    }
  }

  /** Adds keys of which the same has become. */
  public synchronized void add(int outcome, long keys) {
    sums[outcome] += keys;
  }

  /** Adds what became of keys that were inserted elsewhere. */
  public synchronized void add(InsertCounts counts) {
    sums[MapCodes.INSERTED] += counts.inserted();
    sums[MapCodes.PRESENT] += counts.present();
    sums[MapCodes.FULL] += counts.full();
  }

  /** Adds what becomes of keys that are inserted elsewhere; where that fails, what is known. */
  public void addInserts(Supplier<InsertCounts> elsewhere) {
    try {
      add(elsewhere.get());
    } catch (GyreException e) {
      e.soFar(InsertCounts.class).ifPresent(this::add);
      throw e;
    }
  }

  /** Adds what became of keys that were looked up elsewhere. */
  public synchronized void add(FindCounts counts) {
    sums[MapCodes.FOUND] += counts.found();
    sums[MapCodes.ABSENT] += counts.absent();
  }

  /** What became of keys that were inserted. */
  public synchronized InsertCounts inserts() {
    return new InsertCounts(sums[MapCodes.INSERTED], sums[MapCodes.PRESENT], sums[MapCodes.FULL]);
  }

  /**
   * Does an insert that adds to these; where it fails, its exception says what is known.
   *
   * @param keys how many it is given
   * @return what became of them
   */
  public InsertCounts inserts(long keys, Runnable insert) {
    try {
      insert.run();
      return inserts();
    } catch (GyreException e) {
      throw told(e, keys);
    }
  }

  /** {@link #inserts()}, which fails where keys waited in vain. */
  public InsertCounts inserts(String structure, Device device) {
    requireNoneStuck(structure, "insert", device);
    return inserts();
  }

  /** An exception of an insert of so many keys, which says what is known. */
  public GyreException told(GyreException failure, long keys) {
    tell(failure, inserts(), keys);
    return failure;
  }

  /** Has an exception say what is known of so many keys. */
  public static void tell(GyreException failure, InsertCounts known, long keys) {
    long done = known.inserted() + known.present() + known.full();
    failure.tell(
        known,
        "%d of %d keys are known to be done: %s; the rest may be done or not"
            .formatted(done, keys, inWords(known)));
  }

  /** What became of keys, in a message. */
  public static String inWords(InsertCounts counts) {
    return "%d inserted, %d present%s"
        .formatted(
            counts.inserted(),
            counts.present(),
            counts.full() == 0 ? "" : ", %d full".formatted(counts.full()));
  }

  /** What became of keys that were looked up. */
  public synchronized FindCounts finds() {
    return new FindCounts(sums[MapCodes.FOUND], sums[MapCodes.ABSENT]);
  }

  public synchronized long of(int outcome) {
    return sums[outcome];
  }

  /**
   * The share of keys so far that were new.
   *
   * @param unknown what it is before the first
   */
  public synchronized double shareInserted(double unknown) {
    long all = sums[MapCodes.INSERTED] + sums[MapCodes.PRESENT];
    return all == 0 ? unknown : (double) sums[MapCodes.INSERTED] / all;
  }

  /** Fails if keys waited in vain, in an operation of a structure. */
  public void requireNoneStuck(String structure, String operation, Device device) {
    long stuck = of(MapCodes.STUCK);
    if (stuck != 0) {
      throw new StuckException(stuck, structure, operation, device);
    }
  }
}
