package dev.gyre.structures.map.access;

import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.TextLayout;
import dev.gyre.structures.map.store.TextStore;
import dev.gyre.structures.map.table.TextKey;
import dev.gyre.structures.map.table.TextTable;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Walks over the entries of a store with text keys, weakly consistent, as {@link LongWalk}. */
public final class TextWalk {

  /** An entry as it was. */
  public static final class Entry {
    public final byte[] key;
    public final long value;

    Entry(byte[] key, long value) {
      this.key = key;
      this.value = value;
    }

    /** The key as a string, in which bytes that are no UTF-8 are replaced. */
    public String text() {
      return new String(key, StandardCharsets.UTF_8);
    }
  }

  private static final long SLOTS_PER_PART = 1 << 10;
  private static final int MAX_BITS = 30;

  private final TextStore store;
  private final int bits;
  private int part;

  public TextWalk(TextStore store) {
    this.store = store;
    long parts = Math.max(2, store.table().slots / SLOTS_PER_PART);
    this.bits = Math.min(MAX_BITS, 63 - Long.numberOfLeadingZeros(parts));
  }

  /** The entries of the next part; null at the end. */
  @SuppressWarnings("ReferenceEquality") // that table, not one like it
  public @Nullable List<Entry> next() {
    while (part < 1 << bits) {
      long version = store.version();
      TextTable table = store.table();
      try {
        List<Entry> entries = List.of();
        if ((version & 1) == 0) {
          entries = store.onJvm() ? collect(table) : store.quiescent(this::collect);
        }
        // acquire: the slots were read before the version is read again
        VarHandle.acquireFence();
        if (store.version() == version && store.table() == table) {
          part++;
          return entries;
        }
      } catch (IllegalStateException | IndexOutOfBoundsException e) {
        store.requireReplaced(table, version, e);
      }
    }
    return null;
  }

  /** As {@link LongWalk}, keys behind a slot that is EMPTY are looked at only if it was taken. */
  private List<Entry> collect(TextTable table) {
    List<Entry> entries = new ArrayList<>();
    long empty = collect(table, entries, true);
    // acquire: keys were copied before the state is read again
    VarHandle.acquireFence();
    if (empty >= 0 && table.states.loadSeqCst(TextLayout.stateAt(empty)) != MapCodes.EMPTY) {
      entries.clear();
      var _ = collect(table, entries, false);
    }
    return entries;
  }

  /** Returns the EMPTY slot behind which keys were not looked at, or -1. */
  private long collect(TextTable table, List<Entry> entries, boolean trusting) {
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
      if (state == MapCodes.FILLED
          && ((empty >= 0 && visited < homes)
              || TextKey.hash(table, slot) >>> (64 - bits) == part)) {
        long value = table.table.loadSeqCst(TextLayout.valueAt(slot));
        entries.add(new Entry(TextKey.bytes(table, slot), value));
      }
      visited++;
    } while (visited < table.slots && (visited <= homes || state != MapCodes.EMPTY));
    return empty;
  }

  /** The first slot that can be the home of a key of a part. */
  private long home(int ofPart, long slots) {
    return ofPart == 1 << bits ? slots : TextLayout.home((long) ofPart << (64 - bits), slots);
  }
}
