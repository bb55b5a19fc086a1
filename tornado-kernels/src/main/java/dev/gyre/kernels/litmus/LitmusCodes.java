package dev.gyre.kernels.litmus;

/** Sizes of litmus tests, and what threads keep in registers. */
public final class LitmusCodes {

  /** Registers of an instance, of two bits each. */
  public static final int REGISTERS = 4;

  /** Number of outcomes: {@link #REGISTERS} registers of two bits, the first in the lowest. */
  public static final int OUTCOMES = 1 << (2 * REGISTERS);

  /** Rows of bins of outcomes, so that not all threads add to the same one. */
  public static final int BIN_ROWS = 64;

  /** Most ints from one instance's word to the next one's. */
  public static final int MAX_PAD = 32;

  /**
   * Ints for stress threads to hammer. They follow the cells of the largest pad, whatever the pad
   * is: nothing clears them, and what is left in them must not be a cell of a later launch.
   */
  public static final int SCRATCH = 1 << 14;

  /** In a register of {@link Claims}: this thread won. */
  public static final int WON = 1;

  /** This thread lost. */
  public static final int LOST = 2;

  /** This thread lost, and what was published is there. */
  public static final int LOST_AND_READ = 3;

  private LitmusCodes() {}

  /** Where the stress threads' words begin: behind three words of each instance. */
  public static long scratch(long instances) {
    return 3 * instances * MAX_PAD;
  }
}
