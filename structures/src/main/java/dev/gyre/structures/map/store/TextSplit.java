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
import dev.gyre.structures.map.work.SharedRoom;
import dev.gyre.structures.map.work.SteppedSplit;
import dev.gyre.structures.map.work.Sums;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link LongSplit} of keys that are texts. */
final class TextSplit extends SteppedSplit<Store<?, ?>, TextSplit.Part> {

  /** What belongs to one store; what is found takes the place of values. */
  record Part(TextKeys keys, Longs values, Longs found) {}

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
      var _ = spread(others, keys, some, Change.Policy.KEEP, null, BulkOptions.NONE);
      keys.clear();
    }

    @Override
    public void close() {
      keys.close();
    }
  }

  private final TextKeys keys;
  private final @Nullable Longs values;
  private final @Nullable Longs found;
  private final long seed;
  private final TextRule rule;

  private TextSplit(
      Shards shards,
      TextKeys keys,
      @Nullable Longs values,
      @Nullable Longs found,
      BulkOptions options,
      Operation<Store<?, ?>, Part> operation) {
    super(shards, options, found != null, operation);
    this.keys = keys;
    this.values = values;
    this.found = found;
    this.seed = shards.seed();
    this.rule = TextRule.of(TextStore.hash(shards.settings()), seed);
  }

  /** Keys that are inserted where room is counted over all stores. */
  private record Given(
      Shards shards,
      TextKeys keys,
      Longs values,
      Change change,
      @Nullable Longs found,
      @Nullable TextPredicate predicate)
      implements SharedRoom.Keys {

    @Override
    public long count() {
      return keys.count();
    }

    @Override
    public long words(long from, long to) {
      return keys.room(from, to);
    }

    /** A copy, to be closed. */
    @Override
    public Given part(long from, int length) {
      TextKeys some = new TextKeys();
      for (int i = 0; i < length; i++) {
        some.add(keys, (int) from + i);
      }
      return new Given(
          shards,
          some,
          values.copied(from, length),
          change,
          found == null ? null : found.part(from, length),
          predicate);
    }

    @Override
    public boolean isChosen(int index) {
      return predicate == null
          || new TextPredicate.InBatch(predicate, keys.words())
              .test(keys.places().get(index), value(index));
    }

    private long value(int index) {
      long[] one = new long[1];
      values.read(index, one, 1);
      return one[0];
    }

    @Override
    public InsertCounts insert(BulkOptions options) {
      return spread(shards, keys, values, change, found, options);
    }

    @Override
    public void find(BulkOptions options) {
      var _ = TextSplit.find(shards, keys, null, options);
    }

    @Override
    public void refuse(int index) {
      if (found != null) {
        found.set(index, value(index));
      }
    }

    @Override
    public void close() {
      keys.close();
    }
  }

  /** Inserts keys, as far as there is room for them and for their text. */
  static InsertCounts insert(
      Shards shards,
      TextKeys keys,
      Longs values,
      Change change,
      @Nullable Longs found,
      BulkOptions options) {
    SharedRoom room = shards.room();
    TextPredicate predicate = options.texts();
    return room == null
        ? spread(shards, keys, values, change, found, options)
        : room.insert(shards, new Given(shards, keys, values, change, found, predicate), options);
  }

  /** Inserts keys, each into its store. */
  private static InsertCounts spread(
      Shards shards,
      TextKeys keys,
      Longs values,
      Change change,
      @Nullable Longs found,
      BulkOptions options) {
    Sums sums = new Sums();
    BulkOptions _ = options.skipAll(keys.count());
    TextSplit split =
        new TextSplit(
            shards,
            keys,
            values,
            found,
            options,
            (store, part, of) -> {
              Longs back = found == null ? null : part.found;
              sums.addInserts(
                  () -> ((TextStore) store).insert(part.keys, part.values, change, back, of));
            });
    return sums.inserts(keys.count(), () -> split.run(keys.count()));
  }

  /** Looks up keys, each in its store. */
  static FindCounts find(Shards shards, TextKeys keys, @Nullable Longs found, BulkOptions options) {
    Sums sums = new Sums();
    BulkOptions _ = options.skipAll(keys.count());
    new TextSplit(
            shards,
            keys,
            null,
            found,
            options,
            (store, part, of) -> {
              sums.add(((TextStore) store).find(part.keys, found == null ? null : part.found, of));
            })
        .run(keys.count());
    return sums.finds();
  }

  @Override
  protected LongShares.Home homes(Part piece, long from) {
    TextPredicate _ = options.texts();
    return i -> home(from + i);
  }

  private int home(long index) {
    long place = keys.places().get(index);
    long hash = rule.hash(keys.words(), TextLayout.start(place), TextLayout.length(place), seed);
    // Once more, since a user's hash may be the same with every seed.
    return (int) Hashing.home(hash, seed, stores.count());
  }

  /** All keys: they are in memory of ours. */
  @Override
  protected Part piece(long from, int length) {
    Longs none = Longs.of(new long[1]);
    return new Part(keys, values == null ? none : values, found == null ? none : found);
  }

  @Override
  protected void deal(LongShares shares, Part piece, long from, List<Part> parts) {
    long[][] dealt = new long[stores.count()][];
    for (int store = 0; store < dealt.length; store++) {
      dealt[store] = new long[shares.count(store)];
    }
    if (values != null) {
      long[] all = new long[shares.length()];
      values.read(from, all, all.length);
      shares.deal(all, dealt);
    }
    for (int store = 0; store < dealt.length; store++) {
      TextKeys theirs = new TextKeys();
      Longs numbers = Longs.of(dealt[store]);
      parts.add(new Part(theirs, numbers, numbers));
      for (int place : shares.places(store)) {
        theirs.add(keys, (int) from + place);
      }
    }
  }

  @Override
  protected void putBack(LongShares shares, long from, List<Part> parts) {
    if (found != null) {
      long[] all = new long[shares.length()];
      if (!options.takeAll()) {
        // What is left out stays as it is.
        found.read(from, all, all.length);
      }
      long[][] theirs = parts.stream().map(part -> part.found.array()).toArray(long[][]::new);
      shares.collect(theirs, all);
      found.write(from, all, all.length);
    }
  }

  @Override
  protected void end(Part part) {
    part.keys.close();
  }
}
