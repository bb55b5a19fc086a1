package dev.gyre.kernels.map;

import static dev.gyre.kernels.map.MapCodes.FILLED;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Internal;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;

/**
 * Measures probe lengths: how many slots a search for a key reads. No thread may insert at the same
 * time.
 *
 * <p>The kernel looks at blocks of {@link #BLOCK} slots, so that a sample of a large table needs
 * few cache lines.
 *
 * @param table the table, which hashes the keys that it returns
 * @param sums counters: {@link #KEYS}, {@link #LENGTHS} and {@link #LONGEST}, all 0 before
 * @param slots number of slots to look at
 * @param stride slots from the start of a block to the start of the next
 * @since 0.1.0
 */
@Internal
public record ProbeLengths(Slots table, DeviceLongs sums, long slots, long stride)
    implements Kernel {

  /** Number of slots in a row. */
  public static final long BLOCK = 1 << 10;

  /** Counter of keys. */
  public static final int KEYS = 0;

  /** Counter of the sum of their probe lengths. */
  public static final int LENGTHS = 1;

  /** Counter of the greatest probe length. */
  public static final int LONGEST = 2;

  @Override
  public void run(int thread, LaunchShape shape) {
    Slots table = this.table.copy();
    long keys = 0;
    long lengths = 0;
    long longest = 0;
    for (long i = thread; i < slots; i += shape.threads()) {
      long slot = i / BLOCK * stride + i % BLOCK;
      long seen = table.quiet(slot);
      if (table.stateOf(seen) == FILLED) {
        long key = table.key(slot, seen);
        long passed = slot - table.home(key, table.hash(key));
        long length = 1 + (passed < 0 ? passed + table.slots() : passed);
        keys++;
        lengths += length;
        longest = Math.max(longest, length);
      }
    }
    if (keys > 0) {
      // relaxed: counts, which order nothing
      long _ = sums.fetchAddRelaxed(KEYS, keys);
      long _ = sums.fetchAddRelaxed(LENGTHS, lengths);
      long _ = sums.fetchMaxRelaxed(LONGEST, longest);
    }
  }
}
