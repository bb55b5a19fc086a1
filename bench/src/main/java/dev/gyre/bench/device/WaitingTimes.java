package dev.gyre.bench.device;

import dev.gyre.atomics.Memory;
import dev.gyre.datasets.Keys;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import dev.gyre.structures.Waiting;
import dev.gyre.structures.map.Apply;
import dev.gyre.structures.map.LongLongMap;
import dev.gyre.structures.trie.WordTrie;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Times structures whose launches wait against those whose launches defer, in turn, and holds that
 * both have the same contents afterwards: {@code WaitingTimes TARGET THREADS RUNS KEYS FILE...}.
 *
 * <p>A trie counts the words of the files, and a map adds up a number per key, of which about a
 * third come again. {@code THREADS} are those of the JVM; a device has its own. Times are those of
 * whole calls, with what goes to the device and back.
 */
public final class WaitingTimes {

  private static final long SEED = 42;
  private static final int WARM_UP = 2;
  private static final List<Waiting> FORMS = List.of(Waiting.BLOCKING, Waiting.DEFERRED);

  /** What is measured: returns how long it took, and puts a sum over all contents in its place. */
  @FunctionalInterface
  private interface Measured {
    long nanos(Waiting waiting, long[] contents);
  }

  private final Launcher launcher;
  private final int runs;

  private WaitingTimes(Launcher launcher, int runs) {
    this.launcher = launcher;
    this.runs = runs;
  }

  /** Prints a line per structure and form, and the ratio of the medians of each structure. */
  public static void main(String[] args) throws IOException {
    Target target = Target.ofLabel(args[0]);
    int threads = Integer.parseInt(args[1]);
    int count = Integer.parseInt(args[3]);
    try (Launcher launcher =
            target == Target.JVM ? JvmLauncher.ofWorkers(threads) : Launchers.open(target);
        Memory text = TextFiles.read(List.of(args).subList(4, args.length), 1)) {
      WaitingTimes times = new WaitingTimes(launcher, Integer.parseInt(args[2]));
      KernelTimes print = KernelTimes.begin(launcher);
      times.measure(
          print,
          "word-count",
          new KernelTimes.Work(0, text.byteSize(), threads, "B/s"),
          (waiting, contents) -> times.countWords(text, waiting, contents));
      long[] keys = Keys.uniform(SEED, count).longs(count);
      long[] values = new long[count];
      Arrays.setAll(values, i -> i);
      times.measure(
          print,
          "map-insert-or-add",
          new KernelTimes.Work(count, 2L * Long.BYTES * count, threads, "op/s"),
          (waiting, contents) -> times.addUp(keys, values, waiting, contents));
    }
  }

  private long countWords(Memory text, Waiting waiting, long[] contents) {
    try (WordTrie trie = WordTrie.builder().launcher(launcher).waiting(waiting).build()) {
      long start = System.nanoTime();
      WordTrie _ = trie.add(text, text.byteSize());
      long words = trie.total();
      long taken = System.nanoTime() - start;
      contents[0] = words;
      trie.forEach(word -> contents[0] += word.word().hashCode() * 31L * word.count());
      return taken;
    }
  }

  private long addUp(long[] keys, long[] values, Waiting waiting, long[] contents) {
    try (LongLongMap map =
        LongLongMap.builder()
            .launcher(launcher)
            .waiting(waiting)
            .capacity(keys.length)
            .seed(SEED)
            .build()) {
      long start = System.nanoTime();
      var _ = map.insertOrApply(keys, values, Apply.ADD);
      long taken = System.nanoTime() - start;
      long[] foundKeys = new long[(int) map.size()];
      long[] foundValues = new long[foundKeys.length];
      contents[0] = map.retrieveAll(foundKeys, foundValues);
      for (int i = 0; i < foundKeys.length; i++) {
        contents[0] += (foundKeys[i] + SEED) * (2 * foundValues[i] + 1);
      }
      return taken;
    }
  }

  private void measure(KernelTimes print, String name, KernelTimes.Work work, Measured measured) {
    Map<Waiting, List<Long>> nanos = new EnumMap<>(Waiting.class);
    Map<Waiting, Long> contents = new EnumMap<>(Waiting.class);
    for (int run = -WARM_UP; run < runs; run++) {
      for (Waiting waiting : FORMS) {
        long[] sum = new long[1];
        long taken = measured.nanos(waiting, sum);
        contents.put(waiting, sum[0]);
        if (run >= 0) {
          nanos.computeIfAbsent(waiting, _ -> new ArrayList<>()).add(taken);
        }
      }
      if (contents.values().stream().distinct().count() != 1) {
        throw new IllegalStateException(name + ": contents differ: " + contents);
      }
    }
    nanos.forEach((waiting, times) -> print.print(name, "gyre", waiting.name(), work, times));
    System.out.printf(
        "# %s, deferred / blocking: %.2f, contents %x in both%n",
        name,
        median(nanos.getOrDefault(Waiting.DEFERRED, List.of()))
            / median(nanos.getOrDefault(Waiting.BLOCKING, List.of())),
        contents.getOrDefault(Waiting.BLOCKING, 0L));
  }

  private static double median(List<Long> nanos) {
    return nanos.stream().sorted().skip(nanos.size() / 2).findFirst().orElse(0L);
  }
}
