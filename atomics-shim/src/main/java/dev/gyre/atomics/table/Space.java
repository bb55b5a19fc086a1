package dev.gyre.atomics.table;

/** Address space of an element. */
public enum Space {
  /** Memory of the device, which all its threads can access (PTX: {@code .global}). */
  GLOBAL,
  /** Memory of a block, which only its threads can access (OpenCL: local; PTX: {@code .shared}). */
  SHARED
}
