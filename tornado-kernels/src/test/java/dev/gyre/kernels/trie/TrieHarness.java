package dev.gyre.kernels.trie;

import dev.gyre.atomics.DeviceInts;
import dev.gyre.atomics.DeviceLongs;
import dev.gyre.atomics.Memory;
import dev.gyre.kernels.JvmLauncher;
import dev.gyre.kernels.Kernel;
import dev.gyre.kernels.LaunchMode;
import dev.gyre.kernels.LaunchShape;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;

/** Builds a trie over a text on the JVM, growing the pool as the blocks ask for it. */
final class TrieHarness {

  static final int MAX_NODES = 1 << 13;

  private final LaunchShape shape;
  private final LaunchMode mode;
  private final long firstCapacity;
  private final long growth;
  Alphabet alphabet = Alphabet.ASCII_LETTERS;
  NodeSize size = NodeSize.LARGE;
  int blockWords = 64;
  long nodes;
  int launches;

  TrieHarness(LaunchShape shape, LaunchMode mode, long firstCapacity, long growth) {
    this.shape = shape;
    this.mode = mode;
    this.firstCapacity = firstCapacity;
    this.growth = growth;
  }

  /** A harness with room for all nodes. */
  TrieHarness(int blocks, int blockSize) {
    this(new LaunchShape(blocks, blockSize), LaunchMode.STRIDED, MAX_NODES, 0);
  }

  Map<String, Long> count(JvmLauncher launcher, byte[] text) {
    return count(launcher, text, build -> build);
  }

  /** Counts with a kernel made from the real one. */
  Map<String, Long> count(JvmLauncher launcher, byte[] text, Function<BuildTrie, Kernel> kernel) {
    long chunks = KernelText.chunks(text.length);
    try (Memory bytes = Memory.ofBytes(text.length);
        Memory table = alphabet.table();
        Memory trie = Memory.ofBytes(MAX_NODES * size.bytes());
        Memory bumpMemory = Memory.ofLongs(1);
        Memory left = Memory.ofInts(chunks);
        Memory ended = Memory.ofLongs(TrieLayout.ENDED_LONGS)) {
      bytes.segment().asByteBuffer().put(text);
      // What was left there before makes no difference.
      left.segment().fill((byte) 0x55);
      DeviceLongs bump = DeviceLongs.of(bumpMemory);
      bump.set(0, 1);
      long capacity = firstCapacity;
      boolean done = false;
      while (!done) {
        TrieEdges edges =
            new TrieEdges(
                size.layout(),
                DeviceInts.of(trie),
                DeviceLongs.of(trie),
                capacity,
                bump,
                Long.MAX_VALUE);
        BuildTrie build =
            new BuildTrie(
                KernelText.of(bytes, text.length),
                alphabet.letters(table),
                edges,
                BlockWords.of(blockWords),
                DeviceInts.of(left),
                launches > 0,
                DeviceLongs.of(ended));
        launcher.start(kernel.apply(build), shape, mode).join();
        launches++;
        done = isDone(ended);
        bump.set(0, Math.min(bump.get(0), capacity));
        capacity += growth;
      }
      nodes = bump.get(0);
      for (long chunk = 0; chunk < chunks; chunk++) {
        require(DeviceInts.of(left).get(chunk) == 0, "words were left");
      }
      Map<String, Long> counts = new TreeMap<>();
      collect(DeviceInts.of(trie), DeviceLongs.of(trie), TrieLayout.ROOT, new byte[0], counts);
      return counts;
    }
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new IllegalStateException(otherwise);
    }
  }

  /** Whether nothing was refused; all blocks were run. */
  private boolean isDone(Memory endedMemory) {
    DeviceLongs ended = DeviceLongs.of(endedMemory);
    long[] counted = new long[TrieLayout.ENDED_OUTCOMES];
    for (int i = 0; i < TrieLayout.ENDED_LONGS; i++) {
      counted[i % counted.length] += ended.get(i);
    }
    endedMemory.segment().fill((byte) 0);
    require(counted[(int) TrieLayout.RUN] == shape.blocks(), Arrays.toString(counted));
    require(counted[(int) TrieLayout.STUCK] == 0, Arrays.toString(counted));
    return counted[(int) TrieLayout.FULL] == 0;
  }

  private void collect(
      DeviceInts edges, DeviceLongs counts, int node, byte[] path, Map<String, Long> into) {
    int shift = size.layout().shift();
    long count = counts.get(TrieLayout.count(node, shift));
    if (count != 0) {
      require(path.length % size.edgesPerStep() == 0, "a word ends between");
      into.merge(word(size.steps(path)), count, Long::sum);
    }
    for (int edge = 0; edge < (1 << shift) - 2; edge++) {
      int child = edges.get(TrieLayout.edge(node, shift, edge));
      require(child != TrieEdges.RESERVED, "an edge stayed reserved");
      if (child > 0) {
        byte[] further = Arrays.copyOf(path, path.length + 1);
        further[path.length] = (byte) edge;
        collect(edges, counts, child, further, into);
      }
    }
  }

  private String word(byte[] steps) {
    return new String(alphabet.bytesOf(steps), StandardCharsets.UTF_8);
  }

  /** The same count with a map, letter by letter. */
  Map<String, Long> expected(byte[] text) {
    Map<String, Long> counts = new TreeMap<>();
    byte[] steps = new byte[text.length * Letter.MAX_STEPS];
    int taken = 0;
    for (int at = 0; at <= text.length; ) {
      long letter = at < text.length ? alphabet.letterAt(text, at) : 1L << Integer.SIZE;
      int rest = taken > 0 || Letter.begins(letter) ? Letter.steps(letter) : 0;
      if (rest == 0 && taken > 0) {
        counts.merge(word(Arrays.copyOf(steps, taken)), 1L, Long::sum);
        taken = 0;
      }
      for (; rest != 0; rest >>= Letter.STEP_BITS) {
        steps[taken++] = (byte) Letter.step(rest);
      }
      at += Letter.bytes(letter);
    }
    return counts;
  }

  /** Words of a few letters, some long, between all kinds of bytes. */
  static byte[] randomText(Random random, int length, int letters) {
    byte[] text = new byte[length];
    int wordLeft = 0;
    for (int i = 0; i < length; i++) {
      if (wordLeft > 0) {
        text[i] = (byte) ((random.nextBoolean() ? 'a' : 'A') + random.nextInt(letters));
        wordLeft--;
      } else {
        text[i] = random.nextInt(8) == 0 ? (byte) (128 + random.nextInt(128)) : (byte) ' ';
        wordLeft = random.nextInt(random.nextInt(8) == 0 ? 30 : 5);
      }
    }
    return text;
  }

  /** Letters of several scripts, marks, quotes, and bytes that are no text. */
  static byte[] randomUnicode(Random random, int length) {
    String some = "aabbccABéÉжΣς語\u0301\u0301\u203f’“”— ..  1";
    int[] letters = some.codePoints().toArray();
    byte[] text = new byte[length];
    int at = 0;
    while (at < length) {
      byte[] next =
          random.nextInt(16) == 0
              ? new byte[] {(byte) random.nextInt(256)}
              : Character.toString(letters[random.nextInt(letters.length)])
                  .getBytes(StandardCharsets.UTF_8);
      // Cut off where it is the last.
      System.arraycopy(next, 0, text, at, Math.min(next.length, length - at));
      at += next.length;
    }
    return text;
  }
}
