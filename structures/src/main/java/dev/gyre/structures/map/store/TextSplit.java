package dev.gyre.structures.map.store;

import dev.gyre.kernels.map.Change;
import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.TextLayout;
import dev.gyre.kernels.map.TextPredicate;
import dev.gyre.kernels.map.TextRule;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.work.LongShares;
import dev.gyre.structures.map.work.Pieces;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** {@link LongSplit} of keys that are texts. */
final class TextSplit {

  /** What is done in a store with the keys of a piece that belong there. */
  @FunctionalInterface
  private interface Operation {
    void run(TextStore store, TextKeys keys, Longs values, Longs found, BulkOptions options);
  }

  /** Entries on their way to the stores of another map, many at a time. */
  static final class Copy implements AutoCloseable {

    private static final int MOST = 1 << 16;

    private final Shards others;
    private final TextKeys keys = new TextKeys();
    private final long[] values = new long[MOST];

    Copy(Shards others) {
      this.others = others;
    }

    void add(byte[] key, long value) {
      if (keys.count() == MOST) {
        flush();
      }
      values[keys.count()] = value;
      var _ = keys.add(key, 0, key.length);
    }

    /** Sends what is left. */
    void flush() {
      Longs some = Longs.of(values).part(0, keys.count());
      var _ = insert(others, keys, some, Change.Policy.KEEP, null, BulkOptions.NONE);
      keys.clear();
    }

    @Override
    public void close() {
      keys.close();
    }
  }

  private final Shards shards;
  private final TextKeys keys;
  private final @Nullable Longs values;
  private final @Nullable Longs found;
  private final BulkOptions options;
  private final Operation operation;
  private final long seed;
  private final TextRule rule;

  private TextSplit(
      Shards shards,
      TextKeys keys,
      @Nullable Longs values,
      @Nullable Longs found,
      BulkOptions options,
      Operation operation) {
    this.shards = shards;
    this.keys = keys;
    this.values = values;
    this.found = found;
    this.options = options;
    this.operation = operation;
    this.seed = shards.seed();
    this.rule = TextRule.of(TextStore.hash(shards.settings()), seed);
  }

  /** Inserts keys, each into its store. */
  static InsertCounts insert(
      Shards shards,
      TextKeys keys,
      Longs values,
      Change change,
      @Nullable Longs found,
      BulkOptions options) {
    LongAdder inserted = new LongAdder();
    LongAdder present = new LongAdder();
    LongAdder full = new LongAdder();
    BulkOptions _ = options.skipAll(keys.count());
    new TextSplit(
            shards,
            keys,
            values,
            found,
            options,
            (store, its, theirs, back, of) -> {
              InsertCounts counts =
                  store.insert(its, theirs, change, found == null ? null : back, of);
              inserted.add(counts.inserted());
              present.add(counts.present());
              full.add(counts.full());
            })
        .run();
    return new InsertCounts(inserted.sum(), present.sum(), full.sum());
  }

  /** Looks up keys, each in its store. */
  static FindCounts find(Shards shards, TextKeys keys, @Nullable Longs found, BulkOptions options) {
    LongAdder hits = new LongAdder();
    LongAdder absent = new LongAdder();
    new TextSplit(
            shards,
            keys,
            null,
            found,
            options,
            (store, its, _, back, of) -> {
              FindCounts counts = store.find(its, found == null ? null : back, of);
              hits.add(counts.found());
              absent.add(counts.absent());
            })
        .run();
    return new FindCounts(hits.sum(), absent.sum());
  }

  private void run() {
    TextPredicate _ = options.texts();
    int count = keys.count();
    if (count == 1 && !options.isMasked()) {
      runOne();
      return;
    }
    Pieces.run(
        count, shards.lengthFor(count), shards.lanes(), (from, length, _) -> run(from, length));
  }

  /** Without other keys. */
  private void runOne() {
    Longs none = Longs.of(new long[1]);
    boolean _ =
        shards.on(
            home(0),
            store -> {
              operation.run(
                  (TextStore) store,
                  keys,
                  values == null ? none : values,
                  found == null ? none : found,
                  options);
              return true;
            });
  }

  private int home(long index) {
    long place = keys.places().get(index);
    long hash = rule.hash(keys.words(), TextLayout.start(place), TextLayout.length(place), seed);
    // Once more, since a user's hash may be the same with every seed.
    return (int) Hashing.home(hash, seed, shards.count());
  }

  private void run(long from, int length) {
    LongShares shares = new LongShares(shards.count(), length);
    shares.share(length, i -> home(from + i), options, from);
    long[] all = new long[length];
    long[][] dealt = new long[shards.count()][];
    for (int store = 0; store < dealt.length; store++) {
      dealt[store] = new long[shares.count(store)];
    }
    if (values != null) {
      values.read(from, all, length);
      shares.deal(all, dealt);
    }
    shares.expectOutcomes(options.outcomes() != null || (found != null && options.texts() != null));
    List<TextKeys> theirs = new ArrayList<>();
    try {
      for (int store = 0; store < dealt.length; store++) {
        theirs.add(keysOf(store, shares, from, length));
      }
      for (int i = 0; i < dealt.length; i++) {
        run((int) (from + i) % dealt.length, theirs, dealt, shares);
      }
      putBack(from, all, dealt, shares);
    } finally {
      theirs.forEach(TextKeys::close);
      MemorySegment outcomes = options.outcomes();
      if (outcomes != null) {
        shares.collectOutcomes(outcomes, from);
      }
    }
  }

  private TextKeys keysOf(int store, LongShares shares, long from, int length) {
    TextKeys all = new TextKeys();
    for (int i = 0; i < length; i++) {
      if (shares.home(i) == store) {
        all.add(keys, (int) from + i);
      }
    }
    return all;
  }

  private void run(int index, List<TextKeys> theirs, long[][] dealt, LongShares shares) {
    if (shares.count(index) > 0) {
      TextPredicate predicate = options.texts();
      BulkOptions some =
          predicate == null ? BulkOptions.NONE : BulkOptions.NONE.whereText(predicate);
      Longs numbers = Longs.of(dealt[index]);
      boolean _ =
          shards.on(
              index,
              store -> {
                operation.run(
                    (TextStore) store,
                    theirs.get(index),
                    numbers,
                    numbers,
                    shares.withOutcomes(some, index));
                return true;
              });
    }
  }

  private void putBack(long from, long[] all, long[][] dealt, LongShares shares) {
    if (found != null) {
      if (!options.takeAll()) {
        // What is left out stays as it is.
        found.read(from, all, all.length);
      }
      shares.collect(dealt, all);
      found.write(from, all, all.length);
    }
  }
}
