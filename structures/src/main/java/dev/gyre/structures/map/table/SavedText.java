package dev.gyre.structures.map.table;

import dev.gyre.kernels.map.MapCodes;
import dev.gyre.kernels.map.TextHash;
import dev.gyre.kernels.map.TextLayout;
import dev.gyre.structures.map.file.Runs;
import dev.gyre.structures.map.file.SavedMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Tables of text keys from files: a section with the slots, and one with the text. As {@link
 * LongSaved}.
 */
public final class SavedText {

  private SavedText() {}

  /**
   * Adopts the table of a file. The checksum of a corrupted file may be valid, so every key must
   * lie inside the arena, be written as inserts write it, and be found in its slot.
   *
   * @throws dev.gyre.structures.SavedFileException naming the slot that is wrong
   */
  public static TextTable adopt(SavedMap saved, @Nullable TextHash hash) {
    TextTable table = TextTable.adopt(saved, hash);
    try {
      TextTable checked = check(saved, table) ? spread(saved, table) : sound(saved, table);
      checked.setTaken(saved.entries());
      return checked;
    } catch (RuntimeException | Error e) {
      table.close();
      throw e;
    }
  }

  private static boolean isFilled(TextTable table, long slot) {
    return table.states.get(TextLayout.stateAt(slot)) == MapCodes.FILLED;
  }

  /** Checks all but where keys are found; returns whether they crowd. */
  private static boolean check(SavedMap saved, TextTable table) {
    Runs runs = new Runs();
    long entries = 0;
    long room = 0;
    for (long slot = 0; slot < table.slots; slot++) {
      long words = 0;
      if (isFilled(table, slot)) {
        entries++;
        int length = table.states.get(TextLayout.lengthAt(slot));
        long start = TextLayout.arenaWord(table.table.get(TextLayout.markAt(slot)));
        boolean inArena = length >= 0 && start + TextLayout.room(length) <= table.arena.length();
        saved.require(inArena, "slot " + slot);
        room += TextLayout.room(length);
        words = TextLayout.words(length);
      } else {
        int state = table.states.get(TextLayout.stateAt(slot));
        saved.require(state == MapCodes.EMPTY, "slot " + slot);
      }
      runs.next(words);
    }
    saved.require(entries == saved.entries(), "number of entries");
    saved.require(room <= table.arena.length(), "length of the text");
    return runs.areLong();
  }

  private static TextTable sound(SavedMap saved, TextTable table) {
    for (long slot = 0; slot < table.slots; slot++) {
      if (isFilled(table, slot)) {
        saved.require(key(saved, table, slot).find(table) == slot, "slot " + slot);
      }
    }
    return table;
  }

  /** The key of a slot that is FILLED. */
  private static TextKey key(SavedMap saved, TextTable table, long slot) {
    TextKey key = TextKey.of(TextKey.bytes(table, slot));
    saved.require(key.isWrittenAt(table, slot), "slot " + slot);
    return key;
  }

  /** Another table of the same size with the same entries, in place of this one. */
  private static TextTable spread(SavedMap saved, TextTable crowded) {
    TextTable spread =
        TextTable.allocate(
            saved.capacity(),
            saved.load(),
            crowded.arena.length(),
            ThreadLocalRandom.current().nextLong(),
            crowded.hash);
    try {
      for (long slot = 0; slot < crowded.slots; slot++) {
        if (isFilled(crowded, slot)) {
          TextKey key = key(saved, crowded, slot);
          long value = crowded.table.get(TextLayout.valueAt(slot));
          saved.require(key.insert(spread, value, 1) == TextKey.NONE, "slot " + slot);
        }
      }
      crowded.close();
      return spread;
    } catch (RuntimeException | Error e) {
      spread.close();
      throw e;
    }
  }
}
