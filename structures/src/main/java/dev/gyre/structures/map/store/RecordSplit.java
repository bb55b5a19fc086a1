package dev.gyre.structures.map.store;

import dev.gyre.kernels.map.Hashing;
import dev.gyre.kernels.map.KeyParts;
import dev.gyre.kernels.map.RecordHash;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.RecordSchema;
import dev.gyre.structures.map.table.Update;
import dev.gyre.structures.map.work.LongShares;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** {@link LongSplit} of keys that are records. */
final class RecordSplit extends SteppedSplit<RecordSplit.Part> {

  /** What belongs to one store. */
  record Part(Columns keys, @Nullable Columns values, @Nullable Columns found) {}

  private final Columns keys;
  private final @Nullable Columns values;
  private final @Nullable Columns found;
  private final RecordHash hash;

  private RecordSplit(
      Shards shards,
      RecordSchema<?, ?> schema,
      Columns keys,
      @Nullable Columns values,
      @Nullable Columns found,
      BulkOptions options,
      Operation<Part> operation) {
    super(shards, options, found != null, operation);
    this.keys = keys;
    this.values = values;
    this.found = found;
    this.hash = schema.hash();
  }

  /** Inserts keys, each into its store. */
  static InsertCounts insert(
      Shards shards,
      RecordSchema<?, ?> schema,
      Columns keys,
      Columns values,
      Update update,
      @Nullable Columns found,
      BulkOptions options) {
    LongAdder inserted = new LongAdder();
    LongAdder present = new LongAdder();
    LongAdder full = new LongAdder();
    BulkOptions _ = options.skipAll(keys.length());
    new RecordSplit(
            shards,
            schema,
            keys,
            values,
            found,
            options,
            (store, part, of) -> {
              Columns theirs = part.values == null ? values : part.values;
              InsertCounts counts =
                  ((RecordStore) store).insert(part.keys, theirs, update, part.found, of);
              inserted.add(counts.inserted());
              present.add(counts.present());
              full.add(counts.full());
            })
        .run(keys.length());
    return new InsertCounts(inserted.sum(), present.sum(), full.sum());
  }

  /** Looks up keys, each in its store. */
  static FindCounts find(
      Shards shards,
      RecordSchema<?, ?> schema,
      Columns keys,
      @Nullable Columns found,
      BulkOptions options) {
    LongAdder hits = new LongAdder();
    LongAdder absent = new LongAdder();
    new RecordSplit(
            shards,
            schema,
            keys,
            null,
            found,
            options,
            (store, part, of) -> {
              FindCounts counts = ((RecordStore) store).find(part.keys, part.found, of);
              hits.add(counts.found());
              absent.add(counts.absent());
            })
        .run(keys.length());
    return new FindCounts(hits.sum(), absent.sum());
  }

  @Override
  LongShares.Home homes(long from, int length) {
    int width = keys.types().size();
    long[] rows = new long[width * length];
    keys.read(from, MemorySegment.ofArray(rows), length, true);
    long seed = shards.seed();
    int count = shards.count();
    return i -> {
      long[] key = Arrays.copyOfRange(rows, i * width, i * width + RecordSchema.MOST);
      Arrays.fill(key, width, key.length, 0);
      // Once more, since a user's hash may be the same with every seed.
      long of = hash.hash(new KeyParts(key[0], key[1], key[2], key[3]), seed);
      return (int) Hashing.home(of, seed, count);
    };
  }

  @Override
  Part whole() {
    return new Part(keys, values, found);
  }

  @Override
  void deal(LongShares shares, long from, List<Part> parts) {
    for (int store = 0; store < shards.count(); store++) {
      int[] places = shares.places(store);
      parts.add(
          new Part(
              keys.some(from, places),
              values == null ? null : values.some(from, places),
              found == null ? null : Columns.empty(found.types(), places.length)));
    }
  }

  @Override
  void putBack(LongShares shares, long from, List<Part> parts) {
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
