package dev.gyre.kernels.litmus;

/** Names for the numbers that say which program a launch runs, and with which scope and order. */
public final class LitmusCodes {

  /** One thread writes x, then a flag y; the other reads y, then x. */
  public static final int MESSAGE_PASSING = 0;

  /** Each thread writes one word, then reads the other's. */
  public static final int STORE_BUFFERING = 1;

  /** Each thread reads one word, then writes the other's. */
  public static final int LOAD_BUFFERING = 2;

  /** Independent reads of independent writes: two write a word each, two read both. */
  public static final int INDEPENDENT_READS = 3;

  /** One thread writes x; the other reads it twice. */
  public static final int COHERENT_READS = 4;

  /**
   * Two threads claim x by compare-and-exchange; the winner writes y and publishes it through x.
   */
  public static final int PUBLICATION = 5;

  /** Two threads test and set one flag. */
  public static final int TEST_AND_SET = 6;

  public static final int BLOCK = 0;
  public static final int DEVICE = 1;
  public static final int SYSTEM = 2;

  /** Stores of block scope, loads of device scope. */
  public static final int MISMATCH = 3;

  /** Accesses that are not atomic. */
  public static final int PLAIN = 0;

  public static final int RELAXED = 1;

  /** Stores release, loads acquire. */
  public static final int ACQ_REL = 2;

  public static final int SEQ_CST = 3;

  /** Relaxed accesses with a release fence before the store and an acquire fence after the load. */
  public static final int FENCES = 4;

  /** Relaxed accesses with a sequentially consistent fence between them. */
  public static final int SEQ_CST_FENCES = 5;

  /** The steps of the program itself are wrong, whatever the order. */
  public static final int BROKEN = 6;

  /** As {@link #ACQ_REL}, with plain accesses to the message, read only where the flag was seen. */
  public static final int PLAIN_DATA = 7;

  /** A register that its thread has not written; a register has two bits. */
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

  /** In a register of {@link #PUBLICATION} and {@link #TEST_AND_SET}: this thread won. */
  public static final int WON = 1;

  /** This thread lost. */
  public static final int LOST = 2;

  /** This thread lost, and what was published is there. */
  public static final int LOST_AND_READ = 3;

  private LitmusCodes() {}

  /** The number of a program with an order. */
  public static int code(int program, int order) {
    return program * 8 + order;
  }
}
