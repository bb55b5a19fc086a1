package dev.gyre.structures.map.sharded;

import dev.gyre.kernels.map.KeyParts;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.RecordSchema;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Rows of keys and values that are records, in columns. */
final class RecordRows extends Rows<Columns, Columns> {

  /** Hash of records: that of the user if there is one. */
  record Hashed(RecordSchema<?, ?> schema, long seed) {
    long of(long[] key) {
      return schema.hash().hash(new KeyParts(key[0], key[1], key[2], key[3]), seed);
    }
  }

  private final Hashed hashed;

  RecordRows(Hashed hashed, Columns keys, @Nullable Columns values, @Nullable Columns found) {
    super(keys, values, found);
    this.hashed = hashed;
  }

  @Override
  long length() {
    return keys.length();
  }

  @Override
  void check(BulkOptions options) {
    hashed.schema.check(keys, values, found, options);
  }

  @Override
  RecordRows chunk(long from, int length) {
    return new RecordRows(
        hashed,
        keys.copied(from, length),
        values == null ? null : values.copied(from, length),
        found == null ? null : found.part(from, length));
  }

  @Override
  long hash(int index) {
    long[] key = new long[RecordSchema.MOST];
    keys.read(index, MemorySegment.ofArray(key), 1, true);
    return hashed.of(key);
  }

  @Override
  RecordRows gather(int[] indices, boolean keeps) {
    Columns output = found;
    if (output != null) {
      output = keeps ? output.some(0, indices) : Columns.empty(output.types(), indices.length);
    }
    return new RecordRows(
        hashed, keys.some(0, indices), values == null ? null : values.some(0, indices), output);
  }

  @Override
  void scatter(int[] indices, Rows<Columns, Columns> shard) {
    if (found != null) {
      for (int i = 0; i < indices.length; i++) {
        found.copy(indices[i], shard.found(), i);
      }
    }
  }
}
