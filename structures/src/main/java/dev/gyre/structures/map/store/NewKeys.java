package dev.gyre.structures.map.store;

import dev.gyre.structures.map.table.FixedTable;
import dev.gyre.structures.map.work.Step;
import dev.gyre.structures.map.work.Workers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Inserts steps for whose keys a table has not room enough, if it has for those of them that are
 * new: they are counted first, with nobody else there, and room is taken for them alone. A table
 * that is full then need not grow for keys that are there.
 */
final class NewKeys {

  /** Does something with a step, by a worker. */
  @FunctionalInterface
  interface Count {
    long of(int worker, Step step);
  }

  /** Inserts the keys of a step into room that was taken. */
  @FunctionalInterface
  interface Insert {
    void run(int worker, Step step, long room);
  }

  private NewKeys() {}

  /**
   * Inserts all steps, or nothing.
   *
   * @param full the table for which they were too many
   * @param absent how many keys of a step are not there, at most
   * @return whether they were inserted; they are not where another table is in place, or there is
   *     much room left, so that most of what is to come is new
   */
  static boolean insert(
      Store<?, ?> store, FixedTable full, List<Step> steps, Count absent, Insert insert) {
    boolean[] inserted = new boolean[1];
    if (full.taken() >= full.capacity / 2) {
      store.gate().exclusively(() -> inserted[0] = insertAlone(store, full, steps, absent, insert));
    }
    return inserted[0];
  }

  @SuppressWarnings("ReferenceEquality") // that table, not one like it
  private static boolean insertAlone(
      Store<?, ?> store, FixedTable full, List<Step> steps, Count absent, Insert insert) {
    if (store.table() != full) {
      return false;
    }
    Workers workers = store.workers();
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
