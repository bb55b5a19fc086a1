package dev.gyre.structures.map.access;

import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.TextLayout;
import dev.gyre.structures.map.store.TextStore;
import dev.gyre.structures.map.table.TextKey;
import dev.gyre.structures.map.table.TextTable;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** {@link Walk} over entries whose keys are texts. */
public final class TextWalk extends Walk<TextTable, TextWalk> {

  /** Entry as it was read. */
  public static final class Entry {
    public final byte[] key;
    public final long value;

    Entry(byte[] key, long value) {
      this.key = key;
      this.value = value;
    }

    /** Returns the key as a string, in which invalid UTF-8 is replaced. */
    public String text() {
      return new String(key, StandardCharsets.UTF_8);
    }
  }

  private List<Entry> entries = List.of();

  public TextWalk(TextStore store) {
    super(store);
  }

  private TextWalk(TextWalk other) {
    super(other);
  }

  @Override
  TextWalk split() {
    return new TextWalk(this);
  }

  /** Returns the present entry. */
  public Entry entry() {
    return entries.get(at);
  }

  /**
   * Collects entries as {@link LongWalk}: keys after an EMPTY slot are examined only if it was
   * filled.
   */
  @Override
  int collect(TextTable table) {
    List<Entry> found = new ArrayList<>();
    long empty = collect(table, found, true);
    // acquire: keys were copied before the state is read again
    VarHandle.acquireFence();
    if (empty >= 0 && table.states.loadSeqCst(TextLayout.stateAt(empty)) != MapCodes.EMPTY) {
      found.clear();
      var _ = collect(table, found, false);
    }
    if (table.isRemovable()) {
      // A key may have been removed and inserted again behind.
      Set<ByteBuffer> met = new HashSet<>();
      found.removeIf(entry -> !met.add(ByteBuffer.wrap(entry.key)));
    }
    entries = found;
    return found.size();
  }

  /** Collects entries; returns the EMPTY slot after which keys were not examined, or -1. */
  private long collect(TextTable table, List<Entry> found, boolean trusting) {
    long first = home(part, table.slots);
    long homes = home(part + 1, table.slots) - first;
    long visited = 0;
    long empty = -1;
    int state;
    do {
      long slot = first + visited < table.slots ? first + visited : first + visited - table.slots;
      state = table.states.loadSeqCst(TextLayout.stateAt(slot));
      if (trusting && empty < 0 && visited < homes && state == MapCodes.EMPTY) {
        empty = slot;
      }
      if (MapCodes.isPresent(state)
          && ((empty >= 0 && visited < homes)
              || TextKey.hash(table, slot) >>> (64 - bits) == part)) {
        long value = table.table.loadSeqCst(TextLayout.valueAt(slot));
        found.add(new Entry(TextKey.bytes(table, slot), value));
      }
      visited++;
    } while (visited < table.slots && (visited <= homes || state != MapCodes.EMPTY));
    return empty;
  }
}
