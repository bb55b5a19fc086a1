package dev.gyre.kernels.litmus;

/** A litmus program: what its threads, two to four of them, do with the words of one instance. */
public interface Litmus {

  /** Does what the thread of a role does in one instance. */
  void play(Cells cells, Order order, int role, long instance);
}
