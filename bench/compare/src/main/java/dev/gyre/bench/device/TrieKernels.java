package dev.gyre.bench.device;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.bench.words.Texts;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchShape;
import dev.gyre.kernels.Launcher;
import dev.gyre.kernels.trie.Alphabet;
import dev.gyre.kernels.trie.BlockWords;
import dev.gyre.kernels.trie.BuildTrie;
import dev.gyre.kernels.trie.KernelText;
import dev.gyre.kernels.trie.Letters;
import dev.gyre.kernels.trie.NodeSize;
import dev.gyre.kernels.trie.TrieEdges;
import dev.gyre.kernels.trie.TrieLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Times the kernel that builds the word trie, for several launch shapes and sizes of what a block
 * shares, and a kernel that finds and hashes the words only, which is its limit.
 */
final class TrieKernels {

  private static final long NODES = 1 << 18;
  private static final long POLLS = 1L << 30;

  private final DeviceBenchmark benchmark;
  private final Launcher launcher;
  private final Memory text;
  private final NodeSize size;
  private final String name;
  private final int repeat;

  TrieKernels(DeviceBenchmark benchmark, Launcher launcher) throws IOException {
    this.benchmark = benchmark;
    this.launcher = launcher;
    this.repeat = benchmark.number("repeat", 1);
    this.name = benchmark.text("name", "text");
    this.text = Texts.repeated(Files.readAllBytes(Path.of(benchmark.text("text", ""))), repeat);
    this.size = NodeSize.valueOf(benchmark.text("size", "large").toUpperCase(Locale.ROOT));
  }

  /** Prints lines for each alphabet and shape. */
  void measure() {
    for (Alphabet alphabet : Alphabet.values()) {
      for (int blockSize : new int[] {128, 256, 512}) {
        for (int threads : new int[] {512, 1024, 1536, 2048}) {
          int blocks = Math.max(1, launcher.device().units() * threads / blockSize);
          measure(alphabet, new LaunchShape(blocks, blockSize));
        }
      }
    }
  }

  private void measure(Alphabet alphabet, LaunchShape shape) {
    long length = text.byteSize();
    try (Memory letters = alphabet.table();
        Memory nodes = Memory.ofBytes(NODES * size.bytes());
        Memory bump = Memory.ofLongs(1);
        Memory left = Memory.ofInts(KernelText.chunks(length));
        Memory ended = Memory.ofLongs(TrieLayout.ENDED_LONGS)) {
      KernelText read = KernelText.of(text, length);
      Letters known = alphabet.letters(letters);
      DeviceLongs outcomes = DeviceLongs.of(ended);
      String shared = "alphabet=%s block=%d".formatted(alphabet.label(), shape.blockSize());
      print(
          "limit: scan",
          shared,
          shape,
          times(new ScanWords(read, known, outcomes), shape, nodes, bump));
      TrieEdges edges =
          new TrieEdges(
              size.layout(),
              DeviceInts.of(nodes),
              DeviceLongs.of(nodes),
              NODES,
              DeviceLongs.of(bump),
              POLLS);
      for (int slots : new int[] {1 << 10, 1 << 11}) {
        Kernel build =
            new BuildTrie(
                read, known, edges, BlockWords.of(slots), DeviceInts.of(left), false, outcomes);
        List<Long> nanos = times(build, shape, nodes, bump);
        launcher.readBack(nodes, bump);
        long made = DeviceLongs.of(bump).get(0);
        requireWords(nodes, made);
        print(
            size == NodeSize.LARGE ? "gyre-trie" : "gyre-trie-small",
            shared + " slots=" + slots + " nodes=" + made,
            shape,
            nanos);
      }
    }
  }

  /** Returns the times of a kernel, each with an empty trie. */
  private List<Long> times(Kernel kernel, LaunchShape shape, Memory nodes, Memory bump) {
    return benchmark.repeated(
        () -> {
          DeviceLongs.of(bump).set(0, 1);
          launcher.clear(nodes);
          launcher.hostWrote(bump);
          return DeviceBenchmark.nanos(launcher, kernel, shape);
        });
  }

  private void requireWords(Memory nodes, long made) {
    DeviceLongs counts = DeviceLongs.of(nodes);
    long words = 0;
    for (int node = 1; node < made; node++) {
      words += counts.get(TrieLayout.count(node, size.layout().shift()));
    }
    if (words == 0 || words % repeat != 0) {
      throw new IllegalStateException(words + " words were counted");
    }
  }

  private void print(String implementation, String params, LaunchShape shape, List<Long> nanos) {
    DeviceBenchmark.print(
        launcher.device(),
        "word-count",
        implementation,
        "text=%s repeat=%d state=warm time=kernel %s".formatted(name, repeat, params),
        new DeviceBenchmark.Work(0, text.byteSize(), shape.threads(), "bytes/s"),
        nanos);
  }
}
