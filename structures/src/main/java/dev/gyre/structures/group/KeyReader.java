package dev.gyre.structures.group;

import dev.gyre.structures.group.Batch.Column;
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

  @Override
  public void close() {
    pairs.forEach(PairKeys::close);
  }
}
