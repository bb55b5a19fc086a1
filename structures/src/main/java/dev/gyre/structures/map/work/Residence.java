package dev.gyre.structures.map.work;

import dev.gyre.structures.Leaving;
import dev.gyre.structures.StructureException;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Keeps a map with one launcher while a bulk operation goes on. Such an operation is made for a
 * launcher, its batches, stages and steps, and leaves the {@link Gate} between its rounds: were the
 * map moved there, the next round would be launched where the table no longer is.
 */
public final class Residence {

  /** Fair: operations and moves take turns. */
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(true);

  /** Made before anybody enters: where there is no heap left for it, nobody could leave. */
  private final Leaving leaving = this::leave;

  /** Begins an operation; the map is not moved before its end, by the same thread. */
  public Leaving stay() {
    enter();
    return leaving;
  }

  /** As {@link #stay}, from now on: the map is not moved before {@link #leave}. */
  public void enter() {
    lock.readLock().lock();
  }

  /** {@link #enter}, having moved the map when operations that stay have ended. */
  public void enterMoved(Runnable change) {
    requireOther();
    lock.writeLock().lock();
    try {
      change.run();
      lock.readLock().lock();
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** The end of {@link #enter}, by the same thread. */
  public void leave() {
    lock.readLock().unlock();
  }

  /** Moves the map, when operations that stay have ended. */
  public void move(Runnable change) {
    requireOther();
    lock.writeLock().lock();
    try {
      change.run();
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Who stays would wait for itself. */
  private void requireOther() {
    if (lock.getReadHoldCount() > 0) {
      throw new StructureException(
          "the function that makes a kernel for a map must not move the map");
    }
  }
}
