package dev.gyre.structures.map.sharded;

import dev.gyre.atomics.IntSpecialized;
import dev.gyre.structures.StructureException;
import dev.gyre.structures.map.Longs;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Rows of keys and values that are numbers. */
@IntSpecialized
final class LongRows implements Rows<LongRows> {

  private final Longs keys;
  private final @Nullable Longs values;
  private final @Nullable Longs found;

  LongRows(Longs keys, @Nullable Longs values, @Nullable Longs found) {
    this.keys = keys;
    this.values = values;
    this.found = found;
  }

  Longs keys() {
    return keys;
  }

  Longs values() {
    return Objects.requireNonNull(values);
  }

  Longs found() {
    return Objects.requireNonNull(found);
  }

  @Override
  public long length() {
    return keys.length();
  }

  @Override
  public void requireOnHost() {
    if (keys.isOnDevice()
        || (values != null && values.isOnDevice())
        || (found != null && found.isOnDevice())) {
      throw new StructureException(
          "keys or values are on one device, and the map has shards on several: read them back and"
              + " give them as they are on the host");
    }
  }

  @Override
  public LongRows chunk(long from, int length) {
    return new LongRows(
        keys.copied(from, length),
        values == null ? null : values.copied(from, length),
        found == null ? null : found.part(from, length));
  }

  @Override
  public long hash(int index) {
    return array(keys)[index];
  }

  private static long[] array(Longs copied) {
    return Objects.requireNonNull(copied.array());
  }

  @Override
  public LongRows gather(int[] indices, boolean keeps) {
    Longs target = found;
    if (target != null) {
      target =
          keeps
              ? gathered(target.copied(0, (int) length()), indices)
              : Longs.of(new long[indices.length]);
    }
    return new LongRows(
        gathered(keys, indices), values == null ? null : gathered(values, indices), target);
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
  public void scatter(int[] indices, LongRows shard) {
    if (found != null) {
      long[] theirs = array(shard.found());
      for (int i = 0; i < indices.length; i++) {
        found.set(indices[i], theirs[i]);
      }
    }
  }
}
