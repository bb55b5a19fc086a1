package dev.gyre.structures.trie;

import dev.gyre.atomics.ClosedException;
import dev.gyre.kernels.events.Span;
import dev.gyre.structures.StackReserve;
import dev.gyre.structures.StructureException;
import dev.gyre.structures.trie.select.DeviceNodes;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Says which operations of a trie may run at the same time, and refuses all once it is closed or
 * has failed.
 *
 * <p>Those who add short texts run beside one another; all others that change something, alone.
 * Readers run beside both, and wait only while a pool of nodes takes the place of another; see
 * {@link TrieNodes}.
 */
final class TrieGuard {

  private static final String NAME = "word trie";

  private final TrieNodes nodes;
  // Held to read by those who add by themselves, to write by all others that change something, or
  // that read what nobody changes. Fair: one that saves again and again keeps nobody from adding.
  private final ReentrantReadWriteLock updates = new ReentrantReadWriteLock(true);
  // Just another number once a change has begun, and once it has ended.
  private final AtomicLong changes = new AtomicLong();
  private final AtomicLong underWay = new AtomicLong();
  private volatile boolean closed;
  private volatile @Nullable Throwable failure;

  TrieGuard(TrieNodes nodes) {
    this.nodes = nodes;
  }

  /** Adds, beside others who add so. */
  <T> T add(Supplier<T> action) {
    return change(updates.readLock(), here(action));
  }

  /** Changes something, beside readers only. */
  <T> T change(Supplier<T> action) {
    return change(
        updates.writeLock(),
        here(
            () -> {
              nodes.gather();
              return action.get();
            }));
  }

  /** Changes something by launches, beside readers only; the host need not see it yet. */
  <T> T launch(Supplier<T> action) {
    return change(updates.writeLock(), action);
  }

  /** Holds the trie as it is, beside readers only, until {@link #leave}. */
  void enter() {
    requireOutside();
    StackReserve.require();
    Span span = Span.waiting();
    updates.writeLock().lock();
    try {
      span.ended(NAME);
      requireUsable();
    } catch (RuntimeException | Error e) {
      updates.writeLock().unlock();
      throw e;
    }
  }

  /** The end of {@link #enter}, by the same thread. */
  void leave() {
    updates.writeLock().unlock();
  }

  /** A change by the host, which sees what devices made, and which they see next. */
  private <T> Supplier<T> here(Supplier<T> action) {
    return () -> {
      nodes.bringHome();
      nodes.hostChanges();
      return action.get();
    };
  }

  /** Reads while nobody changes anything. */
  <T> T quiescent(Supplier<T> action) {
    return locked(
        updates.writeLock(),
        () -> {
          gather();
          nodes.bringHome();
          return action.get();
        });
  }

  /**
   * Reads, beside all others; the action calls nothing that is not the trie's. Where launchers of a
   * group have counted apart, their words are gathered first, which waits for texts under way.
   */
  <T> T read(Supplier<T> action) {
    requireUsable();
    gather();
    nodes.bringHome();
    return readOn(action);
  }

  /** Has the trie's nodes have all words that a group counted apart. */
  private void gather() {
    if (nodes.isApart()) {
      TrieGuard _ =
          changing(
              updates.writeLock(),
              here(
                  () -> {
                    nodes.gather();
                    return this;
                  }));
    }
  }

  /**
   * Reads where the nodes are, if that is a device which can tell; else here.
   *
   * @param there given the nodes, which stay there meanwhile; returns none where it cannot tell
   */
  <T> T read(Function<DeviceNodes, Optional<T>> there, Supplier<T> here) {
    requireUsable();
    Optional<T> told =
        nodes.isAway() && !nodes.isApart()
            ? readOn(() -> nodes.onDevice().flatMap(there))
            : Optional.empty();
    return told.orElseGet(() -> read(here));
  }

  /**
   * As {@link #read(Supplier)}, by one that has read before: what a device made since may be
   * missing.
   */
  <T> T readOn(Supplier<T> action) {
    return locked(nodes.readLock(), action);
  }

  /** Whether one may read now who holds nothing, and gets along with a pool that is closed. */
  boolean isOpen() {
    return !closed && failure == null && !nodes.isAway() && !nodes.isApart();
  }

  /** A number that is another one after each change of what readers see. */
  long changes() {
    return changes.get() + nodes.arrivals();
  }

  /** Whether nothing is changing, nor has since {@link #changes} was that number. */
  boolean isSince(long change) {
    return changes() == change && !isChanging();
  }

  /** Whether some change has begun and not ended. */
  boolean isChanging() {
    return underWay.get() > 0;
  }

  /** From now on, counts are incomplete: every operation is refused. The first cause is kept. */
  synchronized void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }

  /** Runs an action that frees things, after which nothing else can be done but the same again. */
  void close(Runnable action) {
    requireOutside();
    StackReserve.require();
    updates.writeLock().lock();
    try {
      closed = true;
      action.run();
    } finally {
      updates.writeLock().unlock();
    }
  }

  /** Frees things, if this is unreachable, having waited for operations; does not refer to this. */
  Runnable whenDropped(Runnable action) {
    Lock alone = updates.writeLock();
    return () -> {
      alone.lock();
      try {
        action.run();
      } finally {
        alone.unlock();
      }
    };
  }

  private <T> T change(Lock lock, Supplier<T> action) {
    requireOutside();
    return changing(lock, action);
  }

  private <T> T changing(Lock lock, Supplier<T> action) {
    return locked(
        lock,
        () -> {
          underWay.incrementAndGet();
          changes.incrementAndGet();
          try {
            return action.get();
          } finally {
            // After the change: who still sees the old number sums up again the next time.
            changes.incrementAndGet();
            underWay.decrementAndGet();
          }
        });
  }

  private <T> T locked(Lock lock, Supplier<T> action) {
    StackReserve.require();
    Span span = Span.waiting();
    lock.lock();
    try {
      span.ended(NAME);
      requireUsable();
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The lock alone would let in again the thread that has it, as that of a stream has in a save.
   */
  private void requireOutside() {
    if (updates.isWriteLockedByCurrentThread()) {
      throw new StructureException(
          NAME
              + ": the stream that it is saved to, or the function that makes a kernel for it, must"
              + " neither change nor close it");
    }
  }

  private void requireUsable() {
    if (closed) {
      throw new ClosedException(NAME);
    }
    if (failure != null) {
      throw new StructureException(
          NAME
              + ": an earlier text was not added to its end, so counts are incomplete; close"
              + " this trie and build another",
          failure);
    }
  }
}
