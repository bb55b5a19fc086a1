package dev.gyre.structures.spark;

import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Elements of a partition, one at a time. Null elements, and elements with a null key or value, are
 * skipped.
 */
abstract class Rows {

  /** Moves to the next element; returns whether there is one. */
  abstract boolean next();

  /** Returns the text of this element, which is valid for this element only and not changed. */
  abstract UTF8String text();

  /** Returns the number that this element is, or that is its key. */
  abstract long number();

  /** Returns the value of this element; 1 if it has none. */
  abstract long value();

  /** Returns elements that are texts or keys. */
  static <K> Rows ofKeys(Iterator<? extends @Nullable K> keys, KeyType<K, ?> type) {
    return new OfKeys<>(type) {
      @Override
      boolean next() {
        @Nullable K found = null;
        while (found == null && keys.hasNext()) {
          found = keys.next();
        }
        return isAt(found, 1L);
      }
    };
  }

  /** Returns elements that are keys with values. */
  static <K> Rows ofPairs(Iterator<? extends @Nullable Tuple2<K, Long>> pairs, KeyType<K, ?> type) {
    return new OfKeys<>(type) {
      @Override
      boolean next() {
        boolean found = false;
        while (!found && pairs.hasNext()) {
          Tuple2<K, Long> pair = pairs.next();
          found = pair != null && isAt(pair._1(), pair._2());
        }
        return found;
      }
    };
  }

  /** Returns rows in Spark's memory format, with a key and, if there are two columns, a value. */
  static Rows ofInternal(Iterator<InternalRow> rows) {
    return new Internal(rows);
  }

  private abstract static class OfKeys<K> extends Rows {
    private final KeyType<K, ?> type;
    private @Nullable K key;
    private long value;

    OfKeys(KeyType<K, ?> type) {
      this.type = type;
    }

    final boolean isAt(@Nullable K found, @Nullable Long foundValue) {
      key = found;
      if (found == null || foundValue == null) {
        return false;
      }
      value = foundValue;
      return true;
    }

    private K key() {
      return java.util.Objects.requireNonNull(key);
    }

    @Override
    UTF8String text() {
      return UTF8String.fromBytes(type.utf8(key()));
    }

    @Override
    long number() {
      return type.number(key());
    }

    @Override
    long value() {
      return value;
    }
  }

  private static final class Internal extends Rows {
    private final Iterator<InternalRow> rows;
    private @Nullable InternalRow row;

    Internal(Iterator<InternalRow> rows) {
      this.rows = rows;
    }

    @Override
    boolean next() {
      row = null;
      while (row == null && rows.hasNext()) {
        InternalRow found = rows.next();
        row = found.anyNull() ? null : found;
      }
      return row != null;
    }

    private InternalRow row() {
      return java.util.Objects.requireNonNull(row);
    }

    @Override
    UTF8String text() {
      return row().getUTF8String(0);
    }

    @Override
    long number() {
      return row().getLong(0);
    }

    @Override
    long value() {
      return row().numFields() > 1 ? row().getLong(1) : 1;
    }
  }
}
