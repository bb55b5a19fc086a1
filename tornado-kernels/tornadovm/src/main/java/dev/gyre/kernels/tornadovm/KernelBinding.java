package dev.gyre.kernels.tornadovm;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.Kernel;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * The task method that stands for a kernel on devices.
 *
 * <p>It is static and takes {@code KernelContext}, the {@link Parameters} and one {@code LongArray}
 * for each component of the kernel that is a handle, in their order. It makes the handles, reads
 * the scalars, calls the device function and ends with {@link Parameters#end}.
 *
 * @param kernel the kernel, a record of handles, ints and longs
 * @param task the task method
 */
public record KernelBinding(Class<? extends Record> kernel, Method task) {

  /**
   * Binds a kernel to the one method of that name.
   *
   * @throws IllegalArgumentException if that is no task method for the kernel
   */
  public static KernelBinding of(Class<? extends Record> kernel, Class<?> holder, String task) {
    return new KernelBinding(
        kernel,
        Arrays.stream(holder.getDeclaredMethods())
            .filter(m -> m.getName().equals(task))
            .findFirst()
            .orElseThrow(
                () -> new IllegalArgumentException(holder.getName() + " has no method " + task)));
  }

  public KernelBinding {
    List<Class<?>> expected = new ArrayList<>(List.of(KernelContext.class, LongArray.class));
    if (!Kernel.class.isAssignableFrom(kernel)) {
      throw new IllegalArgumentException(kernel.getName() + " is no kernel");
    }
    for (RecordComponent c : kernel.getRecordComponents()) {
      if (!c.getType().isPrimitive()) {
        expected.add(LongArray.class);
      }
    }
    if (!Modifier.isStatic(task.getModifiers())
        || !Arrays.asList(task.getParameterTypes()).equals(expected)) {
      throw new IllegalArgumentException(
          task
              + " is no task method for "
              + kernel.getName()
              + ": its parameters must be "
              + expected);
    }
  }

  /** Number of components that are scalars. */
  int scalarCount() {
    return task.getParameterCount() == 0 ? 0 : kernel.getRecordComponents().length - memoryCount();
  }

  /** Number of components that are handles. */
  int memoryCount() {
    return task.getParameterCount() - 2;
  }

  /** The memories of a kernel's handles, in the order of the task method's parameters. */
  List<Memory> memories(Kernel kernel) {
    List<Memory> memories = new ArrayList<>();
    for (RecordComponent c : this.kernel.getRecordComponents()) {
      if (!c.getType().isPrimitive()) {
        memories.add(memory(c, value(c, kernel)));
      }
    }
    return memories;
  }

  /** The scalars of a kernel, in the order of its components. */
  List<Long> scalars(Kernel kernel) {
    List<Long> scalars = new ArrayList<>();
    for (RecordComponent c : this.kernel.getRecordComponents()) {
      if (c.getType().isPrimitive()) {
        scalars.add(((Number) value(c, kernel)).longValue());
      }
    }
    return scalars;
  }

  private static Memory memory(RecordComponent component, Object handle) {
    try {
      Object memory = handle.getClass().getMethod("memory").invoke(handle);
      if (memory == null) {
        throw new IllegalArgumentException(
            component + " has no Memory: a device cannot be given a mapped segment");
      }
      return (Memory) memory;
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(component + " is neither a handle nor a scalar", e);
    }
  }

  private static Object value(RecordComponent component, Kernel kernel) {
    try {
      Method accessor = component.getAccessor();
      accessor.setAccessible(true);
      return accessor.invoke(kernel);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("cannot read " + component, e);
    }
  }
}
