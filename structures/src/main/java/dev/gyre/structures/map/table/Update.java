package dev.gyre.structures.map.table;

import dev.gyre.kernels.map.Change;
import dev.gyre.structures.map.Changes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How an insert changes the values of present keys, if values are records.
 *
 * @param whole change of all columns at once
 * @param rules separate changes of columns; none for a change of all
 */
public record Update(Change.Policy whole, List<Changes.@Nullable Rule> rules) {

  /** Keeps the value. */
  public static final Update KEEP = new Update(Change.Policy.KEEP, List.of());

  /** Writes the present value to the caller. */
  public static final Update FETCH = new Update(Change.Policy.FETCH, List.of());

  /** Replaces all columns at once, in an exclusive update. */
  public static final Update ASSIGN = new Update(Change.Policy.ASSIGN, List.of());

  /** Changes columns separately. */
  public static Update of(List<Changes.@Nullable Rule> rules) {
    return new Update(Change.Policy.KEEP, rules);
  }

  /** Returns whether whole values are replaced, by a later kernel. */
  public boolean replaces() {
    return equals(ASSIGN);
  }

  /** Returns the change for kernels. */
  public Change change(RecordTable table, RowScratch scratch) {
    if (!rules.isEmpty()) {
      return table.change(rules, scratch);
    }
    return replaces() ? Change.Policy.KEEP : whole;
  }
}
