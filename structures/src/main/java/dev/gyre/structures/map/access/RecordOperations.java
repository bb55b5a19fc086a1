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
 * What a map of records does, however its table holds them. A single key, and its value, is a row
 * of {@link dev.gyre.structures.map.RecordSchema#MOST} words.
 */
public interface RecordOperations {

  /** What is behind it. */
  Store<?, ?> store();

  /** This in a kernel of the user's, which merges by rules; by none, values are kept. */
  RecordMapRef ref(TableRef ref, List<Changes.@Nullable Rule> rules);

  /** Inserts keys; what becomes of values that are present, the update says. */
  InsertCounts insert(
      Columns keys, Columns values, Update update, @Nullable Columns found, BulkOptions options);

  /** Looks up keys. */
  FindCounts find(Columns keys, @Nullable Columns found, BulkOptions options);

  /** Copies entries to columns, as they are at one time; returns how many there are. */
  long retrieve(Columns keys, Columns values, @Nullable RecordPredicate predicate);

  /** Gives all entries to a kernel's body. */
  void visit(RecordVisitor visitor);

  /** Gives keys and values of all entries to an action. */
  void forEach(BiConsumer<long[], long[]> action);

  /** The value of a key; null where it is absent. */
  long @Nullable [] get(long[] key);

  /** Inserts a key unless it is there; returns the value that was there, or null. */
  long @Nullable [] putIfAbsent(long[] key, long[] row);

  /** Inserts a key, or replaces the value that is there as a whole; returns that, or null. */
  long @Nullable [] put(long[] key, long[] row);

  /** Inserts a key, or changes columns of the value that is there; returns what is there then. */
  long[] merge(long[] key, long[] row, List<Changes.@Nullable Rule> rules);
}
