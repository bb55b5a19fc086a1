package dev.gyre.structures.group;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Groups whose types are known: the shards, the sets of distinct values, and idle workers. */
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

  /** Merges all private tables into the shards. */
  void flush() {
    List<Worker> all = List.copyOf(idle);
    InParallel.run(all.size(), i -> all.get(i).flush());
    groups.pack();
    distincts.forEach(Grouping::pack);
  }

  /** Returns a copy of all groups. */
  GroupState state() {
    List<GroupEntries> parts = new ArrayList<>();
    GroupState state = new GroupState(plan, parts);
    try {
      parts.add(groups.entries());
      for (Grouping distinct : distincts) {
        parts.add(distinct.entries());
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
      Stream.of(groups.shards).forEach(shard -> shard.zero(word));
      try (GroupEntries entries = distincts.get(i).entries()) {
        with(
            worker -> {
              for (long from = 0; from < entries.count(); from += KeyBlock.ROWS) {
                int _ = entries.read(from, pairs);
                PairKeys.split(pairs, key, value);
                worker.main().count(key, word);
              }
              worker.main().flush();
            });
      }
    }
  }

  @Override
  public void close() {
    idle.forEach(Worker::close);
    groups.close();
    distincts.forEach(Grouping::close);
  }
}
