package dev.gyre.structures.group;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;

/** Groups whose types are known: the groups, the sets of distinct values, and idle workers. */
final class Running implements AutoCloseable {

  final Plan plan;
  final StateRow states;
  final Grouping groups;
  private final List<Grouping> distincts = new ArrayList<>();
  private final ConcurrentLinkedDeque<Worker> idle = new ConcurrentLinkedDeque<>();

  Running(Plan plan) {
    this.plan = plan;
    this.states = plan.states();
    this.groups = new Grouping(plan.areKeysTexts(), false, states);
    try {
      for (String _ : states.distincts()) {
        distincts.add(new Grouping(true, true, StateRow.ofNothing()));
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** Adds the rows of a batch, from any thread. */
  void add(Plan.Bound columns, int rows) {
    with(worker -> worker.add(columns, rows));
  }

  private void with(Consumer<Worker> work) {
    Worker idler = idle.poll();
    Worker worker = idler == null ? new Worker(plan.keys().size(), groups, distincts) : idler;
    try {
      work.accept(worker);
    } finally {
      idle.push(worker);
    }
  }

  // All other methods are called while no thread adds rows.

  /** Merges all private tables and pending rows. */
  void flush() {
    List<Worker> all = List.copyOf(idle);
    InParallel.run(all.size(), i -> all.get(i).flush());
    merge(groups);
    distincts.forEach(this::merge);
  }

  private void merge(Grouping of) {
    List<KeyRows> parts = of.partitions();
    InParallel.run(
        parts.size(), i -> with(worker -> worker.main().finder.merge(parts.get(i), of.states)));
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

  /** Merges a copy of groups with the same plan. */
  void absorb(GroupState state) {
    with(
        worker -> {
          worker.main().absorb(state.parts().getFirst());
          for (int i = 0; i < distincts.size(); i++) {
            worker.distinct(i).absorb(state.parts().get(i + 1));
          }
        });
  }

  /** Counts the distinct values of each group, in the words of the states that are for them. */
  void countDistinct() {
    for (int i = 0; i < distincts.size(); i++) {
      String column = states.distincts().get(i);
      KeyBlock pairs = new KeyBlock();
      KeyBlock key = new KeyBlock();
      KeyBlock value = new KeyBlock();
      key.areTexts = groups.areTexts();
      value.areTexts = plan.field(column).isText();
      int word = states.distinct(column);
      groups.partitions().forEach(part -> states.clear(part, word));
      List<KeyRows> parts = distincts.get(i).partitions();
      with(
          worker -> {
            for (KeyRows part : parts) {
              for (long from = 1; from < part.used(); from += KeyBlock.ROWS) {
                PairKeys.split(part.read(from, pairs), key, value);
                worker.main().count(key, word);
              }
            }
            worker.main().flush();
          });
      merge(groups);
    }
  }

  @Override
  public void close() {
    idle.forEach(Worker::close);
    groups.close();
    distincts.forEach(Grouping::close);
  }
}
