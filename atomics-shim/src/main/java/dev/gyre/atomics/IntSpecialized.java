package dev.gyre.atomics;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a class for longs from which the build generates the class for ints. */
@Internal
@Retention(RetentionPolicy.SOURCE)
@Target(ElementType.TYPE)
public @interface IntSpecialized {}
