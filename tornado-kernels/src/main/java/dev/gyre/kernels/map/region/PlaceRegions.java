package dev.gyre.kernels.map.region;

import static dev.gyre.kernels.map.MapCodes.EMPTY;
import static dev.gyre.kernels.map.MapCodes.INSERTED;
import static dev.gyre.kernels.map.MapCodes.KEEP;
import static dev.gyre.kernels.map.MapCodes.PRESENT;

import dev.gyre.atomics.Block;
import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.Lanes;
import dev.gyre.atomics.SharedInts;
import dev.gyre.atomics.SharedLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Counting;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.NumberTable;
import dev.gyre.kernels.map.PackedSlots;

/**
 * Inserts entries that are in the order of a table's regions as {@link BuildRegions} does, into a
 * table that has none: no slot is searched, but it is computed where each key goes. So it does not
 * take longer where the table becomes full.
 *
 * <p>A block puts the entries of a region in the order of their homes, by counting those of each.
 * Of equal keys, which have one home, the first stays. Then each home's first slot is the one
 * behind the last of the home before, or the home itself: linear probing would have put the same
 * keys into the same slots, in some order of the batch.
 *
 * <p>Regions with more entries than slots, or with a home that has many, are {@linkplain
 * Level#leave left} to {@link BuildRegions}.
 *
 * @param layout of the table, whose slots are EMPTY
 * @param level of the regions
 * @param spilled where to write keys that have no slot in their region
 * @param inOrder entries of a region, as words of packed slots, which a block shares
 * @param noted entries that are spilled, {@link BlockRegion#NOTED}, which a block shares
 * @param shared ints that a block shares; see {@link #sharedInts}
 * @param slots most slots of a region
 */
public record PlaceRegions(
    RegionSlots.OfInts layout,
    Pairs.OfInts entries,
    Level level,
    Pairs.OfInts spilled,
    Change change,
    SharedLongs inOrder,
    SharedLongs noted,
    SharedInts shared,
    int slots)
    implements Kernel {

  /** Most entries of a home, each of which is compared with those before it. */
  private static final int MOST_OF_HOME = 48;

  /** Less than any place, and not by little. */
  private static final int BEFORE_ALL = -(1 << 20);

  /**
   * Ints that a block shares: a half for each slot, which counts the entries whose home that is,
   * and then says where the next one goes; a bit for each slot that is taken; two numbers for each
   * warp, and some more.
   */
  public static int sharedInts(int slots, int blockSize) {
    return halves(slots) + bits(slots) + 2 * blockSize + 3;
  }

  private static int halves(int slots) {
    return (slots + 1) / 2;
  }

  private static int bits(int slots) {
    return (slots + 31) / 32;
  }

  private int sums() {
    return halves(slots) + bits(slots);
  }

  /** Whether a home has too many, how many entries are spilled, and where they go. */
  private int numbers(int blockSize) {
    return sums() + 2 * blockSize;
  }

  @Override
  public void run(int thread, LaunchShape shape) {
    NumberTable table = layout.table();
    DeviceInts numbers = level.numbers();
    int blockSize = shape.blockSize();
    int own = thread % blockSize;
    int own3 = numbers(blockSize);
    int regions = level.isCrowded() ? 0 : level.regions();
    int inserted = 0;
    int present = 0;
    for (int region = thread / blockSize; region < regions; region += shape.blocks()) {
      long first = level.firstSlot(table, region);
      int size = (int) (level.firstSlot(table, region + 1) - first);
      int begin = numbers.get(level.begins() + region);
      int all = numbers.get(level.begins() + region + 1) - begin;
      int some = all <= size ? all : 0;
      clear(own, blockSize);
      Block.barrier();
      int most = 0;
      for (int i = own; i < some; i += blockSize) {
        long word = entries.words().get(begin + i);
        int home = home(table, entries.keyIn(word), first, size);
        if (home < size) {
          int before = count(home);
          most = before > most ? before : most;
        }
      }
      if (most >= MOST_OF_HOME) {
        // relaxed: a barrier comes before it is read
        shared.storeRelaxed(own3, 1);
      }
      Block.barrier();
      int n = shared.get(own3) == 0 ? some : 0;
      if (own == 0 && n < all) {
        level.leave(region);
      }
      int placed = n == 0 ? 0 : size;
      sumHomes(own, blockSize, placed);
      for (int i = own; i < n; i += blockSize) {
        long word = entries.words().get(begin + i);
        long key = entries.keyIn(word);
        int home = home(table, key, first, size);
        if (home < size) {
          int stored = PackedSlots.stored((int) key);
          long entry = PackedSlots.word(stored, (int) entries.valueIn(word, 0));
          inOrder.set(count(home), entry);
        } else {
          spill(own3, word);
        }
      }
      Block.barrier();
      int ordered = n == 0 ? 0 : half(size - 1);
      for (int k = own; k < ordered; k += blockSize) {
        long word = inOrder.loadRelaxed(k);
        int home = home(table, key(word), first, size);
        if (isAgain(word, k, home == 0 ? 0 : half(home - 1))) {
          inOrder.storeRelaxed(k, EMPTY);
          present++;
        }
      }
      Block.barrier();
      for (int j = own; j < halves(placed); j += blockSize) {
        shared.set(j, 0);
      }
      Block.barrier();
      for (int k = own; k < ordered; k += blockSize) {
        long word = inOrder.get(k);
        if (word != EMPTY) {
          int _ = count(home(table, key(word), first, size));
        }
      }
      Block.barrier();
      findPlaces(own, blockSize, placed);
      for (int k = own; k < ordered; k += blockSize) {
        long word = inOrder.get(k);
        int place = size;
        if (word != EMPTY) {
          place = count(home(table, key(word), first, size));
          if (place < size) {
            layout.store(first + place, word);
            // relaxed: a barrier comes before it is read
            int _ = shared.fetchOrRelaxed(halves(slots) + (place >> 5), 1 << (place & 31));
            inserted++;
          } else {
            spill(own3, Pairs.OfInts.word(key(word), PackedSlots.valueOf(word)));
          }
        }
      }
      Block.barrier();
      int few = shared.get(own3 + 1);
      few = few < BlockRegion.NOTED ? few : BlockRegion.NOTED;
      if (own == 0 && few > 0) {
        shared.set(own3 + 2, (int) Level.spill(level.counters(), few));
      }
      // Whole lines of memory are written faster than parts of them.
      for (int j = own; j < placed; j += blockSize) {
        if ((shared.get(halves(slots) + (j >> 5)) >> (j & 31) & 1) == 0) {
          layout.store(first + j, EMPTY);
        }
      }
      Block.barrier();
      for (int j = own; j < few; j += blockSize) {
        spilled.words().set(shared.get(own3 + 2) + j, noted.get(j));
      }
      Block.barrier();
    }
    Counting.add(level.counters(), thread, INSERTED, inserted, MapCodes.STRIPED);
    Counting.add(level.counters(), thread, PRESENT, present, MapCodes.STRIPED);
  }

  private void clear(int own, int blockSize) {
    for (int j = own; j < sums(); j += blockSize) {
      shared.set(j, 0);
    }
    if (own < 3) {
      shared.set(numbers(blockSize) + own, 0);
    }
  }

  /** The home within its region; behind all slots for what is not placed here. */
  private static int home(NumberTable table, long key, long first, int size) {
    long distance = table.home(key, table.hash(key)) - first;
    // The one that is stored as another key is.
    return distance < size && key != Integer.MIN_VALUE ? (int) distance : size;
  }

  private static long key(long word) {
    return PackedSlots.storedOf(word) ^ Integer.MIN_VALUE;
  }

  private int half(int slot) {
    return shared.get(slot >> 1) >> ((slot & 1) << 4) & 0xffff;
  }

  /** Adds 1 to a slot's half; returns what it was. */
  private int count(int slot) {
    int shift = (slot & 1) << 4;
    // relaxed: a barrier comes before it is read
    return shared.fetchAddRelaxed(slot >> 1, 1 << shift) >> shift & 0xffff;
  }

  /**
   * Whether an entry has the key of one before it, of which the first takes its value.
   *
   * @param first place of the first entry of that home
   */
  private boolean isAgain(long word, int k, int first) {
    int stored = PackedSlots.storedOf(word);
    int at = first;
    long seen = inOrder.loadRelaxed(at);
    while (PackedSlots.storedOf(seen) != stored) {
      at++;
      seen = inOrder.loadRelaxed(at);
    }
    boolean again = at < k;
    if (again && change.policy() != KEEP) {
      long before = EMPTY;
      while (seen != before) {
        before = seen;
        long after = change.applied(PackedSlots.valueOf(before), PackedSlots.valueOf(word));
        seen = inOrder.compareAndExchangeRelaxed(at, before, PackedSlots.word(stored, (int) after));
      }
    }
    return again;
  }

  private void spill(int own3, long word) {
    // relaxed: a barrier comes before it is read
    int place = shared.fetchAddRelaxed(own3 + 1, 1);
    if (place < BlockRegion.NOTED) {
      noted.set(place, word);
    } else {
      spilled.words().set(Level.spill(level.counters(), 1), word);
    }
  }

  /** Ints of halves that a warp goes over, a multiple of its width. */
  private static int share(int size, int blockSize, int width) {
    int each = (halves(size) + blockSize / width - 1) / (blockSize / width);
    return (each + width - 1) / width * width;
  }

  /** Makes of how many entries each home has how many there are before it. */
  private void sumHomes(int own, int blockSize, int size) {
    int width = Lanes.width();
    int warp = own / width;
    int lane = own % width;
    int share = share(size, blockSize, width);
    int ends = halves(size);
    int sum = 0;
    for (int q = 0; q < share; q += width) {
      int j = warp * share + q + lane;
      int both = j < ends ? shared.get(j) : 0;
      int even = both & 0xffff;
      int here = even + (both >> 16 & 0xffff);
      int upTo = Lanes.prefixSum(here);
      int before = sum + upTo - here;
      if (j < ends) {
        shared.set(j, before + ((before + even) << 16));
      }
      sum += Lanes.broadcast(upTo, width - 1);
    }
    if (lane == 0) {
      shared.set(sums() + warp, sum);
    }
    Block.barrier();
    int before = 0;
    for (int w = 0; w < warp; w++) {
      before += shared.get(sums() + w);
    }
    for (int q = lane; q < share; q += width) {
      int j = warp * share + q;
      if (j < ends) {
        shared.set(j, shared.get(j) + before + (before << 16));
      }
    }
    Block.barrier();
  }

  /** Makes of how many entries each home has where its first one goes. */
  private void findPlaces(int own, int blockSize, int size) {
    int width = Lanes.width();
    int warp = own / width;
    int lane = own % width;
    int share = share(size, blockSize, width);
    int ends = halves(size);
    // So many slots are taken from a place on, or all up to the other, whichever is further.
    int sum = 0;
    int end = BEFORE_ALL;
    for (int q = 0; q < share; q += width) {
      int j = warp * share + q + lane;
      int both = j < ends ? shared.get(j) : 0;
      int even = both & 0xffff;
      int odd = both >> 16 & 0xffff;
      int upTo = Lanes.prefixSum(even + odd);
      int total = Lanes.broadcast(upTo, width - 1);
      // Where these end if all after them are behind them.
      int ending = j < ends ? endOfTwo(j, even, odd) + total - upTo : BEFORE_ALL;
      int last = maxOfAll(ending, width, lane);
      end = end + total > last ? end + total : last;
      sum += total;
    }
    if (lane == 0) {
      shared.set(sums() + 2 * warp, sum);
      shared.set(sums() + 2 * warp + 1, end);
    }
    Block.barrier();
    int taken = 0;
    for (int w = 0; w < warp; w++) {
      int further = taken + shared.get(sums() + 2 * w);
      int behind = shared.get(sums() + 2 * w + 1);
      taken = further > behind ? further : behind;
    }
    for (int q = 0; q < share; q += width) {
      int j = warp * share + q + lane;
      int both = j < ends ? shared.get(j) : 0;
      int even = both & 0xffff;
      int odd = both >> 16 & 0xffff;
      int upTo = Lanes.prefixSum(even + odd);
      // Less what is before, places can be compared.
      int level = j < ends ? endOfTwo(j, even, odd) - upTo : BEFORE_ALL;
      int highest = prefixMax(level, width, lane);
      int previous = Lanes.shuffle(highest, lane - 1);
      previous = lane == 0 || previous < taken ? taken : previous;
      int place = previous + upTo - even - odd;
      place = place > 2 * j ? place : 2 * j;
      int next = place + even > 2 * j + 1 ? place + even : 2 * j + 1;
      if (j < ends) {
        shared.set(j, place + (next << 16));
      }
      int top = Lanes.broadcast(highest, width - 1);
      taken = (top > taken ? top : taken) + Lanes.broadcast(upTo, width - 1);
    }
    Block.barrier();
  }

  /** Where the entries of two homes end if no other is before them. */
  private static int endOfTwo(int j, int even, int odd) {
    int end = 2 * j + even;
    return (end > 2 * j + 1 ? end : 2 * j + 1) + odd;
  }

  private static int maxOfAll(int value, int width, int lane) {
    int max = value;
    for (int far = 1; far < width; far += far) {
      int other = Lanes.shuffle(max, lane ^ far);
      max = other > max ? other : max;
    }
    return max;
  }

  private static int prefixMax(int value, int width, int lane) {
    int max = value;
    for (int far = 1; far < width; far += far) {
      int other = Lanes.shuffle(max, lane - far);
      max = lane >= far && other > max ? other : max;
    }
    return max;
  }
}
