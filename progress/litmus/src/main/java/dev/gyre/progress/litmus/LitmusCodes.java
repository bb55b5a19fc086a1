package dev.gyre.progress.litmus;

/** Sizes of litmus tests, and contents of registers. */
public final class LitmusCodes {

  /** Registers of an instance, of two bits each. */
  public static final int REGISTERS = 4;

  /** Number of outcomes: {@link #REGISTERS} registers of two bits, the first in the lowest. */
  public static final int OUTCOMES = 1 << (2 * REGISTERS);

  /** Number of rows of bins of outcomes, to reduce contention. */
  public static final int BIN_ROWS = 64;

  /** Largest number of ints from the word of one instance to that of the next. */
  public static final int MAX_PAD = 32;

  /**
   * Number of ints that stress threads access. They follow the cells of the largest pad, for any
   * pad: they are never cleared, and must not overlap cells of a later launch.
   */
  public static final int SCRATCH = 1 << 14;

  /** In a register of {@link Claims}: this thread won. */
  public static final int WON = 1;

  /** This thread lost. */
  public static final int LOST = 2;

  /** This thread lost, and what was published is there. */
  public static final int LOST_AND_READ = 3;

  private LitmusCodes() {}

  /** Returns the start of the words of stress threads, after three words per instance. */
  public static long scratch(long instances) {
    return 3 * instances * MAX_PAD;
  }
}
