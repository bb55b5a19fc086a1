package dev.gyre.structures.map.work;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/**
 * Keeps a map with one launcher while a bulk operation goes on. Such an operation is made for a
 * launcher, its batches, stages and steps, and leaves the {@link Gate} between its rounds: were the
 * map moved there, the next round would be launched where the table no longer is.
 */
public final class Residence {

  /** Fair: operations and moves take turns. */
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(true);

  /** Runs an operation; the map is not moved before its end. */
  public <T> T stay(Supplier<T> operation) {
    return locked(lock.readLock(), operation);
  }

  /** Moves the map, when operations that stay have ended. */
  public void move(Runnable change) {
    locked(
        lock.writeLock(),
        () -> {
          change.run();
          return true;
        });
  }

  private static <T> T locked(Lock held, Supplier<T> operation) {
    held.lock();
    try {
      return operation.get();
    } finally {
      held.unlock();
    }
  }
}
