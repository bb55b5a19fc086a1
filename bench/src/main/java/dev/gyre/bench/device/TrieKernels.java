package dev.gyre.bench.device;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.atomics.ThreadLongs;
import dev.gyre.kernels.ClearLongs;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.Launchers;
import dev.gyre.kernels.Target;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.BlockWords;
import dev.gyre.kernels.trie.BuildTrie;
import dev.gyre.kernels.trie.KernelText;
import dev.gyre.kernels.trie.Letters;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.kernels.trie.TrieEdges;
import dev.gyre.kernels.trie.TrieLayout;
import dev.gyre.structures.trie.WordTrie;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Times the kernel that builds the word trie, for several shapes and sizes of what a block shares,
 * beside one that only finds and hashes the words, and the whole call from text in host memory to
 * counts in host memory: {@code TrieKernels TARGET FILE REPEAT RUNS [large|small]}, for nodes of
 * that size.
 */
public final class TrieKernels {

  private static final long NODES = 1 << 18;
  private static final long SMALL_TEXT = 1 << 16;

  private final Launcher launcher;
  private final KernelTimes times;
  private final Memory text;
  private final long length;
  private final int runs;
  private final NodeSize size;

  private TrieKernels(Launcher launcher, byte[] file, int repeat, int runs, NodeSize size) {
    this.launcher = launcher;
    this.times = KernelTimes.begin(launcher);
    this.length = (long) file.length * repeat;
    this.runs = runs;
    this.size = size;
    this.text = TextFiles.repeated(file, repeat);
  }

  /** Prints a line per alphabet and shape, and one for the whole call. */
  public static void main(String[] args) throws IOException {
    byte[] file = Files.readAllBytes(Path.of(args[1]));
    try (Launcher launcher = Launchers.open(Target.ofLabel(args[0]))) {
      int repeat = Integer.parseInt(args[2]);
      int runs = Integer.parseInt(args[3]);
      boolean small = KernelTimes.isSecond(args, 4, "large", "small");
      NodeSize size = small ? NodeSize.SMALL : NodeSize.LARGE;
      TrieKernels all = new TrieKernels(launcher, file, repeat, runs, size);
      for (Alphabet alphabet : Alphabet.values()) {
        for (int blockSize : new int[] {128, 256, 512}) {
          for (int threads : new int[] {512, 1024, 1536, 2048}) {
            int blocks = launcher.device().units() * threads / blockSize;
            all.kernels(alphabet, new LaunchShape(blocks, blockSize));
          }
        }
      }
      all.wholeTexts(true);
      all.wholeTexts(false);
      all.smallText();
    }
  }

  private void kernels(Alphabet alphabet, LaunchShape shape) {
    try (Memory letters = alphabet.table();
        Memory nodes = Memory.ofBytes(NODES * size.bytes());
        Memory bump = Memory.ofLongs(1);
        Memory left = Memory.ofInts(KernelText.chunks(length));
        Memory ended = Memory.ofLongs(TrieLayout.ENDED_LONGS)) {
      KernelText read = KernelText.of(text, length);
      Letters known = alphabet.letters(letters);
      DeviceLongs outcomes = DeviceLongs.of(ended);
      String params =
          "size=%s alphabet=%s block=%d".formatted(size, alphabet.label(), shape.blockSize());
      List<Long> scans = times(new ScanWords(read, known, outcomes), shape, nodes, bump);
      print("trie-scan", params, shape.threads(), scans);
      TrieEdges edges =
          new TrieEdges(
              size.layout(),
              DeviceInts.of(nodes),
              DeviceLongs.of(nodes),
              NODES,
              DeviceLongs.of(bump),
              1L << 30);
      for (int slots : new int[] {1 << 10, 1 << 11}) {
        Kernel build =
            new BuildTrie(
                read, known, edges, BlockWords.of(slots), DeviceInts.of(left), false, outcomes);
        List<Long> nanos = times(build, shape, nodes, bump);
        launcher.readBack(nodes, bump);
        String found = summary(nodes, DeviceLongs.of(bump).get(0));
        print("trie-kernel", params + " slots=" + slots + " " + found, shape.threads(), nanos);
      }
    }
  }

  /** Times of a kernel, each with an empty trie. */
  private List<Long> times(Kernel kernel, LaunchShape shape, Memory nodes, Memory bump) {
    return KernelTimes.repeated(
        runs,
        () -> {
          DeviceLongs.of(bump).set(0, 1);
          launcher.clear(nodes);
          launcher.hostWrote(bump);
          return KernelTimes.nanos(launcher, kernel, shape);
        });
  }

  private String summary(Memory nodes, long made) {
    DeviceLongs counts = DeviceLongs.of(nodes);
    long words = 0;
    long distinct = 0;
    for (int node = 1; node < made; node++) {
      long count = counts.get(TrieLayout.count(node, size.layout().shift()));
      words += count;
      distinct += count > 0 ? 1 : 0;
    }
    return "words=%d distinct=%d nodes=%d".formatted(words, distinct, made);
  }

  /**
   * How long a text takes from host memory to the device, and to its counts in host memory by a
   * trie that has counted texts before. A fresh text is in memory that the driver has not seen, in
   * each run; else the text is the same, and its memory has become the driver's.
   */
  private void wholeTexts(boolean fresh) {
    String params = "size=%s %s memory".formatted(size, fresh ? "fresh" : "known");
    List<Long> copies = new ArrayList<>();
    List<Long> counts = new ArrayList<>();
    String found = "";
    try (WordTrie trie =
        WordTrie.builder().launcher(launcher).nodeSize(size).initialNodes(NODES).build()) {
      for (int run = -1; run < runs; run++) {
        long copy = timed(fresh, this::copy);
        long count = timed(fresh, memory -> count(trie, memory));
        if (run >= 0) {
          copies.add(copy);
          counts.add(count);
        }
      }
      found =
          "words=%d distinct=%d nodes=%d"
              .formatted(trie.total() / (runs + 1), trie.size(), trie.nodes());
    }
    print("copy-to-device", params, 0, copies);
    print("trie-end-to-end", params + " " + found, 0, counts);
  }

  private long timed(boolean fresh, Consumer<Memory> action) {
    Memory memory = text;
    if (fresh) {
      memory = Memory.ofBytes(length);
      memory.segment().copyFrom(text.segment().asSlice(0, length));
    }
    long start = System.nanoTime();
    action.accept(memory);
    long nanos = System.nanoTime() - start;
    if (fresh) {
      memory.close();
    }
    return nanos;
  }

  /** The text alone gets to the device: a kernel is given it that does nothing. */
  private void copy(Memory memory) {
    launcher.hostWrote(memory);
    launcher.run(new ClearLongs(ThreadLongs.of(memory), 0), LaunchShape.ofThreads(1));
  }

  private void count(WordTrie trie, Memory memory) {
    WordTrie _ = trie.add(memory, length);
    if (trie.total() == 0 || trie.size() == 0) {
      throw new IllegalStateException("no words were counted");
    }
  }

  /** Further calls on a small text, on a trie that has words already. */
  private void smallText() {
    long small = Math.min(length, SMALL_TEXT);
    try (WordTrie trie =
            WordTrie.builder().launcher(launcher).nodeSize(size).initialNodes(NODES).build();
        Memory piece = Memory.ofBytes(small)) {
      piece.segment().copyFrom(text.segment().asSlice(0, small));
      List<Long> nanos =
          KernelTimes.repeated(
              runs,
              () -> {
                long start = System.nanoTime();
                WordTrie _ = trie.add(piece, small);
                return System.nanoTime() - start;
              });
      print("trie-small-text", "size=%s bytes=%d".formatted(size, small), 0, nanos);
    }
  }

  private void print(String benchmark, String params, int threads, List<Long> nanos) {
    times.print(benchmark, "gyre", params, new KernelTimes.Work(0, length, threads, "B/s"), nanos);
  }
}
