package dev.gyre.structures;

import dev.gyre.atomics.Internal;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.Columns.ColumnType;
import dev.gyre.structures.map.RecordSchema;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Components of a record type of keys or values. For the packages of this module. */
@Internal
@SuppressWarnings("unused") // Handles call the methods at the end.
public final class RecordParts {
  public final List<String> names = new ArrayList<>();
  public final List<ColumnType> types = new ArrayList<>();

  /** Reads and makes records. No arrays: they would stay on the heap. */
  interface Code {
    long word(Record record, int index) throws Throwable;

    Record record(long first, long second, long third, long fourth) throws Throwable;
  }

  private final Code code;

  /** Whether an int fills a word; otherwise it is in the first half. */
  private final boolean widened;

  /**
   * Creates the components of a record class.
   *
   * @param allowed allowed types of components
   * @param widened whether an int fills a word; otherwise it is in the first half
   * @param what name of the record, for messages
   * @throws IllegalArgumentException if it has too many components, or other types
   */
  public RecordParts(
      Class<? extends Record> type, List<ColumnType> allowed, boolean widened, String what) {
    this.widened = widened;
    if (!type.isRecord()) {
      throw refused(what, type, "is not a record class");
    }
    RecordComponent[] components = type.getRecordComponents();
    if (components.length < 1 || components.length > RecordSchema.MOST) {
      throw refused(
          what,
          type,
          "has %d components; it needs 1 to %d".formatted(components.length, RecordSchema.MOST));
    }
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      Constructor<?> constructor =
          type.getDeclaredConstructor(
              Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
      constructor.setAccessible(true);
      MethodHandle make = lookup.unreflectConstructor(constructor);
      List<MethodHandle> handles = new ArrayList<>();
      for (int i = 0; i < components.length; i++) {
        handles.add(add(lookup, components[i], allowed, what));
        make = MethodHandles.filterArguments(make, i, ofWord(lookup, components[i].getType()));
      }
      Class<?>[] unused = new Class<?>[RecordSchema.MOST - components.length];
      Arrays.fill(unused, long.class);
      make = MethodHandles.dropArguments(make, components.length, unused);
      MethodHandle none = MethodHandles.constant(long.class, 0L);
      while (handles.size() < RecordSchema.MOST) {
        handles.add(MethodHandles.dropArguments(none, 0, Record.class));
      }
      handles.add(make.asType(make.type().changeReturnType(Record.class)));
      this.code = code(lookup, handles);
    } catch (ReflectiveOperationException | InaccessibleObjectException e) {
      throw new IllegalArgumentException(
          "the %s %s cannot be read: make it public, or open its package (%s)"
              .formatted(what, type.getName(), e.getMessage()),
          e);
    }
  }

  /** Returns code with handles that are constants: readers of all words, and a maker. */
  private static Code code(MethodHandles.Lookup lookup, List<MethodHandle> handles)
      throws ReflectiveOperationException {
    try (InputStream in = RecordParts.class.getResourceAsStream("RecordCode.class")) {
      byte[] bytes = Objects.requireNonNull(in, "RecordCode.class").readAllBytes();
      Class<?> defined = lookup.defineHiddenClassWithClassData(bytes, handles, true).lookupClass();
      return (Code) defined.getDeclaredConstructor().newInstance();
    } catch (IOException e) {
      throw new IllegalStateException("the bytes of RecordCode cannot be read", e);
    }
  }

  /** Adds a component; returns a handle that takes a record and returns the word of its value. */
  private MethodHandle add(
      MethodHandles.Lookup lookup, RecordComponent component, List<ColumnType> allowed, String what)
      throws ReflectiveOperationException {
    ColumnType type =
        allowed.stream()
            .filter(t -> t.toString().equals(component.getType().getName()))
            .findFirst()
            .orElseThrow(
                () ->
                    refused(
                        what,
                        component.getDeclaringRecord(),
                        "has the component %s, a %s; it may have %s"
                            .formatted(
                                component.getName(),
                                component.getType().getSimpleName(),
                                allowed.stream()
                                    .map(ColumnType::toString)
                                    .collect(Collectors.joining(", ")))));
    Method accessor = component.getAccessor();
    accessor.setAccessible(true);
    names.add(component.getName());
    types.add(type);
    MethodHandle read = lookup.unreflect(accessor);
    MethodType widening = MethodType.methodType(long.class, component.getType());
    MethodHandle asWord =
        widened && component.getType() == int.class
            ? MethodHandles.identity(long.class).asType(widening)
            : lookup.findStatic(RecordParts.class, "word", widening);
    return MethodHandles.filterReturnValue(read, asWord)
        .asType(MethodType.methodType(long.class, Record.class));
  }

  /** Returns a handle that takes a word and returns the value of a component. */
  private MethodHandle ofWord(MethodHandles.Lookup lookup, Class<?> type)
      throws ReflectiveOperationException {
    MethodType narrowing = MethodType.methodType(type, long.class);
    return widened && type == int.class
        ? MethodHandles.explicitCastArguments(MethodHandles.identity(int.class), narrowing)
        : lookup.findStatic(RecordParts.class, type + "Of", narrowing);
  }

  private static IllegalArgumentException refused(String what, Class<?> type, String why) {
    return new IllegalArgumentException("the %s %s %s".formatted(what, type.getName(), why));
  }

  /** Returns the number of components. */
  public int size() {
    return types.size();
  }

  @Override
  public String toString() {
    return IntStream.range(0, size())
        .mapToObj(i -> names.get(i) + " " + types.get(i))
        .collect(Collectors.joining(", "));
  }

  /** Returns a word of a record; an unused word is 0. */
  public long word(Record record, int index) {
    try {
      return code.word(record, index);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalArgumentException("its accessor threw " + e, e);
    }
  }

  /** Returns the record of some words. */
  public Record record(long[] words) {
    try {
      return code.record(words[0], words[1], words[2], words[3]);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalArgumentException("its constructor threw " + e, e);
    }
  }

  private static long word(int value) {
    return Columns.word(value);
  }

  private static long word(long value) {
    return value;
  }

  private static long word(float value) {
    return Columns.word(Float.floatToRawIntBits(value));
  }

  private static long word(double value) {
    return Double.doubleToRawLongBits(value);
  }

  private static int intOf(long word) {
    return Columns.half(word);
  }

  private static long longOf(long word) {
    return word;
  }

  private static float floatOf(long word) {
    return Float.intBitsToFloat(Columns.half(word));
  }

  private static double doubleOf(long word) {
    return Double.longBitsToDouble(word);
  }
}
