package dev.gyre.structures.map.work;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.GyreException;
import dev.gyre.kernels.Device;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.MapFullException;
import dev.gyre.structures.map.StuckException;
import java.util.function.Supplier;

/** Sums of the outcomes of a bulk operation. */
public final class OutcomeCounts {

  private final long[] sums = new long[MapCodes.COUNTERS];

  /** Adds the counts of a launch. */
  public synchronized void add(DeviceLongs counters) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += counters.get(i);
    }
  }

  /** Adds keys with the same outcome. */
  public synchronized void add(int outcome, long keys) {
    sums[outcome] += keys;
  }

  /** Adds the counts of keys that were inserted elsewhere. */
  public synchronized void add(InsertCounts counts) {
    sums[MapCodes.INSERTED] += counts.inserted();
    sums[MapCodes.PRESENT] += counts.present();
    sums[MapCodes.FULL] += counts.full();
  }

  /** Adds the counts of keys that are inserted elsewhere; if that fails, the known ones. */
  public void addInserts(Supplier<InsertCounts> elsewhere) {
    try {
      add(elsewhere.get());
    } catch (GyreException e) {
      e.soFar(InsertCounts.class).ifPresent(this::add);
      throw e;
    }
  }

  /** Adds the counts of keys that were looked up elsewhere. */
  public synchronized void add(FindCounts counts) {
    sums[MapCodes.FOUND] += counts.found();
    sums[MapCodes.ABSENT] += counts.absent();
  }

  /** Returns the counts of an insert. */
  public synchronized InsertCounts inserts() {
    return new InsertCounts(sums[MapCodes.INSERTED], sums[MapCodes.PRESENT], sums[MapCodes.FULL]);
  }

  /**
   * Runs an insert that adds to these sums; if it fails, its exception has the known counts.
   *
   * @param keys number of its keys
   * @return its counts
   */
  public InsertCounts inserts(long keys, Runnable insert) {
    try {
      insert.run();
      return inserts();
    } catch (GyreException e) {
      throw withCounts(e, keys);
    }
  }

  /** Returns an exception of an insert of a number of keys, with the known counts. */
  public GyreException withCounts(GyreException failure, long keys) {
    attachCounts(failure, of(MapCodes.INSERTED), of(MapCodes.PRESENT), of(MapCodes.FULL), keys);
    return failure;
  }

  /**
   * Adds the known counts of a number of keys to an exception, if the heap suffices for them: the
   * exception must not be lost.
   */
  public static void attachCounts(
      GyreException failure, long inserted, long present, long full, long keys) {
    try {
      InsertCounts known = new InsertCounts(inserted, present, full);
      failure.attach(
          known,
          "%d of %d keys are known to be done: %s; the rest may be done or not",
          inserted + present + full,
          keys,
          new Words(known));
    } catch (OutOfMemoryError e) {
      // The exception has no counts.
    }
  }

  /**
   * Returns the counts of an insert.
   *
   * @throws MapFullException if keys are FULL and the options ask for it
   */
  public static InsertCounts checked(
      InsertCounts counts, BulkOptions options, String structure, long capacity) {
    if (counts.full() > 0 && options.throwsIfFull()) {
      MapFullException full = new MapFullException(structure, capacity);
      attachCounts(
          full,
          counts.inserted(),
          counts.present(),
          counts.full(),
          counts.inserted() + counts.present() + counts.full());
      throw full;
    }
    return counts;
  }

  /** Counts of an insert as a part of a message, which is made only when it is formatted. */
  public record Words(InsertCounts counts) {
    @Override
    public String toString() {
      return "%d inserted, %d present%s"
          .formatted(
              counts.inserted(),
              counts.present(),
              counts.full() == 0 ? "" : ", %d full".formatted(counts.full()));
    }
  }

  /** Returns the counts of a lookup. */
  public synchronized FindCounts finds() {
    return new FindCounts(sums[MapCodes.FOUND], sums[MapCodes.ABSENT]);
  }

  public synchronized long of(int outcome) {
    return sums[outcome];
  }

  /**
   * Returns the share of new keys so far.
   *
   * @param unknown result before the first key
   */
  public synchronized double shareInserted(double unknown) {
    long all = sums[MapCodes.INSERTED] + sums[MapCodes.PRESENT];
    return all == 0 ? unknown : (double) sums[MapCodes.INSERTED] / all;
  }

  /** Throws if some keys of an operation are STUCK. */
  public void requireNoneStuck(String structure, String operation, Device device) {
    long stuck = of(MapCodes.STUCK);
    if (stuck != 0) {
      throw new StuckException(stuck, structure, operation, device);
    }
  }
}
