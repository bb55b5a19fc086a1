package dev.gyre.progress;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The declared progress of an operation of a structure.
 *
 * @param structure simple name of the class
 * @param operation name of the method; overloads with one declaration are one operation
 * @param progressClass the declared class, while the structure is in the JVM's memory
 * @param onDevice the class while it is on a device
 * @param because why
 */
public record DeclaredProgress(
    String structure,
    String operation,
    ProgressClass progressClass,
    ProgressClass onDevice,
    String because) {

  /** The declarations of a class and of those it extends, by the names of its operations. */
  public static List<DeclaredProgress> of(Class<?> structure) {
    return Arrays.stream(structure.getMethods())
        .filter(m -> m.isAnnotationPresent(Progress.class))
        .map(m -> of(structure, m))
        .distinct()
        .sorted(Comparator.comparing(DeclaredProgress::operation))
        .toList();
  }

  /** Names of public methods of its objects, inherited or not, that declare nothing. */
  public static List<String> undeclared(Class<?> structure) {
    return Arrays.stream(structure.getMethods())
        .filter(m -> m.getDeclaringClass() != Object.class && !Modifier.isStatic(m.getModifiers()))
        .filter(m -> !m.isAnnotationPresent(Progress.class))
        .map(Method::getName)
        .distinct()
        .sorted()
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
