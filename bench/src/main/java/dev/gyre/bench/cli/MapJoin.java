package dev.gyre.bench.cli;

import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Stage;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.Outcome;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.TextLongMap;
import dev.gyre.structures.map.sharded.ShardedLongMap;
import dev.gyre.structures.map.sharded.ShardedTextMap;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A map into which rows are loaded by the batch, and then looked up by the batch. There are two
 * batches: one is filled while the map works on the other.
 *
 * @param <K> keys of a batch
 */
final class MapJoin<K> implements AutoCloseable {

  /** An operation on the keys of a batch and a number for each. */
  @FunctionalInterface
  private interface Call<K, C> {
    C on(K keys, Longs numbers, BulkOptions options);
  }

  /**
   * Operations of the map, and of a small map that knows the first row of each key of a batch.
   *
   * @param insert inserts keys that are not there, of equal ones any
   * @param assign assigns values
   * @param note notes the first row of a key
   * @param first finds it
   * @param forget makes the small map empty
   * @param begin begins something that is to be done with the map, after what was begun before
   * @param size number of keys in the map
   * @param close closes both
   */
  private record Calls<K>(
      Call<K, InsertCounts> insert,
      Call<K, InsertCounts> assign,
      Call<K, FindCounts> find,
      Call<K, InsertCounts> note,
      Call<K, FindCounts> first,
      Runnable forget,
      Function<LongSupplier, Stage<Long>> begin,
      LongSupplier size,
      Runnable close) {}

  private final List<MapBatch<K>> two;
  private final Calls<K> calls;
  private int filling;
  private @Nullable Stage<Long> under;

  private MapJoin(List<MapBatch<K>> two, Calls<K> calls) {
    this.two = two;
    this.calls = calls;
  }

  /** Makes a map whose keys are numbers. */
  static MapJoin<Longs> ofLongs(Launcher device, int most) {
    ShardedLongMap map =
        ShardedLongMap.of(device, on -> LongLongMap.builder().launcher(on).build());
    LongLongMap firsts = LongLongMap.builder().workers(1).capacity(most).build();
    return new MapJoin<>(
        List.of(new MapBatch.OfLongs(most), new MapBatch.OfLongs(most)),
        new Calls<>(
            map::insert,
            map::insertOrAssign,
            map::find,
            (keys, rows, options) -> firsts.insertOrApply(keys, rows, Apply.MIN, options),
            firsts::find,
            firsts::clear,
            work -> map.async(_ -> work.getAsLong()),
            map::size,
            () -> {
              map.close();
              firsts.close();
            }));
  }

  /** Makes a map whose keys are texts. */
  static MapJoin<TextKeys> ofTexts(Launcher device, int most) {
    ShardedTextMap map =
        ShardedTextMap.of(device, on -> TextLongMap.builder().launcher(on).build());
    TextLongMap firsts = TextLongMap.builder().workers(1).capacity(most).build();
    return new MapJoin<>(
        List.of(new MapBatch.OfTexts(most), new MapBatch.OfTexts(most)),
        new Calls<>(
            map::insert,
            map::insertOrAssign,
            map::find,
            (keys, rows, options) -> firsts.insertOrApply(keys, rows, Apply.MIN, options),
            firsts::find,
            firsts::clear,
            work -> map.async(_ -> work.getAsLong()),
            map::size,
            () -> {
              map.close();
              firsts.close();
            }));
  }

  /** Returns the number of keys in the map. */
  long size() {
    return calls.size.getAsLong();
  }

  /** The batch that rows are added to. */
  MapBatch<K> filling() {
    return two.get(filling);
  }

  /** Begins to insert the batch, of equal keys the first. */
  void insertFirsts() {
    turn(this::insertFirsts);
    filling().clear();
  }

  /**
   * Begins to look up the batch.
   *
   * @return the one before, which was looked up; it is to be cleared, and is what is filled then
   */
  MapBatch<K> find() {
    turn(this::find);
    return filling();
  }

  private void turn(ToLongFunction<MapBatch<K>> work) {
    Stage<Long> before = under;
    MapBatch<K> batch = filling();
    under = calls.begin.apply(() -> work.applyAsLong(batch));
    filling = 1 - filling;
    if (before != null) {
      var _ = before.join();
    }
  }

  /**
   * Waits for the last batch.
   *
   * @return it; none is under way any more
   */
  MapBatch<K> last() {
    Stage<Long> before = under;
    under = null;
    if (before != null) {
      filling = 1 - filling;
      var _ = before.join();
    }
    return filling();
  }

  /**
   * Bulk inserts leave open which of equal keys in a batch comes first. So where another than the
   * first came, the value of the first is assigned.
   */
  private long insertFirsts(MapBatch<K> batch) {
    byte[] outcomes = new byte[batch.count()];
    BulkOptions options = BulkOptions.NONE.outcomes(outcomes);
    InsertCounts counts = calls.insert.on(batch.keys(), batch.values(), options);
    if (counts.present() > 0) {
      long[] first = firstRows(batch.keys(), batch.count());
      boolean[] rows = new boolean[first.length];
      boolean any = false;
      for (int row = 0; row < first.length; row++) {
        if (outcomes[row] == Outcome.INSERTED.code() && first[row] != row) {
          rows[(int) first[row]] = true;
          any = true;
        }
      }
      if (any) {
        var _ = calls.assign.on(batch.keys(), batch.values(), BulkOptions.NONE.where(rows));
      }
    }
    return counts.inserted();
  }

  /** Returns of each row the first row of the batch that has its key. */
  private long[] firstRows(K keys, int count) {
    long[] first = new long[count];
    Longs rows = Longs.of(LongStream.range(0, count).toArray());
    var _ = calls.note.on(keys, rows, BulkOptions.NONE);
    var _ = calls.first.on(keys, Longs.of(first), BulkOptions.NONE);
    calls.forget.run();
    return first;
  }

  private long find(MapBatch<K> batch) {
    int count = batch.count();
    byte[] outcomes = batch.isFull() ? batch.outcomes : new byte[count];
    long[] found = batch.isFull() ? batch.values : new long[count];
    BulkOptions options = BulkOptions.NONE.outcomes(outcomes);
    batch.hits = calls.find.on(batch.keys(), Longs.of(found), options).found();
    System.arraycopy(found, 0, batch.values, 0, count);
    System.arraycopy(outcomes, 0, batch.outcomes, 0, count);
    return batch.hits;
  }

  @Override
  public void close() {
    if (under != null) {
      boolean _ = under.cancel();
    }
    two.forEach(MapBatch::close);
    calls.close.run();
  }
}
