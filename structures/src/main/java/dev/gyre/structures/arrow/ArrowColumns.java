package dev.gyre.structures.arrow;

import static dev.gyre.structures.arrow.ArrowStruct.WORD;

import dev.gyre.atomics.Internal;
import dev.gyre.atomics.MemoryInUseException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Columns of another library, imported through the <a
 * href="https://arrow.apache.org/docs/format/CDataInterface.html">Arrow C data interface</a>.
 *
 * <pre>{@code
 * try (ArrowColumns columns = ArrowColumns.importFrom(arrayAddress, schemaAddress)) {
 *   groups.add(Batch.of(columns));
 * }
 * }</pre>
 *
 * <p>Nothing is copied at the import. An operation copies the values that it reads, in batches.
 *
 * <p><b>Types.</b> Integers of 8 to 64 bits, unsigned of 8 to 32 bits, floats, doubles, utf8 and
 * large_utf8, with offsets and nulls. All others are refused by an {@link ArrowException}: among
 * them are dictionaries, views and nested types.
 *
 * <p><b>Release.</b> An import moves the structs: it sets the release of the producer's structs to
 * null. The schema is released at once. The array is released once, by {@link #close}, or before
 * the import throws an exception.
 *
 * <p><b>Threads.</b> Thread-safe. {@link #close} may be called by any thread.
 *
 * <p>The JVM option {@code --enable-native-access} should name this module, or {@code ALL-UNNAMED}
 * if Gyre is on the class path.
 *
 * @since 0.1.0
 */
public final class ArrowColumns implements AutoCloseable {

  /** Ends access to the buffers, which the producer frees. */
  private final Arena arena = Arena.ofShared();

  private final List<ArrowColumn> columns = new ArrayList<>();
  private final int rows;
  private final Moved array;

  private ArrowColumns(Moved from, List<ArrowField> fields) {
    MemorySegment struct = from.struct();
    Extent extent = Extent.of(struct, "the record batch", 1, fields.size());
    if (extent.length() > Integer.MAX_VALUE) {
      throw new ArrowException(
          "the record batch has %d rows: pass it in slices of at most %d",
          extent.length(), Integer.MAX_VALUE);
    }
    MemorySegment valid = extent.validity(struct, "the record batch", arena);
    for (long row = extent.offset(); row < extent.end(); row++) {
      if (ArrowColumn.isNull(valid, row)) {
        throw new ArrowException(
            "row %d of the record batch is null as a whole: make its values null instead",
            row - extent.offset());
      }
    }
    this.rows = (int) extent.length();
    for (int i = 0; i < fields.size(); i++) {
      MemorySegment child = child(ArrowStruct.ARRAY, struct, i);
      columns.add(new ArrowColumn(fields.get(i), child, extent, arena));
    }
    this.array = from.moved();
  }

  /**
   * Imports a record batch: a struct array, whose children are the columns. Both structs are moved,
   * also if the import fails.
   *
   * @param arrayAddress address of an {@code ArrowArray} that a producer has filled
   * @param schemaAddress address of its {@code ArrowSchema}
   * @throws ArrowException if a column cannot be imported, or a struct is malformed or was released
   */
  public static ArrowColumns importFrom(long arrayAddress, long schemaAddress) {
    try (Moved array = Moved.from(ArrowStruct.ARRAY, arrayAddress)) {
      // The schema is released first: if that fails, the array is released, too.
      List<ArrowField> fields = fields(schemaAddress);
      return new ArrowColumns(array, fields);
    }
  }

  private static List<ArrowField> fields(long schemaAddress) {
    try (Moved schema = Moved.from(ArrowStruct.SCHEMA, schemaAddress)) {
      MemorySegment struct = schema.struct();
      String format = ArrowStruct.text(struct.get(WORD, ArrowStruct.FORMAT));
      if (!format.equals("+s")) {
        throw new ArrowException(
            "an array of the Arrow format %s is no record batch: pass a struct (+s) of columns",
            format);
      }
      long count = struct.get(WORD, ArrowStruct.CHILD_COUNT);
      List<ArrowField> fields = new ArrayList<>();
      Set<String> names = new HashSet<>();
      for (long i = 0; i < count; i++) {
        ArrowField field = ArrowField.of(child(ArrowStruct.SCHEMA, struct, i));
        if (!names.add(field.name())) {
          throw new ArrowException(
              "two columns have the name %s: rename one of them", field.name());
        }
        fields.add(field);
      }
      return fields;
    }
  }

  private static MemorySegment child(ArrowStruct type, MemorySegment struct, long index) {
    return type.at(ArrowStruct.pointer(struct, type.children, index));
  }

  /** Returns the number of rows. */
  public int rows() {
    return rows;
  }

  /** Returns the names of the columns, in order. */
  public List<String> names() {
    return columns.stream().map(column -> column.field().name()).toList();
  }

  /** Returns the columns. */
  @Internal
  public List<ArrowColumn> columns() {
    return List.copyOf(columns);
  }

  /**
   * Releases the array. Operations on the columns throw an exception from then on. Further calls do
   * nothing.
   *
   * @throws MemoryInUseException if another thread reads the columns; they are not released then,
   *     and close can be called again
   */
  @Override
  public synchronized void close() {
    // Not while another thread is still ending the access of readers.
    try {
      arena.close();
    } catch (IllegalStateException e) {
      if (arena.scope().isAlive()) {
        throw new MemoryInUseException(
            "the Arrow columns are not released: a thread is reading them; close them after that",
            e);
      }
    }
    array.close();
  }
}
