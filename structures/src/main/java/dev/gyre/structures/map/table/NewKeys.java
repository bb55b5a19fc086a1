package dev.gyre.structures.map.table;

import dev.gyre.structures.map.work.Gate;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Workers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Inserts steps for whose keys a table has not room enough, if it has for those of them that are
 * new: they are counted first, with nobody else there, and room is taken for them alone. A table
 * that is full then need not grow for keys that are there.
 */
public final class NewKeys {

  /** Where more of a call's keys were new so far, it is not asked whether those are that follow. */
  public static final double MOST_NEW = 0.5;

  /** Does something with a step, by a worker. */
  @FunctionalInterface
  public interface Count {
    long of(int worker, Step step);
  }

  /** Inserts the keys of a step into room that was taken. */
  @FunctionalInterface
  public interface Insert {
    void run(int worker, Step step, long room);
  }

  private NewKeys() {}

  /**
   * Inserts all steps, or nothing.
   *
   * @param present the table that is in place
   * @param full the table for which they were too many
   * @param absent how many keys of a step are not there, at most
   * @return whether they were inserted; they are not where another table is in place, or there is
   *     much room left, so that most of what is to come is new
   */
  public static boolean insert(
      Gate gate,
      Workers workers,
      Supplier<? extends FixedTable> present,
      FixedTable full,
      List<Step> steps,
      Count absent,
      Insert insert) {
    boolean[] inserted = new boolean[1];
    if (full.taken() >= full.capacity / 2) {
      gate.exclusively(
          () ->
              inserted[0] =
                  isPresent(full, present) && insertAlone(workers, full, steps, absent, insert));
    }
    return inserted[0];
  }

  @SuppressWarnings("ReferenceEquality") // that table, not one like it
  private static boolean isPresent(FixedTable table, Supplier<? extends FixedTable> present) {
    return present.get() == table;
  }

  private static boolean insertAlone(
      Workers workers, FixedTable full, List<Step> steps, Count absent, Insert insert) {
    AtomicLong left = new AtomicLong(full.capacity - full.taken());
    Map<Step, Long> news = new ConcurrentHashMap<>();
    workers.run(
        "find",
        steps,
        (worker, step) -> {
          if (left.get() >= 0) {
            long counted = absent.of(worker, step);
            news.put(step, counted);
            long _ = left.addAndGet(-counted);
          }
        });
    if (left.get() < 0) {
      return false;
    }
    workers.run(
        "insert",
        steps,
        (worker, step) -> {
          long room = news.getOrDefault(step, 0L);
          boolean _ = full.take(room);
          insert.run(worker, step, room);
        });
    return true;
  }
}
