package dev.gyre.bench.words;

import java.util.PriorityQueue;
import java.util.function.ObjLongConsumer;

/** The most frequent words of those that it is given: one pass, and a queue of those so far. */
final class Largest implements ObjLongConsumer<String> {

  private record Counted(String word, long count) {}

  private final PriorityQueue<Counted> queue =
      new PriorityQueue<>((a, b) -> Long.compare(a.count, b.count));
  private final int limit;

  Largest(int limit) {
    this.limit = limit;
  }

  @Override
  public void accept(String word, long count) {
    Counted least = queue.peek();
    if (least == null || queue.size() < limit) {
      queue.add(new Counted(word, count));
    } else if (count > least.count) {
      Counted _ = queue.remove();
      queue.add(new Counted(word, count));
    }
  }

  /** The sum of their counts. */
  long sum() {
    return queue.stream().mapToLong(Counted::count).sum();
  }
}
