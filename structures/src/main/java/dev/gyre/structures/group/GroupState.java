package dev.gyre.structures.group;

import dev.gyre.atomics.Memory;
import dev.gyre.structures.Memories;
import dev.gyre.structures.SavedFile;
import dev.gyre.structures.SavedFileException;
import dev.gyre.structures.TextBytes;
import dev.gyre.structures.group.Plan.Aggregate;
import dev.gyre.structures.group.Plan.Aggregate.Kind;
import dev.gyre.structures.group.Plan.Field;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * Copy of groups, for a merge and for a saved file.
 *
 * <p>A file is a {@link SavedFile}. Its first section describes the plan: lines with a count and
 * the keys, then the aggregates, then the types of columns, and whether there is a null key. Two
 * sections follow for the groups and for each set of distinct values: rows and texts as in {@link
 * KeyRows}.
 *
 * @param parts the groups, then the sets of distinct values; empty if no batch was added
 */
record GroupState(Plan plan, List<KeyRows> parts) implements AutoCloseable {

  private static final SavedFile FORMAT = new SavedFile("GYREGRPS", 4, "group-by");
  private static final String LINE = "\n";

  void save(OutputStream out) {
    List<String> lines = new ArrayList<>();
    lines.add("" + plan.keys().size());
    lines.addAll(plan.keys());
    lines.add("" + plan.aggregates().size());
    for (Aggregate of : plan.aggregates()) {
      lines.addAll(List.of(of.kind().name(), of.column() == null ? "" : "of " + of.column()));
    }
    lines.add("" + plan.fields().size());
    plan.fields()
        .forEach(
            (name, field) -> lines.addAll(List.of(name, field.type().name(), "" + field.scale())));
    parts.forEach(part -> lines.add("" + part.hasNull()));
    lines.replaceAll(line -> line.replace("\\", "\\\\").replace(LINE, "\\n"));
    List<MemorySegment> sections = new ArrayList<>();
    byte[] description = TextBytes.orNull(String.join(LINE, lines));
    if (description == null) {
      throw new IllegalArgumentException(
          "the name of a column contains half of a surrogate pair, and cannot be saved: rename it");
    }
    sections.add(MemorySegment.ofArray(description));
    parts.forEach(part -> sections.addAll(List.of(part.rowSection(), part.textSection())));
    FORMAT.save(out, SavedFile.header(), sections);
  }

  /**
   * Reads the bytes of a file.
   *
   * @throws SavedFileException if they are not complete groups
   */
  static GroupState load(MemorySegment saved) {
    List<Memory> sections = FORMAT.open(saved).sections();
    try {
      return read(sections);
    } catch (IllegalArgumentException | NoSuchElementException e) {
      String why = "the description of the groups is damaged: " + e;
      throw new SavedFileException(SavedFile.IN_MEMORY, SavedFileException.Kind.DAMAGED, why);
    } finally {
      Memories.close(sections);
    }
  }

  private static GroupState read(List<Memory> sections) {
    byte[] description = sections.getFirst().segment().toArray(ValueLayout.JAVA_BYTE);
    String[] lines = new String(description, StandardCharsets.UTF_8).split(LINE, -1);
    Iterator<String> in = Arrays.stream(lines).map(String::translateEscapes).iterator();
    List<String> keys = new ArrayList<>();
    for (int left = Integer.parseInt(in.next()); left > 0; left--) {
      keys.add(in.next());
    }
    List<Aggregate> aggregates = new ArrayList<>();
    for (int left = Integer.parseInt(in.next()); left > 0; left--) {
      Kind kind = Kind.valueOf(in.next());
      String column = in.next();
      aggregates.add(new Aggregate(kind, column.isEmpty() ? null : column.replaceFirst("of ", "")));
    }
    Map<String, Field> fields = new LinkedHashMap<>();
    for (int left = Integer.parseInt(in.next()); left > 0; left--) {
      String name = in.next();
      GroupColumn.Type type = GroupColumn.Type.valueOf(in.next());
      fields.put(name, new Field(type, Integer.parseInt(in.next())));
    }
    Plan plan = new Plan(keys, aggregates, fields);
    plan.requireValid(sections.size() > 1);
    GroupState state = new GroupState(plan, new ArrayList<>());
    try {
      state.restore(sections, in);
      return state;
    } catch (RuntimeException | Error e) {
      state.close();
      throw e;
    }
  }

  private void restore(List<Memory> sections, Iterator<String> hasNull) {
    StateRow states = sections.size() == 1 ? StateRow.ofNothing() : plan.states();
    if (sections.size() != 1 && sections.size() != 3 + 2 * states.distincts().size()) {
      throw new IllegalArgumentException("sections do not match the plan");
    }
    for (int i = 1; i < sections.size(); i += 2) {
      boolean main = i == 1;
      boolean areTexts = !main || plan.areKeysTexts();
      KeyRows rows = KeyRows.of(Blocks.SINGLE, areTexts, Seed.next(), main ? states.words() : 0);
      parts.add(rows);
      MemorySegment texts = sections.get(i + 1).segment();
      rows.restore(sections.get(i).segment(), texts, Boolean.parseBoolean(hasNull.next()));
      String distinct = main ? null : states.distincts().get(i / 2 - 1);
      GroupResult.requireKeys(plan, rows, distinct);
    }
  }

  @Override
  public void close() {
    parts.forEach(KeyRows::close);
  }
}
