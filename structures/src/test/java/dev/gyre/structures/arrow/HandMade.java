package dev.gyre.structures.arrow;

import static dev.gyre.structures.arrow.ArrowStruct.WORD;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A record batch whose structs are made by hand, and which counts its releases. */
final class HandMade implements AutoCloseable {

  final Arena arena = Arena.ofShared();
  final MemorySegment array = arena.allocate(ArrowStruct.ARRAY.bytes, 8);
  final MemorySegment schema = arena.allocate(ArrowStruct.SCHEMA.bytes, 8);
  final AtomicInteger arrayReleases = new AtomicInteger();
  final AtomicInteger schemaReleases = new AtomicInteger();
  private final List<MemorySegment> arrays = new ArrayList<>();
  private final List<MemorySegment> schemas = new ArrayList<>();

  HandMade(long rows, long offset) {
    fill(array, rows, 0, offset, MemorySegment.NULL);
    schema.set(WORD, ArrowStruct.FORMAT, text("+s"));
    schema.set(WORD, ArrowStruct.NAME, text(""));
    array.set(WORD, ArrowStruct.ARRAY.release, release("release", arrayReleases, 64).address());
    schema.set(WORD, ArrowStruct.SCHEMA.release, release("release", schemaReleases, 56).address());
  }

  /** The release of the producer: counts, and marks the struct as released. */
  static void release(AtomicInteger count, int at, MemorySegment struct) {
    count.incrementAndGet();
    ArrowStruct.memory(struct.address(), at + 8L, Arena.global()).set(WORD, at, 0);
  }

  /** A release of a schema that makes an array invalid: its private data is the address. */
  static void spoil(AtomicInteger count, int at, MemorySegment struct) {
    ArrowStruct type = ArrowStruct.SCHEMA;
    long array = type.at(struct.address()).get(WORD, type.privateData);
    ArrowStruct.ARRAY.at(array).set(WORD, ArrowStruct.LENGTH, -1);
    release(count, at, struct);
  }

  @SuppressWarnings("restricted") // The interface defines the function.
  MemorySegment release(String name, AtomicInteger count, int at) {
    try {
      MethodHandle release =
          MethodHandles.lookup()
              .findStatic(
                  HandMade.class,
                  name,
                  MethodType.methodType(
                      void.class, AtomicInteger.class, int.class, MemorySegment.class));
      return Linker.nativeLinker()
          .upcallStub(
              MethodHandles.insertArguments(release, 0, count, at),
              FunctionDescriptor.ofVoid(ValueLayout.ADDRESS),
              arena);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(name, e);
    }
  }

  long text(String text) {
    return arena.allocateFrom(text).address();
  }

  private void fill(
      MemorySegment to, long length, long nulls, long offset, MemorySegment... buffers) {
    to.set(WORD, ArrowStruct.LENGTH, length);
    to.set(WORD, ArrowStruct.NULL_COUNT, nulls);
    to.set(WORD, ArrowStruct.OFFSET, offset);
    to.set(WORD, ArrowStruct.BUFFER_COUNT, buffers.length);
    to.set(WORD, ArrowStruct.BUFFERS, ArrowExport.pointers(List.of(buffers), arena));
  }

  /** Adds a column; returns its array. */
  MemorySegment add(
      String name, String format, long length, long nulls, long offset, MemorySegment... buffers) {
    MemorySegment child = arena.allocate(ArrowStruct.ARRAY.bytes, 8);
    fill(child, length, nulls, offset, buffers);
    MemorySegment type = arena.allocate(ArrowStruct.SCHEMA.bytes, 8);
    type.set(WORD, ArrowStruct.FORMAT, text(format));
    type.set(WORD, ArrowStruct.NAME, text(name));
    arrays.add(child);
    schemas.add(type);
    link(array, ArrowStruct.ARRAY, arrays);
    link(schema, ArrowStruct.SCHEMA, schemas);
    return child;
  }

  private void link(MemorySegment parent, ArrowStruct type, List<MemorySegment> children) {
    parent.set(WORD, ArrowStruct.CHILD_COUNT, children.size());
    parent.set(WORD, type.children, ArrowExport.pointers(children, arena));
  }

  MemorySegment schemaOf(int column) {
    return schemas.get(column);
  }

  /** Returns a bitmap, from a first bit on. */
  MemorySegment bits(int first, boolean... valid) {
    MemorySegment bits = arena.allocate((first + valid.length + 7) / 8, 1);
    for (int i = 0; i < valid.length; i++) {
      int at = first + i;
      byte before = bits.get(ValueLayout.JAVA_BYTE, at / 8);
      byte bit = (byte) (valid[i] ? 1 << (at % 8) : 0);
      bits.set(ValueLayout.JAVA_BYTE, at / 8, (byte) (before | bit));
    }
    return bits;
  }

  /** Adds a column of texts, of which null is null, behind some elements that are not used. */
  MemorySegment addTexts(String name, boolean large, int unused, @Nullable String... texts) {
    StringBuilder all = new StringBuilder("x".repeat(unused));
    int count = unused + texts.length;
    MemorySegment offsets = arena.allocate((count + 1L) * 8, 8);
    boolean[] valid = new boolean[texts.length];
    for (int i = 0; i <= count; i++) {
      int end = all.toString().getBytes(StandardCharsets.UTF_8).length;
      long at = i <= unused ? i : end;
      if (large) {
        offsets.setAtIndex(ValueLayout.JAVA_LONG, i, at);
      } else {
        offsets.setAtIndex(ValueLayout.JAVA_INT, i, (int) at);
      }
      String text = i >= unused && i < count ? texts[i - unused] : null;
      if (i >= unused && i < count) {
        valid[i - unused] = text != null;
        all.append(text == null ? "" : text);
      }
    }
    MemorySegment bytes = arena.allocateFrom(all.toString());
    return add(
        name, large ? "U" : "u", texts.length, -1, unused, bits(unused, valid), offsets, bytes);
  }

  /** Adds a column of longs without nulls. */
  MemorySegment addLongs(String name, long... values) {
    MemorySegment longs = arena.allocateFrom(ValueLayout.JAVA_LONG, values);
    return add(name, "l", values.length, 0, 0, MemorySegment.NULL, longs);
  }

  ArrowColumns imported() {
    return ArrowColumns.importFrom(array.address(), schema.address());
  }

  @Override
  public void close() {
    arena.close();
  }
}
