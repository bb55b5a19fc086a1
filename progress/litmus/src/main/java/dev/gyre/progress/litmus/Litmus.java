package dev.gyre.progress.litmus;

/** Litmus program: what its two to four threads do with the words of one instance. */
public interface Litmus {

  /** Runs the thread of a role in one instance. */
  void play(Cells cells, Order order, int role, long instance);
}
