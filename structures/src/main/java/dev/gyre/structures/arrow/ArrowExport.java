package dev.gyre.structures.arrow;

import static dev.gyre.structures.arrow.ArrowStruct.ARRAY;
import static dev.gyre.structures.arrow.ArrowStruct.SCHEMA;
import static dev.gyre.structures.arrow.ArrowStruct.WORD;

import dev.gyre.atomics.Internal;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Hands columns over to another library as a record batch, without a copy.
 *
 * <p>Each struct has a number as private data, by which {@link #release} finds what to let go. A
 * struct is released once, because its number is removed once. The code of the function lasts as
 * long as the process: no struct outlives it, and no release frees the code that it runs in.
 */
@Internal
public final class ArrowExport {

  /**
   * A column.
   *
   * @param format Arrow format, such as {@code l} for longs
   * @param buffers validity, which is {@link MemorySegment#NULL} if there are no nulls, then values
   * @param use users of the buffers
   */
  public record Column(String name, String format, List<MemorySegment> buffers, SharedUse use) {
    boolean hasNulls() {
      return buffers.getFirst().address() != 0;
    }
  }

  /**
   * A struct that is not released. Its segment keeps all memory that the struct points to, other
   * than the buffers.
   */
  private record Live(
      MemorySegment struct, List<MemorySegment> children, @Nullable SharedUse use) {}

  /** By private data, which is never 0. */
  private static final Map<Long, Live> LIVE = new ConcurrentHashMap<>();

  private static final AtomicLong LAST = new AtomicLong();
  private static final long NULLABLE = 2;

  /** The functions that other libraries call. */
  private static final class Functions {
    static final long RELEASE_ARRAY = code(ARRAY);
    static final long RELEASE_SCHEMA = code(SCHEMA);

    @SuppressWarnings("restricted") // The interface defines the type.
    private static long code(ArrowStruct of) {
      MethodType type = MethodType.methodType(void.class, ArrowStruct.class, MemorySegment.class);
      FunctionDescriptor function = FunctionDescriptor.ofVoid(ValueLayout.ADDRESS);
      try {
        MethodHandle release =
            MethodHandles.lookup().findStatic(ArrowExport.class, "release", type).bindTo(of);
        return Linker.nativeLinker().upcallStub(release, function, Arena.global()).address();
      } catch (ReflectiveOperationException e) {
        throw new LinkageError("release", e);
      }
    }
  }

  private ArrowExport() {}

  /**
   * Fills an array and its schema, or neither if it fails.
   *
   * @throws ArrowException if an address is null
   * @throws dev.gyre.atomics.ClosedException if the memory of a column is closed
   */
  public static void to(long arrayAddress, long schemaAddress, long rows, List<Column> columns) {
    MemorySegment toArray = ARRAY.at(arrayAddress);
    MemorySegment toSchema = SCHEMA.at(schemaAddress);
    Arena arena = Arena.ofAuto();
    List<MemorySegment> arrays = new ArrayList<>();
    List<MemorySegment> schemas = new ArrayList<>();
    for (Column column : columns) {
      arrays.add(array(rows, column.buffers, List.of(), arena));
      long flags = column.hasNulls() ? NULLABLE : 0;
      schemas.add(schema(column.format, column.name, flags, List.of(), arena));
    }
    MemorySegment array = array(rows, List.of(MemorySegment.NULL), arrays, arena);
    MemorySegment schema = schema("+s", "", 0, schemas, arena);
    SharedUse.begin(columns.stream().map(Column::use).toList());
    for (int i = 0; i < columns.size(); i++) {
      publish(ARRAY, arrays.get(i), List.of(), columns.get(i).use);
      publish(SCHEMA, schemas.get(i), List.of(), null);
    }
    publish(ARRAY, array, arrays, null);
    publish(SCHEMA, schema, schemas, null);
    var _ = toArray.copyFrom(array);
    var _ = toSchema.copyFrom(schema);
  }

  private static MemorySegment array(
      long rows, List<MemorySegment> buffers, List<MemorySegment> children, Arena arena) {
    MemorySegment array = struct(ARRAY, children, arena);
    array.set(WORD, ArrowStruct.LENGTH, rows);
    // -1: not counted.
    array.set(WORD, ArrowStruct.NULL_COUNT, buffers.getFirst().address() == 0 ? 0 : -1);
    array.set(WORD, ArrowStruct.BUFFER_COUNT, buffers.size());
    array.set(WORD, ArrowStruct.BUFFERS, pointers(buffers, arena));
    return array;
  }

  private static MemorySegment schema(
      String format, String name, long flags, List<MemorySegment> children, Arena arena) {
    MemorySegment schema = struct(SCHEMA, children, arena);
    schema.set(WORD, ArrowStruct.FORMAT, arena.allocateFrom(format).address());
    schema.set(WORD, ArrowStruct.NAME, arena.allocateFrom(name).address());
    schema.set(WORD, ArrowStruct.FLAGS, flags);
    return schema;
  }

  private static MemorySegment struct(ArrowStruct type, List<MemorySegment> children, Arena arena) {
    MemorySegment struct = arena.allocate(type.bytes, Long.BYTES);
    struct.set(
        WORD, type.release, type == ARRAY ? Functions.RELEASE_ARRAY : Functions.RELEASE_SCHEMA);
    struct.set(WORD, ArrowStruct.CHILD_COUNT, children.size());
    struct.set(WORD, type.children, pointers(children, arena));
    return struct;
  }

  /** Returns the address of an array of pointers. */
  static long pointers(List<MemorySegment> to, Arena arena) {
    return arena
        .allocateFrom(WORD, to.stream().mapToLong(MemorySegment::address).toArray())
        .address();
  }

  private static void publish(
      ArrowStruct type,
      MemorySegment struct,
      List<MemorySegment> children,
      @Nullable SharedUse use) {
    long number = LAST.incrementAndGet();
    struct.set(WORD, type.privateData, number);
    LIVE.put(number, new Live(struct, children, use));
  }

  /** Lets no exception out: it would end the process. */
  private static void release(ArrowStruct type, MemorySegment pointer) {
    try {
      MemorySegment struct = type.at(pointer.address());
      Live live = LIVE.remove(struct.get(WORD, type.privateData));
      if (live != null) {
        // A child without a release was moved, and is released by itself.
        live.children.stream()
            .filter(child -> child.get(WORD, type.release) != 0)
            .forEach(child -> release(type, child));
        struct.set(WORD, type.release, 0);
        if (live.use != null) {
          live.use.end();
        }
      }
    } catch (Throwable e) {
      report(e);
    }
  }

  private static void report(Throwable e) {
    try {
      System.getLogger("dev.gyre")
          .log(System.Logger.Level.WARNING, "a release of exported Arrow data failed", e);
    } catch (Throwable _) {
      // Without memory there is no report.
    }
  }

  /**
   * Throws if a text is not valid UTF-8.
   *
   * @param offsets where each text begins, and the end of the last one
   * @throws ArrowException if one is not
   */
  public static void requireUtf8(String name, MemorySegment offsets, MemorySegment texts) {
    boolean isAscii = true;
    for (long at = 0; at < texts.byteSize(); at++) {
      isAscii &= texts.get(ValueLayout.JAVA_BYTE, at) >= 0;
    }
    for (long row = 0; !isAscii && row + 1 < offsets.byteSize() / Long.BYTES; row++) {
      long from = offsets.getAtIndex(WORD, row);
      MemorySegment text = texts.asSlice(from, offsets.getAtIndex(WORD, row + 1) - from);
      try {
        var _ = StandardCharsets.UTF_8.newDecoder().decode(text.asByteBuffer());
      } catch (CharacterCodingException e) {
        throw new ArrowException(
            "row %d of the column %s is not valid UTF-8, as Arrow texts are: group by valid texts",
            row, name);
      }
    }
  }
}
