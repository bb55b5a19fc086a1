package dev.gyre.structures.map;

import dev.gyre.atomics.DeviceLongs;
import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.TextHash;
import dev.gyre.kernels.map.TextLayout;
import java.lang.foreign.MemorySegment;

/**
 * One key on the heap, and what a thread does with it in a table, by the protocol of {@link
 * dev.gyre.kernels.map.TextSlots}. Accesses are seq_cst and a search passes over slots that are
 * RESERVED, as {@link dev.gyre.kernels.map.LongEntries} explains.
 */
final class TextKey {

  /** In place of a slot: the key is not in the table. After an insert: it was not, and is now. */
  static final long NONE = -1;

  /** In place of a slot: a wait for another thread gave up. */
  static final long STUCK = -2;

  /** In place of a slot: there is no room in the arena. */
  static final long NO_TEXT = -3;

  private final long[] words;
  private final int length;

  private TextKey(long[] words, int length) {
    this.words = words;
    this.length = length;
  }

  static TextKey of(byte[] bytes) {
    MemorySegment from = MemorySegment.ofArray(bytes);
    long[] words = new long[TextLayout.words(bytes.length)];
    for (int word = 0; word < words.length; word++) {
      words[word] = TextBytes.word(from, word);
    }
    return new TextKey(words, bytes.length);
  }

  static TextKey of(String key) {
    return of(TextBytes.of(key));
  }

  /** The key of a slot that is FILLED. */
  static byte[] bytes(TextTable table, long slot) {
    int length = table.states.get(TextLayout.lengthAt(slot));
    return length > TextLayout.INLINE_BYTES
        ? TextBytes.bytes(
            table.arena, TextLayout.arenaWord(table.table.get(TextLayout.markAt(slot))), length)
        : TextBytes.bytes(table.table, TextLayout.firstAt(slot), length);
  }

  /** The hash of the key of a slot that is FILLED. */
  static long hash(TextTable table, long slot) {
    int length = table.states.get(TextLayout.lengthAt(slot));
    boolean inline = length <= TextLayout.INLINE_BYTES;
    DeviceLongs from = inline ? table.table : table.arena;
    long start =
        inline
            ? TextLayout.firstAt(slot)
            : TextLayout.arenaWord(table.table.get(TextLayout.markAt(slot)));
    return TextHash.hash(from, start, length, table.seed, TextHash.multiplier(table.seed));
  }

  /** Words that the key takes in an arena. */
  int room() {
    return TextLayout.room(length);
  }

  /** The slot of this key, or NONE. */
  long find(TextTable table) {
    long hash = TextHash.hash(words, length, table.seed);
    long slot = TextLayout.home(hash, table.slots);
    for (long left = table.slots; left > 0; left--) {
      // seq_cst: pairs with publish
      int state = table.states.loadSeqCst(TextLayout.stateAt(slot));
      if (state == MapCodes.EMPTY) {
        return NONE;
      }
      if (state == MapCodes.FILLED && isAt(table, slot, hash)) {
        return slot;
      }
      slot = slot + 1 == table.slots ? 0 : slot + 1;
    }
    return NONE;
  }

  private boolean isAt(TextTable table, long slot, long hash) {
    long mark = table.table.get(TextLayout.markAt(slot));
    if (!TextLayout.hasHash(mark, hash)
        || table.states.get(TextLayout.lengthAt(slot)) != length
        || table.table.get(TextLayout.firstAt(slot)) != words[0]) {
      return false;
    }
    long at = TextLayout.arenaWord(mark);
    for (int word = 1; word < words.length; word++) {
      if (table.arena.get(at + word) != words[word]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Inserts this key unless it is there; the caller has taken room for a key.
   *
   * @return the slot where it was already; NONE if it was not; STUCK; NO_TEXT
   */
  long insert(TextTable table, long value, long pollLimit) {
    long room = 0;
    int needed = room();
    if (needed > 0) {
      // relaxed: whose words they are; publish makes what is in them seen
      room = table.bump.fetchAddRelaxed(0, needed);
      if (room + needed <= table.arena.length()) {
        write(table.arena, room);
      }
    }
    boolean text = room + needed <= table.arena.length();
    long result = text ? claim(table, value, room, pollLimit) : NO_TEXT;
    if (result != NONE && needed > 0) {
      // Back, if nobody has taken room behind it.
      table.bump.compareAndExchangeRelaxed(0, room + needed, room);
    }
    return result;
  }

  private void write(DeviceLongs arena, long room) {
    for (int word = 0; word < words.length; word++) {
      arena.set(room + word, words[word]);
    }
  }

  private long claim(TextTable table, long value, long room, long pollLimit) {
    long hash = TextHash.hash(words, length, table.seed);
    long slot = TextLayout.home(hash, table.slots);
    while (true) {
      long at = TextLayout.stateAt(slot);
      int state = table.states.loadSeqCst(at);
      if (state == MapCodes.EMPTY) {
        state = table.states.compareAndExchangeSeqCst(at, MapCodes.EMPTY, MapCodes.RESERVED);
      }
      if (state == MapCodes.EMPTY) {
        table.states.set(TextLayout.lengthAt(slot), length);
        table.table.set(TextLayout.firstAt(slot), words[0]);
        table.table.set(TextLayout.markAt(slot), TextLayout.mark(hash, room));
        table.table.set(TextLayout.valueAt(slot), value);
        // seq_cst: publishes key and value, before anything this thread looks at later
        table.states.storeSeqCst(at, MapCodes.FILLED);
        return NONE;
      }
      if (state == MapCodes.RESERVED) {
        // acquire: pairs with publish
        state = table.states.waitWhileEqualAcquire(at, MapCodes.RESERVED, pollLimit);
      }
      if (state == MapCodes.RESERVED) {
        return STUCK;
      }
      if (isAt(table, slot, hash)) {
        return slot;
      }
      slot = slot + 1 == table.slots ? 0 : slot + 1;
    }
  }
}
