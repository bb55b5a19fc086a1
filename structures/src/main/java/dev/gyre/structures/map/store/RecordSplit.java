package dev.gyre.structures.map.store;

import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.KeyParts;
import dev.gyre.kernels.map.RecordHash;
import dev.gyre.kernels.map.RecordPredicate;
import dev.gyre.kernels.map.RowParts;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.RecordSchema;
import dev.gyre.structures.map.table.Update;
import dev.gyre.structures.map.work.LongShares;
import dev.gyre.structures.map.work.SharedRoom;
import dev.gyre.structures.map.work.SteppedSplit;
import dev.gyre.structures.map.work.Sums;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link LongSplit} of keys that are records. */
final class RecordSplit extends SteppedSplit<Store<?, ?>, RecordSplit.Part> {

  /** What belongs to one store. */
  record Part(Columns keys, @Nullable Columns values, @Nullable Columns found) {}

  private final Columns keys;
  private final @Nullable Columns values;
  private final @Nullable Columns found;
  private final RecordHash hash;
  private final long seed;

  private RecordSplit(
      Shards shards,
      RecordSchema<?, ?> schema,
      Columns keys,
      @Nullable Columns values,
      @Nullable Columns found,
      BulkOptions options,
      Operation<Store<?, ?>, Part> operation) {
    super(shards, options, found != null, operation);
    this.keys = keys;
    this.values = values;
    this.found = found;
    this.hash = schema.hash();
    this.seed = shards.seed();
  }

  /** Keys that are inserted where room is counted over all stores. */
  private record Given(
      Shards shards,
      RecordSchema<?, ?> schema,
      Columns keys,
      Columns values,
      Update update,
      @Nullable Columns found,
      @Nullable RecordPredicate predicate)
      implements SharedRoom.Keys {

    @Override
    public long count() {
      return keys.length();
    }

    /** A copy, since it is looked up and inserted. */
    @Override
    public Given part(long from, int length) {
      return new Given(
          shards,
          schema,
          keys.copied(from, length),
          values.copied(from, length),
          update,
          found == null ? null : found.part(from, length),
          predicate);
    }

    @Override
    public boolean isChosen(int index) {
      if (predicate == null) {
        return true;
      }
      long[] key = row(keys, index, true);
      long[] value = row(values, index, false);
      return predicate.test(
          new KeyParts(key[0], key[1], key[2], key[3]),
          new RowParts(value[0], value[1], value[2], value[3]));
    }

    @Override
    public InsertCounts insert(BulkOptions options) {
      return spread(shards, schema, keys, values, update, found, options);
    }

    @Override
    public void find(BulkOptions options) {
      var _ = RecordSplit.find(shards, schema, keys, null, options);
    }

    @Override
    public void refuse(int index) {
      if (found != null) {
        found.copy(index, values, index);
      }
    }
  }

  private static long[] row(Columns columns, long index, boolean widened) {
    long[] row = new long[RecordSchema.MOST];
    columns.read(index, MemorySegment.ofArray(row), 1, widened);
    return row;
  }

  /** Inserts keys, as far as there is room for them. */
  static InsertCounts insert(
      Shards shards,
      RecordSchema<?, ?> schema,
      Columns keys,
      Columns values,
      Update update,
      @Nullable Columns found,
      BulkOptions options) {
    SharedRoom room = shards.room();
    return room == null
        ? spread(shards, schema, keys, values, update, found, options)
        : room.insert(
            shards,
            new Given(shards, schema, keys, values, update, found, options.records()),
            options);
  }

  /** Inserts keys, each into its store. */
  static InsertCounts spread(
      Shards shards,
      RecordSchema<?, ?> schema,
      Columns keys,
      Columns values,
      Update update,
      @Nullable Columns found,
      BulkOptions options) {
    Sums sums = new Sums();
    BulkOptions _ = options.skipAll(keys.length());
    RecordSplit split =
        new RecordSplit(
            shards,
            schema,
            keys,
            values,
            found,
            options,
            (store, part, of) -> {
              Columns theirs = part.values == null ? values : part.values;
              sums.addInserts(
                  () -> ((RecordStore) store).insert(part.keys, theirs, update, part.found, of));
            });
    return sums.inserts(keys.length(), () -> split.run(keys.length()));
  }

  /** Looks up keys, each in its store. */
  static FindCounts find(
      Shards shards,
      RecordSchema<?, ?> schema,
      Columns keys,
      @Nullable Columns found,
      BulkOptions options) {
    Sums sums = new Sums();
    BulkOptions _ = options.skipAll(keys.length());
    new RecordSplit(
            shards,
            schema,
            keys,
            null,
            found,
            options,
            (store, part, of) -> {
              sums.add(((RecordStore) store).find(part.keys, part.found, of));
            })
        .run(keys.length());
    return sums.finds();
  }

  @Override
  protected Part piece(long from, int length) {
    return new Part(
        keys.copied(from, length),
        values == null ? null : values.copied(from, length),
        found == null ? null : found.part(from, length));
  }

  @Override
  protected LongShares.Home homes(Part piece, long from) {
    int count = stores.count();
    return i -> {
      long[] key = row(piece.keys, i, true);
      // Once more, since a user's hash may be the same with every seed.
      long of = hash.hash(new KeyParts(key[0], key[1], key[2], key[3]), seed);
      return (int) Hashing.home(of, seed, count);
    };
  }

  @Override
  protected void deal(LongShares shares, Part piece, long from, List<Part> parts) {
    for (int store = 0; store < stores.count(); store++) {
      int[] places = shares.places(store);
      parts.add(
          new Part(
              piece.keys.some(0, places),
              piece.values == null ? null : piece.values.some(0, places),
              found == null ? null : Columns.empty(found.types(), places.length)));
    }
  }

  @Override
  protected void putBack(LongShares shares, long from, List<Part> parts) {
    Columns to = found;
    if (to != null) {
      shares.forEach(
          (index, store, at) -> {
            Columns theirs = parts.get(store).found;
            if (theirs != null) {
              to.copy(from + index, theirs, at);
            }
          });
    }
  }
}
