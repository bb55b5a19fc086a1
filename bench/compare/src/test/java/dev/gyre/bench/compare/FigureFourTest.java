package dev.gyre.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gyre.bench.measure.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Each bar of figure 4 is what its label says. */
class FigureFourTest {

  private static final String TEXT = "text=books repeat=1";
  private static final String WARM = TEXT + " state=warm time=";

  private static Row row(
      String implementation, String target, int threads, String params, double seconds) {
    return Rows.row("word-count", implementation, target, 1000, threads, params, seconds);
  }

  /** Tries on all that there is, and beside each something faster that is not what is meant. */
  private static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (int threads : new int[] {1, 2}) {
      rows.add(row("gyre-text-map", "jvm", threads, TEXT, 1e-6));
      rows.add(row("ConcurrentHashMap", "jvm", threads, TEXT, 1e-6));
      rows.add(row("gyre-trie", "jvm", threads, TEXT, 8e-3 / threads));
      rows.add(row("hash map (C++)", "cpu", threads, TEXT, 1e-6));
      rows.add(row("blog-trie (C++)", "cpu", threads, TEXT, 4e-3 / threads));
    }
    rows.add(row("gyre-text-map", "jvm", 64, TEXT, 1e-6));
    for (String target : List.of("opencl", "ptx", "cuda")) {
      for (String time : List.of("kernel", "end-to-end")) {
        rows.add(row("gyre-text-map", target, 256, WARM + time, 1e-6));
        rows.add(row("gyre-trie", target, 256, WARM + time, 2e-3));
        rows.add(row("gyre-trie", target, 512, WARM + time, 1e-3));
      }
    }
    rows.add(row("hash map (CUDA C++)", "cuda", 256, WARM + "kernel", 1e-6));
    rows.add(row("blog-trie (CUDA C++)", "cuda", 256, WARM + "kernel", 2e-3));
    rows.add(row("blog-trie (CUDA C++)", "cuda", 256, WARM + "end-to-end", 1e-6));
    return rows;
  }

  @Test
  void everyBarIsWhatItsLabelSays() {
    Map<String, String> bars =
        new FigureFour(rows())
            .bars().stream()
                .collect(
                    Collectors.toMap(
                        Bar::label,
                        bar ->
                            "%s %s %d %s"
                                .formatted(
                                    bar.row().implementation(),
                                    bar.row().target(),
                                    bar.row().threads(),
                                    bar.row().param("time"))));
    assertThat(bars)
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry("C++, 1 thread", "blog-trie (C++) cpu 1 "),
                Map.entry("C++, 2 threads", "blog-trie (C++) cpu 2 "),
                Map.entry("Gyre, JVM, 1 thread", "gyre-trie jvm 1 "),
                Map.entry("Gyre, JVM, 2 threads", "gyre-trie jvm 2 "),
                Map.entry("CUDA C++, kernel", "blog-trie (CUDA C++) cuda 256 kernel"),
                Map.entry("Gyre, opencl, kernel", "gyre-trie opencl 512 kernel"),
                Map.entry("Gyre, opencl, whole call", "gyre-trie opencl 512 end-to-end"),
                Map.entry("Gyre, ptx, kernel", "gyre-trie ptx 512 kernel"),
                Map.entry("Gyre, ptx, whole call", "gyre-trie ptx 512 end-to-end"),
                Map.entry("Gyre, cuda, kernel", "gyre-trie cuda 512 kernel"),
                Map.entry("Gyre, cuda, whole call", "gyre-trie cuda 512 end-to-end")));
  }

  @Test
  void limitsAreBesideWhatTheyLimit() {
    List<Row> rows = rows();
    rows.add(row("limit: scan", "ptx", 256, WARM + "kernel alphabet=ascii", 5e-4));
    rows.add(row("limit: scan", "ptx", 512, WARM + "kernel alphabet=ascii", 4e-4));
    rows.add(row("limit: scan", "ptx", 256, WARM + "kernel alphabet=unicode", 1e-6));
    rows.add(row("limit: copy over the bus", "ptx", 256, WARM + "end-to-end", 1e-4));
    List<Bar> bars = new FigureFour(rows).bars();
    List<String> labels = bars.stream().map(Bar::label).toList();
    assertThat(labels)
        .containsSequence(
            "Gyre, ptx, kernel",
            "limit: scan, ptx",
            "Gyre, ptx, whole call",
            "limit: copy over the bus, ptx",
            "Gyre, cuda, kernel");
    assertThat(bars.get(labels.indexOf("limit: scan, ptx")).row().threads()).isEqualTo(512);
    assertThat(bars.get(labels.indexOf("limit: scan, ptx")).ours()).isFalse();
  }

  @Test
  void otherStructuresAloneAreNoFigure() {
    List<Row> rows = rows();
    rows.add(row("limit: scan", "ptx", 256, WARM + "kernel alphabet=ascii", 5e-4));
    assertThat(
            new FigureFour(
                    rows.stream()
                        .filter(row -> !row.implementation().startsWith("blog-trie"))
                        .toList())
                .bars())
        .isEmpty();
  }
}
