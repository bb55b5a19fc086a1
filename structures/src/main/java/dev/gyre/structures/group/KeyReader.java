package dev.gyre.structures.group;

import dev.gyre.structures.group.Batch.Column;
import dev.gyre.structures.group.device.Totals;
import java.util.ArrayList;
import java.util.List;

/** Reads keys of one or more columns in blocks. For one thread. */
final class KeyReader implements AutoCloseable {

  private final KeyBlock first = new KeyBlock();
  private final List<PairKeys> pairs = new ArrayList<>();

  KeyReader(int columns) {
    for (int i = 1; i < columns; i++) {
      pairs.add(new PairKeys(block()));
    }
  }

  /** Returns the block, which the next call overwrites. */
  KeyBlock block() {
    return pairs.isEmpty() ? first : pairs.getLast();
  }

  /** Reads the keys of some rows. */
  KeyBlock read(List<Column> columns, int from, int rows) {
    first.read(columns.getFirst(), from, rows);
    for (int i = 0; i < pairs.size(); i++) {
      pairs.get(i).append(columns.get(i + 1), from);
    }
    return block();
  }

  /** Reads the keys of groups of a device, as {@link GroupState.Keys} does. */
  KeyBlock read(Totals.Words words, int[] groups, int count) {
    first.read(words, 0, groups, count);
    for (int i = 0; i < pairs.size(); i++) {
      pairs.get(i).append(words, i + 1, groups);
    }
    if (pairs.isEmpty() && count > 0 && first.nulls[count - 1]) {
      first.count--;
    }
    return block();
  }

  @Override
  public void close() {
    pairs.forEach(PairKeys::close);
  }
}
