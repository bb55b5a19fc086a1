package dev.gyre.atomics;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a class for longs from which the build generates the class for ints. */
@Internal
@Retention(RetentionPolicy.SOURCE)
@Target(ElementType.TYPE)
public @interface IntSpecialized {
  /** Whether there are also classes of which only the keys or only the values are ints. */
  boolean mixed() default false;
}
