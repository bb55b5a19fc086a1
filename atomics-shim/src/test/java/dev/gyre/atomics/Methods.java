package dev.gyre.atomics;

import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.table.Space;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Calls a row of the operation table by reflection, with longs for elements of any type: what whole
 * numbers are, and the bits of others.
 */
final class Methods {

  private Methods() {}

  static Class<?> handleClass(Operation o) {
    try {
      return Class.forName("dev.gyre.atomics." + o.handle());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  static Object handle(Operation o, Memory memory) {
    if (o.space() == Space.SHARED) {
      int length = (int) (memory.byteSize() / o.type().bytes());
      SharedHandle shared =
          (SharedHandle) Objects.requireNonNull(invoke(only(handleClass(o), "of"), null, length));
      return shared.in(memory);
    }
    return Objects.requireNonNull(invoke(only(handleClass(o), "of"), null, memory));
  }

  static Method only(Class<?> type, String name) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(m -> m.getName().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(type.getSimpleName() + " has no " + name));
  }

  /** Calls the operation; booleans come back as 0 and 1, nothing as 0. */
  static long call(Object handle, Operation o, long index, long... elements) {
    Method method = only(handle.getClass(), o.method());
    Object[] arguments = new Object[method.getParameterCount()];
    arguments[0] = index;
    for (int i = 1; i < arguments.length; i++) {
      arguments[i] = boxed(method.getParameterTypes()[i], elements[i - 1]);
    }
    Object result = invoke(method, handle, arguments);
    return switch (result) {
      case null -> 0;
      case Boolean b -> b ? 1 : 0;
      case Float f -> Float.floatToRawIntBits(f);
      case Double d -> Double.doubleToRawLongBits(d);
      case Number n -> n.longValue();
      default -> throw new AssertionError("unexpected result " + result);
    };
  }

  private static Object boxed(Class<?> type, long element) {
    return switch (type.getName()) {
      case "int" -> (int) element;
      case "float" -> Float.intBitsToFloat((int) element);
      case "double" -> Double.longBitsToDouble(element);
      default -> element;
    };
  }

  static long truncate(ElementType type, long value) {
    return type.bytes() == Integer.BYTES ? (int) value : value;
  }

  /** A number as an element. */
  static long element(ElementType type, double number) {
    return switch (type) {
      case INT, LONG -> (long) number;
      case FLOAT -> Float.floatToRawIntBits((float) number);
      case DOUBLE -> Double.doubleToRawLongBits(number);
    };
  }

  private static @Nullable Object invoke(
      Method method, @Nullable Object receiver, Object... arguments) {
    try {
      return method.invoke(receiver, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new AssertionError(e);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }
}
