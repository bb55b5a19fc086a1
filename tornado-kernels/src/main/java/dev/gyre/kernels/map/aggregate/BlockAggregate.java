package dev.gyre.kernels.map.aggregate;

import static dev.gyre.kernels.map.MapCodes.FULL;
import static dev.gyre.kernels.map.MapCodes.INSERTED;
import static dev.gyre.kernels.map.MapCodes.PRESENT;
import static dev.gyre.kernels.map.MapCodes.SEARCHING;
import static dev.gyre.kernels.map.MapCodes.STUCK;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.SharedInts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.map.CapacityCounters;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Counting;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.Numbers;
import dev.gyre.kernels.map.OneValue;
import dev.gyre.kernels.map.Options;
import dev.gyre.kernels.map.Probe;
import dev.gyre.kernels.map.Slots;

/**
 * Inserts a batch of ints and adds to the values of present keys, as {@link
 * dev.gyre.kernels.map.Insert} does with ADD, if {@link SampleKeys} found frequent keys.
 *
 * <p><b>Protocol.</b> A block adds up its values of a key in shared memory, if there is a place for
 * the key, and adds the sum to the table at its end. So a frequent key costs a block one access to
 * the table. Outcomes are only counted. If a key does not fit, all its occurrences in the block are
 * FULL.
 *
 * <p>Keys without a place wait in a queue of the block, which its threads share. So all threads
 * search the table at once; otherwise half of them would be idle. There are two queues, one that is
 * being filled and one that is being processed.
 *
 * <table>
 *   <caption>Racing accesses to shared memory; all others are between barriers</caption>
 *   <tr><th>access<th>order, scope<th>pairs with<th>why weaker fails
 *   <tr><td>key, load and compare-and-exchange<td>relaxed, block<td>the barrier after it<td>not atomic: two keys at one place
 *   <tr><td>count and sum, fetch-add<td>relaxed, block<td>the barrier after it<td>not atomic: updates are lost
 *   <tr><td>length of a queue, fetch-add<td>relaxed, block<td>the barrier after it<td>not atomic: two keys at one end
 * </table>
 *
 * @param shared {@linkplain #sharedInts ints} in shared memory: for each place a key in its stored
 *     form, its sum and its count; then the queues and their lengths
 * @param places number of places, a power of two
 * @param options STRIPED, and BOUNDED if keys take {@linkplain MapCodes#CAPACITY reservations}
 */
public record BlockAggregate(
    Slots table,
    Numbers keys,
    Numbers values,
    DeviceLongs counters,
    long from,
    long to,
    long pollLimit,
    SharedInts shared,
    int places,
    Options options)
    implements Kernel {

  /** Keys per thread that fit in a queue: what a thread reads between two barriers. */
  private static final int KEYS = 2;

  /**
   * Number of lengths: of the queue that is filled, the queue that is processed, and one that is
   * reset.
   */
  private static final int LENGTHS = 3;

  /** Stands for no key. */
  static final int FREE = 0;

  private static final int NOT_TRIED = 0;

  /** Returns the number of shared ints of a block. */
  public static int sharedInts(Slots table, int places, int blockSize, Options options) {
    return ofPlaces(places, counts(table, isBounded(options))) + 2 * KEYS * blockSize + LENGTHS;
  }

  private static int ofPlaces(int places, boolean counts) {
    return (counts ? 3 : 2) * places;
  }

  /** Returns whether a key that is not INSERTED may have another outcome than PRESENT. */
  private static boolean counts(Slots table, boolean bounded) {
    return table.waits() || bounded;
  }

  private static boolean isBounded(Options options) {
    return (options.sum() & MapCodes.BOUNDED) != 0;
  }

  /** Returns a key in the form of places; FREE for the key that has none. */
  static int stored(int key) {
    return key ^ Integer.MIN_VALUE;
  }

  static int place(int key, int places) {
    return (int) ((key * 0x9E37_79B9_7F4A_7C15L) >> 40) & (places - 1);
  }

  /**
   * Returns a shape with as many blocks as run at once: a later block would meet all frequent keys
   * again.
   */
  public LaunchShape shape(Launcher launcher, int blockSize) {
    int lasting = Math.ceilDiv(launcher.shapeFor(Math.max(1, to - from)).threads(), blockSize);
    int atOnce = launcher.blocksAtOnce(this, blockSize);
    return new LaunchShape(atOnce > 0 ? Math.min(lasting, atOnce) : lasting, blockSize);
  }

  @Override
  public void run(int thread, LaunchShape shape) {
    Slots table = this.table.copy();
    Numbers keys = this.keys.copy();
    Numbers values = this.values.copy();
    int blockSize = shape.blockSize();
    int own = thread % blockSize;
    boolean bounded = isBounded(options);
    // Otherwise a key is counted as PRESENT at once.
    boolean counts = counts(table, bounded);
    int stripes = bounded ? CapacityCounters.stripes(counters) : 0;
    long to = counters.get(MapCodes.FREQUENT) == 0 ? from : this.to;
    int used = to == from ? 0 : places;
    int metOnce = counts ? 0 : 1;
    int inserted = 0;
    int present = 0;
    int full = 0;
    int stuck = 0;
    int queues = ofPlaces(places, counts);
    int tile = KEYS * blockSize;
    int lengths = queues + 2 * tile;
    for (int j = own; j < ofPlaces(used, counts); j += blockSize) {
      shared.set(j, FREE);
    }
    for (int j = own; j < LENGTHS; j += blockSize) {
      shared.set(lengths + j, 0);
    }
    Block.barrier();
    int turn = 0;
    long tiles = (long) (shape.threads() / blockSize) * tile;
    for (long begin = from + (long) (thread / blockSize) * tile; begin < to; begin += tiles) {
      int queue = queues + (turn & 1) * tile;
      int length = lengths + turn % LENGTHS;
      int size = (int) (to - begin < tile ? to - begin : tile);
      for (int j = own; j < size; j += blockSize) {
        int key = (int) keys.get(begin + j);
        int stored = stored(key);
        int place = place(key, places);
        int seen = shared.loadRelaxed(place);
        // If another key is there, try the neighbouring place.
        place ^= seen != FREE && seen != stored ? 1 : 0;
        seen = shared.loadRelaxed(place);
        if (seen == FREE) {
          int there = shared.compareAndExchangeRelaxed(place, FREE, stored);
          seen = there == FREE ? stored : there;
        }
        // One comparison, because device compilers may mistranslate two.
        boolean has = ((seen ^ stored) | (stored == FREE ? 1 : 0)) == 0;
        if (has) {
          int _ = shared.fetchAddRelaxed(places + place, (int) values.get(begin + j));
        } else {
          int at = shared.fetchAddRelaxed(length, 1);
          shared.set(queue + at, j);
        }
        if (has && counts) {
          int _ = shared.fetchAddRelaxed(2 * places + place, 1);
        }
        present += has ? metOnce : 0;
      }
      Block.barrier();
      int waiting = shared.get(length);
      if (own == 0) {
        // No thread reads it any more: all have met at a barrier since.
        shared.set(lengths + (turn + 2) % LENGTHS, 0);
      }
      for (int j = own; j < waiting; j += blockSize) {
        long i = begin + shared.get(queue + j);
        int outcome = insert(table, keys.get(i), values, i, SEARCHING, stripes);
        inserted += outcome == INSERTED ? 1 : 0;
        present += outcome == PRESENT ? 1 : 0;
        full += outcome == FULL ? 1 : 0;
        stuck += outcome == STUCK ? 1 : 0;
      }
      turn++;
    }
    Block.barrier();
    for (int place = own; place < used; place += blockSize) {
      int key = shared.get(place);
      // Its occurrences that were not counted yet.
      int count = counts ? shared.get(2 * places + place) : 0;
      Numbers sum = new OneValue(shared.get(places + place));
      int outcome =
          insert(table, stored(key), sum, 0, key == FREE ? NOT_TRIED : SEARCHING, stripes);
      inserted += outcome == INSERTED ? 1 : 0;
      present += outcome == INSERTED ? count - 1 : outcome == PRESENT ? count : 0;
      full += outcome == FULL ? count : 0;
      stuck += outcome == STUCK ? count : 0;
    }
    Counting.add(counters, thread, INSERTED, inserted, MapCodes.STRIPED);
    Counting.add(counters, thread, PRESENT, present, MapCodes.STRIPED);
    Counting.add(counters, thread, FULL, full, MapCodes.STRIPED);
    Counting.add(counters, thread, STUCK, stuck, MapCodes.STRIPED);
  }

  private int insert(Slots table, long key, Numbers values, long i, int begin, int stripes) {
    Change add = new Change.Policy(MapCodes.ADD);
    Probe.End end = Probe.insert(table, key, values, i, begin, counters, stripes, add, pollLimit);
    int outcome = end.outcome();
    if (outcome == PRESENT && !table.isRemovable()) {
      table.update(end.slot(), key, values, i, MapCodes.ADD);
    }
    return outcome;
  }
}
