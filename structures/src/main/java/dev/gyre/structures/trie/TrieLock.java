package dev.gyre.structures.trie;

import dev.gyre.atomics.ClosedException;
import dev.gyre.kernels.Launcher;
import dev.gyre.structures.OperationLock;
import dev.gyre.structures.OperationLock.Entry;
import dev.gyre.structures.StructureException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Admission of the operations of a trie, by an {@link OperationLock}. It refuses all operations
 * after the trie was closed or has failed.
 *
 * <h2>Protocol</h2>
 *
 * <ul>
 *   <li>Additions of short texts are shared updates, which run concurrently.
 *   <li>All other changes, and reads that need an unchanging trie, are exclusive updates.
 *   <li>Readers run concurrently with both. They wait only while one pool of nodes replaces
 *       another. {@link TrieNodes} has a second lock for that, because an update cannot become an
 *       exclusive operation of the same lock.
 * </ul>
 *
 * <h2>Results that readers keep</h2>
 *
 * A reader may keep a result, such as a sum, until the next change. It watches the number of
 * changes, and makes sure that no change is running. Then it computes the result. A shared update
 * first enters. If the present number is watched, it increments the number before it counts words.
 * All these accesses are volatile. Therefore the reader sees the update running, or the update sees
 * that the number is watched, or the words are counted before the reader begins. While no reader
 * watches, updates write nothing that they share.
 */
final class TrieLock {

  private static final String NAME = "word trie";

  private final TrieNodes nodes;
  private final OperationLock lock = new OperationLock(NAME);
  // Different after each begin and each end of a change that is not a shared update.
  private final AtomicLong changes = new AtomicLong();

  /** Largest number of changes that a reader watches. */
  private final AtomicLong watched = new AtomicLong(-1);

  private final AtomicLong underWay = new AtomicLong();
  private final Change change = new Change();
  private volatile boolean closed;
  private volatile @Nullable Throwable failure;

  /** Change, which is counted when it begins and when it ends. */
  final class Change implements AutoCloseable {

    private Change begin() {
      underWay.incrementAndGet();
      changes.incrementAndGet();
      return this;
    }

    /** After the change: a reader that still sees the old number sums up again next time. */
    @Override
    public void close() {
      changes.incrementAndGet();
      underWay.decrementAndGet();
    }
  }

  TrieLock(TrieNodes nodes) {
    this.nodes = nodes;
  }

  /** Adds words, concurrently with other additions of this kind. */
  <T> T add(Supplier<T> action) {
    Entry entry = lock.enterSingle();
    try {
      requireUsable();
      endWatch();
      bringHome();
      return action.get();
    } finally {
      entry.holder = OperationLock.LEFT;
      entry.left();
    }
  }

  /** Makes the results of readers that watch invalid. The caller has entered, and changes words. */
  private void endWatch() {
    long now = changes.get();
    if (watched.get() >= now) {
      // If this fails, another thread has done it since.
      boolean _ = changes.compareAndSet(now, now + 1);
    }
  }

  /**
   * Grows the pool of nodes, unless it has grown since it had a capacity. It has capacity for the
   * words of all waiting threads then.
   */
  void growFrom(long full) {
    lock.exclusivelyIf(
        () -> nodes.capacity() == full,
        () -> {
          requireUsable();
          bringHome();
          nodes.grow(1 + lock.waiting());
        });
  }

  /** Changes the trie, concurrently with readers only. */
  <T> T change(Supplier<T> action) {
    try (Entry _ = enter();
        Change _ = changing()) {
      bringHome();
      nodes.gather();
      return action.get();
    }
  }

  /** Begins a change by a caller that has {@linkplain #enter entered}; it ends when closed. */
  Change changing() {
    return change.begin();
  }

  /**
   * Makes changes of devices visible to the host, and later changes of the host visible to them.
   */
  private void bringHome() {
    nodes.bringHome();
    nodes.hostChanges();
  }

  /** Keeps the trie unchanged until the entry is closed, concurrently with readers only. */
  Entry enter() {
    Entry entry = lock.enterExclusiveUpdate();
    try {
      requireUsable();
    } catch (RuntimeException | Error e) {
      entry.close();
      throw e;
    }
    return entry;
  }

  /** Reads while nothing changes. */
  <T> T quiescent(Supplier<T> action) {
    try (Entry _ = enter()) {
      if (nodes.isApart()) {
        try (Change _ = change.begin()) {
          bringHome();
          nodes.gather();
        }
      }
      nodes.bringHome();
      return action.get();
    }
  }

  /**
   * Reads, concurrently with all others. The action calls only methods of the trie. If launchers of
   * a group have separate counts, these are added first, which waits for running texts.
   */
  <T> T read(Supplier<T> action) {
    requireUsable();
    if (nodes.isApart()) {
      boolean _ = change(() -> true);
    }
    nodes.bringHome();
    return readOn(action);
  }

  /**
   * Reads where the nodes are, if that is a device which can answer; otherwise on the host.
   *
   * @param there its argument is the launcher whose device has the nodes, which stay there
   *     meanwhile; empty if the device cannot answer
   */
  <T> T read(Function<Launcher, Optional<T>> there, Supplier<T> here) {
    requireUsable();
    Optional<T> answer =
        nodes.isOnDevice() && !nodes.isApart()
            ? readOn(() -> nodes.onDevice().flatMap(there))
            : Optional.empty();
    return answer.orElseGet(() -> read(here));
  }

  /** Continues a read as {@link #read(Supplier)}; it may miss later changes of a device. */
  <T> T readOn(Supplier<T> action) {
    try (Entry _ = nodes.enterRead()) {
      requireUsable();
      return action.get();
    }
  }

  /** Returns whether a thread may now read without an entry, if it tolerates a closed pool. */
  boolean isOpen() {
    return !closed && failure == null && !nodes.isOnDevice() && !nodes.isApart();
  }

  /**
   * Returns the number of changes, for a result that the caller is about to compute. If then {@link
   * #isChanging} returns false, the result is valid as long as {@link #changes} returns the number.
   */
  long watchChanges() {
    long now = changes.get();
    if (watched.get() < now) {
      long _ = watched.accumulateAndGet(now, Math::max);
    }
    return now + nodes.arrivals();
  }

  /** Returns a number that is different after each change since {@link #watchChanges}. */
  long changes() {
    return changes.get() + nodes.arrivals();
  }

  /** Returns whether a change is running. */
  boolean isChanging() {
    return underWay.get() > 0 || lock.hasUpdates();
  }

  /** Makes every later operation fail, because counts are incomplete. The first cause is kept. */
  synchronized void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }

  /** Runs an action that frees memory; afterwards only this method may be called. */
  void close(Runnable action) {
    try (Entry _ = lock.enterExclusiveUpdate()) {
      closed = true;
      action.run();
    }
  }

  /**
   * Returns an action that frees memory when this object is unreachable. It waits for operations,
   * and does not refer to this object.
   */
  Runnable whenDropped(Runnable action) {
    OperationLock inUse = lock;
    return () -> {
      try (Entry _ = inUse.enterExclusiveUpdate()) {
        action.run();
      }
    };
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
