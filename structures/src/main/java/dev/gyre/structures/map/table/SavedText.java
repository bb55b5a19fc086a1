package dev.gyre.structures.map.table;

import dev.gyre.kernels.map.TextHash;
import dev.gyre.kernels.map.TextLayout;
import dev.gyre.structures.Memories;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.work.Workers;
import org.jspecify.annotations.Nullable;

/**
 * Loads tables of text keys from files with a section of slots and a section of text; see {@link
 * LongSaved}. Only length, place and value of a slot are used.
 */
public final class SavedText {

  private SavedText() {}

  /**
   * Returns a table with the entries of a file. The caller closes it.
   *
   * @param seed seed of the table
   * @param workers workers that insert the entries
   * @throws dev.gyre.structures.SavedFileException if the file is invalid, for example if a key is
   *     outside the text
   */
  public static TextTable load(
      SavedMap saved, long seed, @Nullable TextHash hash, Workers workers) {
    TextTable file = TextTable.adopt(saved, hash);
    try {
      TextTable table =
          TextTable.allocate(saved.capacity(), saved.load(), file.arena.length(), seed, file.hash);
      try {
        table.setSize(SavedEntries.insertAll(saved, new Slots(file, table), workers));
        return table;
      } catch (RuntimeException | Error e) {
        table.close();
        throw e;
      }
    } finally {
      // Memories that were allocated in addition to the file's.
      Memories.close(
          file.memories().stream().filter(memory -> !saved.memories().contains(memory)).toList());
    }
  }

  private record Slots(TextTable file, TextTable table) implements SavedEntries.Slots {

    @Override
    public int state(long slot) {
      return file.states.get(TextLayout.stateAt(slot));
    }

    @Override
    public boolean insert(long slot) {
      return isInArena(file, slot)
          && TextKey.of(TextKey.bytes(file, slot))
                  .insert(table, TextKey.value(file, slot), Long.MAX_VALUE)
              == TextKey.NONE;
    }
  }

  private static boolean isInArena(TextTable file, long slot) {
    int length = file.states.get(TextLayout.lengthAt(slot));
    long start = TextLayout.arenaWord(file.table.get(TextLayout.markAt(slot)));
    return length >= 0 && start + TextLayout.room(length) <= file.arena.length();
  }
}
