package dev.gyre.structures.map.table;

import dev.gyre.kernels.map.Change;
import dev.gyre.structures.map.Changes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an insert does with the values of keys that are present, where values are records. */
public sealed interface Update {

  /** Nothing. */
  record Kept() implements Update {}

  /** Writes them to the caller. */
  record Fetched() implements Update {}

  /** Replaces all columns at once, by the sole update. */
  record Replaced() implements Update {}

  /** Changes columns, each by itself. */
  record Changed(List<Changes.@Nullable Rule> rules) implements Update {}

  /** This for kernels; values that are to be replaced are left to a kernel that comes later. */
  default Change change(RecordTable table, RecordScratch stage) {
    return switch (this) {
      case Kept _, Replaced _ -> Change.Policy.KEEP;
      case Fetched _ -> Change.Policy.FETCH;
      case Changed changed -> table.change(changed.rules(), stage);
    };
  }
}
