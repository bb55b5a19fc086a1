package dev.gyre.progress;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Declared progress class of an operation.
 *
 * @param structure simple name of the class
 * @param operation name of the method; overloads with the same declaration are one operation
 * @param progressClass the class while the structure is in memory of the JVM
 * @param onDevice the class while the structure is on a device
 * @param because the reason
 * @since 0.1.0
 */
public record DeclaredProgress(
    String structure,
    String operation,
    ProgressClass progressClass,
    ProgressClass onDevice,
    String because) {

  /** Returns the declarations of a class and its superclasses, by name of the operation. */
  public static List<DeclaredProgress> of(Class<?> structure) {
    return Arrays.stream(structure.getMethods())
        .filter(m -> m.isAnnotationPresent(Progress.class))
        .map(m -> of(structure, m))
        .distinct()
        .sorted(Comparator.comparing(DeclaredProgress::operation))
        .toList();
  }

  private static DeclaredProgress of(Class<?> structure, Method method) {
    Progress declared = method.getAnnotation(Progress.class);
    ProgressClass[] onDevice = declared.onDevice();
    return new DeclaredProgress(
        structure.getSimpleName(),
        method.getName(),
        declared.value(),
        onDevice.length == 0 ? declared.value() : onDevice[0],
        declared.because());
  }
}
