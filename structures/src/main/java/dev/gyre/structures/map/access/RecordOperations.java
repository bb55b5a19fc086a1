package dev.gyre.structures.map.access;

import dev.gyre.kernels.map.RecordPredicate;
import dev.gyre.kernels.map.RecordVisitor;
import dev.gyre.kernels.map.TableRef;
import dev.gyre.structures.launch.RecordMapRef;
import dev.gyre.structures.map.BulkOptions;
import dev.gyre.structures.map.Changes;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.FindCounts;
import dev.gyre.structures.map.InsertCounts;
import dev.gyre.structures.map.RecordSchema;
import dev.gyre.structures.map.store.Store;
import dev.gyre.structures.map.table.Update;
import java.util.Arrays;
import java.util.List;
import java.util.Spliterator;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Operations of a map of records, for any storage. Operations on a single key take records. They
 * read the words of the records themselves: HotSpot then need not allocate an array for them. They
 * return a value as a row of {@link RecordSchema#MOST} words.
 */
public interface RecordOperations {

  /** Returns the store. */
  Store<?, ?> store();

  /**
   * Returns a ref for kernels of the user, which merges by rules; without rules, values are
   * unchanged.
   */
  RecordMapRef ref(TableRef ref, List<Changes.@Nullable Rule> rules);

  /** Inserts keys; the update changes present values. */
  InsertCounts insert(
      Columns keys, Columns values, Update update, @Nullable Columns found, BulkOptions options);

  /** Looks up keys. */
  FindCounts find(Columns keys, @Nullable Columns found, BulkOptions options);

  /** Removes keys; {@code found} receives the values that they had. */
  FindCounts remove(Columns keys, @Nullable Columns found, BulkOptions options);

  /** Removes the entries for which a predicate returns true; returns their number. */
  long removeIf(RecordPredicate predicate);

  /** Copies entries to columns, in one consistent state; returns their number. */
  long retrieve(Columns keys, Columns values, @Nullable RecordPredicate predicate);

  /** Calls a visitor for all entries. */
  void visit(RecordVisitor visitor);

  /** Calls an action for keys and values of all entries. */
  void forEach(BiConsumer<long[], long[]> action);

  /**
   * Returns all entries of a map on the JVM, or parts of them, weakly consistent.
   *
   * @param part gets a row of the key, then a row of the value
   * @param distinct {@link Spliterator#DISTINCT}, or 0 if parts may be equal
   */
  <E> Spliterator<E> entries(Function<long[], ? extends E> part, int distinct);

  /** Returns the value of an entry, which is behind its key. */
  static long[] valueOf(long[] entry) {
    return Arrays.copyOfRange(entry, RecordSchema.MOST, 2 * RecordSchema.MOST);
  }

  /** Returns the value of a key; null if it is absent. */
  long @Nullable [] get(Record key);

  /** Inserts a key if it is absent; returns the present value, or null. */
  long @Nullable [] putIfAbsent(Record key, Record value);

  /** Inserts a key, or replaces its whole value; returns the old value, or null. */
  long @Nullable [] put(Record key, Record value);

  /**
   * Replaces the whole value of a present key if its words are the expected ones. May also fail if
   * another thread is changing the value.
   *
   * @throws UnsupportedOperationException if the table is on a device
   */
  boolean replace(Record key, long[] oldRow, Record value);

  /**
   * Removes a key; returns its value, or null if it is absent.
   *
   * @param expected words that the value must have; null for any value
   */
  long @Nullable [] remove(Record key, long @Nullable [] expected);

  /** Inserts a key, or changes columns of its value; returns the new value. */
  long[] merge(Record key, Record value, List<Changes.@Nullable Rule> rules);
}
