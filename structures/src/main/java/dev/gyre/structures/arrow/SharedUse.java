package dev.gyre.structures.arrow;

import dev.gyre.atomics.ClosedException;
import dev.gyre.atomics.Internal;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the users of memory: its owner, which closes this, and exports. The last one to end its
 * use frees the memory. Thread-safe.
 */
@Internal
public final class SharedUse implements AutoCloseable {

  private final Runnable free;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** 0 after the memory was freed. */
  private final AtomicInteger users = new AtomicInteger(1);

  /**
   * Creates the count with the owner as the only user.
   *
   * @param free frees the memory; may be called again if it fails
   */
  public SharedUse(Runnable free) {
    this.free = free;
  }

  /**
   * Adds a user to each of some memories, or to none.
   *
   * @throws ClosedException if an owner has closed one
   */
  static void begin(List<SharedUse> all) {
    for (int i = 0; i < all.size(); i++) {
      if (!all.get(i).begin()) {
        all.subList(0, i).forEach(SharedUse::end);
        throw new ClosedException("a result");
      }
    }
  }

  /** Adds a user; returns false if the owner has closed this. */
  public boolean begin() {
    return !closed.get() && users.getAndUpdate(n -> n == 0 ? 0 : n + 1) != 0;
  }

  /** Ends the use of a user. */
  public void end() {
    if (users.decrementAndGet() == 0) {
      free.run();
    }
  }

  /** Ends the use of the owner. Further calls only repeat a free that failed. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      end();
    } else if (users.get() == 0) {
      free.run();
    }
  }
}
