package dev.gyre.structures.map.file;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.map.KeySlots;
import dev.gyre.kernels.map.LongSlots;
import dev.gyre.kernels.map.PackedSlots;
import dev.gyre.structures.Memories;
import dev.gyre.structures.SavedFile;
import dev.gyre.structures.SavedFileException;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.file.SavedMap.Kind;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Files of maps and sets: a {@link SavedFile} whose sections are the table's memories.
 *
 * <table>
 *   <caption>The map's part of the header</caption>
 *   <tr><th>byte<th>type<th>what
 *   <tr><td>16<td>int<td>kind: maps of 0 ints, 1 longs, 2 text keys; sets of 3 ints, 4 longs, 5 texts; maps of records, 6 in rows, 7 packed as longs, whose last section is the text of their schema; maps 8 from int to long, 9 from long to int; plus 256 for a user's hash, which the last section identifies; plus 512 if keys could be removed
 *   <tr><td>20<td>int<td>layout: 0 reference, 1 line, 2 packed with the key above the value, 3 reference without values, 4 packed, 5 packed without values
 *   <tr><td>24<td>long<td>entries
 *   <tr><td>32<td>long<td>capacity
 *   <tr><td>40<td>long<td>slots
 *   <tr><td>48<td>long<td>0; in version 1 the seed of the hash
 * </table>
 *
 * <p><b>Versions.</b> Entries are in any order: a load inserts them into a new table with its own
 * hash. In version 1 each was where a search by the file's seed found it. Both versions are loaded
 * in the same way. The version was raised so that builds that search by the file's seed refuse
 * newer files.
 *
 * <p><b>Layouts.</b> Layout 1 is for longs: files of ints in lines, from earlier builds, are
 * refused. Layouts 3 and 5 are for sets of numbers. Sets are written in layout 5, which has keys
 * only. Sets in other layouts are converted when they are loaded. Layouts 2 and 3 are read, and no
 * longer written.
 */
public final class MapFile {

  public static final SavedFile FORMAT = new SavedFile("GYREMAPS", 2, "map");

  private static final List<Kind> KINDS = List.of(Kind.values());

  /** Layouts by their numbers in files. */
  private static final List<Layout> LAYOUTS =
      List.of(
          Layout.REFERENCE,
          Layout.LINE,
          Layout.PACKED,
          Layout.REFERENCE,
          Layout.PACKED,
          Layout.PACKED);

  private static final int KEY_ABOVE = 2;
  private static final int WITHOUT_VALUES = 3;
  private static final int PACKED = 4;
  private static final int KEYS = 5;

  /** Number that is added to the kind for a user's hash. */
  private static final int OTHER_HASH = 256;

  /** Number that is added to the kind if keys could be removed. */
  private static final int REMOVABLE = 512;

  private MapFile() {}

  /** Writes a table; if that fails, an existing file is unchanged. */
  public static void save(SavedMap map, List<MemorySegment> memories, Path file) {
    FORMAT.save(file, header(map), sections(map, memories));
  }

  /** Writes a table as the bytes of a file. */
  public static void save(SavedMap map, List<MemorySegment> memories, OutputStream out) {
    FORMAT.save(out, header(map), sections(map, memories));
  }

  private static MemorySegment header(SavedMap map) {
    MemorySegment header = SavedFile.header();
    boolean ours = map.hash().equals(HashName.OURS);
    header.set(
        ValueLayout.JAVA_INT_UNALIGNED,
        16,
        KINDS.indexOf(map.kind()) + (ours ? 0 : OTHER_HASH) + (map.removable() ? REMOVABLE : 0));
    header.set(ValueLayout.JAVA_INT_UNALIGNED, 20, numberOf(map));
    header.set(ValueLayout.JAVA_LONG_UNALIGNED, 24, map.entries());
    header.set(ValueLayout.JAVA_LONG_UNALIGNED, 32, map.capacity());
    header.set(ValueLayout.JAVA_LONG_UNALIGNED, 40, map.slots());
    return header;
  }

  private static List<MemorySegment> sections(SavedMap map, List<MemorySegment> memories) {
    List<MemorySegment> sections = new ArrayList<>(memories);
    if (!map.hash().equals(HashName.OURS)) {
      sections.add(map.hash().toSection());
    }
    if (map.kind().isOfRecords()) {
      sections.add(MemorySegment.ofArray(map.schema().getBytes(StandardCharsets.UTF_8)));
    }
    return sections;
  }

  /**
   * Reads the table of a file.
   *
   * @param saved the content, which is closed if it is not a map
   * @throws dev.gyre.structures.SavedFileException if it is not a complete map
   */
  public static SavedMap read(SavedFile.Content saved) {
    return Memories.orFree(
        saved.sections(), () -> read(saved.file(), saved.header(), saved.sections()));
  }

  private static SavedMap read(String file, MemorySegment header, List<Memory> sections) {
    int flagged = header.get(ValueLayout.JAVA_INT_UNALIGNED, 16);
    int kind = flagged & ~(OTHER_HASH | REMOVABLE);
    HashName hash = HashName.OURS;
    String schema = "";
    List<Memory> memories = new ArrayList<>(sections);
    boolean known = kind >= 0 && kind < KINDS.size();
    if (known && KINDS.get(kind).isOfRecords() && !sections.isEmpty()) {
      try (Memory last = memories.removeLast()) {
        schema = new String(last.segment().toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
      }
    }
    if ((flagged & OTHER_HASH) != 0
        && !memories.isEmpty()
        && memories.getLast().byteSize() >= Long.BYTES) {
      try (Memory last = memories.removeLast()) {
        hash = HashName.ofSection(last.segment());
      }
    }
    int layout = header.get(ValueLayout.JAVA_INT_UNALIGNED, 20);
    known &= layout >= 0 && layout < LAYOUTS.size();
    SavedMap map =
        new SavedMap(
            file,
            KINDS.get(known ? kind : 0),
            LAYOUTS.get(known ? layout : 0),
            header.get(ValueLayout.JAVA_LONG_UNALIGNED, 24),
            header.get(ValueLayout.JAVA_LONG_UNALIGNED, 32),
            header.get(ValueLayout.JAVA_LONG_UNALIGNED, 40),
            hash,
            schema,
            memories,
            (flagged & REMOVABLE) != 0);
    boolean values = layout != WITHOUT_VALUES && layout != KEYS;
    map.require(
        known
            && (map.kind().isOfInts() || map.layout() != Layout.PACKED || layout == KEYS)
            && (map.kind().isSetOfNumbers() || values)
            && (!map.kind().isMixed() || map.layout() == Layout.REFERENCE),
        "kind");
    requireNoLinesOfInts(map);
    map.require(
        map.entries() >= 0
            && map.entries() <= map.capacity()
            && map.capacity() >= 1
            && map.slots() < Long.MAX_VALUE / 64
            && map.slots() > map.capacity(),
        "number of entries, capacity or slots");
    map.require(fits(map, values), "length");
    if (layout == KEY_ABOVE) {
      turn(map.memories().getFirst().segment());
    }
    boolean halved = map.kind().isSetOfNumbers() && map.layout() == Layout.PACKED && values;
    return halved ? withoutValues(map) : map;
  }

  private static void requireNoLinesOfInts(SavedMap map) {
    if (map.kind().isOfInts() && map.layout() == Layout.LINE) {
      throw new SavedFileException(
          map.file(),
          SavedFileException.Kind.OLDER,
          "holds ints in layout LINE, which this version does not read; with Gyre 0.1.0-SNAPSHOT of"
              + " commit 3a399ce6, copy its entries to a map or set in layout PACKED and save"
              + " that");
    }
  }

  private static int numberOf(SavedMap map) {
    return switch (map.layout()) {
      case REFERENCE -> 0;
      case LINE -> 1;
      case PACKED -> map.kind().isSetOfNumbers() ? KEYS : PACKED;
    };
  }

  /** Moves the keys of packed slots below their values. */
  private static void turn(MemorySegment words) {
    for (long at = 0; at < words.byteSize(); at += Long.BYTES) {
      long word = words.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
      words.set(ValueLayout.JAVA_LONG_UNALIGNED, at, Long.rotateLeft(word, Integer.SIZE));
    }
  }

  /** Converts a set of packed slots that was saved with values, which are its keys. */
  private static SavedMap withoutValues(SavedMap map) {
    Memory words = map.memories().getFirst();
    Memory keys = lowerHalves(words);
    words.close();
    return new SavedMap(
        map.file(),
        map.kind(),
        map.layout(),
        map.entries(),
        map.capacity(),
        map.slots(),
        map.hash(),
        map.schema(),
        List.of(keys),
        map.removable());
  }

  /** Returns the keys of packed slots, whose form is the same without values. */
  private static Memory lowerHalves(Memory words) {
    long count = words.byteSize() / Long.BYTES;
    Memory keys = Memory.addressable(count, Integer.BYTES);
    MemorySegment from = words.segment();
    MemorySegment to = keys.segment();
    for (long i = 0; i < count; i++) {
      int key = (int) from.get(ValueLayout.JAVA_LONG_UNALIGNED, i * Long.BYTES);
      to.set(ValueLayout.JAVA_INT_UNALIGNED, i * Integer.BYTES, key);
    }
    return keys;
  }

  /** Returns whether the sections have the sizes of the header; text may have any size. */
  private static boolean fits(SavedMap map, boolean values) {
    List<Long> found = map.memories().stream().map(Memory::byteSize).toList();
    long element = map.kind().keyBytes();
    long slots = map.slots();
    if (map.kind() == Kind.RECORDS) {
      return found.size() == 1 && found.getFirst() % (Long.BYTES * slots) == 0;
    }
    if (map.kind().isOfTexts()) {
      return found.size() == 2 && found.getFirst() == 4 * Long.BYTES * slots;
    }
    return found.equals(
        switch (map.layout()) {
          case REFERENCE ->
              Stream.of(Integer.BYTES * slots, element * slots, map.kind().valueBytes() * slots)
                  .limit(values ? 3 : 2)
                  .toList();
          case LINE -> List.of(LongSlots.Line.SLOT_LONGS * element * slots);
          case PACKED ->
              List.of(
                  values
                      ? Long.BYTES * PackedSlots.words(slots)
                      : element * KeySlots.words(slots, map.removable()));
        });
  }
}
