package dev.gyre.structures;

import dev.gyre.atomics.Internal;
import dev.gyre.structures.map.Columns;
import dev.gyre.structures.map.Columns.ColumnType;
import dev.gyre.structures.map.RecordSchema;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Components of a record type of keys or values. For the packages of this module. */
@Internal
public final class RecordParts {
  public final List<String> names = new ArrayList<>();
  public final List<ColumnType> types = new ArrayList<>();
  private final List<MethodHandle> readers = new ArrayList<>();
  private final MethodHandle maker;

  /**
   * Creates the components of a record class.
   *
   * @param allowed allowed types of components
   * @param what name of the record, for messages
   * @throws IllegalArgumentException if it has too many components, or other types
   */
  public RecordParts(Class<? extends Record> type, List<ColumnType> allowed, String what) {
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
      for (RecordComponent component : components) {
        add(lookup, component, allowed, what);
      }
      Constructor<?> constructor =
          type.getDeclaredConstructor(
              Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
      constructor.setAccessible(true);
      this.maker =
          lookup
              .unreflectConstructor(constructor)
              .asSpreader(Object[].class, components.length)
              .asType(MethodType.methodType(Record.class, Object[].class));
    } catch (ReflectiveOperationException | InaccessibleObjectException e) {
      throw new IllegalArgumentException(
          "the %s %s cannot be read: make it public, or open its package (%s)"
              .formatted(what, type.getName(), e.getMessage()),
          e);
    }
  }

  private void add(
      MethodHandles.Lookup lookup, RecordComponent component, List<ColumnType> allowed, String what)
      throws IllegalAccessException {
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
    MethodType asWord = MethodType.methodType(component.getType(), Record.class);
    MethodHandle read = lookup.unreflect(accessor).asType(asWord);
    names.add(component.getName());
    types.add(type);
    readers.add(read);
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

  /**
   * Writes the words of a record.
   *
   * @param widened whether an int fills a word; otherwise it is in the first half
   */
  public void words(Record record, long[] to, boolean widened) {
    try {
      for (int i = 0; i < size(); i++) {
        MethodHandle reader = readers.get(i);
        to[i] =
            switch (types.get(i)) {
              case INT -> {
                int number = (int) reader.invokeExact(record);
                yield widened ? number : Columns.word(number);
              }
              case LONG -> (long) reader.invokeExact(record);
              case FLOAT ->
                  Columns.word(Float.floatToRawIntBits((float) reader.invokeExact(record)));
              case DOUBLE -> Double.doubleToRawLongBits((double) reader.invokeExact(record));
            };
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalArgumentException("its accessor threw " + e, e);
    }
  }

  /** Returns the record of some words. */
  public Record record(long[] words, boolean widened) {
    Object[] arguments = new Object[size()];
    for (int i = 0; i < arguments.length; i++) {
      long word = words[i];
      arguments[i] =
          switch (types.get(i)) {
            case INT -> widened ? (int) word : Columns.half(word);
            case LONG -> word;
            case FLOAT -> Float.intBitsToFloat(Columns.half(word));
            case DOUBLE -> Double.longBitsToDouble(word);
          };
    }
    try {
      return (Record) maker.invokeExact(arguments);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalArgumentException("its constructor threw " + e, e);
    }
  }
}
