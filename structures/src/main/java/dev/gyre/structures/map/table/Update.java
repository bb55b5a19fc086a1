package dev.gyre.structures.map.table;

import dev.gyre.kernels.map.Change;
import dev.gyre.structures.map.Changes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How an insert changes the values of present keys, if values are records. */
public sealed interface Update {

  /** Keeps the value. */
  record Unchanged() implements Update {}

  /** Writes the present value to the caller. */
  record Fetched() implements Update {}

  /** Replaces all columns at once, in an exclusive update. */
  record Replaced() implements Update {}

  /** Changes columns separately. */
  record Changed(List<Changes.@Nullable Rule> rules) implements Update {}

  /** Returns the change for kernels; a later kernel replaces whole values. */
  default Change change(RecordTable table, RowScratch scratch) {
    return switch (this) {
      case Unchanged _, Replaced _ -> Change.Policy.KEEP;
      case Fetched _ -> Change.Policy.FETCH;
      case Changed changed -> table.change(changed.rules(), scratch);
    };
  }
}
