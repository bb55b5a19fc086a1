package dev.gyre.structures.map;

import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.TextLayout;

/** Tables of text keys from files: a section with the slots, and one with the text. */
final class SavedText {

  private SavedText() {}

  /**
   * The table of a file; a checksum can be forged, so a key is refused that leads out of the arena,
   * or is not found where it is.
   */
  static TextTable adopt(SavedMap saved) {
    TextTable table = TextTable.adopt(saved);
    try {
      check(saved, table);
      return table;
    } catch (RuntimeException | Error e) {
      table.close();
      throw e;
    }
  }

  /** Whether the key of a slot, all of which is in the arena, is found there. */
  private static boolean isFound(TextTable table, long slot) {
    return TextKey.of(TextKey.bytes(table, slot)).find(table) == slot;
  }

  private static void check(SavedMap saved, TextTable table) {
    long entries = 0;
    long room = 0;
    for (long slot = 0; slot < table.slots; slot++) {
      int state = table.states.get(TextLayout.stateAt(slot));
      saved.require(state == MapCodes.EMPTY || state == MapCodes.FILLED, "slot " + slot);
      if (state == MapCodes.FILLED) {
        entries++;
        int length = table.states.get(TextLayout.lengthAt(slot));
        long start = TextLayout.arenaWord(table.table.get(TextLayout.markAt(slot)));
        boolean inArena = length >= 0 && start + TextLayout.room(length) <= table.arena.length();
        saved.require(inArena && isFound(table, slot), "slot " + slot);
        room += TextLayout.room(length);
      }
    }
    saved.require(entries == saved.entries(), "number of entries");
    saved.require(room <= table.arena.length(), "length of the text");
    table.setTaken(entries);
  }
}
