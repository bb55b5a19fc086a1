package dev.gyre.atomics;

import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.table.Operation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Calls a row of the operation table by reflection, with longs for elements of either type. */
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
      boolean isInt = method.getParameterTypes()[i] == int.class;
      arguments[i] = isInt ? (Object) (int) elements[i - 1] : (Object) elements[i - 1];
    }
    Object result = invoke(method, handle, arguments);
    return switch (result) {
      case null -> 0;
      case Boolean b -> b ? 1 : 0;
      case Number n -> n.longValue();
      default -> throw new AssertionError("unexpected result " + result);
    };
  }

  static long truncate(ElementType type, long value) {
    return type == ElementType.INT ? (int) value : value;
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
