package dev.gyre.structures.map.table;

import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.TextHash;
import dev.gyre.kernels.map.TextLayout;
import dev.gyre.structures.map.file.SavedMap;
import org.jspecify.annotations.Nullable;

/**
 * Loads tables of text keys from files: a section with the slots, and one with the text. As {@link
 * LongSaved}; of a slot only the key's length, its place in the text and the value are used.
 */
public final class SavedText {

  private SavedText() {}

  /**
   * A table with the entries of a file, whose memories are closed.
   *
   * @param seed of the table
   * @throws dev.gyre.structures.SavedFileException saying what is wrong, such as a key that leads
   *     out of the text
   */
  public static TextTable load(SavedMap saved, long seed, @Nullable TextHash hash) {
    try (TextTable file = TextTable.adopt(saved, hash)) {
      TextTable table =
          TextTable.allocate(saved.capacity(), saved.load(), file.arena.length(), seed, file.hash);
      try {
        insertAll(saved, file, table);
        return table;
      } catch (RuntimeException | Error e) {
        table.close();
        throw e;
      }
    }
  }

  private static void insertAll(SavedMap saved, TextTable file, TextTable table) {
    long entries = 0;
    for (long slot = 0; slot < file.slots; slot++) {
      int state = file.states.get(TextLayout.stateAt(slot));
      boolean sound = state == MapCodes.EMPTY;
      if (state == MapCodes.FILLED) {
        entries++;
        saved.require(entries <= saved.entries(), "number of entries");
        sound =
            isInArena(file, slot)
                && TextKey.of(TextKey.bytes(file, slot)).insert(table, TextKey.value(file, slot), 1)
                    == TextKey.NONE;
      }
      saved.require(sound, "slot " + slot);
    }
    saved.require(entries == saved.entries(), "number of entries");
    table.setTaken(entries);
  }

  private static boolean isInArena(TextTable file, long slot) {
    int length = file.states.get(TextLayout.lengthAt(slot));
    long start = TextLayout.arenaWord(file.table.get(TextLayout.markAt(slot)));
    return length >= 0 && start + TextLayout.room(length) <= file.arena.length();
  }
}
