package dev.gyre.structures.map.file;

import dev.gyre.atomics.Memory;
import dev.gyre.structures.SavedFile;
import dev.gyre.structures.map.Layout;
import dev.gyre.structures.map.file.SavedMap.Kind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;

/**
 * Maps and sets in files: a {@link SavedFile} whose sections are the table's memories.
 *
 * <table>
 * <caption>The map's part of the header</caption>
 * <tr><th>byte<th>type<th>what
 * <tr><td>16<td>int<td>kind: maps of 0 ints, 1 longs, 2 text keys; sets of 3 ints, 4 longs, 5 texts
 * <tr><td>20<td>int<td>layout: 0 reference, 1 line, 2 packed
 * <tr><td>24<td>long<td>entries
 * <tr><td>32<td>long<td>capacity
 * <tr><td>40<td>long<td>slots
 * <tr><td>48<td>long<td>seed of the hash
 * </table>
 */
public final class MapFile {

  private static final SavedFile FORMAT = new SavedFile("GYREMAPS", 1, "map");

  /** In the order of their numbers in files. */
  private static final List<Kind> KINDS =
      List.of(Kind.INTS, Kind.LONGS, Kind.TEXTS, Kind.INT_SET, Kind.LONG_SET, Kind.TEXT_SET);

  private static final List<Layout> LAYOUTS = List.of(Layout.REFERENCE, Layout.LINE, Layout.PACKED);

  private MapFile() {}

  /** Writes the table; where that fails, what was there before is unchanged. */
  public static void save(SavedMap map, List<MemorySegment> memories) {
    MemorySegment header = SavedFile.header();
    header.set(ValueLayout.JAVA_INT_UNALIGNED, 16, KINDS.indexOf(map.kind()));
    header.set(ValueLayout.JAVA_INT_UNALIGNED, 20, LAYOUTS.indexOf(map.layout()));
    header.set(ValueLayout.JAVA_LONG_UNALIGNED, 24, map.entries());
    header.set(ValueLayout.JAVA_LONG_UNALIGNED, 32, map.capacity());
    header.set(ValueLayout.JAVA_LONG_UNALIGNED, 40, map.slots());
    header.set(ValueLayout.JAVA_LONG_UNALIGNED, 48, map.seed());
    FORMAT.save(map.file(), header, memories);
  }

  /**
   * Maps the table of a file.
   *
   * @throws dev.gyre.structures.SavedFileException if it is no whole map
   */
  public static SavedMap open(Path file) {
    SavedFile.Content content = FORMAT.open(file);
    try {
      return read(file, content.header(), content.sections());
    } catch (RuntimeException | Error e) {
      content.sections().forEach(Memory::close);
      throw e;
    }
  }

  private static SavedMap read(Path file, MemorySegment header, List<Memory> sections) {
    int kind = header.get(ValueLayout.JAVA_INT_UNALIGNED, 16);
    int layout = header.get(ValueLayout.JAVA_INT_UNALIGNED, 20);
    boolean known = kind >= 0 && kind < KINDS.size() && layout >= 0 && layout < LAYOUTS.size();
    SavedMap map =
        new SavedMap(
            file,
            KINDS.get(known ? kind : 0),
            LAYOUTS.get(known ? layout : 0),
            header.get(ValueLayout.JAVA_LONG_UNALIGNED, 24),
            header.get(ValueLayout.JAVA_LONG_UNALIGNED, 32),
            header.get(ValueLayout.JAVA_LONG_UNALIGNED, 40),
            header.get(ValueLayout.JAVA_LONG_UNALIGNED, 48),
            sections);
    map.require(known && (map.kind().isOfInts() || map.layout() != Layout.PACKED), "kind");
    map.require(
        map.entries() >= 0
            && map.entries() <= map.capacity()
            && map.capacity() >= 1
            && map.slots() < Long.MAX_VALUE / 64
            && map.slots() > map.capacity(),
        "number of entries, capacity or slots");
    map.require(fits(map), "length");
    return map;
  }

  /** Whether the sections are as long as the header says; text may have any length. */
  private static boolean fits(SavedMap map) {
    List<Long> found = map.memories().stream().map(Memory::byteSize).toList();
    long element = map.kind().isOfInts() ? Integer.BYTES : Long.BYTES;
    long slots = map.slots();
    if (map.kind().isOfTexts()) {
      return found.size() == 2 && found.getFirst() == 4 * Long.BYTES * slots;
    }
    return found.equals(
        switch (map.layout()) {
          case REFERENCE -> List.of(Integer.BYTES * slots, element * slots, element * slots);
          case LINE -> List.of(4 * element * slots);
          case PACKED -> List.of(Long.BYTES * (slots + 1));
        });
  }
}
