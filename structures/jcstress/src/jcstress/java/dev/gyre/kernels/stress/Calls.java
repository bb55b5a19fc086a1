package dev.gyre.kernels.stress;

import dev.gyre.atomics.Fences;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.table.ElementType;
import dev.gyre.atomics.table.Fence;
import dev.gyre.atomics.table.Operation;
import dev.gyre.atomics.table.OperationKind;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Method handles of rows of the operation table, over {@link Cells}. */
final class Calls {

  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

  private Calls() {}

  /**
   * The operation with all operands bound: {@code long (long index)}. A result that is a boolean
   * comes as 0 or 1, none as 0.
   */
  static MethodHandle bind(Operation o, long... operands) {
    try {
      Class<?> type = Class.forName("dev.gyre.atomics." + o.handle());
      MethodHandle of = LOOKUP.findStatic(type, "of", MethodType.methodType(type, Memory.class));
      MethodHandle call = LOOKUP.findVirtual(type, o.method(), signature(o));
      MethodHandle bound = call.bindTo(of.invoke(Cells.MEMORY));
      for (long operand : operands) {
        Object given = boxed(bound.type().parameterType(1), operand);
        bound = MethodHandles.insertArguments(bound, 1, given);
      }
      return MethodHandles.explicitCastArguments(
          bound, MethodType.methodType(long.class, long.class));
    } catch (Throwable e) {
      throw new IllegalStateException("the shim has no " + o, e);
    }
  }

  private static Object boxed(Class<?> type, long number) {
    if (type == int.class) {
      return (int) number;
    }
    if (type == float.class) {
      return (float) number;
    }
    if (type == double.class) {
      return (double) number;
    }
    return number;
  }

  private static Class<?> primitive(ElementType type) {
    return switch (type) {
      case INT -> int.class;
      case LONG -> long.class;
      case FLOAT -> float.class;
      case DOUBLE -> double.class;
    };
  }

  private static MethodType signature(Operation o) {
    Class<?> t = primitive(o.type());
    return switch (o.kind().form()) {
      case LOAD -> MethodType.methodType(t, long.class);
      case STORE -> MethodType.methodType(void.class, long.class, t);
      case UPDATE -> MethodType.methodType(t, long.class, t);
      case COMPARE ->
          MethodType.methodType(
              o.kind() == OperationKind.COMPARE_AND_SET ? boolean.class : t, long.class, t, t);
      case FLAG -> MethodType.methodType(boolean.class, long.class);
      case CLEAR, WAKE -> MethodType.methodType(void.class, long.class);
      case WAIT -> MethodType.methodType(t, long.class, t, long.class);
      case PAUSE -> MethodType.methodType(long.class, long.class, long.class);
    };
  }

  /** A fence: {@code void ()}. */
  static MethodHandle fence(Fence fence) {
    try {
      return LOOKUP.findStatic(Fences.class, fence.method(), MethodType.methodType(void.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the shim has no " + fence, e);
    }
  }

  /** Calls {@code long (long index)}. */
  static long call(MethodHandle handle, long index) {
    try {
      return (long) handle.invokeExact(index);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
