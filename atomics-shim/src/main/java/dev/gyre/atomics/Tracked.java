package dev.gyre.atomics;

import java.io.Serial;
import java.lang.ref.Cleaner;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Frees a structure that its user dropped without closing it, and logs one warning per class.
 *
 * <p>A structure registers the object that every operation, view and iterator on it reaches until
 * it has ended. When the garbage collector finds that object unreachable, the cleaner's thread
 * closes what the structure consisted of. That waits for the structure's own locks, as an explicit
 * close does, so that an operation whose frames no longer refer to the object still ends first.
 *
 * <p>With {@code -Dgyre.leaks=trace} each structure records where it was made, and the warning has
 * that as its cause.
 */
@Internal
public final class Tracked {

  static final String PROPERTY = "gyre.leaks";

  /** The cleaner of this package. */
  static final Cleaner CLEANER = Cleaner.create();

  private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /**
   * A wait ends early when the cleaner has done nothing for as long, as on a busy machine it may.
   */
  private static final int QUIET_MILLIS = 50;

  private static final AtomicLong OPEN = new AtomicLong();
  private static final AtomicLong DROPPED = new AtomicLong();
  private static final AtomicInteger FREEING = new AtomicInteger();
  private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

  /** Structures of which a device still used memory; the cleaner's thread tries them again. */
  private static final Queue<Dropped> IN_USE = new ConcurrentLinkedQueue<>();

  /** A collection that freed nothing is followed by a pause of so many times its duration. */
  private static final int PAUSE = 10;

  /** When the next collection may be asked for; guarded by the class's lock. */
  private static long nextNanos = System.nanoTime();

  /** How many collections were asked for; written under the class's lock. */
  private static volatile long collections;

  private final Dropped dropped;
  private final Cleaner.Cleanable cleanable;

  private Tracked(Object structure, Dropped dropped) {
    this.dropped = dropped;
    this.cleanable = CLEANER.register(structure, dropped);
    OPEN.incrementAndGet();
  }

  /**
   * Tracks a structure.
   *
   * @param structure what is unreachable once nothing can use the structure any more
   * @param name of the structure's class, for the warning
   * @param free closes it; must not refer to {@code structure}; called again later if it throws
   *     {@link MemoryInUseException}
   * @throws SettingException if {@code -Dgyre.leaks} has a value that is not understood
   */
  public static Tracked of(Object structure, String name, Runnable free) {
    return new Tracked(structure, new Dropped(name, free, traces() ? new Creation(name) : null));
  }

  private static boolean traces() {
    String value = System.getProperty(PROPERTY);
    if (value != null && !value.equals("trace")) {
      throw new SettingException(PROPERTY, value, "the only value is trace");
    }
    return value != null;
  }

  /** The structure's user has closed it; further calls do nothing. */
  public void closed() {
    dropped.closed = true;
    cleanable.clean();
  }

  /** How many structures were dropped without being closed, for messages. */
  static long dropped() {
    return DROPPED.get();
  }

  /**
   * Asks for one garbage collection if structures are open or addresses are still mapped, and waits
   * until what was dropped is freed, for 200 ms at most. Threads that ask at the same time share
   * one collection. After a collection that freed nothing, none is asked for during ten times as
   * long as it took, so that a program that works at its limit does not collect all the time.
   *
   * @param enough whether enough is free, so that there is nothing more to wait for
   * @return false if no collection was asked for
   */
  static boolean collect(BooleanSupplier enough) {
    long seen = collections;
    synchronized (Tracked.class) {
      if (OPEN.get() + Hold.left() == 0 && IN_USE.isEmpty()) {
        return false;
      }
      if (collections == seen) {
        long begin = System.nanoTime();
        if (begin - nextNanos < 0) {
          return false;
        }
        long before = OPEN.get() + Hold.left();
        collections = seen + 1;
        AtomicInteger swept = new AtomicInteger();
        registerGarbage(swept);
        System.gc();
        await(enough, swept);
        boolean fruitless = !enough.getAsBoolean() && OPEN.get() + Hold.left() >= before;
        long end = System.nanoTime();
        nextNanos = fruitless ? end + PAUSE * (end - begin) : end;
      }
      return true;
    }
  }

  /** The cleaner comes to this object, which nothing refers to, in its next sweep. */
  private static void registerGarbage(AtomicInteger swept) {
    Cleaner.Cleanable _ =
        CLEANER.register(
            new Object(),
            () -> {
              retryInUse();
              swept.incrementAndGet();
            });
  }

  private static void await(BooleanSupplier enough, AtomicInteger swept) {
    long begin = System.nanoTime();
    boolean interrupted = Thread.interrupted();
    long last = 0;
    int quiet = 0;
    while (!enough.getAsBoolean()
        && quiet < QUIET_MILLIS
        && System.nanoTime() - begin < MAX_WAIT_NANOS) {
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        interrupted = true;
      }
      long now = OPEN.get() + Hold.left();
      boolean idle = swept.get() > 0 && FREEING.get() == 0 && now == last;
      quiet = idle ? quiet + 1 : 0;
      last = now;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void retryInUse() {
    for (int i = IN_USE.size(); i > 0; i--) {
      Dropped next = IN_USE.poll();
      if (next != null) {
        next.free();
      }
    }
  }

  /** Where a structure was made. */
  private static final class Creation extends Exception {
    @Serial private static final long serialVersionUID = 1L;

    Creation(String name) {
      super("this " + name + " was made here");
    }
  }

  /** What the cleaner does; it does not refer to the structure. */
  private static final class Dropped implements Runnable {
    private final String name;
    private final Runnable free;
    private final @Nullable Creation creation;
    volatile boolean closed;

    Dropped(String name, Runnable free, @Nullable Creation creation) {
      this.name = name;
      this.free = free;
      this.creation = creation;
    }

    @Override
    public void run() {
      FREEING.incrementAndGet();
      try {
        OPEN.decrementAndGet();
        if (!closed) {
          DROPPED.incrementAndGet();
          retryInUse();
          free();
          warn();
        }
      } finally {
        FREEING.decrementAndGet();
      }
    }

    void free() {
      try {
        free.run();
      } catch (MemoryInUseException e) {
        IN_USE.add(this);
      } catch (RuntimeException e) {
        logger()
            .log(
                System.Logger.Level.WARNING,
                "cannot free a %s that was dropped".formatted(name),
                e);
      }
    }

    private void warn() {
      if (WARNED.add(name)) {
        logger()
            .log(
                System.Logger.Level.WARNING,
                ("a %s was dropped without being closed; its memory is freed only now, by the"
                        + " garbage collector. Close each %s, for example by try-with-resources%s."
                        + " Further ones are not reported.")
                    .formatted(
                        name,
                        name,
                        creation == null
                            ? "; -D" + PROPERTY + "=trace records where they are made"
                            : ""),
                creation);
      }
    }

    private static System.Logger logger() {
      return System.getLogger("dev.gyre");
    }
  }
}
