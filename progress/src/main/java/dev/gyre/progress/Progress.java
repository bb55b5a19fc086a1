package dev.gyre.progress;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares the progress class of an operation: what one call guarantees while any number of other
 * calls run.
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Progress {

  /** Returns the class while the structure is in memory of the JVM. */
  ProgressClass value();

  /** Returns the class while the structure is on a device, if it is another one; at most one. */
  ProgressClass[] onDevice() default {};

  /** Returns what a call may wait for, or why it never waits. */
  String because();
}
