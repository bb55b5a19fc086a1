package dev.gyre.structures.group;

import dev.gyre.atomics.Memory;
import dev.gyre.structures.Memories;
import dev.gyre.structures.SavedFile;
import dev.gyre.structures.SavedFileException;
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

/**
 * Copy of groups, for a merge and for a saved file.
 *
 * <p>A file is a {@link SavedFile}. Its first section describes the plan: lines with a count and
 * the keys, then the aggregates, then the types of columns. Two sections follow for the groups and
 * for each set of distinct values: the bytes of texts, and rows as in {@link GroupEntries}.
 *
 * @param parts the groups, then the sets of distinct values; empty if no batch was added
 */
record GroupState(Plan plan, List<GroupEntries> parts) implements AutoCloseable {

  private static final SavedFile FORMAT = new SavedFile("GYREGRPS", 1, "group-by");
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
    lines.replaceAll(line -> line.replace("\\", "\\\\").replace(LINE, "\\n"));
    List<MemorySegment> sections = new ArrayList<>();
    byte[] description = String.join(LINE, lines).getBytes(StandardCharsets.UTF_8);
    sections.add(MemorySegment.ofArray(description));
    for (GroupEntries part : parts) {
      sections.addAll(List.of(part.texts(), part.rows()));
    }
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
    } catch (RuntimeException | Error e) {
      Memories.close(sections);
      if (e instanceof RuntimeException) {
        String why = "the description of the groups is damaged: " + e;
        throw new SavedFileException(SavedFile.IN_MEMORY, SavedFileException.Kind.DAMAGED, why);
      }
      throw e;
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
      aggregates.add(new Aggregate(kind, column.isEmpty() ? null : column.substring(3)));
    }
    Map<String, Field> fields = new LinkedHashMap<>();
    for (int left = Integer.parseInt(in.next()); left > 0; left--) {
      String name = in.next();
      GroupColumn.Type type = GroupColumn.Type.valueOf(in.next());
      fields.put(name, new Field(type, Integer.parseInt(in.next())));
    }
    Plan plan = new Plan(keys, aggregates, fields);
    List<GroupEntries> parts = new ArrayList<>();
    StateRow states = sections.size() == 1 ? StateRow.ofNothing() : plan.states();
    boolean right = sections.size() == 1 || sections.size() == 3 + 2 * states.distincts().size();
    for (int i = 1; i < sections.size() && right; i += 2) {
      List<Memory> of = sections.subList(i, i + 2);
      MemorySegment rows = of.getLast().segment();
      boolean main = i == 1;
      int stride = GroupEntries.HEADER + (main ? states.words() : 0);
      boolean areTexts = !main || plan.areKeysTexts();
      parts.add(
          new GroupEntries(
              areTexts, of.getFirst().segment(), rows, stride, () -> Memories.close(of)));
      right = parts.getLast().isValid();
    }
    if (!right) {
      throw new IllegalArgumentException("sections do not match the plan");
    }
    sections.getFirst().close();
    return new GroupState(plan, parts);
  }

  @Override
  public void close() {
    parts.forEach(GroupEntries::close);
  }
}
