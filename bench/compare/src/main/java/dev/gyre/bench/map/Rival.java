package dev.gyre.bench.map;

import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.LongLongMap;
import it.unimi.dsi.fastutil.longs.Long2LongOpenHashMap;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jctools.maps.NonBlockingHashMapLong;

/** A map from long to long that is measured: ours, or one of those that its users would take. */
abstract class Rival implements AutoCloseable {

  /** The names of the rivals, as JMH shows them. */
  enum Name {
    GYRE_REFERENCE,
    GYRE_LINE,
    CONCURRENT_HASH_MAP,
    JCTOOLS,
    FASTUTIL
  }

  static Rival of(Name name, int capacity, int threads) {
    return switch (name) {
      case GYRE_REFERENCE -> new Gyre(Layout.REFERENCE, capacity, threads);
      case GYRE_LINE -> new Gyre(Layout.LINE, capacity, threads);
      case CONCURRENT_HASH_MAP -> new OfConcurrentHashMap(capacity, threads);
      case JCTOOLS -> new OfJcTools(capacity, threads);
      case FASTUTIL -> new OfFastutil(capacity, threads);
    };
  }

  /** Makes the map empty, with room for all keys; not measured. */
  abstract void empty();

  /** Inserts all keys, and returns how many were new. */
  abstract long insert(long[] keys, long[] values);

  /** Looks up all keys, writes their values, and returns how many were there. */
  abstract long find(long[] keys, long[] found);

  @Override
  public void close() {}

  private static final class Gyre extends Rival {
    private final LongLongMap map;

    Gyre(Layout layout, int capacity, int threads) {
      map =
          LongLongMap.builder().layout(layout).capacity(capacity).threads(threads).seed(1).build();
    }

    @Override
    void empty() {
      map.clear();
    }

    @Override
    long insert(long[] keys, long[] values) {
      return map.insert(keys, values).inserted();
    }

    @Override
    long find(long[] keys, long[] found) {
      return map.find(keys, found).found();
    }

    @Override
    public void close() {
      map.close();
    }
  }

  /** Rivals without bulk operations: every thread takes its part of the keys. */
  private abstract static class OneByOne extends Rival {
    private final int threads;
    private final ExecutorService pool;

    OneByOne(int threads) {
      this.threads = threads;
      this.pool = Executors.newFixedThreadPool(threads);
    }

    /** What a thread does with its part. */
    interface Part {
      long run(int from, int to);
    }

    long all(int length, Part part) {
      List<Future<Long>> running = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        int from = (int) ((long) length * t / threads);
        int to = (int) ((long) length * (t + 1) / threads);
        running.add(pool.submit(() -> part.run(from, to)));
      }
      long sum = 0;
      try {
        for (Future<Long> one : running) {
          sum += one.get();
        }
      } catch (InterruptedException | ExecutionException e) {
        throw new IllegalStateException(e);
      }
      return sum;
    }

    @Override
    public void close() {
      pool.shutdownNow();
    }
  }

  private static final class OfConcurrentHashMap extends OneByOne {
    private final int capacity;
    private ConcurrentHashMap<Long, Long> map = new ConcurrentHashMap<>();

    OfConcurrentHashMap(int capacity, int threads) {
      super(threads);
      this.capacity = capacity;
    }

    @Override
    void empty() {
      map = new ConcurrentHashMap<>();
      map = new ConcurrentHashMap<>(capacity);
    }

    @Override
    long insert(long[] keys, long[] values) {
      return all(
          keys.length,
          (from, to) -> {
            long inserted = 0;
            for (int i = from; i < to; i++) {
              inserted += map.putIfAbsent(keys[i], values[i]) == null ? 1 : 0;
            }
            return inserted;
          });
    }

    @Override
    long find(long[] keys, long[] found) {
      return all(
          keys.length,
          (from, to) -> {
            long count = 0;
            for (int i = from; i < to; i++) {
              Long value = map.get(keys[i]);
              found[i] = value == null ? 0 : value;
              count += value == null ? 0 : 1;
            }
            return count;
          });
    }
  }

  private static final class OfJcTools extends OneByOne {
    private final int capacity;
    private NonBlockingHashMapLong<Long> map = new NonBlockingHashMapLong<>();

    OfJcTools(int capacity, int threads) {
      super(threads);
      this.capacity = capacity;
    }

    @Override
    void empty() {
      map = new NonBlockingHashMapLong<>();
      map = new NonBlockingHashMapLong<>(2 * capacity);
    }

    @Override
    long insert(long[] keys, long[] values) {
      return all(
          keys.length,
          (from, to) -> {
            long inserted = 0;
            for (int i = from; i < to; i++) {
              inserted += map.putIfAbsent(keys[i], (Long) values[i]) == null ? 1 : 0;
            }
            return inserted;
          });
    }

    @Override
    long find(long[] keys, long[] found) {
      return all(
          keys.length,
          (from, to) -> {
            long count = 0;
            for (int i = from; i < to; i++) {
              Long value = map.get(keys[i]);
              found[i] = value == null ? 0 : value;
              count += value == null ? 0 : 1;
            }
            return count;
          });
    }
  }

  /** Not for several threads: runs on one, whatever was asked for. */
  private static final class OfFastutil extends Rival {
    private final int capacity;
    private Long2LongOpenHashMap map = new Long2LongOpenHashMap();

    OfFastutil(int capacity, int threads) {
      if (threads != 1) {
        throw new IllegalArgumentException("fastutil's maps are for one thread");
      }
      this.capacity = capacity;
    }

    @Override
    void empty() {
      map = new Long2LongOpenHashMap();
      map = new Long2LongOpenHashMap(capacity);
    }

    @Override
    long insert(long[] keys, long[] values) {
      long before = map.size();
      for (int i = 0; i < keys.length; i++) {
        map.putIfAbsent(keys[i], values[i]);
      }
      return (long) map.size() - before;
    }

    @Override
    long find(long[] keys, long[] found) {
      long count = 0;
      for (int i = 0; i < keys.length; i++) {
        found[i] = map.get(keys[i]);
        count += found[i] == 0 ? 0 : 1;
      }
      return count;
    }
  }
}
