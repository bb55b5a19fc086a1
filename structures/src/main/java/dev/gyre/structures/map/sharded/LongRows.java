package dev.gyre.structures.map.sharded;

import dev.gyre.atomics.IntSpecialized;
import dev.gyre.structures.StructureException;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.map.Longs;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Rows of keys and values that are numbers. */
@IntSpecialized
final class LongRows extends Rows<Longs, Longs> {

  LongRows(Longs keys, @Nullable Longs values, @Nullable Longs found) {
    super(keys, values, found);
  }

  @Override
  long length() {
    return keys.length();
  }

  @Override
  void check(BulkOptions options) {
    LongLongMap.check(keys, values, found, options);
  }

  @Override
  void requireOnHost() {
    if (keys.isOnDevice()
        || (values != null && values.isOnDevice())
        || (found != null && found.isOnDevice())) {
      throw new StructureException(
          "keys or values are on one device, and the map has shards on several: read them back and"
              + " give them as they are on the host");
    }
  }

  @Override
  LongRows chunk(long from, int length) {
    return new LongRows(
        keys.copied(from, length), copied(values, from, length), part(found, from, length));
  }

  static @Nullable Longs copied(@Nullable Longs all, long from, int length) {
    return all == null ? null : all.copied(from, length);
  }

  static @Nullable Longs part(@Nullable Longs all, long from, int length) {
    return all == null ? null : all.part(from, length);
  }

  @Override
  long hash(int index) {
    return array(keys)[index];
  }

  private static long[] array(Longs copied) {
    return Objects.requireNonNull(copied.array());
  }

  @Override
  LongRows gather(int[] indices, boolean keeps) {
    return new LongRows(
        gathered(keys, indices), some(values, indices), output(found, indices, keeps));
  }

  static @Nullable Longs some(@Nullable Longs copied, int[] indices) {
    return copied == null ? null : gathered(copied, indices);
  }

  /** Returns where a shard writes the values that it finds. */
  static @Nullable Longs output(@Nullable Longs found, int[] indices, boolean keeps) {
    if (found == null || keeps) {
      return found == null ? null : gathered(found.copied(0, (int) found.length()), indices);
    }
    return Longs.of(new long[indices.length]);
  }

  private static Longs gathered(Longs copied, int[] indices) {
    long[] all = array(copied);
    long[] some = new long[indices.length];
    for (int i = 0; i < some.length; i++) {
      some[i] = all[indices[i]];
    }
    return Longs.of(some);
  }

  @Override
  void scatter(int[] indices, Rows<Longs, Longs> shard) {
    scatter(found, indices, shard.found);
  }

  static void scatter(@Nullable Longs to, int[] indices, @Nullable Longs found) {
    if (to != null && found != null) {
      long[] theirs = array(found);
      for (int i = 0; i < indices.length; i++) {
        to.set(indices[i], theirs[i]);
      }
    }
  }
}
