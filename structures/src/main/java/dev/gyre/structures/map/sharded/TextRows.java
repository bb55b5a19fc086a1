package dev.gyre.structures.map.sharded;

import dev.gyre.kernels.map.TextHash;
import dev.gyre.kernels.map.TextLayout;
import dev.gyre.kernels.map.TextRule;
import dev.gyre.structures.Releasable;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.TextKeys;
import dev.gyre.structures.map.TextLongMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of keys that are texts, with values that are numbers. */
final class TextRows extends Rows<TextKeys, Longs> {

  /** Hash of texts: that of the user if there is one, which may declare unequal bytes equal. */
  record Hashed(TextRule rule, long seed) {
    Hashed(@Nullable TextHash hash, long seed) {
      this(TextRule.of(hash, seed), seed);
    }

    long of(String key) {
      try (TextKeys one = TextKeys.of(List.of(key))) {
        return of(one, 0);
      }
    }

    long of(TextKeys keys, long index) {
      long place = keys.places().get(index);
      return rule.hash(keys.words(), TextLayout.start(place), TextLayout.length(place), seed);
    }
  }

  private final Hashed hashed;

  /** Index of the first key of a chunk. */
  private final int first;

  TextRows(Hashed hashed, TextKeys keys, int first, @Nullable Longs values, @Nullable Longs found) {
    super(keys, values, found);
    this.hashed = hashed;
    this.first = first;
  }

  @Override
  long length() {
    return keys.count();
  }

  @Override
  void check(BulkOptions options) {
    TextLongMap.check(keys, values, found, options);
  }

  @Override
  Releasable use(BulkOptions options) {
    return keys.use(values, found, options);
  }

  /**
   * The keys are not copied: they are in memory of this library, which is kept while an operation
   * runs.
   */
  @Override
  TextRows chunk(long from, int length) {
    return new TextRows(
        hashed,
        keys,
        (int) from,
        LongRows.copied(values, from, length),
        LongRows.part(found, from, length));
  }

  @Override
  long hash(int index) {
    return hashed.of(keys, first + index);
  }

  @Override
  TextRows gather(int[] indices, boolean keeps) {
    TextKeys some = new TextKeys();
    try {
      for (int index : indices) {
        var _ = some.add(keys, first + index);
      }
      return new TextRows(
          hashed, some, 0, LongRows.some(values, indices), LongRows.output(found, indices, keeps));
    } catch (RuntimeException | Error e) {
      some.close();
      throw e;
    }
  }

  @Override
  void scatter(int[] indices, Rows<TextKeys, Longs> shard) {
    LongRows.scatter(found, indices, shard.found);
  }

  @Override
  public void close() {
    keys.close();
  }
}
