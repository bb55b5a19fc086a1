package dev.gyre.structures.group;

import dev.gyre.structures.ParallelCopy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Groups whose types are known: the groups, the sets of distinct values, and idle workers. */
final class Running implements AutoCloseable {

  /** Number of workers from which on a thread takes that of another one. */
  private static final int CORES = Runtime.getRuntime().availableProcessors();

  final Plan plan;
  final StateRow states;
  final Grouping groups;
  private final List<Grouping> distincts = new ArrayList<>();

  /** Take the groups of devices. */
  final Set<Runnable> devices = ConcurrentHashMap.newKeySet();

  private final ConcurrentLinkedDeque<Worker> idle = new ConcurrentLinkedDeque<>();

  /** Number of workers. */
  private final AtomicInteger made = new AtomicInteger();

  Running(Plan plan) {
    this.plan = plan;
    this.states = plan.states();
    this.groups = new Grouping(plan.areKeysTexts(), false, states);
    for (String _ : states.distincts()) {
      distincts.add(new Grouping(true, true, StateRow.ofNothing()));
    }
  }

  /**
   * Does work with a worker, from any thread: with the one that it used before, because the tables
   * of another worker are in the caches of another core.
   */
  void with(Consumer<Worker> work) {
    long thread = Thread.currentThread().threadId();
    Worker worker = take(thread);
    try {
      work.accept(worker);
    } finally {
      worker.lastThread = thread;
      idle.push(worker);
    }
  }

  private Worker take(long thread) {
    for (Worker worker : idle) {
      if (worker.lastThread == thread && idle.remove(worker)) {
        return worker;
      }
    }
    Worker other = made.get() < CORES ? null : idle.poll();
    if (other != null) {
      return other;
    }
    Worker worker = new Worker(plan.keys().size(), groups, distincts);
    int _ = made.incrementAndGet();
    return worker;
  }

  // All other methods are called while no thread adds rows.

  /**
   * Merges the groups of devices, all private tables and pending rows. May be called again if
   * memory did not suffice.
   *
   * @param countsDistinct whether distinct values are then counted
   */
  void flush(boolean countsDistinct) {
    devices.forEach(Runnable::run);
    List<Worker> all = List.copyOf(idle);
    ParallelCopy.slices(all.size(), i -> all.get(i).flush());
    for (int i = 0; i <= distincts.size(); i++) {
      aggregate(i);
    }
    if (countsDistinct) {
      countDistinct();
    }
  }

  /** Aggregates the waiting input of the groups, or of a set of distinct values. */
  private void aggregate(int index) {
    List<Grouping.Partition> parts = (index == 0 ? groups : distincts.get(index - 1)).waiting();
    ParallelCopy.slices(
        parts.size(), i -> with(worker -> worker.part(index).aggregate(parts.get(i))));
  }

  /** Returns a copy of all groups. */
  GroupState state() {
    List<KeyRows> parts = new ArrayList<>();
    GroupState state = new GroupState(plan, parts);
    try {
      parts.add(groups.copy());
      for (Grouping distinct : distincts) {
        parts.add(distinct.copy());
      }
    } catch (RuntimeException | Error e) {
      state.close();
      throw e;
    }
    return state;
  }

  /** Counts the distinct values of each group, in the words of the states that are for them. */
  private void countDistinct() {
    for (int i = 0; i < distincts.size(); i++) {
      String column = states.distincts().get(i);
      KeyBlock pairs = new KeyBlock();
      KeyBlock key = new KeyBlock();
      KeyBlock value = GroupResult.block(plan, column);
      key.areTexts = plan.areKeysTexts();
      int word = states.distinct(column);
      groups.groups().forEach(part -> states.clear(part, word));
      List<KeyRows> parts = distincts.get(i).groups();
      with(
          worker -> {
            for (KeyRows part : parts) {
              for (long from = 1; from < part.used(); from += KeyBlock.ROWS) {
                CompositeKeys.split(part.read(from, pairs), key, value);
                worker.part(0).count(key, word);
              }
            }
            worker.part(0).flush();
          });
    }
  }

  @Override
  public void close() {
    idle.forEach(Worker::close);
    groups.close();
    distincts.forEach(Grouping::close);
  }
}
