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
 * <p>A structure registers an object that every operation, view and iterator keeps reachable until
 * it has ended. When the garbage collector finds that object unreachable, the thread of the cleaner
 * closes the parts of the structure. Like an explicit close, this waits for the locks of the
 * structure, so that an operation whose frames no longer refer to the object still ends first.
 *
 * <p>With {@code -Dgyre.leaks=trace} each structure records where it was made. The record is the
 * cause of the warning.
 */
@Internal
public final class Tracked {

  static final String PROPERTY = "gyre.leaks";

  /** The cleaner of this package. */
  static final Cleaner CLEANER = Cleaner.create();

  private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /**
   * A wait ends early if the cleaner frees nothing for so long. This may also happen on a busy
   * machine.
   */
  private static final int QUIET_MILLIS = 50;

  private static final AtomicLong OPEN = new AtomicLong();
  private static final AtomicLong DROPPED = new AtomicLong();
  private static final AtomicInteger FREEING = new AtomicInteger();
  private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

  /** Structures whose memory a device still used; the thread of the cleaner tries them again. */
  private static final Queue<Dropped> IN_USE = new ConcurrentLinkedQueue<>();

  /** After a collection that freed nothing, the pause is so many times its duration. */
  private static final int PAUSE_FACTOR = 10;

  /** Earliest time of the next collection; guarded by the monitor of the class. */
  private static long nextNanos = System.nanoTime();

  /** Number of requested collections; written under the monitor of the class. */
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
   * @param structure object that is unreachable once no code can use the structure
   * @param name name of the structure's class, for the warning
   * @param free closes the structure. It must not refer to {@code structure}. If it throws {@link
   *     MemoryInUseException}, the cleaner calls it again later
   * @throws SettingException if {@code -Dgyre.leaks} has an invalid value
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

  /** Stops tracking a structure that its user has closed. Further calls do nothing. */
  public void closed() {
    dropped.closed = true;
    cleanable.clean();
  }

  /** Returns the number of structures that were dropped without being closed, for messages. */
  static long dropped() {
    return DROPPED.get();
  }

  /**
   * Requests one garbage collection if structures are open or addresses are still mapped, and waits
   * at most 200 ms until dropped structures are freed.
   *
   * <p>Threads that call it at the same time share one collection. After a collection that freed
   * nothing, it requests no other for ten times the duration of that collection. A program that
   * works at its limit therefore does not collect all the time.
   *
   * @param enough returns whether enough memory is free, which ends the wait
   * @return false if it did not request a collection
   */
  static boolean collect(BooleanSupplier enough) {
    long seen = collections;
    synchronized (Tracked.class) {
      if (OPEN.get() + AddressPin.left() == 0 && IN_USE.isEmpty()) {
        return false;
      }
      if (collections == seen) {
        long begin = System.nanoTime();
        if (begin - nextNanos < 0) {
          return false;
        }
        long before = OPEN.get() + AddressPin.left();
        collections = seen + 1;
        AtomicInteger swept = new AtomicInteger();
        registerGarbage(swept);
        System.gc();
        await(enough, swept);
        boolean fruitless = !enough.getAsBoolean() && OPEN.get() + AddressPin.left() >= before;
        long end = System.nanoTime();
        nextNanos = fruitless ? end + PAUSE_FACTOR * (end - begin) : end;
      }
      return true;
    }
  }

  /** Registers an unreachable object, so that the next sweep of the cleaner counts itself. */
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
      long now = OPEN.get() + AddressPin.left();
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

  /** Stack trace of the creation of a structure. */
  private static final class Creation extends Exception {
    @Serial private static final long serialVersionUID = 1L;

    Creation(String name) {
      super("this " + name + " was made here");
    }
  }

  /** Action of the cleaner for one structure, to which it must not refer. */
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
                "cannot free a %s that was not closed".formatted(name),
                e);
      }
    }

    private void warn() {
      if (WARNED.add(name)) {
        logger()
            .log(
                System.Logger.Level.WARNING,
                ("a %s was dropped without being closed; the garbage collector frees its memory"
                        + " only now. Close each %s, for example by try-with-resources%s."
                        + " No further warning about this class follows.")
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
