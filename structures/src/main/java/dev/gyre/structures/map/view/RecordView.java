package dev.gyre.structures.map.view;

import dev.gyre.structures.map.RecordSchema;
import dev.gyre.structures.map.access.RecordOperations;
import java.util.Map;
import java.util.Objects;
import java.util.Spliterator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * View of a map of records as a map of the Java library. The values of two rows are equal if the
 * records are, by their own {@code equals}.
 */
public final class RecordView<K extends Record, V extends Record> extends MapView<K, V> {

  private final RecordSchema<K, V> schema;
  private final RecordOperations rows;

  public RecordView(RecordSchema<K, V> schema, RecordOperations rows) {
    super(rows.store());
    this.schema = schema;
    this.rows = rows;
  }

  private @Nullable V value(long @Nullable [] row) {
    return row == null ? null : schema.value(row);
  }

  @Override
  public @Nullable V get(@Nullable Object key) {
    K record = schema.asKey(key);
    return record == null ? null : value(rows.get(record));
  }

  @Override
  public @Nullable V put(K key, V value) {
    return value(rows.put(key, value));
  }

  @Override
  public @Nullable V putIfAbsent(K key, V value) {
    return value(rows.putIfAbsent(key, value));
  }

  @Override
  public @Nullable V replace(K key, V value) {
    store.requireOnJvm();
    Objects.requireNonNull(value, "value");
    V before = get(Objects.requireNonNull(key, "key"));
    while (before != null && !replace(key, before, value)) {
      before = get(key);
    }
    return before;
  }

  @Override
  public boolean replace(K key, V oldValue, V newValue) {
    Objects.requireNonNull(oldValue, "oldValue");
    return change(key, oldValue, Objects.requireNonNull(newValue, "value"));
  }

  @Override
  public @Nullable V remove(@Nullable Object key) {
    K record = schema.asKey(key);
    return record == null ? null : value(rows.remove(record, null));
  }

  @Override
  public boolean remove(@Nullable Object key, @Nullable Object value) {
    K record = schema.asKey(key);
    return record != null && value != null && change(record, value, null);
  }

  /** Replaces the value of a key, or without a new value removes the key, if it has a value. */
  private boolean change(K key, Object expected, @Nullable V value) {
    store.requireOnJvm();
    long[] before = rows.get(key);
    while (before != null && schema.value(before).equals(expected)) {
      if (value == null ? rows.remove(key, before) != null : rows.replace(key, before, value)) {
        return true;
      }
      before = rows.get(key);
    }
    return false;
  }

  @Override
  <T> Spliterator<T> parts(Function<? super Map.Entry<K, V>, ? extends T> part, int distinct) {
    return rows.entries(
        row -> part.apply(entry(schema.key(row), schema.value(RecordOperations.valueOf(row)))),
        distinct);
  }
}
