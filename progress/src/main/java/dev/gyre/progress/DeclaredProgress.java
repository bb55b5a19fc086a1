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
 * @param progressClass the declared class
 * @param because why
 */
public record DeclaredProgress(
    String structure, String operation, ProgressClass progressClass, String because) {

  /** The declarations of a class, by the names of its operations. */
  public static List<DeclaredProgress> of(Class<?> structure) {
    return Arrays.stream(structure.getDeclaredMethods())
        .filter(m -> m.isAnnotationPresent(Progress.class))
        .map(m -> of(structure, m))
        .distinct()
        .sorted(Comparator.comparing(DeclaredProgress::operation))
        .toList();
  }

  /** Names of public instance methods of a class that declare nothing, though they must. */
  public static List<String> undeclared(Class<?> structure) {
    return Arrays.stream(structure.getDeclaredMethods())
        .filter(m -> Modifier.isPublic(m.getModifiers()) && !Modifier.isStatic(m.getModifiers()))
        .filter(m -> !m.isSynthetic() && !m.isAnnotationPresent(Progress.class))
        .map(Method::getName)
        .distinct()
        .sorted()
        .toList();
  }

  private static DeclaredProgress of(Class<?> structure, Method method) {
    Progress declared = method.getAnnotation(Progress.class);
    return new DeclaredProgress(
        structure.getSimpleName(), method.getName(), declared.value(), declared.because());
  }
}
