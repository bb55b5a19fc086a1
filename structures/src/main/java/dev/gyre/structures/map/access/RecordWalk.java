package dev.gyre.structures.map.access;

import dev.gyre.kernels.map.MapCodes;
import dev.gyre.structures.map.RecordSchema;
import dev.gyre.structures.map.store.RecordStore;
import dev.gyre.structures.map.table.RecordTable;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * {@link Walk} over entries that are records, each a row of key and value. It reads inside the
 * operation lock, like reads of single keys, so that no value is replaced as a whole meanwhile.
 */
final class RecordWalk extends Walk<RecordTable, RecordWalk> {

  private final RecordStore store;
  private List<long[]> entries = List.of();

  RecordWalk(RecordStore store) {
    super(store);
    this.store = store;
  }

  private RecordWalk(RecordWalk other) {
    super(other);
    this.store = other.store;
  }

  @Override
  RecordWalk split() {
    return new RecordWalk(this);
  }

  /** Returns the present entry. */
  long[] entry() {
    return entries.get(at);
  }

  @Override
  int read() {
    return SingleUpdates.within(store, this::collectOwn);
  }

  @Override
  int collect(RecordTable table) {
    List<long[]> found = new ArrayList<>();
    long first = home(part, table.slots);
    long homes = home(part + 1, table.slots) - first;
    long visited = 0;
    int state;
    do {
      long slot = first + visited < table.slots ? first + visited : first + visited - table.slots;
      state = table.stateSeqCst(slot);
      if (MapCodes.isPresent(state) && table.hash(slot) >>> (64 - bits) == part) {
        found.add(table.entrySeqCst(slot));
      }
      visited++;
    } while (visited < table.slots && (visited <= homes || state != MapCodes.EMPTY));
    if (table.isRemovable()) {
      // A key may have been removed and inserted again behind.
      Set<LongBuffer> met = new HashSet<>();
      found.removeIf(entry -> !met.add(LongBuffer.wrap(entry, 0, RecordSchema.MOST)));
    }
    entries = found;
    return found.size();
  }
}
