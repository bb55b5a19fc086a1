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
import dev.gyre.structures.map.store.Store;
import dev.gyre.structures.map.table.Update;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Operations of a map of records, for any storage. A single key and its value are a row of {@link
 * dev.gyre.structures.map.RecordSchema#MOST} words.
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

  /** Copies entries to columns, in one consistent state; returns their number. */
  long retrieve(Columns keys, Columns values, @Nullable RecordPredicate predicate);

  /** Calls a visitor for all entries. */
  void visit(RecordVisitor visitor);

  /** Calls an action for keys and values of all entries. */
  void forEach(BiConsumer<long[], long[]> action);

  /** Returns the value of a key; null if it is absent. */
  long @Nullable [] get(long[] key);

  /** Inserts a key if it is absent; returns the present value, or null. */
  long @Nullable [] putIfAbsent(long[] key, long[] row);

  /** Inserts a key, or replaces its whole value; returns the old value, or null. */
  long @Nullable [] put(long[] key, long[] row);

  /** Inserts a key, or changes columns of its value; returns the new value. */
  long[] merge(long[] key, long[] row, List<Changes.@Nullable Rule> rules);
}
