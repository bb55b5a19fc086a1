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
 * Admits the operations of a trie by an {@link OperationLock}, and refuses all of them once the
 * trie is closed or has failed.
 *
 * <p>Operations that add short texts are shared updates: they run beside one another. All others
 * that change something, or that read what must not change, are exclusive updates. Readers run
 * beside both. They wait only while one pool of nodes replaces another: {@link TrieNodes} has a
 * second lock for that, since an update cannot become an exclusive operation of the same lock.
 */
final class TrieGuard {

  private static final String NAME = "word trie";

  private final TrieNodes nodes;
  private final OperationLock lock = new OperationLock(NAME);
  // Just another number once a change has begun, and once it has ended.
  private final AtomicLong changes = new AtomicLong();
  private final AtomicLong underWay = new AtomicLong();
  private final Change change = new Change();
  private volatile boolean closed;
  private volatile @Nullable Throwable failure;

  /** Counts changes: when one begins, and again when it has ended. */
  private final class Change implements AutoCloseable {

    Change begin() {
      underWay.incrementAndGet();
      changes.incrementAndGet();
      return this;
    }

    /** After the change: a reader that still sees the old number sums up again the next time. */
    @Override
    public void close() {
      changes.incrementAndGet();
      underWay.decrementAndGet();
    }
  }

  TrieGuard(TrieNodes nodes) {
    this.nodes = nodes;
  }

  /** Adds, beside other operations that add so. */
  <T> T add(Supplier<T> action) {
    Entry entry = lock.enterSingle();
    try {
      requireUsable();
      try (Change _ = change.begin()) {
        bringHome();
        return action.get();
      }
    } finally {
      entry.holder = OperationLock.LEFT;
      entry.left();
    }
  }

  /** Changes something, beside readers only. */
  <T> T change(Supplier<T> action) {
    return launch(
        () -> {
          bringHome();
          nodes.gather();
          return action.get();
        });
  }

  /** Changes something by launches, beside readers only; the host need not see it yet. */
  <T> T launch(Supplier<T> action) {
    try (Entry _ = enter();
        Change _ = change.begin()) {
      return action.get();
    }
  }

  /** Has the host see what devices made, and them what it changes. */
  private void bringHome() {
    nodes.bringHome();
    nodes.hostChanges();
  }

  /** Keeps the trie as it is, beside readers only, until the entry is closed. */
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
   * Reads, beside all others; the action calls nothing that is not the trie's. Where launchers of a
   * group have counted apart, their words are gathered first, which waits for texts under way.
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
   * Reads where the nodes are, if that is a device which can tell; else here.
   *
   * @param there given the launcher whose device has the nodes, which stay there meanwhile; returns
   *     none if it cannot tell
   */
  <T> T read(Function<Launcher, Optional<T>> there, Supplier<T> here) {
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
    try (Entry _ = nodes.enterRead()) {
      requireUsable();
      return action.get();
    }
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
    try (Entry _ = lock.enterExclusiveUpdate()) {
      closed = true;
      action.run();
    }
  }

  /** Frees things, if this is unreachable, having waited for operations; does not refer to this. */
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
