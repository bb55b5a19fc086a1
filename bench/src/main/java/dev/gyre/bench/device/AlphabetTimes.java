package dev.gyre.bench.device;

import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.structures.trie.WordTrie;
import dev.gyre.structures.trie.WordTrieBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Times counting the words of files with each alphabet in turn, from an empty trie to all counts:
 * {@code AlphabetTimes TARGET THREADS REPEAT RUNS FILE...}, with the files one after the other,
 * {@code REPEAT} times. {@code THREADS} are those of the JVM; a device has its own.
 */
public final class AlphabetTimes {

  private static final int STRIPS_PER_THREAD = 8;

  /** Room for the words of many books, so that a device need not stop for more. */
  private static final long DEVICE_NODES = 1 << 18;

  private static final int WARM_UP = 4;

  private AlphabetTimes() {}

  /** Prints a line per alphabet, and the ratio of their medians. */
  public static void main(String[] args) throws IOException {
    Target target = Target.ofLabel(args[0]);
    int threads = Integer.parseInt(args[1]);
    int runs = Integer.parseInt(args[3]);
    Map<Alphabet, List<Long>> nanos = new EnumMap<>(Alphabet.class);
    Map<Alphabet, String> found = new EnumMap<>(Alphabet.class);
    try (Launcher launcher =
            target == Target.JVM ? JvmLauncher.ofWorkers(threads) : Launchers.open(target);
        Memory text =
            TextFiles.read(List.of(args).subList(4, args.length), Integer.parseInt(args[2]))) {
      for (int run = -WARM_UP; run < runs; run++) {
        for (Alphabet alphabet : Alphabet.values()) {
          long start = System.nanoTime();
          found.put(alphabet, count(builder(launcher, threads).alphabet(alphabet), text));
          long taken = System.nanoTime() - start;
          if (run >= 0) {
            nanos.computeIfAbsent(alphabet, _ -> new ArrayList<>()).add(taken);
          }
        }
      }
      print(launcher, threads, text.byteSize(), nanos, found);
    }
  }

  private static WordTrieBuilder builder(Launcher launcher, int threads) {
    WordTrieBuilder builder = WordTrie.builder().launcher(launcher);
    return launcher.device().target() == Target.JVM
        ? builder.deviceThreads(threads * STRIPS_PER_THREAD)
        : builder.initialNodes(DEVICE_NODES);
  }

  private static String count(WordTrieBuilder builder, Memory text) {
    try (WordTrie trie = builder.build()) {
      WordTrie _ = trie.add(text, text.byteSize());
      return "words=%d distinct=%d nodes=%d".formatted(trie.total(), trie.size(), trie.nodes());
    }
  }

  private static void print(
      Launcher launcher,
      int threads,
      long bytes,
      Map<Alphabet, List<Long>> nanos,
      Map<Alphabet, String> found) {
    KernelTimes print = KernelTimes.begin(launcher);
    KernelTimes.Work work = new KernelTimes.Work(0, bytes, threads, "B/s");
    nanos.forEach(
        (alphabet, times) ->
            print.print(
                "word-count", "gyre", alphabet.label() + " " + found.get(alphabet), work, times));
    System.out.printf(
        "# unicode / ascii: %.2f%n",
        median(nanos.getOrDefault(Alphabet.UNICODE_LETTERS, List.of()))
            / median(nanos.getOrDefault(Alphabet.ASCII_LETTERS, List.of())));
  }

  private static double median(List<Long> nanos) {
    return nanos.stream().sorted().skip(nanos.size() / 2).findFirst().orElse(0L);
  }
}
