package dev.gyre.atomics.table;

/** Which memory elements are in. */
public enum Space {
  /** That of the device, which every thread reaches. */
  GLOBAL,
  /** That of a block, which its own threads reach (OpenCL: local; PTX: {@code .shared}). */
  SHARED
}
