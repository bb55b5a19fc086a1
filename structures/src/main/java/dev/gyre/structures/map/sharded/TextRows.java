package dev.gyre.structures.map.sharded;

import dev.gyre.kernels.map.TextHash;
import dev.gyre.kernels.map.TextLayout;
import dev.gyre.kernels.map.TextRule;
import dev.gyre.structures.map.Longs;
import dev.gyre.structures.map.TextKeys;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Rows of keys that are texts, with values that are numbers. */
final class TextRows implements Rows<TextRows> {

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
  private final TextKeys keys;

  /** Index of the first key of a chunk. */
  private final long first;

  private final @Nullable LongRows values;

  /** Creates rows with some keys and values. */
  TextRows(Hashed hashed, TextKeys keys, @Nullable Longs values, @Nullable Longs found) {
    this(hashed, keys, 0, rows(values, found));
  }

  private TextRows(Hashed hashed, TextKeys keys, long first, @Nullable LongRows values) {
    this.hashed = hashed;
    this.keys = keys;
    this.first = first;
    this.values = values;
  }

  private static @Nullable LongRows rows(@Nullable Longs values, @Nullable Longs found) {
    if (values != null) {
      return new LongRows(values, values, found);
    }
    return found == null ? null : new LongRows(found, null, found);
  }

  TextKeys keys() {
    return keys;
  }

  Longs values() {
    return Objects.requireNonNull(values).values();
  }

  Longs found() {
    return Objects.requireNonNull(values).found();
  }

  @Override
  public long length() {
    return keys.count();
  }

  /**
   * The keys are not copied: they are in memory of this library, which is kept while an operation
   * runs.
   */
  @Override
  public TextRows chunk(long from, int length) {
    return new TextRows(hashed, keys, from, values == null ? null : values.chunk(from, length));
  }

  @Override
  public long hash(int index) {
    return hashed.of(keys, first + index);
  }

  @Override
  public TextRows gather(int[] indices, boolean keeps) {
    TextKeys some = new TextKeys();
    try {
      for (int index : indices) {
        var _ = some.add(keys, (int) first + index);
      }
      return new TextRows(hashed, some, 0, values == null ? null : values.gather(indices, keeps));
    } catch (RuntimeException | Error e) {
      some.close();
      throw e;
    }
  }

  @Override
  public void scatter(int[] indices, TextRows shard) {
    if (values != null) {
      values.scatter(indices, Objects.requireNonNull(shard.values));
    }
  }

  @Override
  public void close() {
    keys.close();
  }
}
