package dev.gyre.structures.group;

import dev.gyre.structures.arrow.ArrowColumn;
import dev.gyre.structures.group.Batch.Column;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keys and aggregates of groups, with the types of the columns.
 *
 * @param fields the types, by name
 */
record Plan(List<String> keys, List<Aggregate> aggregates, Map<String, Field> fields) {

  /**
   * An aggregate of a group.
   *
   * @param column the column; null for a count of rows
   */
  record Aggregate(Kind kind, @Nullable String column) {

    enum Kind {
      COUNT,
      SUM,
      MIN,
      MAX,
      MEAN,
      DISTINCT
    }

    /** Returns the name of the column with results. */
    String name() {
      String function = kind.name().toLowerCase(Locale.ROOT);
      return column == null ? function : function + "(" + column + ")";
    }

    private void requireNumbers(@Nullable Field field) {
      if (field != null && field.isText() && kind != Kind.DISTINCT && kind != Kind.COUNT) {
        throw new IllegalArgumentException(
            "%s needs numbers, and the column has texts".formatted(name()));
      }
    }
  }

  /**
   * Type of a column, in which all batches agree.
   *
   * @param scale digits after the point of decimals; otherwise 0
   */
  record Field(GroupColumn.Type type, int scale) {

    boolean isText() {
      return type == GroupColumn.Type.TEXT;
    }

    private boolean isOk() {
      int most = type == GroupColumn.Type.DECIMAL ? Batch.MAX_SCALE : 0;
      return type != GroupColumn.Type.MEAN && scale >= 0 && scale <= most;
    }

    boolean isReal() {
      return type == GroupColumn.Type.DOUBLE;
    }

    @Override
    public String toString() {
      return scale == 0 ? type.toString() : type + " of scale " + scale;
    }
  }

  /**
   * Columns of a batch.
   *
   * @param keys key columns
   * @param values aggregated columns, in the order of {@link StateRow#columns}
   * @param distincts columns whose distinct values are counted
   */
  record Bound(List<Column> keys, List<Column> values, List<Column> distincts) {}

  /**
   * Returns the names of key columns.
   *
   * @throws IllegalArgumentException if there is no name, or one is given twice
   */
  static List<String> names(String... keys) {
    List<String> names = List.of(keys);
    if (names.isEmpty() || names.stream().distinct().count() < names.size()) {
      throw new IllegalArgumentException("keys are one or more different columns, not " + names);
    }
    return names;
  }

  /** Throws an IllegalArgumentException if something is not possible. */
  static void require(boolean possible, String problem) {
    if (!possible) {
      throw new IllegalArgumentException(problem);
    }
  }

  /** Returns the plan with the types of a batch. */
  static Plan of(List<String> keys, List<Aggregate> aggregates, Batch batch) {
    Map<String, Field> fields = new LinkedHashMap<>();
    for (String key : keys) {
      fields.put(key, batch.column(key).field());
    }
    for (Aggregate aggregate : aggregates) {
      String column = aggregate.column();
      if (column != null) {
        Field field = batch.column(column).field();
        fields.put(column, field);
        aggregate.requireNumbers(field);
      }
    }
    return new Plan(List.copyOf(keys), List.copyOf(aggregates), Map.copyOf(fields));
  }

  Field field(String column) {
    return Objects.requireNonNull(fields.get(column));
  }

  /** Returns the layout of states. */
  StateRow states() {
    return new StateRow(aggregates, fields);
  }

  /** Returns whether all columns have types. */
  boolean isComplete() {
    return !keys.isEmpty()
        && fields.keySet().containsAll(keys)
        && aggregates.stream().allMatch(a -> a.column() == null || fields.containsKey(a.column()));
  }

  /**
   * Checks a plan from a file.
   *
   * @param hasRows whether all columns need types
   * @throws IllegalArgumentException if no groups have such a plan
   */
  void requireValid(boolean hasRows) {
    List<String> _ = names(keys.toArray(String[]::new));
    for (Aggregate of : aggregates) {
      of.requireNumbers(of.column() == null ? null : fields.get(of.column()));
    }
    boolean columns =
        aggregates.stream().allMatch(a -> a.column() != null || a.kind() == Aggregate.Kind.COUNT);
    if (!columns || (hasRows && !isComplete()) || !fields.values().stream().allMatch(Field::isOk)) {
      throw new IllegalArgumentException("a column or its type is missing: " + this);
    }
  }

  /** Returns whether keys are encoded as texts. */
  boolean areKeysTexts() {
    return keys.size() > 1 || field(keys.getFirst()).isText();
  }

  /**
   * Returns the columns of a batch.
   *
   * @throws IllegalArgumentException if a column is missing or of another type, or a text is
   *     outside its bytes
   */
  Bound bind(StateRow states, Batch batch) {
    return new Bound(
        checked(batch, keys),
        checked(batch, states.aggregated()),
        checked(batch, states.distincts()));
  }

  /** Without streams: this runs for each block of rows of a scanner. */
  private List<Column> checked(Batch batch, List<String> names) {
    List<Column> columns = new ArrayList<>(names.size());
    for (String name : names) {
      columns.add(checked(batch, name, field(name)));
    }
    return columns;
  }

  /** Returns a column of a batch after checking it. */
  static Column checked(Batch batch, String name, Field expected) {
    Column column = batch.column(name);
    if (!column.field().equals(expected)) {
      throw new IllegalArgumentException(
          "the column %s is %s in this batch, and %s elsewhere"
              .formatted(name, column.field(), expected));
    }
    switch (column.content()) {
      case Batch.Texts texts -> requireInside(name, column, texts, batch.rows());
      case Batch.Arrow(ArrowColumn arrow) -> arrow.requireReadable(batch.rows());
      case Batch.Numbers _ -> {}
    }
    return column;
  }

  private static void requireInside(String name, Column column, Batch.Texts texts, int rows) {
    long size = texts.bytes().byteSize();
    if (areSurelyInside(texts, rows, size)) {
      return;
    }
    for (int i = 0; i < rows; i++) {
      long offset = texts.offsets()[i];
      int length = texts.lengths()[i];
      boolean isInside = offset >= 0 && length >= 0 && offset <= size - length;
      if (!isInside && !column.isNull(i)) {
        throw new IllegalArgumentException(
            "the text of row %d of the column %s is outside %d bytes: %d bytes from %d on"
                .formatted(i, name, size, length, offset));
      }
    }
  }

  /** Returns whether all texts are inside by the bits that their offsets and lengths have. */
  private static boolean areSurelyInside(Batch.Texts texts, int rows, long size) {
    long[] offsets = texts.offsets();
    int[] lengths = texts.lengths();
    // In two loops, so that HotSpot reads several elements at once.
    long ofOffsets = 0;
    for (int i = 0; i < rows; i++) {
      ofOffsets |= offsets[i];
    }
    int ofLengths = 0;
    for (int i = 0; i < rows; i++) {
      ofLengths |= lengths[i];
    }
    return ofOffsets >= 0 && ofLengths >= 0 && ofOffsets <= size - ofLengths;
  }
}
