package dev.gyre.structures.map.table;

import dev.gyre.kernels.map.TextHash;
import dev.gyre.kernels.map.TextLayout;
import dev.gyre.structures.Memories;
import dev.gyre.structures.map.file.SavedMap;
import dev.gyre.structures.map.work.Workers;
import org.jspecify.annotations.Nullable;

/**
 * Loads tables of text keys from files: a section with the slots, and one with the text. As {@link
 * LongSaved}; of a slot only the key's length, its place in the text and the value are used.
 */
public final class SavedText {

  private SavedText() {}

  /**
   * A table with the entries of a file, which the caller closes.
   *
   * @param seed of the table
   * @param workers that insert the entries
   * @throws dev.gyre.structures.SavedFileException saying what is wrong, such as a key that leads
   *     out of the text
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
      // What was made beside the memories of the file.
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
                  .insert(table, TextKey.value(file, slot), Long.MAX_VALUE, new ArenaChunk(1))
              == TextKey.NONE;
    }
  }

  private static boolean isInArena(TextTable file, long slot) {
    int length = file.states.get(TextLayout.lengthAt(slot));
    long start = TextLayout.arenaWord(file.table.get(TextLayout.markAt(slot)));
    return length >= 0 && start + TextLayout.room(length) <= file.arena.length();
  }
}
