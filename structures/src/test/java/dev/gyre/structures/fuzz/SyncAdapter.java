package dev.gyre.structures.fuzz;

/**
 * A latch, a barrier and a semaphore of one scope, each made anew as often as it is to be. Waits
 * are short, or as long as it takes.
 *
 * @param <A> arrivals at the barrier
 */
interface SyncAdapter<A> extends AutoCloseable {

  void newLatch(int count);

  /** By no more than is left. */
  void countDown(int n);

  boolean isOpen();

  /** Whether it is open, in the end. */
  boolean awaitOpen(boolean shortly);

  /** Counts down and waits for as long as it takes. */
  void countDownAndWait(int n);

  void newBarrier(int expected);

  A arrive(int arrivals);

  A arriveAndDrop();

  boolean isLast(A arrival);

  void complete(A last);

  boolean hasEnded(A arrival);

  /** Whether its phase has ended, in the end. */
  boolean awaitEnd(A arrival, boolean shortly);

  /** Arrives, completes the phase where it is the last one, and waits for as long as it takes. */
  void arriveAndWait();

  void newSemaphore(int permits);

  boolean tryAcquire();

  /** Waits for a permit for as long as it takes; in one of the ways there are. */
  void acquire(long way);

  void release(int n);

  /** Fails unless what nobody may do is refused: of a latch with so much left, and so on. */
  void refused(int left, int permits);

  /** Fails unless an interrupt ends waits that are in vain. */
  void interrupted();

  @Override
  void close();
}
