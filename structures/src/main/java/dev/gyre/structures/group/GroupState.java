package dev.gyre.structures.group;

import dev.gyre.atomics.Memory;
import dev.gyre.structures.Memories;
import dev.gyre.structures.SavedFile;
import dev.gyre.structures.SavedFileException;
import dev.gyre.structures.group.Plan.Aggregate;
import dev.gyre.structures.group.Plan.Aggregate.Kind;
import dev.gyre.structures.group.Plan.Field;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Copy of groups, for a merge and for a saved file.
 *
 * <p>A file is a {@link SavedFile}. Its first section describes the plan. Three more follow for the
 * groups and for each set of distinct values: longs or the words of texts; the places of texts; and
 * the states, of which the first belongs to the null key.
 *
 * @param parts the groups, then the sets of distinct values; empty if no batch was added
 */
record GroupState(Plan plan, List<Part> parts) implements AutoCloseable {

  private static final SavedFile FORMAT = new SavedFile("GYREGRPS", 1, "group-by");
  private static final int SECTIONS = 3;
  private static final String NO_COLUMN = "-";
  private static final String COLUMN = "+";

  /** Keys with their states. */
  record Part(KeyEntries keys, MemorySegment states, boolean hasNull) {}

  void save(OutputStream out) {
    List<MemorySegment> sections = new ArrayList<>();
    sections.add(MemorySegment.ofArray(description()));
    for (Part part : parts) {
      KeyEntries keys = part.keys;
      MemorySegment places = keys.places();
      long words = places == null ? keys.count() : keys.words();
      sections.add(keys.keys().asSlice(0, words * Long.BYTES));
      sections.add(
          places == null
              ? MemorySegment.ofArray(new long[0])
              : places.asSlice(0, keys.count() * Long.BYTES));
      sections.add(part.states);
    }
    FORMAT.save(out, SavedFile.header(), sections);
  }

  private byte[] description() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      write(out, plan.keys(), key -> List.of(key));
      write(
          out,
          plan.aggregates(),
          a -> List.of(a.kind().name(), a.column() == null ? NO_COLUMN : COLUMN + a.column()));
      write(
          out,
          plan.fields().entrySet(),
          f -> List.of(f.getKey(), f.getValue().type().name(), "" + f.getValue().scale()));
      write(out, parts, part -> List.of("" + part.hasNull, "" + part.keys.count()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static <T> void write(
      DataOutputStream out, Collection<T> all, Function<T, List<String>> texts) throws IOException {
    out.writeInt(all.size());
    for (T one : all) {
      for (String text : texts.apply(one)) {
        out.writeUTF(text);
      }
    }
  }

  /**
   * Reads the bytes of a file.
   *
   * @throws SavedFileException if they are not complete groups
   */
  static GroupState load(MemorySegment saved) {
    List<Memory> sections = FORMAT.open(saved).sections();
    try {
      if (sections.isEmpty()) {
        throw corrupted("it is empty");
      }
      byte[] description = sections.getFirst().segment().toArray(ValueLayout.JAVA_BYTE);
      return read(new DataInputStream(new ByteArrayInputStream(description)), sections);
    } catch (IOException | IllegalArgumentException e) {
      Memories.close(sections);
      throw corrupted("its description is damaged: " + e);
    } catch (RuntimeException | Error e) {
      Memories.close(sections);
      throw e;
    }
  }

  private static SavedFileException corrupted(String why) {
    return new SavedFileException(
        SavedFile.IN_MEMORY,
        SavedFileException.Kind.DAMAGED,
        "the group-by cannot be used: " + why);
  }

  private static GroupState read(DataInputStream in, List<Memory> sections) throws IOException {
    List<String> keys = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      keys.add(in.readUTF());
    }
    List<Aggregate> aggregates = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      Kind kind = Kind.valueOf(in.readUTF());
      String column = in.readUTF();
      aggregates.add(new Aggregate(kind, column.equals(NO_COLUMN) ? null : column.substring(1)));
    }
    Map<String, Field> fields = new LinkedHashMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      String name = in.readUTF();
      fields.put(
          name, new Field(GroupColumn.Type.valueOf(in.readUTF()), Integer.parseInt(in.readUTF())));
    }
    Plan plan = new Plan(keys, aggregates, fields);
    List<Part> parts = new ArrayList<>();
    if (in.readInt() > 0) {
      if (!plan.isComplete()) {
        throw corrupted("types are missing");
      }
      StateRow states = plan.states();
      int count = 1 + states.distincts().size();
      if (sections.size() != 1 + SECTIONS * count) {
        throw corrupted("sections are missing");
      }
      for (int i = 0; i < count; i++) {
        List<Memory> of = sections.subList(1 + SECTIONS * i, 1 + SECTIONS * (i + 1));
        boolean main = i == 0;
        parts.add(part(of, in, !main || plan.areKeysTexts(), main ? states.words() : 0));
      }
    }
    sections.getFirst().close();
    return new GroupState(plan, parts);
  }

  private static Part part(List<Memory> sections, DataInputStream in, boolean areTexts, int words)
      throws IOException {
    boolean hasNull = Boolean.parseBoolean(in.readUTF());
    long count = Long.parseLong(in.readUTF());
    MemorySegment keys = sections.get(0).segment();
    MemorySegment places = sections.get(1).segment();
    MemorySegment states = sections.get(2).segment();
    Runnable owner = () -> Memories.close(sections);
    KeyEntries entries = new KeyEntries(count, keys, areTexts ? places : null, owner);
    boolean right =
        count >= 0
            && states.byteSize() == (count + 1) * words * Long.BYTES
            && (areTexts ? places : keys).byteSize() == count * Long.BYTES
            && (!areTexts || entries.words() <= keys.byteSize() / Long.BYTES);
    if (!right) {
      throw corrupted("its sections do not belong together");
    }
    return new Part(entries, states, hasNull);
  }

  @Override
  public void close() {
    parts.forEach(part -> part.keys.close());
  }
}
