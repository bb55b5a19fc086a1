package dev.gyre.structures.map.sharded;

import dev.gyre.kernels.map.KeyParts;
import dev.gyre.kernels.map.RecordHash;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.RecordSchema;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Rows of keys and values that are records, in columns. */
final class RecordRows implements Rows<RecordRows> {

  /** Hash of records: that of the user if there is one. */
  record Hashed(RecordHash hash, long seed) {
    long of(long[] key) {
      return hash.hash(new KeyParts(key[0], key[1], key[2], key[3]), seed);
    }
  }

  private final Hashed hashed;
  private final Columns keys;
  private final @Nullable Columns values;
  private final @Nullable Columns found;

  RecordRows(Hashed hashed, Columns keys, @Nullable Columns values, @Nullable Columns found) {
    this.hashed = hashed;
    this.keys = keys;
    this.values = values;
    this.found = found;
  }

  Columns keys() {
    return keys;
  }

  Columns values() {
    return Objects.requireNonNull(values);
  }

  Columns found() {
    return Objects.requireNonNull(found);
  }

  @Override
  public long length() {
    return keys.length();
  }

  @Override
  public RecordRows chunk(long from, int length) {
    return new RecordRows(
        hashed,
        keys.copied(from, length),
        values == null ? null : values.copied(from, length),
        found == null ? null : found.part(from, length));
  }

  @Override
  public long hash(int index) {
    long[] key = new long[RecordSchema.MOST];
    keys.read(index, MemorySegment.ofArray(key), 1, true);
    return hashed.of(key);
  }

  @Override
  public RecordRows gather(int[] indices, boolean keeps) {
    Columns target = found;
    if (target != null) {
      target = keeps ? target.some(0, indices) : Columns.empty(target.types(), indices.length);
    }
    return new RecordRows(
        hashed, keys.some(0, indices), values == null ? null : values.some(0, indices), target);
  }

  @Override
  public void scatter(int[] indices, RecordRows shard) {
    if (found != null) {
      for (int i = 0; i < indices.length; i++) {
        found.copy(indices[i], shard.found(), i);
      }
    }
  }
}
