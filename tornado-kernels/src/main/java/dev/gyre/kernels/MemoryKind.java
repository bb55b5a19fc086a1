package dev.gyre.kernels;

/** What the pages of a memory are to a device; {@link Launcher#memory} makes it. */
public enum MemoryKind {
  /** Pages as the system gives them: copied when needed. */
  ORDINARY,
  /**
   * Pages that the system leaves where they are: a device copies them by itself, at full speed, and
   * bulk operations from where they lie. PTX and CUDA have it.
   */
  PINNED,
  /** One address on both sides, whose pages go to where they are used. No target has it yet. */
  UNIFIED,
  /** On the device alone. No target has it yet. */
  DEVICE_ONLY
}
