package dev.gyre.kernels.map;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Internal;

/**
 * {@link EntryPredicate} for maps whose keys are texts.
 *
 * @since 0.1.0
 */
public interface TextPredicate {
  boolean test(Text key, long value);

  /** Predicate for keys of a table, which are identified by their slots. */
  @Internal
  record InTable(TextPredicate predicate, DeviceInts states, DeviceLongs table, DeviceLongs arena)
      implements EntryPredicate {
    @Override
    public boolean test(long slot, long value) {
      return predicate.test(TextLayout.key(states, table, arena, slot), value);
    }
  }

  /** Predicate for keys of a batch, which are identified by their places. */
  @Internal
  record InBatch(TextPredicate predicate, DeviceLongs words) implements EntryPredicate {
    @Override
    public boolean test(long place, long value) {
      long start = TextLayout.start(place);
      return predicate.test(Text.at(words, start, TextLayout.length(place)), value);
    }
  }
}
