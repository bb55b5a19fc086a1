package dev.gyre.structures.map.work;

import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.InsertCounts;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * The room of a map of fixed capacity that is spread over stores, which is counted over all of
 * them. Each has its share, and grows should it get more keys than that: the map takes as many as
 * it says, whatever their hashes.
 *
 * <p>An insert that finds room for all of its keys promised runs beside others. One that may not
 * have it runs alone: it looks up which of its keys are there, inserts as many others as there is
 * room for, and so on, until none is left or there is no room.
 */
public final class SharedRoom {

  /** Keys of an insert that runs alone which are looked at together. */
  private static final int PIECE = 1 << 18;

  /** Keys of a bulk insert, with their values. */
  public interface Keys extends AutoCloseable {
    long count();

    /** Words that the text of some takes. */
    default long words(long from, long to) {
      return 0;
    }

    /** Some of them. */
    Keys part(long from, int length);

    /** Whether what the user asks of entries holds for one. */
    boolean isChosen(int index);

    /** Inserts those that options leave in, wherever they belong; there is room. */
    InsertCounts insert(BulkOptions options);

    /** Says which of those that options leave in are there. */
    void find(BulkOptions options);

    /** Writes for one that is FULL what is to be written for it. */
    void refuse(int index);

    @Override
    default void close() {}
  }

  /** The stores. */
  public interface Stores {

    /** Number of keys. */
    long size();

    /** Words that the text of keys takes, where nobody updates. */
    long liveWords();

    /** Counts keys if need be. */
    void settle();
  }

  private final ReadWriteLock lock = new ReentrantReadWriteLock();

  /** Most keys; changed where nobody else is there. */
  private volatile long capacity;

  /** Most words of text. */
  private final long words;

  /** Keys that inserts which are under way may still add. */
  private final AtomicLong promised = new AtomicLong();

  /** Words of text that there are, or more. */
  private final AtomicLong taken = new AtomicLong();

  /** Whether there may be fewer. */
  private volatile boolean uncounted;

  /**
   * Room in empty stores.
   *
   * @param words of text
   */
  public SharedRoom(long capacity, long words) {
    this.capacity = capacity;
    this.words = words;
  }

  public long capacity() {
    return capacity;
  }

  public void setCapacity(long keys) {
    capacity = keys;
  }

  public long words() {
    return words;
  }

  /** Says that all keys were taken out. */
  public void cleared() {
    taken.set(0);
    uncounted = false;
  }

  /** Says that keys came whose text nobody counted. */
  public void filled() {
    taken.set(words);
    uncounted = true;
  }

  /** Inserts keys. */
  public InsertCounts insert(Stores stores, Keys keys, BulkOptions options) {
    lock.readLock().lock();
    try {
      InsertCounts counts = insertPromised(stores, keys, options);
      if (counts != null) {
        return counts;
      }
    } finally {
      lock.readLock().unlock();
    }
    lock.writeLock().lock();
    try {
      return insertAlone(stores, keys, options);
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Null, having done nothing, where there may not be room for all. */
  private @Nullable InsertCounts insertPromised(Stores stores, Keys keys, BulkOptions options) {
    long count = keys.count();
    long text = keys.words(0, count);
    boolean enough = taken.addAndGet(text) <= words || text == 0;
    boolean fits = false;
    InsertCounts counts = null;
    // Promised before it is counted: what others add meanwhile is counted once or twice.
    long all = promised.addAndGet(count);
    try {
      fits = all + stores.size() <= capacity && enough;
      counts = fits ? keys.insert(options) : null;
      return counts;
    } finally {
      promised.addAndGet(-count);
      if (!fits || (counts != null && counts.inserted() == 0)) {
        taken.addAndGet(-text);
      } else if (text > 0 && (counts == null || counts.inserted() < count)) {
        uncounted = true;
      }
    }
  }

  private InsertCounts insertAlone(Stores stores, Keys keys, BulkOptions options) {
    BulkOptions _ = options.skipAll(keys.count());
    stores.settle();
    if (uncounted && keys.words(0, keys.count()) > 0) {
      taken.set(stores.liveWords());
      uncounted = false;
    }
    Sums sums = new Sums();
    return sums.inserts(
        keys.count(),
        () -> {
          for (Step step : Step.cut(0, keys.count(), PIECE)) {
            try (Keys some = keys.part(step.from(), (int) step.size())) {
              new Alone(stores, some, options, step.from(), sums).run(options.outcomes());
            }
          }
        });
  }

  /** Keys that are inserted while nobody else inserts. */
  private final class Alone {

    private final Stores stores;
    private final Keys keys;
    private final long from;
    private final int length;
    private final byte[] outcomes;

    /** Of which nothing is known yet, and those that are there. */
    private final boolean[] open;

    private final boolean[] present;
    private final byte[] told;
    private final Sums sums;

    Alone(Stores stores, Keys keys, BulkOptions options, long from, Sums sums) {
      this.sums = sums;
      this.stores = stores;
      this.keys = keys;
      this.from = from;
      this.length = (int) keys.count();
      this.outcomes = new byte[length];
      this.open = new boolean[length];
      this.present = new boolean[length];
      this.told = new byte[length];
      Arrays.fill(outcomes, MapCodes.SKIPPED);
      for (int i = 0; i < length; i++) {
        open[i] = options.start(from + i) == MapCodes.PENDING && keys.isChosen(i);
      }
    }

    void run(@Nullable MemorySegment to) {
      try {
        lookUp();
        boolean[] next = next();
        while (next != null) {
          insert(next);
          lookUp();
          next = next();
        }
        insert(present);
        refuse();
      } finally {
        if (to != null) {
          MemorySegment.copy(MemorySegment.ofArray(outcomes), 0, to, from, length);
        }
      }
    }

    private void lookUp() {
      keys.find(BulkOptions.NONE.where(open).outcomes(told));
      for (int i = 0; i < length; i++) {
        boolean there = open[i] && told[i] == MapCodes.FOUND;
        present[i] |= there;
        open[i] &= !there;
      }
    }

    /** The next ones that there is room for; null if there are none. */
    private boolean @Nullable [] next() {
      long room = capacity - stores.size();
      long text = words - taken.get();
      boolean[] next = new boolean[length];
      boolean any = false;
      for (int i = 0; i < length && room > 0; i++) {
        long its = keys.words(i, i + 1);
        next[i] = open[i] && (its == 0 || its <= text);
        if (next[i]) {
          any = true;
          room--;
          text -= its;
        }
      }
      return any ? next : null;
    }

    private void insert(boolean[] some) {
      Arrays.fill(told, MapCodes.SKIPPED);
      boolean known = false;
      try {
        sums.addInserts(() -> keys.insert(BulkOptions.NONE.where(some).outcomes(told)));
        known = true;
      } finally {
        for (int i = 0; i < length; i++) {
          if (some[i]) {
            outcomes[i] = told[i];
            open[i] = false;
            boolean there = told[i] == MapCodes.INSERTED || (!known && !present[i]);
            taken.addAndGet(there ? keys.words(i, i + 1) : 0);
          }
        }
        if (!known) {
          // Of a key that nobody told of, the text may be there.
          uncounted = true;
        }
      }
    }

    private void refuse() {
      for (int i = 0; i < length; i++) {
        if (open[i]) {
          outcomes[i] = MapCodes.FULL;
          sums.add(MapCodes.FULL, 1);
          keys.refuse(i);
        }
      }
    }
  }
}
