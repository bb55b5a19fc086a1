package dev.gyre.progress;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares the progress class of an operation: what one call of it does, while any number of other
 * calls run.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Progress {

  /** The class, while the structure is in the JVM's memory. */
  ProgressClass value();

  /** The class while the structure is on a device, if that is another one; one at most. */
  ProgressClass[] onDevice() default {};

  /** What a call may wait for, or why it never waits. */
  String because();
}
