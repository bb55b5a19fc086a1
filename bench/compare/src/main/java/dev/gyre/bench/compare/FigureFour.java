package dev.gyre.bench.compare;

import dev.gyre.bench.measure.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The bars of figure 4 of the blog (O. Giroux, "CUDA on Turing Opens New GPU Compute
 * Possibilities"): its trie by one thread, by all threads of the processor, and on a GPU; and ours
 * beside each. Behind the kernels and the calls of a device are their limits: the same walk that
 * counts nothing, and the copy of the text.
 */
final class FigureFour {

  private static final String OURS = "gyre-trie";
  private static final String THE_BLOGS = "blog-trie";

  private final List<Row> rows;

  private final List<Row> limits;

  /** Takes rows of counting the words of one text; those of other structures are left out. */
  FigureFour(List<Row> rows) {
    this.rows = rows.stream().filter(FigureFour::isTrie).toList();
    this.limits = rows.stream().filter(Ranking::isLimit).filter(FigureFour::isOfLetters).toList();
  }

  List<Bar> bars() {
    List<Bar> bars = new ArrayList<>();
    int most = rows.stream().filter(isOn("jvm", "cpu")).mapToInt(Row::threads).max().orElse(1);
    add(bars, "C++, 1 thread", false, isOn("cpu").and(row -> row.threads() == 1));
    add(bars, "Gyre, JVM, 1 thread", true, isOn("jvm").and(row -> row.threads() == 1));
    if (most > 1) {
      String all = most + " threads";
      add(bars, "C++, " + all, false, isOn("cpu").and(row -> row.threads() == most));
      add(bars, "Gyre, JVM, " + all, true, isOn("jvm").and(row -> row.threads() == most));
    }
    add(
        bars,
        "CUDA C++, kernel",
        false,
        isOn("cuda").and(FigureFour::isTheBlogs).and(row -> has(row, "kernel")));
    for (String target : List.of("opencl", "ptx", "cuda")) {
      Predicate<Row> on = isOn(target).and(row -> !isTheBlogs(row));
      for (String time : List.of("kernel", "end-to-end")) {
        String label = time.equals("kernel") ? ", kernel" : ", whole call";
        if (add(bars, "Gyre, " + target + label, true, on.and(row -> has(row, time)))) {
          addLimit(bars, target, time);
        }
      }
    }
    // Without a rival of the same kind it is another figure.
    return bars.stream().allMatch(bar -> bar.ours() || Ranking.isLimit(bar.row()))
        ? List.of()
        : bars;
  }

  /** Whether words were counted by the blog's trie, or by ours. */
  private static boolean isTrie(Row row) {
    return row.implementation().equals(OURS) || isTheBlogs(row);
  }

  private static boolean isTheBlogs(Row row) {
    String name = row.implementation();
    return name.equals(THE_BLOGS) || name.startsWith(THE_BLOGS + " (");
  }

  private static boolean has(Row row, String time) {
    return row.param("time").equals(time);
  }

  private static Predicate<Row> isOn(String... targets) {
    return row -> List.of(targets).contains(row.target());
  }

  /** Letters of ASCII, as all others count. */
  private static boolean isOfLetters(Row row) {
    return !row.param("alphabet").equals("unicode");
  }

  private void addLimit(List<Bar> bars, String target, String time) {
    limits.stream()
        .filter(row -> isOn(target).test(row) && has(row, time))
        .max(Comparator.comparingDouble(Row::throughput))
        .ifPresent(row -> bars.add(new Bar(row.implementation() + ", " + target, row, false)));
  }

  private boolean add(List<Bar> bars, String label, boolean ours, Predicate<Row> which) {
    Optional<Row> best =
        rows.stream().filter(which).max(Comparator.comparingDouble(Row::throughput));
    best.ifPresent(row -> bars.add(new Bar(label, row, ours)));
    return best.isPresent();
  }
}
