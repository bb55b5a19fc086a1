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

  /** The class. */
  ProgressClass value();

  /** What a call may wait for, or why it never waits. */
  String because();
}
