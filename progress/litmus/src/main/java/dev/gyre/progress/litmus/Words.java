package dev.gyre.progress.litmus;

/** Words in memory, and fences, of one scope; atomic unless an order is missing from the name. */
public interface Words {

  int get(long at);

  void set(long at, int value);

  int loadRelaxed(long at);

  int loadAcquire(long at);

  int loadSeqCst(long at);

  void storeRelaxed(long at, int value);

  void storeRelease(long at, int value);

  void storeSeqCst(long at, int value);

  int fetchAddRelaxed(long at, int value);

  int compareAndExchangeRelaxed(long at, int expected, int value);

  int compareAndExchangeAcqRel(long at, int expected, int value);

  boolean testAndSetRelaxed(long at);

  boolean testAndSetAcqRel(long at);

  void acquireFence();

  void releaseFence();

  void seqCstFence();
}
